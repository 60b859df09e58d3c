// docs/production.md as data: its commands in their order, what each is said to write, and which are not run and why.

/** Marks before a block. */
const NOT_RUN = /^<!-- not run: (.+) -->$/
const VALUES = '<!-- values -->'
/** A place where the script does something that no command could: it ends an endpoint. */
const ENDPOINT_ENDS = '<!-- the script ends the first endpoint of Monad here -->'

/**
 * @param text of the guide
 * @returns its steps: `{ kind: 'run', line, code, output? }`, `{ kind: 'values', line, code }`, `{ kind: 'not run', line, code, reason }`, `{ kind: 'endpoint ends', line }`
 * @throws when a block is none of these, or an output stands behind no command
 */
export function stepsOf(text) {
  const steps = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === ENDPOINT_ENDS) steps.push({ kind: 'endpoint ends', line: at + 1 })
    const fence = /^```(\w*)$/.exec(lines[at])
    if (fence === null) continue
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new Error(`line ${at + 1}: a block without an end`)
    steps.push(
      stepOf({ language: fence[1], code: lines.slice(at + 1, end).join('\n'), mark: lines[at - 1] ?? '', line: at + 1 }, steps.at(-1), at),
    )
    at = end
  }
  return steps.filter((step) => step.kind !== 'output')
}

function stepOf({ language, code, mark, line }, before, at) {
  if (language === 'text') {
    // Directly behind the command, so that nothing can stand between them.
    if (before?.kind !== 'run' || before.last !== at) throw new Error(`line ${line}: an output that stands behind no command`)
    before.output = code
    return { kind: 'output' }
  }
  if (language !== 'sh') throw new Error(`line ${line}: a block is of commands (sh) or of what they write (text)`)
  const reason = NOT_RUN.exec(mark)?.[1]
  if (reason !== undefined) return { kind: 'not run', line, code, reason }
  if (mark === VALUES) return { kind: 'values', line, code }
  if (mark.startsWith('<!--')) throw new Error(`line ${line}: ${mark} means nothing`)
  return { kind: 'run', line, code, last: line + code.split('\n').length + 1 }
}

/** The names that a block of values sets. */
export function namesIn(code) {
  return [...code.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name)
}

/** Whether a text is what is quoted: `…` stands for anything within a line, and alone on a line for any lines. */
export function isQuoted(output, text) {
  const pattern = output
    .trim()
    .split('\n')
    .map((line) => (line === '…' ? '[\\s\\S]*' : line.split('…').map(RegExp.escape).join('[^\\n]*')))
    .join('\\n')
  return new RegExp(`^${pattern}$`).test(text.trim())
}
