import type { Flow, Place, UnknownReason } from '@svc/contract/book'
import type { VaultEvent } from './events.ts'

/** Sender of shares that are made, and receiver of shares that are destroyed. */
const NOBODY = `0x${'0'.repeat(40)}`
/** Asset of shares, and of the tickets of the queue, which are shares that wait: of which vault is in the key of the bucket. */
export const SHARE = 'shares'

/** A flow before the time of its block is known. */
interface Move extends Pick<Flow, 'kind' | 'amount' | 'from' | 'to' | 'asset'> {
  /** Event by which it happened. */
  readonly event: VaultEvent
}

/** An exit in the queue: the ticket of its request, by which its bucket is named, and the tickets that it still has. */
export interface Waiting {
  readonly first: bigint
  readonly tickets: bigint
}

/** Worth in wei, in its block, of the shares that an event moves without saying what they are worth; the reason where it is not known. */
type WorthOf = (event: VaultEvent) => bigint | UnknownReason

/** An interval of a holder in a vault. */
interface Walk {
  readonly moves: readonly Move[]
  /** Reason why the moves cannot be relied on; null: they can. */
  readonly missing: UnknownReason | null
}

type Named<N extends VaultEvent['name']> = Extract<VaultEvent, { readonly name: N }>

/** The keys of a vault's buckets. @param vault in lower case */
export const keysOf = (vault: string) => ({
  shares: `shares:${vault}`,
  worth: `worth:${vault}`,
  exit: (first: bigint) => `exit:${vault}:${first}`,
  exitWorth: (first: bigint) => `exit_worth:${vault}:${first}`,
})

/**
 * Replays the events of a holder in a vault between two readings. What shares were worth is said by most events; of those that enter the queue or are given away, by the price
 * of their block. What a claim leaves of an exit stays in the bucket of its request.
 *
 * @param holder in lower case
 * @param vault in lower case
 * @param opening the exits at the beginning, by the tickets that they had then
 * @param events in their order
 */
export function walk(
  holder: string,
  vault: string,
  opening: ReadonlyMap<bigint, Waiting>,
  events: readonly VaultEvent[],
  worthOf: WorthOf,
): Walk {
  const keys = keysOf(vault)
  const moves: Move[] = []
  const missing: UnknownReason[] = []
  const exits = new Map(opening)

  /** Tells of a move of shares, and of one of what they are worth. */
  const mover =
    (event: VaultEvent) =>
    (kind: Flow['kind'], units: bigint, [from, to]: Ends, worth: bigint, [source, target]: Ends) => {
      if (units > 0n) moves.push({ kind, amount: units, from, to, asset: SHARE, event })
      if (worth > 0n) moves.push({ kind, amount: worth, from: source, to: target, event })
    }
  const worthIn = (event: VaultEvent) => {
    const worth = worthOf(event)
    if (typeof worth !== 'string') return worth
    missing.push(worth)
    return 0n
  }
  const payee = (address: string): Place => (address === holder ? 'wallet' : 'others')

  function enter(event: Named<'ExitQueueEntered'>) {
    const { owner, receiver, ticket, shares } = event
    const move = mover(event)
    const worth = worthIn(event)
    if (receiver !== holder) {
      move('exit_requested', shares, [keys.shares, 'others'], worth, [keys.worth, 'others'])
      return
    }
    const [kind, from, source] = owner === holder ? (['exit_requested', keys.shares, keys.worth] as const) : GIVEN
    move(kind, shares, [from, keys.exit(ticket)], worth, [source, keys.exitWorth(ticket)])
    exits.set(ticket, { first: ticket, tickets: shares })
  }

  /** A claim in full takes all tickets along, one that the vault's divisions have left over too. */
  function claim(event: Named<'ExitedAssetsClaimed'>) {
    const { ticket, newTicket, assets } = event
    const exit = exits.get(ticket)
    const units = newTicket === 0n ? (exit?.tickets ?? 0n) : newTicket - ticket
    if (exit === undefined || units <= 0n || units > exit.tickets) {
      missing.push('flow_missing')
      return
    }
    mover(event)('withdrawal', units, [keys.exit(exit.first), 'chain'], assets, [keys.exitWorth(exit.first), 'wallet'])
    exits.delete(ticket)
    if (newTicket !== 0n) exits.set(newTicket, { first: exit.first, tickets: exit.tickets - units })
  }

  for (const [place, event] of events.entries()) {
    const move = mover(event)
    switch (event.name) {
      case 'Deposited': {
        const isOwn = event.caller === holder
        move(isOwn ? 'deposit' : 'transfer_in', event.shares, ['chain', keys.shares], event.assets, [payee(event.caller), keys.worth])
        break
      }
      case 'Redeemed':
        move('withdrawal', event.shares, [keys.shares, 'chain'], event.assets, [keys.worth, payee(event.receiver)])
        break
      case 'OsTokenTaken': {
        // Who takes shares for osToken that he gives up may be the holder, who then has their worth.
        const kind = event.receiver === holder ? 'withdrawal' : 'transfer_out'
        move(kind, event.shares, [keys.shares, 'chain'], event.assets, [keys.worth, payee(event.receiver)])
        break
      }
      case 'FeeSharesMinted':
        move('reward', event.shares, ['chain', keys.shares], event.assets, ['chain', keys.worth])
        break
      case 'Migrated':
        move('transfer_in', event.shares, ['chain', keys.shares], event.assets, ['others', keys.worth])
        break
      case 'ExitQueueEntered':
        enter(event)
        break
      case 'ExitedAssetsClaimed':
        claim(event)
        break
      case 'V2ExitQueueEntered':
        missing.push('not_declared')
        break
      default:
        if (!isGift(event, events[place - 1], vault)) break
        if (event.to === holder) move('transfer_in', event.shares, ['others', keys.shares], worthIn(event), ['others', keys.worth])
        else move('transfer_out', event.shares, [keys.shares, 'others'], worthIn(event), [keys.worth, 'others'])
    }
  }
  return { moves, missing: missing[0] ?? null }
}

type Ends = readonly [from: Place, to: Place]
/** Somebody else has put shares of his into the queue for the holder. */
const GIVEN = ['transfer_in', 'others', 'others'] as const

/**
 * Tells whether a transfer of a vault's token moves shares from one account to another. Those of shares that are made or destroyed belong to another event, and so does one to
 * the vault that follows an exit: a vault whose shares are a token tells each of its moves a second time.
 */
export function isGift({ from, to, shares, log }: Named<'Transfer'>, before: VaultEvent | undefined, vault: string): boolean {
  if (from === NOBODY || to === NOBODY || from === to) return false
  const isExit = before?.name === 'ExitQueueEntered' || before?.name === 'Redeemed'
  return !(to === vault && isExit && before.shares === shares && before.log.tx === log.tx)
}
