import { join } from 'node:path'
import type { Stage } from '../node.ts'
import { recordAgain } from '../record-again.ts'
import { startChain } from './chain.ts'
import type { CosmosFamily } from './family.ts'
import { DENOMINATION_WALLETS, denominationsLife, STRANGER, STRANGERS } from './lives/denominations.ts'
import { HANDS_WALLETS, handsLife } from './lives/hands.ts'
import { BOOK_WALLETS, ledgerHolds, PATRON, PATRONAGE, paidLife } from './lives/ledger.ts'
import { PAIR_WALLETS, pairLife } from './lives/pairs.ts'
import { randomLife } from './lives/random.ts'
import { ABSENT, slashedLife } from './lives/slashed.ts'
import { haltedLife, SPARSE, STATE_WALLETS, sparseLife } from './lives/states.ts'
import { GRANTER, vestingLife } from './lives/vesting.ts'
import { wholeLife } from './lives/whole.ts'
import { createPlayer } from './player.ts'
import { ANYWHERE } from './record.ts'

/** Index of the validator with which only the life of denominations stakes. */
const REWARDING = 1
/** Index of the validator with which only the life of books stakes, where rewards come in other denominations. */
const PAYING = 3
/** Wallets that act at random at a time. */
const WALLETS = 40
/** Number of these whose validator is slashed. */
const SLASHED = 10
/** Blocks that the sparse node keeps; evidence of anything older counts for nothing on these chains. */
const KEPT = 30

/** Plays the lives of the family on a chain of its own. @param program of the node */
export async function playCosmos(stage: Stage, family: CosmosFamily, program: string): Promise<void> {
  const { report, programs, folder, actions, seed } = stage
  const names = Array.from({ length: WALLETS }, (_, index) => `random-${index}`)
  const slashed = names.slice(0, SLASHED)
  const chain = await startChain(programs, family, {
    program: join(stage.built, program),
    folder: join(folder, 'chain'),
    names: [
      'whole',
      GRANTER,
      ...names,
      ...STATE_WALLETS,
      ...DENOMINATION_WALLETS,
      ...HANDS_WALLETS,
      ...BOOK_WALLETS,
      PATRON,
      ...PAIR_WALLETS,
    ],
    extra: { [STRANGER]: STRANGERS, [PATRON]: PATRONAGE },
    own: { [SPARSE]: { tx_index: { indexer: 'null' } } },
    ownApp: { [SPARSE]: { '': { 'min-retain-blocks': KEPT }, 'state-sync': { 'snapshot-interval': 0 } } },
  })
  const [first] = chain.nodes
  const validator = (index: 0 | 1 | 2 | 3) => chain.nodes[index].validator
  const account = (index: 0 | 1 | 2 | 3) => ({
    name: `stakes with validator ${index}`,
    plugins: { [family.plugin]: { networks: { [family.chainId]: { validator: validator(index) } } } },
  })
  const network = { name: 'local', validator: first.validator }
  const plugins = (url: string) => ({
    [family.plugin]: { networks: { [family.chainId]: { ...network, endpoints: { rpc: [url] } } } },
  })
  const service = await stage.service({
    plugins: plugins(first.rpc.url),
    accounts: { rewarded: account(REWARDING), slashed: account(ABSENT), paid: account(PAYING) },
  })
  report.check('svc check finds nothing wrong with the node', service.checked.code === 0, service.checked.out + service.checked.err)
  if (stage.recorder.wanted) await stage.life('recordings', (within) => recordAgain(within, stage.recorder, first.rpc.url, ANYWHERE))
  const sparseService = await stage.service({ plugins: plugins(chain.nodes[SPARSE].rpc.url) })
  const sparse = { service: sparseService, player: createPlayer(sparseService, chain, first.validator) }
  const own = createPlayer(service, chain, first.validator)
  const rewarded = createPlayer(service, chain, validator(REWARDING), 'rewarded')
  const patronised = createPlayer(service, chain, validator(PAYING), 'paid')
  const absent = createPlayer(service, chain, validator(ABSENT), 'slashed')
  const share = Math.floor((actions * SLASHED) / WALLETS)
  await Promise.all([
    stage.life('whole', (within) => wholeLife(within, own, 'whole')),
    // Celestia refuses the message that makes such an account (code 18, 2026-11-28), and has no rewards in other denominations here.
    ...(family.keepsResults
      ? [
          stage.life('vesting', (within) => vestingLife(within, own)),
          stage.life('denominations', (within) => denominationsLife(within, rewarded)),
        ]
      : []),
    stage.life('hands', (within) => handsLife(within, own, { service, other: validator(REWARDING) })),
    stage.life('random', (within) => randomLife(within, own, { names: names.slice(SLASHED), actions: actions - share, seed })),
    stage.life('books', async (within) => {
      const most = await paidLife(within, patronised, { names: BOOK_WALLETS, actions: actions - share, seed })
      // Celestia's own defaults have no index of transactions, so that nobody can find what has moved.
      const reasons = family.keepsResults ? [] : ['no_index', 'flow_missing']
      await ledgerHolds(within, patronised, { service, names: BOOK_WALLETS, reasons, account: 'paid', most })
    }),
    stage.life('pair', (within) => pairLife(stage, chain, { report: within, alone: service, network })),
    stage.life('sparse', (within) => sparseLife(within, sparse)),
    stage.life('slashed', (within) =>
      slashedLife(within, { player: absent, service, account: 'slashed' }, { names: slashed, actions: share, seed }),
    ),
  ])
  // At the end, since the chain stands still in it.
  await stage.life('halted', (within) => haltedLife(within, sparse))
}
