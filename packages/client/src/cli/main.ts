import { printable } from '@svc/verify/intent'
import { run } from './run.ts'

const { code, lines, errors } = await run(process.argv.slice(2), process.cwd())
// One line each, but for the usage: whatever a stranger wrote into a file or an answer moves no cursor and turns no text.
const printableText = (line: string) => line.split('\n').map(printable).join('\n')
for (const line of lines) console.log(printableText(line))
for (const line of errors) console.error(printable(line))
process.exitCode = code
