import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Layout, Recognition } from '@svc/core/operate'
import { Command, Option } from 'commander'
import { configPath, type GlobalOptions, load } from './config.ts'
import { date } from './option-values.ts'
import { accountOf } from './owner.ts'
import { withState } from './state.ts'

interface Options extends GlobalOptions {
  readonly account?: string
  readonly protocol?: string
  readonly network?: string
  readonly wallet?: string
  readonly from?: Date
  readonly to?: Date
  readonly layout: Layout
  readonly recognise: Recognition
}

/** Makes `svc statements`, which writes the entries of books as CSV. */
export function statementsCommand(): Command {
  return new Command('statements')
    .summary('write what was staked, earned and paid out, as CSV')
    .description(
      'Writes the entries of the books of watched wallets as CSV to standard output, by book, oldest first: everything that moved units of a position, with the ' +
        'transaction behind it. docs/ledger.md says what the columns are, and how far a book can be believed.',
    )
    .option('-a, --account <id>', 'only of this account; all of them where it is left out')
    .option('--protocol <name>', 'only of this plugin: evm-three, …')
    .option('--network <id>', 'only on this network, as X-NETWORK names it')
    .option('--wallet <address>', 'only of this wallet, in its canonical form')
    .option('--from <date>', 'not before: 2030-12-31T23:59:59Z, or a day, 2030-12-31, in UTC', date)
    .option('--to <date>', 'before that', date)
    .addOption(
      new Option('--layout <name>', 'columns: all that a book holds, or the income that a program imports')
        .choices(['own', 'koinly', 'cointracking'])
        .default('own'),
    )
    .addOption(
      new Option('--recognise <word>', 'in a layout of a program, a reward counts when the position shows it, or when it is claimed')
        .choices(['accrual', 'claim'])
        .default('accrual'),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ svc statements --from 2030-11-01 --to 2030-12-01 > november.csv
  $ svc statements --account acme --layout koinly --recognise claim > koinly.csv`,
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const loaded = await load(await configPath(options))
      await withState(options, async (state) => {
        const { statementCsv } = await import('../statements.ts')
        const { layout, recognise, protocol, network, wallet, from, to } = options
        const account = options.account === undefined ? undefined : accountOf(state, options.account)
        const parts = statementCsv(loaded, state.store, { account, protocol, network, wallet, from, to }, { layout, recognise })
        // As fast as it is read, so that a long statement takes no more memory than a short one; whoever reads no further, as `head` does, has what he wants.
        await pipeline(Readable.from(parts), process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EPIPE') throw error
        })
      })
    })
}
