import type { LogDescription } from 'ethers'
import { vaultContract } from './contracts.ts'
import { claimDelay, type World } from './world.ts'

/** Worth of a share at a time, in wei for 1e18 shares. */
export interface Price {
  readonly timestamp: number
  readonly price: bigint
}

/** A day and its last block. */
export interface Day {
  /** Midnight UTC with which it began, in seconds since 1970. */
  readonly timestamp: number
  readonly block: number
}

/** An event of the vault with its place on the chain. */
interface VaultEvent {
  readonly event: LogDescription
  /** Transaction hash and log index. */
  readonly id: string
  readonly block: number
  readonly timestamp: number
}

/** A log as the chain's engine gives it; numbers are hex. */
interface ChainLog {
  readonly topics: readonly string[]
  readonly data: string
  readonly transactionHash: string
  readonly logIndex: string
  readonly blockNumber: string
  readonly blockTimestamp: string
}

const ONE = 10n ** 18n
const DAY_SECONDS = 86_400

/** The exits of an address, oldest first, claimed ones too, with all that the subgraph says of them. */
export async function exitsOf(world: World, receiver: string, expectedAt: number) {
  const { timestamp: now } = await world.chain.latest()
  const exits = new Map<bigint, { timestamp: number; tickets: bigint; owner: string; isClaimed: boolean }>()
  for (const { event, timestamp } of await eventsOf(world)) {
    const { args, name } = event
    if (String(args.receiver).toLowerCase() !== receiver.toLowerCase()) continue
    if (name === 'ExitQueueEntered')
      exits.set(args.positionTicket, { timestamp, tickets: args.shares, owner: args.owner, isClaimed: false })
    if (name !== 'ExitedAssetsClaimed') continue
    const [from, to]: readonly [bigint, bigint] = [args.prevPositionTicket, args.newPositionTicket]
    const exit = exits.get(from)
    if (!exit) throw new TypeError(`ticket ${from} was claimed and never requested`)
    if (to !== 0n) exits.set(to, { ...exit, tickets: exit.tickets - (to - from) })
    exits.set(from, { ...exit, isClaimed: true })
  }
  return Promise.all(
    [...exits].map(async ([ticket, { timestamp, tickets, owner, isClaimed }]) => {
      const index = await world.read<bigint>('getExitQueueIndex', [ticket])
      const args = [receiver, ticket, timestamp, BigInt.asUintN(256, index)]
      const [left, , assets] = isClaimed ? [0n, 0n, 0n] : await world.read<readonly [bigint, bigint, bigint]>('calculateExitedAssets', args)
      const isClaimable = !isClaimed && assets > 0n && now > timestamp + claimDelay
      return {
        id: `${world.vault.toLowerCase()}-${ticket}`,
        positionTicket: ticket.toString(),
        timestamp: timestamp.toString(),
        totalTickets: tickets.toString(),
        exitedAssets: assets.toString(),
        exitQueueIndex: index < 0n ? null : index.toString(),
        isClaimable,
        isClaimed,
        isV2Position: false,
        withdrawalTimestamp: isClaimable ? '0' : left === 0n ? (timestamp + claimDelay).toString() : expectedAt.toString(),
        owner: owner.toLowerCase(),
        receiver: receiver.toLowerCase(),
      }
    }),
  )
}

/** Lists the actions of an address, oldest first. */
export async function actionsOf(world: World, address: string) {
  const own = (value: unknown) => String(value).toLowerCase() === address.toLowerCase()
  const rows = await Promise.all(
    (await eventsOf(world)).map(async ({ event: { name, args }, id, block, timestamp }) => {
      const row = (assets: bigint | null, shares: bigint | null) => ({
        id,
        assets: assets?.toString() ?? null,
        shares: shares?.toString() ?? null,
        actionType: name,
        createdAt: timestamp.toString(),
      })
      if (name === 'Deposited' && own(args.receiver)) return row(args.assets, args.shares)
      if (name === 'Redeemed' && own(args.owner)) return row(args.assets, args.shares)
      if (name === 'ExitQueueEntered' && own(args.owner)) return row(await world.read('convertToAssets', [args.shares], block), args.shares)
      if (name === 'ExitedAssetsClaimed' && own(args.receiver)) return row(args.withdrawnAssets, null)
      if (name === 'OsTokenMinted' && own(args.caller)) return row(args.assets, args.shares)
      return null
    }),
  )
  return rows.filter((row) => row !== null)
}

/** The days that ended since the first stake of an address, oldest first: what it had in shares and in exits, and what its shares earned. */
export async function dailyOf(world: World, days: readonly Day[], address: string) {
  const exits = await exitsOf(world, address, 0)
  const { timestamp: now } = await world.chain.latest()
  const rows: { timestamp: string; totalAssets: string; earnedAssets: string; apy: string }[] = []
  let before: bigint | null = null
  for (const { timestamp, block } of days.filter((day) => now >= day.timestamp + DAY_SECONDS)) {
    const [shares, price] = await Promise.all([
      world.read<bigint>('getShares', [address], block),
      world.read<bigint>('convertToAssets', [ONE], block),
    ])
    const waiting = exits.reduce(
      (sum, exit) => (Number(exit.timestamp) < timestamp + DAY_SECONDS && !exit.isClaimed ? sum + BigInt(exit.totalTickets) : sum),
      0n,
    )
    const assets = ((shares + waiting) * price) / ONE
    const earned = before === null ? 0n : (shares * (price - before)) / ONE
    before = price
    if (assets === 0n && rows.length === 0) continue
    const apy = assets === 0n ? 0 : (Number(earned) / Number(assets)) * 365 * 100
    // Microseconds, as the subgraph's own snapshots have them.
    rows.push({ timestamp: `${timestamp}000000`, totalAssets: assets.toString(), earnedAssets: earned.toString(), apy: apy.toFixed(6) })
  }
  return rows
}

async function eventsOf({ chain, vault }: World): Promise<readonly VaultEvent[]> {
  const filter = { address: vault, fromBlock: '0x0', toBlock: 'latest' }
  const answer = await chain.rpc('eth_getLogs', [filter])
  const logs: readonly ChainLog[] = Array.isArray(answer) ? answer : []
  return logs.flatMap(({ topics, data, transactionHash, logIndex, blockNumber, blockTimestamp }) => {
    const event = read(topics, data)
    if (!event) return []
    return [{ event, id: `${transactionHash}-${Number(logIndex)}`, block: Number(blockNumber), timestamp: Number(blockTimestamp) }]
  })
}

/** Every query reads all events since the first block, which stay what they are. */
const cache = new Map<string, LogDescription | null>()

function read(topics: readonly string[], data: string): LogDescription | null {
  const text = [...topics, data].join()
  const event = cache.get(text) ?? vaultContract.abi.parseLog({ topics, data })
  cache.set(text, event)
  return event
}
