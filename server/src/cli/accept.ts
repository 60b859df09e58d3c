import { Command } from 'commander'
import type { GlobalOptions } from './config.ts'
import { line } from './option-values.ts'
import { plain } from './output.ts'
import { Refusal } from './refusal.ts'
import { withState } from './state.ts'

interface Options extends GlobalOptions {
  readonly protocol: string
  readonly network: string
  readonly note: string
}

/** Longest note, in characters. */
const NOTE_LENGTH = 200

/** Makes `svc accept`, which accepts who has a power over what is staked with, so that stake is taken again. */
export function acceptCommand(): Command {
  return new Command('accept')
    .summary('accept who has a power over what is staked with')
    .description(
      'While somebody else may change a product than the operator has accepted, nothing is staked there; everything leaves as before. ' +
        'This accepts the holder that is named, and no later one. A running service takes stake again within seconds. The audit log has who accepted it, and the note.\n\n' +
        'svc check lists what waits. Ask who made the change before you accept it.',
    )
    .argument('<aspect>', 'name of the power, as the event and svc check have it: implementation, owner, …')
    .argument('<holder>', 'who has it now; none: nobody')
    .requiredOption('--protocol <name>', 'of this plugin: evm-three, …')
    .requiredOption('--network <id>', 'on this network, as X-NETWORK names it')
    .requiredOption('--note <text>', `why, for the audit log: a line of ${NOTE_LENGTH} characters at most`, line(NOTE_LENGTH))
    .addHelpText(
      'after',
      `
Examples:
  $ svc accept owner 0xHOLDER --protocol evm-two --network 688689 --note 'moved to a multisig, announced on 2030-01-31'
  $ svc accept sol_withdraw_authority none --protocol svm-liquid --network mainnet --note 'lifted, says the pool'`,
    )
    .action(async (aspect: string, holder: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { protocol, network, note } = options
      await withState(options, async ({ store, noAccount, recorded, settingsPaths }) => {
        const { acceptControl, NOBODY, wordsOf } = await import('@svc/core/operate')
        const paths = settingsPaths(protocol, network)
        if (paths.length === 0) throw new Refusal(`The config has no network ${plain(network)} of ${plain(protocol)}.`)
        const acceptance = { protocol, network, aspect, holder: holder === NOBODY ? null : holder, note }
        const changes = await recorded(noAccount, 'svc accept', (before) => acceptControl(store, paths, acceptance, before))
        for (const change of changes) console.log(plain(`Accepted: ${wordsOf([change])}.`))
      })
    })
}
