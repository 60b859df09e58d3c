import { type Balance, type PositionPart, positionOf, type StakedObject } from '@svc/contract'
import { readDelegate, walletPowers, withDelegate } from '@svc/kit-evm'
import { type ExitTicket, type OwnerState, readExitTickets } from './chain/exit-tickets.ts'
import { digestOf } from './digests.ts'
import { contextOf, ticketName, type VaultContext, vaultsOf } from './network.ts'
import { assetsOf } from './shares.ts'

/** Reads an address's shares of the operator's vault and of the former ones, and its exits, valued as after the harvest that a transaction would include. */
export async function balance(ctx: VaultContext, address: string): Promise<Balance> {
  const [delegate, ...reads] = await Promise.all([
    readDelegate(ctx.client, address),
    ...vaultsOf(ctx.network).map((vault) => readWith(ctx, vault, address)),
  ])
  const digests = reads.flatMap(({ digest }) => (digest === null ? [] : [digest]))
  return {
    ...positionOf(
      reads.map(({ part }) => part),
      reads.flatMap(({ objects }) => objects),
    ),
    control: walletPowers(delegate),
    ...(digests.length < reads.length ? {} : { digest: withDelegate(digests.join('|'), delegate) }),
  }
}

/** Reads an address's position in one vault of the operator. */
export async function readWith(ctx: VaultContext, vault: string, address: string) {
  const { state, tickets, listed: exitList } = await readExitTickets(contextOf(ctx, vault), address, { confirm: true })
  const exits = tickets.map((ticket) => ({ ticket, waiting: waitingAssets(state, ticket) }))
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const isFormer = vault !== ctx.network.vault
  const part: PositionPart = {
    validator: vault,
    isFormer,
    staked: assetsOf(state.own.shares, state.totals),
    activating: null,
    deactivating: sum(exits.map(({ ticket, waiting }) => waiting + (ticket.isClaimable ? 0n : ticket.assets))),
    withdrawing: sum(exits.map(({ ticket }) => (ticket.isClaimable ? ticket.assets : 0n))),
    rewards: null,
  }
  return {
    part,
    objects: exits.map(({ ticket, waiting }) => ({
      ...objectOf(ticket, waiting),
      ...ticketName(vault, ticket.ticket),
      validator: isFormer ? vault : null,
    })),
    digest: exitList === null ? null : digestOf(state.beforeHarvest.own.shares, exitList),
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
function objectOf(exit: ExitTicket, waiting: bigint): Omit<StakedObject, 'id' | 'validator'> {
  const { assets, matureAt, expectedAt, left, isClaimable } = exit
  const at = isClaimable || left === 0n ? matureAt : expectedAt
  return {
    type: 'withdrawal_request',
    status: isClaimable ? 'withdrawable' : 'deactivating',
    amount: isClaimable ? assets : assets + waiting,
    rewards: null,
    activationEpoch: null,
    withdrawableEpoch: null,
    withdrawableAt: at === null ? null : new Date(at * 1000),
  }
}
