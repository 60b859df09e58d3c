import type { Followed } from '@svc/core/operate'
import { Command } from 'commander'
import { configPath, type GlobalOptions, load } from './config.ts'
import { plain, writeJson } from './output.ts'
import { Refusal } from './refusal.ts'
import { withState } from './state.ts'

interface Options extends GlobalOptions {
  readonly account?: string
  readonly protocol?: string
  readonly network?: string
  readonly ask?: boolean
  readonly json?: boolean
}

/** Makes `svc tx`, which shows what became of a transaction. */
export function txCommand(): Command {
  return new Command('tx')
    .summary('tell what became of a transaction')
    .description(
      'Tells what the service knows of a transaction: its craft, prepare and broadcast in the audit log, the states that it came to since, what it moved, ' +
        'and until when it can land. With --ask the chain is asked besides, through the plugin that it is of; nothing is written.',
    )
    .argument('<hash>', 'hash of the transaction, signed or unsigned')
    .option('-a, --account <id>', 'as this account follows it')
    .option('--protocol <name>', 'of this plugin: evm-three, …')
    .option('--network <id>', 'on this network, as X-NETWORK names it')
    .option('--ask', 'ask the chain where it stands now')
    .option('--json', 'write it as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ svc tx HASH
  $ svc tx HASH --ask
  $ svc tx HASH --ask --protocol evm-three    one that was never seen here`,
    )
    .action(async (hash: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      await withState(options, async ({ store, networkName }) => {
        const [{ findFollowed }, { timelineText, timelineJson, lookText }] = await Promise.all([
          import('@svc/core/operate'),
          import('../tx-timeline.ts'),
        ])
        const { account, protocol, network } = options
        const rows = await findFollowed(store, { hash, account, protocol, network })
        if (rows.length === 0 && !options.ask)
          throw new Refusal(`No transaction ${plain(hash)} is followed here. Where it is of another service, ask the chain with --ask.`)
        const looks = options.ask ? await ask(options, hash, rows) : []
        if (options.json) writeJson({ transactions: rows.map(timelineJson), asked: looks.map(timelineJson) })
        else
          console.log(
            [...rows.map((row) => timelineText(row, networkName)), ...looks.map((look) => lookText(look, networkName))].join('\n\n'),
          )
      })
    })
}

async function ask(options: Options, hash: string, rows: readonly Followed[]) {
  const { askChain } = await import('../ask-chain.ts')
  const loaded = await load(await configPath(options))
  return askChain(loaded, { hash, account: options.account, protocol: options.protocol, network: options.network }, rows)
}
