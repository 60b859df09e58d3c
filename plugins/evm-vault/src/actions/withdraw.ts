import { heldElsewhere, type ServiceError } from '@svc/contract'
import * as intent from '@svc/intent-evm-vault'
import { EvmAddress } from '@svc/kit-evm'
import { vaultAbi } from '../abi.ts'
import { type ExitTicket, readExitTickets } from '../chain/exit-tickets.ts'
import { type Harvest, updateState } from '../chain/harvest.ts'
import { badRequest } from '../codes.ts'
import { Choice, contextOf, defineAction, MEMBER, vaultOf } from '../network.ts'
import { explain } from '../refusals.ts'
import { elsewhere } from './elsewhere.ts'

/** A claim, as the vault takes it. */
interface Claim {
  readonly ticket: bigint
  /** Time of the request, in seconds since 1970. */
  readonly timestamp: bigint
  /** Index of the checkpoint in which the exit begins. */
  readonly index: bigint
}

interface Claims {
  readonly claims: readonly Claim[]
  /** Harvest before the claims, in the same call; null: none. */
  readonly harvest: Harvest | null
}

/**
 * Most exits of one transaction. A claim takes some 70,000 gas, and anybody can put a share into the queue for another receiver: claims of all that
 * strangers put there would need more gas than a transaction may ask for, so that nothing could be withdrawn any more, and would be paid for by the receiver.
 */
export const MOST_CLAIMS = 20
/** Least part of the largest payment: an exit that pays less than this part of the one that pays most waits until it is among those that do. */
const LEAST_PART = 1000n

/** Claims exits that are processed and mature, in one transaction: those that pay most. */
export const withdraw = defineAction({
  summary: 'Withdraw what was unstaked',
  description: `Claims the exits of the address that are processed and mature, all in one transaction; of an exit that is processed in part, that part. Of more than ${MOST_CLAIMS} those that pay most are claimed, and what pays less than a thousandth of the one that pays most is left for another time.`,
  body: { address: EvmAddress, vault: Choice },
  async read(ctx, { address, vault: choice }): Promise<Claims> {
    const vault = vaultOf(ctx.network, choice)
    const { state, tickets, eventsError } = await readExitTickets(contextOf(ctx, vault), address, { confirm: false })
    // What the subgraph leaves out is not nothing.
    if (eventsError && tickets.length === 0) throw eventsError
    if (tickets.length === 0) {
      const others = await elsewhere(ctx, vault, address, ({ deactivating, withdrawing }) => (deactivating ?? 0n) + (withdrawing ?? 0n))
      if (others.length > 0) throw heldElsewhere(`${address} has no exits in the vault ${vault}.`, others, 'was unstaked', MEMBER)
    }
    const claimable = worthClaiming(tickets.filter(({ isClaimable }) => isClaimable))
    if (claimable.length === 0) throw nothingClaimable(address, tickets)
    const claims = claimable.map(({ ticket, timestamp, index }) => ({ ticket, timestamp: BigInt(timestamp), index }))
    return { claims, harvest: state.harvest }
  },
  craft: (network, { address, vault }, { claims, harvest }) => {
    const calls = [
      ...(harvest ? [updateState(harvest)] : []),
      ...claims.map(({ ticket, timestamp, index }) => vaultAbi.encodeFunctionData('claimExitedAssets', [ticket, timestamp, index])),
    ]
    const [only, ...others] = calls
    const data = only !== undefined && others.length === 0 ? only : vaultAbi.encodeFunctionData('multicall', [calls])
    return { from: address, to: vaultOf(network, vault), data, explain }
  },
  effects: (network, input, facts) => intent.withdraw.effects(network, input, facts),
})

/** Those that pay most, in the order of the queue. */
function worthClaiming(claimable: readonly ExitTicket[]): readonly ExitTicket[] {
  const byPay = claimable.toSorted((a, b) => (a.assets > b.assets ? -1 : a.assets < b.assets ? 1 : 0))
  const most = byPay[0]?.assets ?? 0n
  const chosen = new Set(byPay.slice(0, MOST_CLAIMS).filter(({ assets }) => assets * LEAST_PART >= most))
  return claimable.filter((ticket) => chosen.has(ticket))
}

function nothingClaimable(address: string, tickets: readonly ExitTicket[]): ServiceError {
  if (tickets.length === 0) return badRequest('NOTHING_TO_WITHDRAW', `${address} has no exits, so there is nothing to withdraw.`)
  const processed = tickets.filter(({ assets }) => assets > 0n).map(({ matureAt }) => matureAt)
  if (processed.length === 0)
    return badRequest('WITHDRAWAL_NOT_READY', `The exits of ${address} wait in the vault's queue; none is processed yet.`)
  const at = new Date(Math.min(...processed) * 1000).toISOString()
  return badRequest('WITHDRAWAL_NOT_READY', `The exits of ${address} that are processed are not mature yet; the first one is at ${at}.`)
}
