import type { Balance, StakedObject } from '@svc/contract'
import { type ExitTicket, type OwnerState, readExitTickets } from './chain/exit-tickets.ts'
import { digestOf } from './digests.ts'
import type { VaultContext } from './network.ts'
import { assetsOf } from './shares.ts'

/** An address's shares and its exits, valued after the harvest that a transaction would include. */
export async function balance(ctx: VaultContext, address: string): Promise<Balance> {
  const { state, tickets, listed: exitList } = await readExitTickets(ctx, address, { confirm: true })
  const exits = tickets.map((ticket) => ({ ticket, waiting: waitingAssets(state, ticket) }))
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  return {
    staked: assetsOf(state.own.shares, state.totals),
    activating: null,
    deactivating: sum(exits.map(({ ticket, waiting }) => waiting + (ticket.isClaimable ? 0n : ticket.assets))),
    withdrawing: sum(exits.map(({ ticket }) => (ticket.isClaimable ? ticket.assets : 0n))),
    rewards: null,
    objects: exits.map(({ ticket, waiting }) => objectOf(ticket, waiting)),
    ...(exitList === null ? {} : { digest: digestOf(state.beforeHarvest.own.shares, exitList) }),
  }
}

/**
 * Wei that the part of an exit is worth that was not turned into ETH yet. Exits of version 2 have a value of their own: what the vault keeps
 * for them, where it says so; else that of their request, from which only penalties are taken; a ticket of theirs began as a wei.
 */
function waitingAssets({ totals, queue }: OwnerState, { left, isVersion2, fixedAssets, assets }: ExitTicket): bigint {
  if (!isVersion2 || left === 0n) return assetsOf(left, totals)
  const { totalExitingTickets = 0n, totalExitingAssets = 0n } = queue ?? {}
  if (totalExitingTickets > 0n) return (left * totalExitingAssets) / totalExitingTickets
  if (fixedAssets === null) return left
  return fixedAssets > assets ? fixedAssets - assets : 0n
}

/** An exit that can be claimed in part is one object, of that part: the rest has no ticket of its own before the claim. */
function objectOf(exit: ExitTicket, waiting: bigint): StakedObject {
  const { ticket, assets, matureAt, expectedAt, left, isClaimable } = exit
  const at = isClaimable || left === 0n ? matureAt : expectedAt
  return {
    id: ticket.toString(),
    type: 'withdrawal_request',
    status: isClaimable ? 'withdrawable' : 'deactivating',
    amount: isClaimable ? assets : assets + waiting,
    rewards: null,
    validator: null,
    activationEpoch: null,
    withdrawableEpoch: null,
    withdrawableAt: at === null ? null : new Date(at * 1000),
  }
}
