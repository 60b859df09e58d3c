import { type KitContext, malformedAnswer, unanswered } from '@svc/contract'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { beyond, type QueryRefused } from './answer.ts'
import type { CosmosClient } from './client.ts'
import { badRequest } from './codes.ts'
import type { CosmosSettings } from './settings.ts'
import { authInfoOf, rawOf } from './transaction.ts'

/** What the chain answered to a transaction that it ran without keeping it. */
export type Simulation = { readonly gasUsed: bigint } | 'stale-sequence'

/**
 * Lets the chain run a transaction without fee and signature.
 *
 * @returns `stale-sequence` when the account's sequence is another one by now
 * @throws 400 CHAIN_WOULD_REFUSE with the chain's reason; 502, 503, 504 when it could not be asked, or tells gas that staking never takes
 */
export async function simulate(
  { client, network }: KitContext<CosmosClient, CosmosSettings>,
  body: Uint8Array,
  signer: { readonly publicKey: Uint8Array; readonly sequence: bigint },
): Promise<Simulation> {
  const most = BigInt(network.gas_used_maximum)
  const txBytes = rawOf(body, authInfoOf({ ...signer, gasLimit: 0n, fee: null }), [new Uint8Array()])
  return client.query<Simulation>({
    path: '/cosmos.tx.v1beta1.Service/Simulate',
    request: SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish(),
    read(answer) {
      const gasUsed = SimulateResponse.decode(answer).gasInfo?.gasUsed ?? 0n
      if (gasUsed <= 0n) throw malformedAnswer(gasUsed)
      if (gasUsed > most)
        throw beyond(
          `The chain's node says that the transaction uses ${gasUsed} gas, above ${most}, the most that it is believed; try again.`,
        )
      return { gasUsed }
    },
    refused(refusal) {
      const reason = reasonOf(refusal)
      if (reason === null) throw unanswered(refusal)
      if (/account sequence mismatch/.test(reason)) return 'stale-sequence'
      throw badRequest('CHAIN_WOULD_REFUSE', `The chain would refuse this transaction: ${reason.slice(0, 300)}.`, refusal)
    },
  })
}

/**
 * Why the application refused to run the transaction, without what its layers put around that.
 *
 * @returns null when it did not come to run it
 * @see https://github.com/cosmos/cosmos-sdk/blob/main/x/auth/tx/service.go (Simulate, read 2026-11-21)
 */
function reasonOf({ log }: QueryRefused): string | null {
  const status = /^rpc error: code = (\w+) desc = (.*)$/s.exec(log)
  const said = status?.[2] ?? log
  const ran = /failed to execute message; message index: \d+: (.*)$/s.exec(said)
  if (!ran && !VERDICTS.has(status?.[1] ?? '')) return null
  return (ran?.[1] ?? said)
    .replace(/: unknown request$/, '')
    .replace(/ with gas used: '\d+'$/, '')
    .trim()
}

/** gRPC statuses that speak of the transaction; the others speak of the node. */
const VERDICTS: ReadonlySet<string> = new Set(['Unknown', 'InvalidArgument', 'FailedPrecondition', 'NotFound'])
