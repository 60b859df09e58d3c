import { SvcError } from '../errors.ts'
import { readArguments } from './arguments.ts'
import { explainText } from './explain.ts'
import { type BuiltIntents, intentFinder } from './intents.ts'
import { Mistake, type Outcome } from './outcome.ts'
import { serve } from './serve.ts'
import { USAGE } from './usage.ts'
import { verifyFiles } from './verify.ts'

/**
 * Runs the command with its arguments. Only `serve` uses the process's standard streams.
 *
 * @param folder where it runs: files and intents are looked for there
 * @param built intents that the program has in itself. @default they are looked for in the folder
 * @returns exit code 0: all is well; 1: a check failed; 2: the command could not be run as given
 */
export async function run(args: readonly string[], folder: string, built: BuiltIntents | null = null): Promise<Outcome> {
  try {
    const options = readArguments(args)
    if (options.command === 'help') return { code: 0, lines: [USAGE], errors: [] }
    const find = intentFinder(built, folder)
    if (options.command === 'serve') {
      await serve(options, folder, { find, built }, { input: process.stdin, output: process.stdout })
      return { code: 0, lines: [], errors: [] }
    }
    return options.command === 'explain' ? await explainText(options, folder, find) : await verifyFiles(options, folder, find)
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    const fault = error instanceof Mistake || SvcError.is(error) ? '' : 'This should not have happened: '
    return { code: 2, lines: [], errors: [`svc-verify: ${fault}${sentence}`] }
  }
}
