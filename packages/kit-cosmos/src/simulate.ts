import { badGateway, badRequest, type KitContext } from '@svc/contract'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { QueryRefused, verdict } from './answer.ts'
import type { CosmosClient } from './client.ts'
import { malformed } from './rpc.ts'
import { authInfoOf, rawOf } from './transaction.ts'

/** What the chain answered to a transaction that it ran without keeping it. */
export type Simulation = { readonly gasUsed: bigint } | 'stale-sequence'

/**
 * Lets the chain run a transaction without fee and signature.
 *
 * @returns `stale-sequence` when the account's sequence is another one by now
 * @throws 400 CHAIN_WOULD_REFUSE with the chain's reason; 502, 503, 504 when it could not be asked
 */
export async function simulate(
  { client }: KitContext<CosmosClient>,
  body: Uint8Array,
  signer: { readonly publicKey: Uint8Array; readonly sequence: bigint },
): Promise<Simulation> {
  const txBytes = rawOf(body, authInfoOf({ ...signer, gasLimit: 0n, fee: null }), [new Uint8Array()])
  const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish()
  try {
    const { gasInfo } = await verdict(
      client.queries.queryAbci('/cosmos.tx.v1beta1.Service/Simulate', request).then(({ value }) => SimulateResponse.decode(value)),
    )
    if (!gasInfo || gasInfo.gasUsed <= 0n) throw malformed()
    return { gasUsed: gasInfo.gasUsed }
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error
    const reason = reasonOf(error.log)
    if (reason === null) throw badGateway('UPSTREAM_ERROR', "The chain's node could not simulate the transaction; try again.", error)
    if (/account sequence mismatch/.test(reason)) return 'stale-sequence'
    throw badRequest('CHAIN_WOULD_REFUSE', `The chain would refuse this transaction: ${reason.slice(0, 300)}.`, error)
  }
}

/**
 * Why the application refused to run the transaction, without what its layers put around that.
 *
 * @returns null when it did not come to run it
 * @see https://github.com/cosmos/cosmos-sdk/blob/main/x/auth/tx/service.go (Simulate, read 2026-11-21)
 */
function reasonOf(log: string): string | null {
  const status = /^rpc error: code = (\w+) desc = (.*)$/s.exec(log)
  const said = status ? status[2]! : log
  const ran = /failed to execute message; message index: \d+: (.*)$/s.exec(said)
  if (!ran && !VERDICTS.has(status?.[1] ?? '')) return null
  return (ran?.[1] ?? said)
    .replace(/: unknown request$/, '')
    .replace(/ with gas used: '\d+'$/, '')
    .trim()
}

/** gRPC statuses that speak of the transaction; the others speak of the node. */
const VERDICTS: ReadonlySet<string> = new Set(['Unknown', 'InvalidArgument', 'FailedPrecondition', 'NotFound'])
