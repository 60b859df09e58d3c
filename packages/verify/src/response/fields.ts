// What is read of structured fields. @see https://www.rfc-editor.org/rfc/rfc9651 (read 2026-11-22)

const BARE = String.raw`"(?:[ !#-[\]-~]|\\["\\])*"|-?\d{1,15}(?:\.\d{1,3})?|:[\w+/]*={0,2}:|\?[01]|[A-Za-z*][\w!#$%&'*+.^|~:/\`-]*`
const KEY = `[a-z*][a-z0-9_.*-]*`
const PARAMETERS = `(?:; *${KEY}(?:=(?:${BARE}))?)*`
const ITEM = `(?:${BARE})${PARAMETERS}`
const LIST = String.raw`\( *(?:${ITEM}(?: +${ITEM})*)? *\)${PARAMETERS}`
const MEMBER = `(${KEY})(?:=(${LIST}|${ITEM})|${PARAMETERS})`

/** Parses a header field that is a dictionary into its members, each with its value as written. @returns undefined when it is none, or has a key twice */
export function dictionary(field: string): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>()
  const reader = new RegExp(`[ \\t]*${MEMBER}[ \\t]*(,|$)`, 'y')
  for (let comma = ','; comma === ','; ) {
    const [, key = '', value = '', end = ''] = reader.exec(field) ?? []
    if (key === '' || members.has(key)) return undefined
    members.set(key, value)
    comma = end
  }
  return members
}

/** Content of a member of `signature-input`. */
export interface Input {
  /** Covered components as they are written, such as `"@path";req`. */
  readonly components: readonly string[]
  readonly parameters: ReadonlyMap<string, string>
}

/** Reads a `Signature-Input` as `@svc/core` writes it, with its parameters in any order; undefined when there is anything else, or something twice. */
export function readInput(text: string): Input | undefined {
  const [, inside = '', after = ''] =
    /^\(((?: *"[a-z0-9@_.-]+"(?:;req)?)*) *\)((?:;(?:created=\d{1,15}|(?:keyid|alg|tag)="[\w-]+"))*)$/.exec(text) ?? []
  const components = inside.split(' ').filter(Boolean)
  const pairs = [...after.matchAll(/;(\w+)="?([\w-]+)/g)].map(([, name = '', value = '']): [string, string] => [name, value])
  const parameters = new Map(pairs)
  const once = new Set(components).size === components.length && parameters.size === pairs.length
  return once && components.length > 0 ? { components, parameters } : undefined
}
