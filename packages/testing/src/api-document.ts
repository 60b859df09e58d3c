/** An OpenAPI document, or a part of one, as JSON holds it. */
type Json = unknown

/** An object of JSON. */
type Members = Readonly<Record<string, Json>>

/** Number of characters from which on a part that occurs more than once is written once: below it, naming it would not be shorter. A choice of this project. */
const SHARED_FROM = 60

/** Width of a line in characters, the longest that a part takes before its members get lines of their own: that of biome.json. */
const LINE = 140

/** Member that stands where a shared part is, and names it. */
const USE = '='

/** Differences of one operation that are told, at most. */
const MOST_TOLD = 5

/** Text of a value that is told, in characters, at most. */
const MOST_SHOWN = 160

/**
 * Writes an OpenAPI document in a normal form: members sorted by name, and each part that occurs more than once written once, under `shared`. So the order in which routes
 * are registered does not matter, and a sentence that many operations have is one line of a difference.
 *
 * @param agreed text of the form so far, whose shared parts keep their names; one that has changed leaves its name to the one in its place
 * @returns JSON with a line for what fits into one
 */
export function packDocument(document: Members, agreed = '{"document":{},"shared":{}}'): string {
  const sorted = sort(document) as Members
  const { shared: before } = JSON.parse(agreed)
  const keptNames = new Map(Object.keys(before).map((name) => [textOf(sort(expand({ [USE]: name }, before))), name]))
  const names = nameShared(sorted, keptNames)
  const named = (value: Json, isOwn = false): Json => {
    if (!isObject(value))
      return typeof value === 'string' && !isOwn && names.has(textOf(value)) ? { [USE]: names.get(textOf(value)) } : value
    const name = isOwn ? undefined : names.get(textOf(value))
    if (name !== undefined) return { [USE]: name }
    return Array.isArray(value) ? value.map((each) => named(each)) : mapMembers(value, (member) => named(member))
  }
  const shared = Object.fromEntries([...names].map(([text, name]) => [name, named(JSON.parse(text), true)]))
  return `${lay({ document: named(sorted, true), shared: sort(shared) }, '')}\n`
}

/** Reads an OpenAPI document from its normal form. @throws Error for a shared part that is named and is not there */
export function unpackDocument(text: string): Members {
  const { document, shared } = JSON.parse(text)
  return expand(document, shared) as Members
}

/**
 * Compares two OpenAPI documents by operation; the order of members does not count.
 *
 * @returns a sentence for each difference: the operations or the part of the document that it is in, the path within it, and both values. The same
 * difference in several operations is one sentence.
 */
export function documentDifferences(agreed: Members, served: Members): readonly string[] {
  const [before, after] = [partsOf(sort(agreed) as Members), partsOf(sort(served) as Members)]
  const places = new Map<string, string[]>()
  const add = (sentence: string, place: string) => places.set(sentence, [...(places.get(sentence) ?? []), place])
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(place), after.get(place)]
    if (one === undefined) add('is served, and was not agreed', place)
    else if (other === undefined) add('was agreed, and is not served', place)
    else {
      const all = [...differencesWithin(one, other, [])]
      for (const sentence of all.slice(0, MOST_TOLD)) add(sentence, place)
      if (all.length > MOST_TOLD) add(`and ${all.length - MOST_TOLD} more differences`, place)
    }
  }
  return [...places].map(
    ([sentence, [first, ...others]]) => `${first}${others.length > 0 ? ` and ${others.length} more` : ''}: ${sentence}`,
  )
}

/** Puts the shared parts where they are used. */
function expand(value: Json, shared: Members): Json {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map((each) => expand(each, shared))
  const { [USE]: name } = value as Members
  if (typeof name !== 'string') return mapMembers(value, (member) => expand(member, shared))
  if (!Object.hasOwn(shared, name)) throw new Error(`The document uses the shared part "${name}", which it does not hold.`)
  return expand(shared[name], shared)
}

