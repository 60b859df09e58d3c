/** A value in a query, with its variables filled in. */
export type Value = string | number | boolean | null | { readonly [name: string]: Value }

/** A field that is asked for. */
export interface Field {
  readonly name: string
  readonly args: Readonly<Record<string, Value>>
  readonly fields: readonly Field[]
}

/**
 * Reads the one query of a request: fields, arguments and variables, which is what indexers' clients need. No fragments, no directives.
 *
 * @throws SyntaxError where the text is anything else, or a variable is not given
 */
export function parseQuery(text: string, variables: Readonly<Record<string, Value>>): readonly Field[] {
  const tokens = text.match(/[A-Za-z_]\w*|\$\w+|"[^"]*"|-?\d+(?:\.\d+)?|[{}()[\]:!]/g) ?? []
  let at = 0
  const next = () => tokens[at++]
  const take = (token: string) => {
    const actual = next()
    if (actual !== token) throw new SyntaxError(`expected ${token}, found ${actual ?? 'the end'}`)
  }

  take('query')
  if (tokens[at] !== '{') next()
  if (tokens[at] === '(') while (next() !== ')') if (at >= tokens.length) throw new SyntaxError('the variables do not end')
  const fields = readFields()
  if (at !== tokens.length) throw new SyntaxError('one query at a time')
  return fields

  function readFields(): Field[] {
    take('{')
    const list: Field[] = []
    while (tokens[at] !== '}') {
      const name = next()
      if (!name || !/^\w/.test(name)) throw new SyntaxError(`expected a field, found ${name ?? 'the end'}`)
      const args = tokens[at] === '(' ? readMembers('(', ')') : {}
      list.push({ name, args, fields: tokens[at] === '{' ? readFields() : [] })
    }
    take('}')
    return list
  }

  function readMembers(open: string, close: string): Record<string, Value> {
    take(open)
    const members: Record<string, Value> = {}
    while (tokens[at] !== close) {
      const name = next()
      if (!name) throw new SyntaxError('the arguments do not end')
      take(':')
      members[name] = readValue()
    }
    take(close)
    return members
  }

  function readValue(): Value {
    if (tokens[at] === '{') return readMembers('{', '}')
    const token = next() ?? ''
    if (token.startsWith('$')) {
      const value = variables[token.slice(1)]
      if (value === undefined) throw new SyntaxError(`the variable ${token} is not given`)
      return value
    }
    if (token.startsWith('"')) return token.slice(1, -1)
    if (/^-?\d/.test(token)) return Number(token)
    if (token === 'true' || token === 'false') return token === 'true'
    if (!/^\w/.test(token)) throw new SyntaxError(`expected a value, found ${token || 'the end'}`)
    return token
  }
}

/** Reduces an entity, or a list of them, to the fields that are asked for. @throws SyntaxError where a field is asked for that it does not have */
export function project(entity: unknown, { name, fields }: Field): unknown {
  if (entity === null) return null
  if (Array.isArray(entity)) return entity.map((each) => project(each, { name, args: {}, fields }))
  if (fields.length === 0) return entity
  const members = new Map<string, unknown>(typeof entity === 'object' ? Object.entries(entity) : [])
  return Object.fromEntries(
    fields.map((field) => {
      if (!members.has(field.name)) throw new SyntaxError(`Type \`${name}\` has no field \`${field.name}\``)
      return [field.name, project(members.get(field.name), field)]
    }),
  )
}
