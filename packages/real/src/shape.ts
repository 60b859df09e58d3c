/** Members whose text says what a node means, so that another text is another answer. */
const SPEAKING: ReadonlySet<string> = new Set(['code', 'codespace', 'log', 'message', 'error', 'status'])

/**
 * Tells the form of an answer: members, types, codes and texts, without what differs from run to run, such as heights, times, hashes and addresses.
 *
 * @returns a text that is the same for two answers of the same form
 */
export function shapeOf(answer: unknown, member = ''): string {
  if (Array.isArray(answer)) return `[${[...new Set(answer.map((each) => shapeOf(each, member)))].sort().join(' | ')}]`
  if (typeof answer === 'object' && answer !== null) {
    const members = Object.entries(answer).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, value]) => `${name}: ${shapeOf(value, name)}`).join(', ')}}`
  }
  if (answer === '' || answer === null || typeof answer === 'boolean') return JSON.stringify(answer)
  if (typeof answer === 'number') return SPEAKING.has(member) ? String(answer) : 'number'
  if (SPEAKING.has(member)) return JSON.stringify(String(answer).replaceAll(/\d+/g, '#'))
  return typeof answer
}
