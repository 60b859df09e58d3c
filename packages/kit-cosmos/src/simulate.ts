import { EndpointError, type KitContext, malformedAnswer } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import type { QueryRefused } from './answer.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badGateway, badRequest } from './codes.ts'
import { notServed } from './not-served.ts'
import type { CosmosSettings } from './settings.ts'
import { authInfoOf, rawOf } from './transaction.ts'
import { readableWords } from './words.ts'

/** Answer of the chain to a transaction that it ran without keeping it. */
type Simulation = { readonly gasUsed: bigint; readonly events: unknown } | 'stale-sequence'

/** A signature of secp256k1 in the form of the bytes; its digits are not looked at in a simulation. */
const SIGNATURE = new Uint8Array(64)
/** The least fee that there is: that one is taken costs gas, and how much does not. */
export const LEAST_FEE = 1n

/**
 * Simulates a transaction on the chain, with a fee and the room of a signature, as it will be delivered.
 *
 * @param most gas that the node is believed
 * @returns `stale-sequence` when the account's sequence is another one by now
 * @throws 400 CHAIN_WOULD_REFUSE with the chain's reason; 502 GAS_ABOVE_MAXIMUM; 502, 503, 504 when it could not be asked
 */
export async function simulate(
  { client }: KitContext<CosmosClient, CosmosSettings>,
  chain: CosmosChain,
  body: Uint8Array,
  signer: { readonly publicKey: Uint8Array; readonly sequence: bigint },
  most: bigint,
): Promise<Simulation> {
  const txBytes = rawOf(body, authInfoOf(chain, { ...signer, gasLimit: 0n, fee: { denom: chain.denom, amount: LEAST_FEE } }), [SIGNATURE])
  return client.query<Simulation>({
    path: '/cosmos.tx.v1beta1.Service/Simulate',
    request: SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish(),
    read(answer) {
      const { gasInfo, result } = SimulateResponse.decode(answer)
      const gasUsed = gasInfo?.gasUsed ?? 0n
      if (gasUsed <= 0n) throw malformedAnswer(gasUsed)
      if (gasUsed > most) throw new EndpointError('malformed', tooMuch(gasUsed, most))
      return { gasUsed, events: result?.events ?? [] }
    },
    refused(refusal) {
      if (notServed(refusal.log)) throw new EndpointError('no answer', withoutGrpc(refusal))
      const reason = reasonOf(refusal)
      if (reason === null) throw unanswered(refusal)
      if (/account sequence mismatch/.test(reason)) return 'stale-sequence'
      throw badRequest('CHAIN_WOULD_REFUSE', `The chain would refuse this transaction: ${readableWords(reason)}.`, refusal)
    },
  })
}

function tooMuch(gasUsed: bigint, most: bigint) {
  return badGateway(
    'GAS_ABOVE_MAXIMUM',
    `The chain's node says that the transaction uses ${gasUsed} gas, above ${most}, the most that is believed of it, and no other endpoint says less. If the chain really takes so much, the operator can raise gas_used_maximum.`,
  )
}

function withoutGrpc(cause: unknown) {
  return badGateway(
    'SIMULATION_NOT_SERVED',
    "The chain's node simulates no transactions, so that none can be crafted: its gRPC is off. The operator of the node can switch it on with `enable = true` under `[grpc]` of its app.toml.",
    cause,
  )
}

/**
 * Tells why the application refused to run the transaction, without what its layers put around that.
 *
 * @returns null when it did not come to run it
 * @see https://github.com/cosmos/cosmos-sdk/blob/main/x/auth/tx/service.go (Simulate, read 2026-11-21)
 */
function reasonOf({ log }: QueryRefused): string | null {
  const status = /^rpc error: code = (\w+) desc = (.*)$/s.exec(log)
  const reason = status?.[2] ?? log
  const ran = /failed to execute message; message index: \d+: (.*)$/s.exec(reason)
  if (!ran && !VERDICTS.has(status?.[1] ?? '')) return null
  return (ran?.[1] ?? reason)
    .replace(/: unknown request$/, '')
    .replace(/ with gas used: '\d+'$/, '')
    .trim()
}

/** gRPC statuses that speak of the transaction; the others speak of the node. */
const VERDICTS: ReadonlySet<string> = new Set(['Unknown', 'InvalidArgument', 'FailedPrecondition', 'NotFound'])
