import { SvcError } from '../errors.ts'
import { readArguments } from './arguments.ts'
import { explainText } from './explain.ts'
import { Mistake, type Outcome } from './outcome.ts'
import { USAGE } from './usage.ts'
import { verifyFiles } from './verify.ts'

/**
 * Runs the command with its arguments, without touching the process.
 *
 * @param folder where it runs: files and intents are looked for there
 * @returns exit code 0: it is as it should be; 1: it is not; 2: it could not be asked so
 */
export async function run(args: readonly string[], folder: string): Promise<Outcome> {
  try {
    const options = readArguments(args)
    if (options.command === 'help') return { code: 0, lines: [USAGE], errors: [] }
    return options.command === 'explain' ? await explainText(options, folder) : await verifyFiles(options, folder)
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    const fault = error instanceof Mistake || SvcError.is(error) ? '' : 'This should not have happened: '
    return { code: 2, lines: [], errors: [`svc-verify: ${fault}${sentence}`] }
  }
}
