import { Command, Option } from 'commander'
import type { GlobalOptions } from './config.ts'
import { count } from './option-values.ts'
import { moment, plain, snaked, table, writeJson } from './output.ts'
import { accountOf } from './owner.ts'
import { withState } from './state.ts'

interface Options extends GlobalOptions {
  readonly account?: string
  readonly severity?: 'critical' | 'warning' | 'info'
  readonly type?: string
  readonly protocol?: string
  readonly limit: number
  readonly before?: number
  readonly json?: boolean
}

/** Largest number of an event, the same as of the API: 15 digits. */
const MOST_SEQUENCE = 999_999_999_999_999

/** Makes `svc events`, which lists events, delivered or not. */
export function eventsCommand(): Command {
  return new Command('events')
    .summary('read what happened to an account, newest first')
    .description(
      'Reads the events of an account, newest first, whether a webhook has got them or not: 30 days of them, and what is critical until somebody has put its ' +
        'alarm away. docs/when-something-changes.md says what can be done about those that have a severity.',
    )
    .option('-a, --account <id>', 'account that they are of; may be left out where there is one only')
    .addOption(
      new Option('--severity <word>', 'only changes that came from elsewhere, of this weight').choices(['critical', 'warning', 'info']),
    )
    .option('--type <name>', 'only of this type: position.lost, …')
    .option('--protocol <name>', 'only of this plugin: evm-three, …')
    .option('-l, --limit <number>', 'most events to show', count(200), 20)
    .option('--before <number>', 'go on where the page before ended', count(MOST_SEQUENCE))
    .option('--json', 'write one event a line as JSON, with the body that is sent')
    .addHelpText(
      'after',
      `
Examples:
  $ svc events --severity critical
  $ svc events --account acme --type transaction.failed --limit 5`,
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      await withState(options, async (state) => {
        const { sentenceOf } = await import('@svc/core/operate')
        const { severity, type, protocol, limit, before } = options
        const account = accountOf(state, options.account)
        const desk = await state.webhooks()
        const { events, next } = await desk.events({ account, severity, type, protocol, limit, before })
        const rows = events.map((event) => ({ ...event, sentence: sentenceOf(event.type, event.body) }))
        if (options.json) writeJson(...rows.map(snaked))
        else if (rows.length === 0) console.error('No events.')
        else
          console.log(
            table(
              ['TIME', 'SEVERITY', 'TYPE', 'PROTOCOL', 'PUT AWAY', 'WHAT'],
              rows.map((event) =>
                [
                  moment(event.createdAt),
                  event.severity ?? '-',
                  event.type,
                  event.protocol ?? '-',
                  moment(event.dismissedAt),
                  event.sentence,
                ].map(plain),
              ),
            ),
          )
        if (next !== null) console.error(`There are older ones: go on with --before ${next}`)
      })
    })
}
