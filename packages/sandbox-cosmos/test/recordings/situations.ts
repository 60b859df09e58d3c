/** In which order the stand-in is brought into the recorded situations. */
import type { World } from './world.ts'

/** What landed on both, in the order of its sequences. */
const LANDED = [
  'cancel-unstake-landed',
  'claim-landed',
  'redelegate-landed',
  'set-withdraw-address-landed',
  'send-landed',
  'two-messages-landed',
  'stake-failed-funds',
  'stake-failed-validator',
  'stake-failed-zero',
  'unstake-failed-shares',
  'claim-failed-none',
  'out-of-gas',
  'second-message-failed',
] as const

/** Plays the day on which the Hub was recorded. */
export async function playHub(world: World): Promise<void> {
  await world.until(894)
  await questions(world)
  await world.until(1105)
  await refusals(world)
  await world.ask('broadcast-gas-above-block')
  await waiting(world)
  await world.until(1106)
  await landed(world)
  await world.until(1126)
  world.chain.node!.held = true
  world.chain.node!.submit(world.bytes('tx-emptying-landed'))
  await world.ask('broadcast-fee-spent-by-earlier')
  world.chain.node!.held = false
  await world.until(1127)
  await world.askLanded('emptying-landed')
  await world.askLanded('refused-in-block', 1)
  await world.ask('broadcast-refused-in-block-again')
  await commits(world)
  await world.until(1408)
  world.fillEntries()
  await world.ask('simulate-unbond-too-many-entries')
  await world.land('unstake-failed-entries')
}

/** Plays the day on which Celestia was recorded: first with the defaults of its node, and what landed with an index and with results. */
export async function playCelestia(world: World): Promise<void> {
  const node = world.chain.node!
  await world.until(159)
  await questions(world)
  await world.until(254)
  world.sendFour()
  await refusals(world)
  Object.assign(node.keeps, { index: true, results: true })
  await waiting(world)
  await world.until(256)
  node.held = false
  await world.until(257)
  await landed(world)
  await world.land('emptying-landed')
  await commits(world)
  await world.ask('broadcast-gas-above-block')
  await world.until(515)
  node.held = true
  await world.ask('broadcast-fee-spent-by-earlier')
  node.held = false
  world.emptyLast()
  await world.askLanded('refused-in-block')
  await world.ask('broadcast-refused-in-block-again')
}

/** What was asked of a chain on which nothing happens. */
async function questions(world: World): Promise<void> {
  await world.askAll(/^query-(?!account-while|delegator-unbondings-one|unbonding-one)/, /^simulate-(?!sequence|unbond-too-many)/, /^rpc-/)
  await world.askAll(
    /^(block|block-results|blockchain|header|validators)-(?!.*(landed|failed|transactions|out-of-gas|refused))/,
    /^validators$/,
  )
  await world.askAll(/^abci-info$/, /^tx-(bad|hex|no|short|unknown)-/, /^tx-search-(bad|empty|none|page)/, /^tx-status-(no|short|unknown)-/)
  await world.askAll(/^num-unconfirmed-txs$/, /^unconfirmed-txs$/, /^method-/)
}

async function refusals(world: World): Promise<void> {
  await world.askAll(/^broadcast-(?!accepted|async|commit|twice|rival|fee-spent|refused-in|gas-above)/)
}

/** Leaves a transaction waiting, and the chain held. */
async function waiting(world: World): Promise<void> {
  world.chain.node!.held = true
  await world.ask('broadcast-accepted', 'broadcast-twice', 'broadcast-async-twice', 'broadcast-rival-waiting')
  await world.ask('tx-while-it-waits', 'tx-status-pending', 'unconfirmed-txs-one', 'query-account-while-one-waits')
  await world.askAll(/^simulate-sequence-/)
  if (world.node === 'hub') world.chain.node!.held = false
}

async function landed(world: World): Promise<void> {
  await world.askLanded('stake-landed')
  await world.ask('broadcast-twice-landed', 'broadcast-rival-landed', 'tx-search-found', 'tx-search-hash')
  await world.askAll(/^block(-results|chain)?-with-transactions$/)
  for (const situation of ['stake-more-landed', 'unstake-landed']) await world.land(situation)
  await world.askAll(/^query-(delegator-)?unbondings?-one$/)
  for (const situation of LANDED) await world.land(situation)
  world.chain.node!.submit(world.bytes('broadcast-twice-failed'))
  await world.ask('broadcast-twice-failed', 'tx-search-failed-found')
}

async function commits(world: World): Promise<void> {
  await world.ask('broadcast-async', 'broadcast-commit', 'broadcast-async-refused', 'broadcast-commit-refused', 'tx-search-sender')
}
