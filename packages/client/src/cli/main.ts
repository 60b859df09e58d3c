import { run } from './run.ts'

const { code, lines, errors } = await run(process.argv.slice(2), process.cwd())
for (const line of lines) console.log(line)
for (const line of errors) console.error(line)
process.exitCode = code
