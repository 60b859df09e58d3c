import type { Balance, StakedObject } from '@svc/contract'
import type { VaultContext } from './network.ts'
import { assetsOf } from './shares.ts'
import { type Holding, readHolding, type Ticket } from './tickets.ts'

/** An address's shares and its exits, valued after the harvest that a transaction would include. */
export async function balance(ctx: VaultContext, address: string): Promise<Balance> {
  const { view, tickets } = await readHolding(ctx, address, { confirm: true })
  const parts = tickets.map((ticket) => ({ ticket, waiting: waitingOf(view, ticket) }))
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  return {
    staked: assetsOf(view.vault.shares, view.vault),
    activating: null,
    deactivating: sum(parts.map(({ ticket, waiting }) => waiting + (ticket.isClaimable ? 0n : ticket.assets))),
    withdrawing: sum(parts.map(({ ticket }) => (ticket.isClaimable ? ticket.assets : 0n))),
    rewards: null,
    objects: parts.map(({ ticket, waiting }) => objectOf(ticket, waiting)),
  }
}

/** What the part of an exit is worth that was not turned into ETH yet. Exits of version 2 have a value of their own. */
function waitingOf({ vault, maybe }: Holding['view'], { left, isOld }: Ticket): bigint {
  const { totalExitingTickets = 0n, totalExitingAssets = 0n } = maybe?.queue ?? {}
  return isOld && totalExitingTickets > 0n ? (left * totalExitingAssets) / totalExitingTickets : assetsOf(left, vault)
}

/** An exit that can be claimed in part is one object, of that part: the rest has no ticket of its own before the claim. */
function objectOf(ticket: Ticket, waiting: bigint): StakedObject {
  const { matureAt, expectedAt, left, isClaimable } = ticket
  const at = isClaimable || left === 0n ? matureAt : expectedAt
  return {
    id: ticket.ticket.toString(),
    type: 'withdrawal_request',
    status: isClaimable ? 'withdrawable' : 'deactivating',
    amount: isClaimable ? ticket.assets : ticket.assets + waiting,
    rewards: null,
    validator: null,
    activationEpoch: null,
    withdrawableEpoch: null,
    withdrawableAt: at === null ? null : new Date(at * 1000),
  }
}
