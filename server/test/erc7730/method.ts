/** A parameter of a method, as its text has it. */
export interface Param {
  /** Canonical: `uint64`, `bytes32[]`; of a tuple `(bytes32 root,int160 reward)`, with names. */
  readonly type: string
  readonly name: string
  /** Of a tuple. */
  readonly members: readonly Param[]
}

export interface Method {
  readonly name: string
  readonly params: readonly Param[]
  /** As descriptors name it: a space between type and name, none behind a comma. */
  readonly key: string
}

/** Reads `undelegate(uint64 validator, uint256 amount, uint8 slot)`. @throws Error when it is of another form */
export function methodOf(text: string): Method {
  const [, name, list] = /^(\w+)\((.*)\)$/.exec(text) ?? []
  if (name === undefined || list === undefined) throw new Error(`${text} is no method`)
  const params = split(list).map(paramOf)
  return { name, params, key: `${name}(${params.map(textOf).join(',')})` }
}

function paramOf(text: string): Param {
  const [, type, name] = /^(.*) (\w+)$/.exec(text) ?? []
  if (type === undefined || name === undefined) throw new Error(`${text} is no parameter with a name`)
  if (!type.startsWith('(')) return { type, name, members: [] }
  const members = split(type.slice(1, -1)).map(paramOf)
  return { type: `(${members.map(textOf).join(',')})`, name, members }
}

function textOf({ type, name }: Param): string {
  return `${type} ${name}`
}

/** By commas that stand in no parentheses. */
function split(list: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const char of list) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (char === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += char
  }
  return part.trim() === '' ? parts : [...parts, part.trim()]
}
