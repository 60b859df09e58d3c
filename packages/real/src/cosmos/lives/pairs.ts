import { rawSigner } from '@svc/client/signers'
import { freePorts } from '@svc/testing/free-ports'
import type { Stage } from '../../node.ts'
import { openGate, type Way } from '../../pair/gate.ts'
import type { Case, Ground, NodeState, SignedBody } from '../../pair/ground.ts'
import { createPairs } from '../../pair/life.ts'
import { until } from '../../programs.ts'
import type { Report } from '../../report.ts'
import type { Service } from '../../service.ts'
import { readDelivered } from '../books.ts'
import type { Chain, FullNode } from '../chain.ts'
import type { Wallet } from '../keys.ts'
import { delegate } from '../messages.ts'
import { openRelay } from '../relay.ts'
import { createSender } from '../sender.ts'
import type { SignedTransaction } from '../transaction.ts'

/** Wallets of the life, each of which has one transaction that has landed before a pair is asked, and may send another one. */
export const PAIR_WALLETS = Array.from({ length: 50 }, (_, index) => `pair-${index}`)

const TOKEN = 1_000_000n
/** Stake of each transaction, as the API takes it. */
const AMOUNT = '1.000001'
/** Seconds until a node that was started has what the others have, or has forgotten what it is to forget. */
const PATIENCE_SECONDS = 300
/** Settings of app.toml of a node that keeps a block no longer than it has to, and no snapshots. */
const FORGETFUL = { '': { 'min-retain-blocks': 1 }, 'state-sync': { 'snapshot-interval': 0 } }
/** Seconds by which a node is behind: more than the service bears. */
const BEHIND_SECONDS = 30
/** Wallets whose transactions land before anything is asked: two for each state and each method but for what lands later. */
const EARLY = 40

/**
 * A second node beside the first one, in every state in which one of two endpoints can be, in both orders.
 *
 * @param network settings of the network but for its endpoints
 * @param alone service on the first node
 */
