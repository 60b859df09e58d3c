import type { Balance, Context, Moved, NetworkBase, Sighting } from '@svc/contract'
import type { StirringSearch } from '@svc/contract/control'
import type { AnyKit, ClientOf, Protocol } from '@svc/contract/host'
import { bookLooksOf } from '../book-source.ts'
import { confirmed, type LookAt, lackedBy } from './confirm.ts'
import type { Look, Looks, PositionSource } from './follow.ts'
import { breaksPromise } from './promise.ts'

/** Default time until a transaction is in a block, in milliseconds: between the slowest and the quickest of the known families. The host doubles it with each look. */
const INCLUSION_MS = 2_000
const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/**
 * Makes the looks at one network of a protocol: at positions, transactions and conditions.
 *
 * @param witness a client of each endpoint by itself, made when first asked for
 * @param sending for broadcasts and looks at transactions, where endpoints are believed by themselves
 */
export function looksOf<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  ctx: Context<ClientOf<K>, Net>,
  witness: () => readonly ClientOf<K>[],
  sending: Context<ClientOf<K>, Net> = ctx,
): Looks {
  const { kit } = protocol
  const { life } = kit
  const { digests, departed, redelegations, condition, stirrings } = protocol
  const source = (from: Context<ClientOf<K>, Net>): PositionSource => ({
    balance: (address) => protocol.balance(from, address),
    departed: departed ? (address, ids) => departed(from, address, ids) : null,
    redelegations: redelegations ? (address, after) => redelegations(from, address, after) : null,
    condition: condition ? () => condition(from) : null,
  })
  const at =
    (client: ClientOf<K>): LookAt<unknown> =>
    (subject) =>
      requireLife(life).look({ ...ctx, client }, subject)
  return {
    ...unitsOf(protocol, ctx.network),
    inclusionMs: life?.inclusionMs?.(ctx.network) ?? INCLUSION_MS,
    address: (text) => kit.address(text),
    transaction:
      life === undefined
        ? null
        : async (subject) => {
            const wallet = subject.bounds?.wallet ?? subject.wallet ?? null
            const movedIn = (sighting: Sighting) => movedBy(protocol, ctx, sighting, sighting.receipt, wallet)
            const did = (sighting: Sighting) => {
              const moved = movedIn(sighting)
              return moved && JSON.stringify([sighting.fee, moved], (_name, value) => (typeof value === 'bigint' ? String(value) : value))
            }
            const { promised } = subject
            // What no node keeps is compared with nothing; what one claims to keep and nobody can read is.
            const breaks = (sighting: Sighting) =>
              promised != null && protocol.moved !== undefined && sighting.receipt !== null && breaksPromise(promised, movedIn(sighting))
            const comparing = { did, breaks, progress: life.progress }
            const match = await confirmed(at(sending.client), () => witness().map(at), subject, ctx.now(), comparing)
            const { receipt, held: _held, unfinished: _unfinished, holdsFrom: _holdsFrom, error, ...rest } = match
            return { ...rest, error: inWords(protocol, error), moved: movedIn({ ...rest, error, receipt }) }
          },
    lacking: async (subject) => (life === undefined ? [] : lackedBy(witness().map(at), subject, life.progress)),
    async send(signed, to) {
      const clients = to?.flatMap((place) => witness()[place] ?? []) ?? [sending.client]
      const outcomes = await Promise.allSettled(clients.map((client) => kit.broadcast({ ...sending, client }, signed)))
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      if (refusals.length === outcomes.length) throw refusals[0]
    },
    async position(address) {
      const balance = await protocol.balance(ctx, address)
      return { balance, due: protocol.due ? await protocol.due(ctx, address, balance) : earliest(balance) }
    },
    departed: source(ctx).departed,
    redelegations: source(ctx).redelegations,
    // A memo of its own: what one endpoint has told is no evidence for another.
    witnesses: () => witness().map((client) => source({ ...ctx, client, memo: {} })),
    digests: digests ? (positions) => digests(ctx, positions) : null,
    digestMs: (protocol.digestMinutes ?? DAY_MINUTES) * MINUTE_MS,
    stirrings: stirrings ? stirringsOf(stirrings, ctx) : null,
    book: bookLooksOf(protocol, ctx, witness),
  }
}

function stirringsOf<C>({ everySeconds, search, feed }: StirringSearch<C>, ctx: C): NonNullable<Looks['stirrings']> {
  return {
    everyMs: everySeconds * 1000,
    search: (after, watched) => search(ctx, after, watched),
    feed: feed ? { searchMs: feed.searchSeconds * 1000, listen: (listener, watched) => feed.listen(ctx, listener, watched) } : null,
  }
}

/** Tells how amounts of a network's native token are written: its name by CAIP-2, decimal places and symbol. */
export function unitsOf<K extends AnyKit, Net>(
  { kit, symbol }: Pick<Protocol<K, Net>, 'kit' | 'symbol'>,
  network: NetworkBase & Net,
): Pick<Looks, 'caip2' | 'decimals' | 'symbol'> {
  return { caip2: kit.caip2(network), decimals: network.decimals, symbol: symbol ?? kit.symbol ?? network.symbol ?? null }
}

/** Tells why a transaction failed, in the protocol's words where it has some for what the chain gave. */
function inWords<K extends AnyKit, Net>({ explain }: Protocol<K, Net>, error: Sighting['error']): Look['error'] {
  if (error === null) return null
  const { code, reason, data } = error
  const explanation = data === undefined ? null : (explain?.(data) ?? null)
  return { code, reason: explanation === null ? reason : `The contract refused it: ${explanation}.` }
}

/** Tells the known moves of a transaction; a receipt that the plugin cannot read is a fault of the plugin, and hides no state. */
function movedBy<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  { network, log }: { readonly network: NetworkBase & Net; readonly log: Context<unknown, unknown>['log'] },
  { block, status }: Pick<Sighting, 'block' | 'status'>,
  receipt: unknown,
  wallet: string | null,
): Look['moved'] {
  if (!protocol.moved || block === null || receipt === null) return null
  const nothing: Moved = { moves: [], objectIds: [] }
  if (status === 'failed') return nothing
  try {
    return protocol.moved(network, receipt as never, wallet)
  } catch (err) {
    log.error({ err, network: network.chainId }, 'what a transaction moved could not be read from its receipt')
    return null
  }
}

function earliest({ objects }: Balance): Date | null {
  const times = (objects ?? []).flatMap(({ status, withdrawableAt }) =>
    withdrawableAt === null || status === 'withdrawable' ? [] : [withdrawableAt.getTime()],
  )
  return times.length === 0 ? null : new Date(Math.min(...times))
}

function requireLife<T>(life: T | undefined): T {
  if (life === undefined) throw new TypeError('the family tells nothing of the life of its transactions')
  return life
}
