import { printable } from '@svc/verify/intent'
import type { BuiltIntents } from './intents.ts'
import { run } from './run.ts'

/**
 * Runs the command as a process: with arguments, standard streams and an exit code.
 *
 * @param built intents that the program has in itself.
 * @default they are looked for in the folder
 */
export async function main(built: BuiltIntents | null = null): Promise<void> {
  const { code, lines, errors } = await run(process.argv.slice(2), process.cwd(), built)
  // One line each, but for the usage: whatever a stranger wrote into a file or an answer moves no cursor and turns no text.
  const printableText = (line: string) => line.split('\n').map(printable).join('\n')
  for (const line of lines) console.log(printableText(line))
  for (const line of errors) console.error(printable(line))
  process.exitCode = code
}
