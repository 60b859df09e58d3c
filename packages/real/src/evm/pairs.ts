import { join } from 'node:path'
import { ethersSigner } from '@svc/client/signers'
import { evmVault } from '@svc/intent-evm-vault'
import { freePorts } from '@svc/testing/free-ports'
import type { Wallet } from 'ethers'
import type { Stage } from '../node.ts'
import { openGate, type RpcCall, type Way } from '../pair/gate.ts'
import type { Case, FlatAnswer, Ground, NodeState, SignedBody } from '../pair/ground.ts'
import { createPairs } from '../pair/life.ts'
import type { Report } from '../report.ts'
import type { Service } from '../service.ts'
import { CHAIN_ID } from './genesis.ts'
import { startFollower } from './geth.ts'
import { networkOf, PLUGIN, type VaultStage } from './vault-stage.ts'

/** Blocks until what was sent is final on this chain. */
const FINAL_BLOCKS = 12
/** Blocks of a gap that an index over the last 20 does not reach over. */
const BEYOND_INDEX = 40
/** Blocks of a second each by which a node is behind: more than the service bears. */
const BEHIND_BLOCKS = 30
/** Stake of each transaction, in ether. */
const AMOUNT = '1'

type Instead = NonNullable<Way['instead']>

/** A second geth beside the first one, in every state in which one of two endpoints can be, in both orders. */
export async function pairLife(stage: Stage, vault: VaultStage, report: Report): Promise<void> {
  const { geth, service: alone } = vault
  geth.beacon.finalise()
  const follower = await startFollower(stage.programs, join(stage.built, 'geth'), geth, join(stage.folder, 'follower'))
  const well: Way = { to: geth.url }
  const second: Way = { to: follower.url }
  const gates = [await openGate(well), await openGate(second)] as const
  const [metrics = 0] = await freePorts(1)
  // A first endpoint that is late on a busy machine would be passed over, and what it says would not count.
  const network = {
    ...networkOf(
      vault.world,
      gates.map(({ url }) => url),
    ),
    hedge: false,
  }
  const pair = await stage.service({
    plugins: { [PLUGIN]: { networks: { [CHAIN_ID]: network } } },
    further: { metrics: { port: metrics } },
  })
  const ground: Ground<Wallet> = {
    ...{ alone, pair, gates, well },
    metrics: `http://127.0.0.1:${metrics}/metrics`,
    path: `/api/v1${evmVault.path}`,
    network: String(CHAIN_ID),
    address: ({ address }) => address,
    mark: ({ address }) => address.slice(2).toLowerCase(),
    wish: ({ address }) => ({ address, amount: AMOUNT }),
    sign,
    opinion: (right, told, { to }) => otherPrice(right, told, { right: geth.rpc, told: askerOf(to) }),
    async pass() {
      await geth.beacon.block()
      await geth.beacon.blocks(FINAL_BLOCKS, { empty: true })
      await follower.catchUp()
    },
  }
  /** Lands a stake of each of so many wallets, by the first node alone. */
  const landed = async (count: number): Promise<readonly Case<Wallet>[]> => {
    const cases: Case<Wallet>[] = []
    for (let each = 0; each < count; each++) {
      const wallet = vault.customer()
      const signed = await sign(alone, wallet)
      await geth.rpc('eth_sendRawTransaction', Object.values(signed.body))
      cases.push({ wallet, landed: signed })
    }
    await geth.beacon.block()
    await geth.beacon.blocks(FINAL_BLOCKS, { empty: true })
    return cases
  }
  const two = async (): Promise<NodeState<Wallet>['cases']> => {
    const [first, other] = await landed(2)
    if (!first || !other) throw new Error('Two wallets have no two transactions.')
    return [first, other]
  }
  const pairs = createPairs(report, ground)

  const [healthy, restarted, deaf, pruned, unindexed] = [await two(), await two(), await two(), await two(), await two()]
  await follower.catchUp()
  await pairs.play({ name: 'is well too', way: second, cases: healthy })
  for (const method of pairs.methods()) {
    const lacking = await two()
    await follower.catchUp()
    await pairs.play({
      name: `does not serve ${method}`,
      way: { ...second, instead: withoutMethod(method) },
      lacks: method,
      cases: lacking,
    })
  }

  await follower.restart()
  await pairs.play({ name: 'was restarted', way: second, cases: restarted })
  await follower.restart({ alone: true })
  await follower.catchUp()
  await pairs.play({ name: 'passes on nothing', way: second, isDeaf: true, cases: deaf })

  const height = geth.beacon.head().height - 1
  await pairs.play({ name: 'has forgotten', way: { ...second, instead: withoutHistory(height) }, cases: pruned })
  await follower.restart({ flags: ['--history.transactions', '20'] })
  await geth.beacon.blocks(BEYOND_INDEX, { empty: true })
  await follower.catchUp()
  await pairs.play({ name: 'keeps no index', way: second, cases: unindexed })

  const behind = await two()
  await geth.beacon.blocks(BEHIND_BLOCKS, { empty: true })
  await pairs.play({ name: 'is behind', way: second, isBehind: true, cases: behind })
  await follower.catchUp()
  await pairs.close()
  await pair.close()
  await follower.stop()
  await Promise.all(gates.map((gate) => gate.close()))
}