export async function pairLife(
  stage: Stage,
  chain: Chain,
  { report, alone, network }: { readonly report: Report; readonly alone: Service; readonly network: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { family } = chain
  const [first] = chain.nodes
  const sender = createSender(chain)
  const waiting = [...PAIR_WALLETS]
  const give = async (): Promise<Case<Wallet> & { readonly signed: SignedTransaction }> => {
    const wallet = chain.wallet(waiting.shift() ?? 'no wallet is left')
    const signed = await sender.write(wallet, [delegate(wallet.address, first.validator, family.denom, TOKEN)])
    const { code, log } = await sender.give(signed)
    if (code !== 0) throw new Error(`The node refused a transaction of ${wallet.name}: ${code} ${log}`)
    return { wallet, landed: sentOf(signed), signed }
  }
  const inBlock = async ({ hash }: SignedTransaction) =>
    until(`${hash} in a block`, PATIENCE_SECONDS, () => readDelivered(first.rpc, family.keepsResults, hash))
  /** Lands a transaction of each of two wallets. */
  const two = async (): Promise<NodeState<Wallet>['cases']> => {
    const cases = [await give(), await give()] as const
    await Promise.all(cases.map(({ signed }) => inBlock(signed)))
    return cases
  }

  const index = { tx_index: { indexer: family.keepsResults ? 'kv' : 'null' } }
  const relay = await openRelay(chain.peer.port)
  const only = { persistent_peers: `${chain.peer.id}@127.0.0.1:${relay.port}`, pex: false, max_num_inbound_peers: 0 }
  const [second, cut] = await Promise.all([chain.join('second', index), chain.join('cut', { ...index, p2p: only })])
  const cases = await Promise.all(Array.from({ length: EARLY }, () => give()))
  const blocks = await Promise.all(cases.map(({ signed }) => inBlock(signed)))
  const newest = blocks.map(({ height }) => height).toSorted((one, other) => Number(other - one))[0] ?? 0n
  const fresh = [...cases]
  const pairOf = (): NodeState<Wallet>['cases'] => {
    const [one, other] = [fresh.shift(), fresh.shift()]
    if (!one || !other) throw new Error('No wallet is left.')
    return [one, other]
  }
  await Promise.all([second, cut].map((node) => level(chain, node)))
  await relay.cut()
  const cutAt = await chain.nodes[0].rpc.height()

  const well: Way = { to: first.rpc.url }
  const way: Way = { to: second.rpc.url }
  const gates = [await openGate(well), await openGate(way)] as const
  const [metrics = 0] = await freePorts(1)
  const pair = await stage.service({
    // A first endpoint that is late on a busy machine would be passed over, and what it says would not count.
    plugins: {
      [family.plugin]: { networks: { [family.chainId]: { ...network, endpoints: { rpc: gates.map(({ url }) => url) }, hedge: false } } },
    },
    further: { metrics: { port: metrics } },
  })
  const ground: Ground<Wallet> = {
    ...{ alone, pair, gates, well },
    metrics: `http://127.0.0.1:${metrics}/metrics`,
    path: `/api/v1${family.intent.path}`,
    network: family.chainId,
    address: ({ address }) => address,
    // Queries are bytes in hex, in which an address is its own text.
    mark: ({ address }) => Buffer.from(address).toString('hex'),
    wish: ({ pubkey }) => ({ pubkey, amount: AMOUNT }),
    async sign(service, { pubkey, sign }) {
      const { hub } = service.client({ hub: family.intent })
      const signed = await (await hub.craft('stake', { pubkey, amount: AMOUNT })).sign(rawSigner({ sign: async (hash) => sign(hash) }))
      return { hash: signed.txHash, body: signed.signed }
    },
    pass: async () => void (await chain.pass(1)),
  }
  const pairs = createPairs(report, ground)
  await pairs.play({ name: 'is well too', way, cases: pairOf() })
  for (const method of pairs.methods())
    await pairs.play({ name: `does not serve ${method}`, way: { ...way, instead: withoutMethod(method) }, lacks: method, cases: pairOf() })

  await second.stop()
  await second.start({ mempool: { broadcast: false } })
  await pairs.play({ name: 'was restarted', way, cases: pairOf() })
  await level(chain, second)
  await pairs.play({ name: 'passes on nothing', way, isDeaf: true, cases: pairOf() })

  if (family.keepsResults) {
    await second.stop()
    await second.start({ mempool: { broadcast: true }, tx_index: { indexer: 'null' } })
    await level(chain, second)
    await pairs.play({ name: 'keeps no index', way, cases: pairOf() })
  }
  const old = pairOf()
  await second.stop()
  await second.start({ mempool: { broadcast: true }, ...index }, FORGETFUL)
  await until('the second node forgets the blocks', PATIENCE_SECONDS, async () => {
    const { sync_info } = await second.rpc.call('status')
    return BigInt((sync_info as { earliest_block_height: string }).earliest_block_height) > newest
  })
  await pairs.play({ name: 'has forgotten', way, cases: old })

  const behind = await two()
  await chain.reach(cutAt + BigInt(Math.ceil(BEHIND_SECONDS / family.blockSeconds)))
  await pairs.play({ name: 'is behind', way: { to: cut.rpc.url }, isBehind: true, cases: behind })
  await pairs.close()
  await pair.close()
  await Promise.all([second.stop(), cut.stop()])
  await Promise.all(gates.map((gate) => gate.close()))
}

/** Waits until a node has what the first one has now: of a chain that goes on it may always be a block behind. */
async function level({ nodes }: Chain, { rpc }: FullNode): Promise<void> {
  const height = await nodes[0].rpc.height()
  await until('the node has caught up', PATIENCE_SECONDS, async () => (await rpc.height()) >= height)
}

function sentOf({ hash, base64 }: SignedTransaction): SignedBody {
  return { hash, body: { signed_tx_hex: Buffer.from(base64, 'base64').toString('hex') } }
}

/** A host that lets a method not through, in a node's own words: those of the recordings `rpc-unknown-method`. */
function withoutMethod(name: string): NonNullable<Way['instead']> {
  const error = { code: -32_601, message: 'Method not found' }
  return ({ method }) => (method === name ? { error } : null)
}
