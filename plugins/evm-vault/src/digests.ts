import type { KnownPosition } from '@svc/contract'
import { askEach, readAmount, readDelegates, withDelegate } from '@svc/kit-evm'
import { vaultAbi } from './abi.ts'
import { readLatestBlock } from './chain/blocks.ts'
import { ask } from './chain/calls.ts'
import { type OpenTicket, readOpenTickets } from './events/exit-events.ts'
import { contextOf, type VaultContext, vaultsOf } from './network.ts'

/** Addresses in a call. Each reads one slot, some 6,000 gas: three million together, where nodes allow a call fifty. */
const PER_CALL = 500

/**
 * Makes the digests of many positions, each from its shares, its exits by the vault's events, and the contract that its wallet is delegated to.
 *
 * @throws 502 where the endpoints serve no logs; 503 EXITS_INCOMPLETE while they are read for the first time; 502, 503, 504
 */
export async function digests(ctx: VaultContext, positions: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>> {
  const addresses = positions.map(({ address }) => address)
  const [delegates, ...each] = await Promise.all([
    readDelegates(ctx, addresses),
    ...vaultsOf(ctx.network).map((vault) => digestsOf(contextOf(ctx, vault), addresses)),
  ])
  return new Map(
    addresses.flatMap((address, index) => {
      const parts = each.flatMap((digests) => digests.get(address) ?? [])
      return parts.length < each.length ? [] : [[address, withDelegate(parts.join('|'), delegates[index] ?? null)] as const]
    }),
  )
}

/** The same of one vault. */
async function digestsOf(ctx: VaultContext, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { vault } = ctx.network
  const questionsOf = (address: string) => ({ shares: vaultAbi.question(vault, 'getShares', [address], readAmount) })
  const [tickets, answers] = await Promise.all([
    readOpenTickets(ctx, readLatestBlock(ctx)),
    askEach(ask, ctx, addresses, questionsOf, PER_CALL),
  ])
  return new Map([...answers].map(([address, { shares }]) => [address, digestOf(shares, tickets(address))]))
}

/** Makes a digest of the parts of a position that only transactions change: the progress of an exit is the queue's, and the worth of shares the vault's. */
export function digestOf(shares: bigint, tickets: readonly OpenTicket[]): string {
  const open = tickets.map(({ ticket, tickets: count, fixedAssets }) => `${ticket}:${fixedAssets ?? count}`)
  return [shares, ...open.sort()].join(' ')
}