/** Lists what differs between two parts of the documents. */
function* differencesWithin(agreed: Json, served: Json, path: readonly string[]): Generator<string> {
  if (textOf(agreed) === textOf(served)) return
  if (!isObject(agreed) || !isObject(served) || Array.isArray(agreed) !== Array.isArray(served)) {
    yield `${path.join(' › ')} was agreed as ${shown(agreed)}, and is served as ${shown(served)}`
    return
  }
  if (isTexts(agreed) && isTexts(served)) {
    const [gone, more] = [agreed.filter((each) => !served.includes(each)), served.filter((each) => !agreed.includes(each))]
    if (gone.length > 0) yield `${path.join(' › ')} lacks ${gone.map(shown).join(', ')}, which was agreed`
    if (more.length > 0) yield `${path.join(' › ')} has ${more.map(shown).join(', ')} besides what was agreed`
    if (gone.length + more.length > 0) return
  }
  const [one, other] = [agreed as Members, served as Members]
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
    yield* differencesWithin(one[name], other[name], [...path, name])
}

/** The operations of a document by method and path, its components by kind and name, and all else by its member. */
function partsOf({ paths, components, ...others }: Members): ReadonlyMap<string, Json> {
  const deep = (group: Json, nameOf: (outer: string, inner: string) => string) =>
    Object.entries((group ?? {}) as Members).flatMap(([outer, members]) =>
      Object.entries(members as Members).map(([inner, value]): [string, Json] => [nameOf(outer, inner), value]),
    )
  return new Map([
    ...Object.entries(others),
    ...deep(components, (kind, name) => `components ${kind} ${name}`),
    ...deep(paths, (path, method) => `${method} ${path}`),
  ])
}

/**
 * Names the parts that occur more than once: each by the member or response in which it first stands, and where several stand in such, by a number too.
 *
 * @param kept names of parts so far, by their text
 */
function nameShared(document: Members, kept: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, { readonly in: string; count: number }>()
  const visit = (value: Json, name: string) => {
    const text = textOf(value)
    const isLong = text.length >= SHARED_FROM && (isObject(value) || typeof value === 'string')
    const entry = counts.get(text)
    if (entry !== undefined) entry.count++
    else if (isLong) counts.set(text, { in: name, count: 1 })
    // The parts of one that is known occur with it.
    if (entry === undefined && isObject(value)) {
      if (Array.isArray(value)) for (const each of value) visit(each, name)
      else for (const [member, each] of Object.entries(value)) visit(each, member)
    }
  }
  visit(document, 'document')
  const several = [...counts].filter(([, { count }]) => count > 1)
  const usedNames = new Set(several.flatMap(([text]) => kept.get(text) ?? []))
  return new Map(
    several.map(([text, { in: member }]) => {
      const name = kept.get(text) ?? freeName(member, usedNames)
      usedNames.add(name)
      return [text, name]
    }),
  )
}

function freeName(member: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? member : `${member} ${number}`
    if (!taken.has(name)) return name
  }
}

/** Puts the members of objects, and the names of required members, in order. */
function sort(value: Json, name = ''): Json {
  if (!isObject(value)) return value
  if (Array.isArray(value)) {
    const items = value.map((each) => sort(each))
    return name === 'required' && isTexts(items) ? items.toSorted() : items
  }
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([member, each]) => [member, sort(each, member)]),
  )
}

/** Writes JSON, a part to a line where it fits. */
function lay(value: Json, indent: string): string {
  const line = textOf(value)
  if (!isObject(value) || indent.length + line.length <= LINE) return line
  const inner = `${indent} `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Array.isArray(value)
    ? value.map((each) => lay(each, inner))
    : Object.entries(value).map(([name, each]) => `${textOf(name)}: ${lay(each, inner)}`)
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`
}

function mapMembers(value: object, change: (member: Json) => Json): Members {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
}

function shown(value: Json): string {
  if (value === undefined) return 'nothing'
  const text = textOf(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

function textOf(value: Json): string {
  return JSON.stringify(value) ?? 'undefined'
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isObject(value: Json): value is object {
  return typeof value === 'object' && value !== null
}
