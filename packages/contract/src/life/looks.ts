import type { NetworkBase } from '../family.ts'
import type { AnyKit, ClientOf } from '../kit.ts'
import type { Balance, Context, Protocol } from '../protocol.ts'
import { confirmed, type LookAt } from './confirm.ts'
import type { Look, Looks } from './follow.ts'
import type { Moved, Sighting } from './state.ts'

/** Between the slowest block of the families known and the quickest: the host doubles it with each look. */
const INCLUSION_MS = 2_000

/**
 * How one network of a protocol is looked at.
 *
 * @param witness a client of each endpoint by itself, made when first asked for
 */
export function looksOf<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  ctx: Context<ClientOf<K>, Net>,
  witness: () => readonly ClientOf<K>[],
): Looks {
  const { kit } = protocol
  const { life } = kit
  const { digests } = protocol
  const at =
    (client: ClientOf<K>): LookAt<unknown> =>
    (subject) =>
      present(life).look({ ...ctx, client }, subject)
  return {
    caip2: kit.caip2(ctx.network),
    decimals: ctx.network.decimals,
    symbol: protocol.symbol ?? kit.symbol ?? ctx.network.symbol ?? null,
    inclusionMs: life?.inclusionMs?.(ctx.network) ?? INCLUSION_MS,
    address: (text) => kit.address(text),
    transaction:
      life === undefined
        ? null
        : async (subject) => {
            const { receipt, held: _held, error, ...seen } = await confirmed(at(ctx.client), () => witness().map(at), subject, ctx.now())
            return {
              ...seen,
              error: inWords(protocol, error),
              moved: movedBy(protocol, ctx, seen, receipt, subject.bounds?.wallet ?? null),
            }
          },
    async position(address) {
      const balance = await protocol.balance(ctx, address)
      return { balance, due: protocol.due ? await protocol.due(ctx, address, balance) : earliest(balance) }
    },
    digests: digests ? (positions) => digests(ctx, positions) : null,
  }
}

/** Why it failed, in the protocol's words where it has some for what the chain gave. */
function inWords<K extends AnyKit, Net>({ explain }: Protocol<K, Net>, error: Sighting['error']): Look['error'] {
  if (error === null) return null
  const { code, reason, data } = error
  const said = data === undefined ? null : (explain?.(data) ?? null)
  return { code, reason: said === null ? reason : `The contract refused it: ${said}.` }
}

/** What of it can be told; a receipt that the plugin cannot read is a fault of the plugin, and hides no state. */
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

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('the family tells nothing of the life of its transactions')
  return value
}
