/** Settings by section and name; those before the first section stand under the empty text. */
export type Settings = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>

/**
 * Sets settings in a file of a node, leaving all others as the node wrote them.
 *
 * @throws Error for one that the file has not: a node of another version may call it otherwise, and would ignore it
 */
export function setIn(toml: string, settings: Settings): string {
  const left = new Map(
    Object.entries(settings).flatMap(([section, members]) => Object.entries(members).map(([name, value]) => [`${section}.${name}`, value])),
  )
  let section = ''
  const lines = toml.split('\n').map((line) => {
    section = /^\[([\w.-]+)\]/.exec(line)?.[1] ?? section
    const name = /^([\w-]+) *=/.exec(line)?.[1]
    const key = `${section}.${name}`
    const value = left.get(key)
    if (name === undefined || value === undefined) return line
    left.delete(key)
    return `${name} = ${JSON.stringify(value)}`
  })
  if (left.size > 0) throw new Error(`The node's file has no setting ${[...left.keys()].join(', ')}.`)
  return lines.join('\n')
}
