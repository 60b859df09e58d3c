import type { KitContext } from '@svc/contract'
import { decodeAggregate, encodeAggregate } from './aggregate.ts'
import type { EvmClient } from './client.ts'
import { revertReason, textOf } from './reverts.ts'
import type { EvmNetwork } from './settings.ts'

export interface ReadCall {
  readonly to: string
  readonly data: string
}

/** `data` of a call that succeeded, or the chain's reason for one that did not. */
export type ReadResult = { readonly ok: true; readonly data: string } | { readonly ok: false; readonly reason: string }

/** How long a chain without a multicall contract is not asked for one again: a node that lagged says the same once. */
const ABSENT_MS = 600_000
/** Until when a client's chain is taken to have none, in milliseconds since 1970. */
const absentUntil = new WeakMap<EvmClient, number>()

/**
 * Many reads of one state: one `eth_call` through Multicall3, or a batch of single calls where the chain has none. A call that fails
 * fails alone.
 *
 * @throws 502, 503, 504 when the chain could not be asked
 */
export async function readMany(
  { client, network, now }: KitContext<EvmClient>,
  calls: readonly ReadCall[],
): Promise<readonly ReadResult[]> {
  const time = now().getTime()
  if (time >= (absentUntil.get(client) ?? 0)) {
    const answer = await readOne(client, { to: (network as EvmNetwork).multicall, data: encodeAggregate(calls) })
    if (answer.ok && answer.data !== '0x')
      return decodeAggregate(answer.data, calls.length).map(({ ok, data }) => (ok ? { ok, data } : { ok, reason: textOf(data) }))
    // No code there answers 0x. A refusal (too much gas for this endpoint, say) concerns this call only.
    if (answer.ok) absentUntil.set(client, time + ABSENT_MS)
  }
  return Promise.all(calls.map((call) => readOne(client, call)))
}

async function readOne(client: EvmClient, call: ReadCall): Promise<ReadResult> {
  try {
    return { ok: true, data: await client.bytes('eth_call', [call, 'latest']) }
  } catch (error) {
    const reason = revertReason(error)
    if (reason === null) throw error
    return { ok: false, reason }
  }
}
