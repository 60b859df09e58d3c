import type { KitContext } from '@svc/contract'
import { decodeAggregate, encodeAggregate } from './aggregate.ts'
import { readBytes } from './answer.ts'
import type { EvmClient } from './client.ts'
import { revertReason, textOf } from './reverts.ts'
import type { EvmSettings } from './settings.ts'

export interface ReadCall {
  readonly to: string
  readonly data: string
  /** Checks the data of a successful call. It throws when the data has another form; then the next endpoint is asked. */
  readonly check?: (data: string) => unknown
}

/** `data` of a call that succeeded, or the chain's reason for one that did not. */
export type ReadResult = { readonly ok: true; readonly data: string } | { readonly ok: false; readonly reason: string }

/** The state that is read: the latest, or that of a block by its hash, where a block that is not the chain's is an error. @see https://eips.ethereum.org/EIPS/eip-1898 (read 2026-11-28) */
export type ReadBlock = 'latest' | { readonly blockHash: string; readonly requireCanonical: true }

/**
 * Reads many values of one state: by one `eth_call` through Multicall3, or by a batch of single calls where the chain has none. A call that fails fails alone.
 *
 * @throws 502, 503, 504 when the chain could not be asked
 */
export async function readMany(
  { client, network }: KitContext<EvmClient, EvmSettings>,
  calls: readonly ReadCall[],
  block: ReadBlock = 'latest',
): Promise<readonly ReadResult[]> {
  if (client.hasMulticall) {
    const results = await aggregated(client, network.multicall, calls, block)
    if (results) return results
  }
  return Promise.all(calls.map((call) => readOne(client, call, block)))
}

/** @returns null when the chain has no such contract, or refused the whole call (too much gas for this endpoint, say) */
async function aggregated(
  client: EvmClient,
  to: string,
  calls: readonly ReadCall[],
  block: ReadBlock,
): Promise<readonly ReadResult[] | null> {
  try {
    return await client.ask('eth_call', [{ to, data: encodeAggregate(calls) }, block], (answer) => {
      const bytes = readBytes(answer)
      if (bytes === '0x') return null
      // As many as the calls, or the answer was refused.
      const results = decodeAggregate(bytes, calls.length)
      return results.map(({ ok, data }, index) => {
        if (ok) calls[index]?.check?.(data)
        return ok ? { ok, data } : { ok, reason: textOf(data) }
      })
    })
  } catch (error) {
    if (revertReason(error) === null) throw error
    return null
  }
}

async function readOne(client: EvmClient, { to, data, check }: ReadCall, block: ReadBlock): Promise<ReadResult> {
  try {
    return { ok: true, data: await client.bytes('eth_call', [{ to, data }, block], check) }
  } catch (error) {
    const reason = revertReason(error)
    if (reason === null) throw error
    return { ok: false, reason }
  }
}
