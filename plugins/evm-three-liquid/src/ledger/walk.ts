import type { Flow, Place, UnknownReason } from '@svc/contract/book'
import type { VaultEvent } from './events.ts'

/** Sender of shares that are made, and receiver of shares that are destroyed. */
const NOBODY = `0x${'0'.repeat(40)}`
/** Asset of a share: the vault has the symbol of its token on each network. */
export const SHARE = 'gMON'

/** A flow before the time of its block is known. */
interface Move extends Pick<Flow, 'kind' | 'amount' | 'from' | 'to' | 'asset'> {
  /** Event by which it happened. */
  readonly event: VaultEvent
}

/** Amount that an event does not say and a block does, in wei: the worth of shares that were given away, or what a request is paid; the reason where it is not known. */
type AmountOf = (event: VaultEvent) => bigint | UnknownReason

/** An interval of a holder. */
interface Walk {
  readonly moves: readonly Move[]
  /** Reason why the moves cannot be relied on; null: they can. */
  readonly missing: UnknownReason | null
}

type Named<N extends VaultEvent['name']> = Extract<VaultEvent, { readonly name: N }>
type Cause = Named<'Deposit'> | Named<'RedeemRequest'>

/**
 * Replays the events of a holder between two readings. Shares move by transfers alone; what they were worth then is said by the deposit or the request that follows a
 * transfer, and of any other transfer by the price of its block.
 *
 * @param holder in lower case
 * @param opening what the open request was to be paid at the beginning; 0: there was none of the holder's own
 * @param events in their order
 */
export function walk(holder: string, opening: bigint, events: readonly VaultEvent[], amountOf: AmountOf): Walk {
  const moves: Move[] = []
  const missing: UnknownReason[] = []
  let exit = opening

  const mover = (event: VaultEvent) => (kind: Flow['kind'], amount: bigint, from: Place, to: Place, asset?: string) => {
    if (amount > 0n) moves.push({ kind, amount, from, to, event, ...(asset === undefined ? {} : { asset }) })
  }
  const amountIn = (event: VaultEvent) => {
    const amount = amountOf(event)
    if (typeof amount !== 'string') return amount
    missing.push(amount)
    return 0n
  }

  function deposit(event: Named<'Transfer'>, { sender, assets }: Named<'Deposit'>) {
    const move = mover(event)
    const kind = sender === holder ? 'deposit' : 'transfer_in'
    move(kind, event.shares, 'chain', 'shares', SHARE)
    move(kind, assets, sender === holder ? 'wallet' : 'others', 'worth')
  }

  function request(event: Named<'Transfer'>, cause: Named<'RedeemRequest'>) {
    const move = mover(event)
    const assets = amountIn(cause)
    // One that somebody else controls is paid to whomever that one names.
    const isOwn = cause.controller === holder
    move('exit_requested', event.shares, 'shares', 'chain', SHARE)
    move('exit_requested', assets, 'worth', isOwn ? 'exit' : 'others')
    exit = isOwn ? assets : 0n
  }

  function give(event: Named<'Transfer'>) {
    const move = mover(event)
    const worth = amountIn(event)
    const [kind, ends] = event.to === holder ? (['transfer_in', inward] as const) : (['transfer_out', outward] as const)
    move(kind, event.shares, ...ends('shares'), SHARE)
    move(kind, worth, ...ends('worth'))
  }

  /** Its fee is what the payment lacks; what it has beyond was earned while the stake behind it still counted. */
  function pay(event: Named<'Withdraw'>) {
    const move = mover(event)
    const { receiver, assets } = event
    if (exit === 0n) return
    const to = receiver === holder ? 'wallet' : 'others'
    const surplus = assets - exit
    move('withdrawal', surplus < 0n ? assets : exit, 'exit', to)
    move('fee', -surplus, 'exit', 'chain')
    move('reward', surplus, 'chain', to)
    exit = 0n
  }

  for (const [place, event] of events.entries()) {
    if (event.name === 'Withdraw') pay(event)
    else if (event.name === 'Transfer') {
      const cause = causeOf(event, events[place + 1])
      if (cause?.name === 'Deposit') deposit(event, cause)
      else if (cause?.name === 'RedeemRequest') request(event, cause)
      else if (event.from !== event.to) give(event)
    } else if (!isOfTransfer(events[place - 1], event)) missing.push('flow_missing')
  }
  return { moves, missing: missing[0] ?? null }
}

const inward = (bucket: Place): [Place, Place] => ['others', bucket]
const outward = (bucket: Place): [Place, Place] => [bucket, 'others']

/** Returns the deposit or the request that a transfer of shares belongs to, which the vault tells right after it; null: it is a transfer of its own. */
export function causeOf(event: VaultEvent, next: VaultEvent | undefined): Cause | null {
  return next !== undefined && isOfTransfer(event, next) ? next : null
}

function isOfTransfer(event: VaultEvent | undefined, next: VaultEvent): next is Cause {
  if (event?.name !== 'Transfer' || event.log.tx !== next.log.tx) return false
  if (next.name === 'Deposit') return event.from === NOBODY && event.shares === next.shares
  return next.name === 'RedeemRequest' && event.to === NOBODY && event.shares === next.shares
}