/**
 * The price of gas is no state of the chain: a geth says what it takes from the last blocks that were not empty, and from what it has said before. The service asks for
 * as many percent of either.
 *
 * @see https://github.com/ethereum/go-ethereum/blob/v1.17.0/eth/gasprice/gasprice.go (SuggestTipCap: "use the latest calculated price", read 2026-11-28)
 */
async function otherPrice(
  right: FlatAnswer,
  told: FlatAnswer,
  ask: { readonly right: Asker; readonly told: Asker },
): Promise<FlatAnswer | null> {
  if (right.get(PRICE) === told.get(PRICE)) return null
  const [own, other] = await Promise.all([ask.right('eth_gasPrice'), ask.told('eth_gasPrice')])
  const base = BigInt(String(own))
  // The service cuts off what is less than a wei.
  const percent = (BigInt(right.get(PRICE) ?? 0) * 100n + base - 1n) / base
  const price = (BigInt(String(other)) * percent) / 100n
  const bytes = BYTES.map((place) => [place, told.get(place) ?? ''] as const)
  return new Map([...right, [PRICE, `0x${price.toString(16)}`], ...bytes])
}

type Asker = (method: string) => Promise<unknown>
/** Place of the price in the answer to a craft, and of the bytes that hold it, which the client reads against the other members before it signs. */
const PRICE = 'payload.gasPrice'
const BYTES = ['serialized_tx_hex', 'unsigned_tx_hash_hex']

/** Asks a node without parameters. */
function askerOf(url: string): Asker {
  return async (method) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return ((await answer.json()) as { readonly result?: unknown }).result
  }
}

async function sign(service: Service, wallet: Wallet): Promise<SignedBody> {
  const { vault } = service.client({ vault: evmVault })
  const signed = await (await vault.stake({ address: wallet.address, amount: AMOUNT })).sign(ethersSigner(wallet))
  return { hash: signed.txHash, body: signed.signed }
}

/** A host that lets a method not through, in geth's own words. @see https://github.com/ethereum/go-ethereum/blob/v1.17.0/rpc/errors.go (methodNotFoundError, read 2026-11-28) */
function withoutMethod(name: string): Instead {
  const error = { code: -32_601, message: `the method ${name} does not exist/is not available` }
  return ({ method }) => (method === name ? { error } : null)
}

/**
 * A node whose history before a block was pruned, in geth's own words. A chain of our own has no point up to which geth would do it.
 *
 * @see https://github.com/ethereum/go-ethereum/blob/v1.17.0/core/history/historymode.go (PrunedHistoryError, PrunePoints; read 2026-11-28)
 */
function withoutHistory(height: number): Instead {
  const error = { code: 4444, message: 'pruned history unavailable' }
  const isOld = (block: unknown) => typeof block === 'string' && block.startsWith('0x') && Number(block) < height
  return ({ method, params }: RpcCall) => {
    const [first] = [params].flat() as readonly unknown[]
    if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash') return { result: null }
    if (method === 'eth_getBlockByNumber' && isOld(first)) return { error }
    const { fromBlock } = (first ?? {}) as { readonly fromBlock?: unknown }
    return method === 'eth_getLogs' && isOld(fromBlock) ? { error } : null
  }
}
