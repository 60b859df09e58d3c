import { type Assembly, type KitContext, requireFee, requireFunds, tokensText } from '@svc/contract'
import { isError } from 'ethers'
import type { Static } from 'typebox'
import { quantityText } from './answer.ts'
import type { EvmClient } from './client.ts'
import { badRequest, unprocessable } from './codes.ts'
import { hashOf, writeUnsigned } from './legacy.ts'
import type { EvmPreflight } from './preflight.ts'
import { nodeWords, revertReason } from './reverts.ts'
import type { EvmSettings } from './settings.ts'
import type { evmWire } from './wire.ts'

/** A call from which a transaction is made. */
export interface EvmDraft {
  /** Address that signs the transaction and pays its fee. */
  readonly from: string
  readonly to: string
  /** Wei sent along. @default 0 */
  readonly value?: bigint
  readonly data: string
  /** Returns an addition to the sentence of a refusal, for a reason of the chain (or the node's words where there is none); null: no addition. */
  readonly hint?: (message: string) => string | null
  /** Describes the return data of a refusal by one of the contract's own errors; null for any other data. */
  readonly explain?: (data: string) => string | null
  /** Status of a simulation that was refused. @default 400 */
  readonly refusedStatus?: 400 | 422
}

type Unsigned = Static<(typeof evmWire)['unsigned']>

/**
 * Makes the unsigned legacy transaction of a draft. The gas estimate, which is the simulation too, is sent together with the preflight's calls.
 *
 * @throws 400 CHAIN_WOULD_REFUSE with the chain's reason; 400 INSUFFICIENT_BALANCE; 503 FEE_ABOVE_CAP
 */
export async function assembleEvm(
  ctx: KitContext<EvmClient, EvmSettings>,
  draft: EvmDraft,
  preflight: Promise<EvmPreflight>,
): Promise<Assembly<Unsigned>> {
  const { network } = ctx
  const value = draft.value ?? 0n
  const call = { from: draft.from, to: draft.to, data: draft.data, ...(value === 0n ? {} : { value: quantityText(value) }) }
  const [estimate, live] = await Promise.allSettled([
    ctx.client.quantity('eth_estimateGas', [call], intrinsicGas(draft.data), BigInt(network.max_gas_limit)),
    preflight,
  ])
  if (live.status === 'rejected') throw live.reason
  const { nonce, gasPrice, balance } = live.value
  requireFunds({ address: draft.from, holds: balance, amount: value, fee: 0n }, network)
  if (estimate.status === 'rejected') throw refusal(estimate.reason, draft, tokensText(balance, network))

  const gasLimit = (estimate.value * BigInt(network.gas_limit_percent)) / 100n
  const fee = gasLimit * gasPrice
  requireFunds({ address: draft.from, holds: balance, amount: value, fee }, network)
  requireFee(fee, network)

  const chainId = BigInt(network.chainId)
  const serialized = writeUnsigned({ nonce, gasPrice, gasLimit, to: draft.to, value, data: draft.data, chainId })
  return {
    unsigned: {
      serialized_tx_hex: serialized,
      unsigned_tx_hash_hex: hashOf(serialized),
      payload: {
        type: '0x0',
        nonce: quantityText(nonce),
        gasLimit: quantityText(gasLimit),
        to: draft.to,
        value: quantityText(value),
        data: draft.data,
        gasPrice: quantityText(gasPrice),
        chainId: quantityText(chainId),
      },
    },
    terms: { nonce, gasPrice, gasLimit },
  }
}

/**
 * Gas that a call costs before its first instruction: no estimate is lower. 21000 a transaction, 4 for each zero byte of data, 16 for any other.
 *
 * @see https://eips.ethereum.org/EIPS/eip-2028 (read 2026-11-22)
 */
function intrinsicGas(data: string): bigint {
  let gas = 21_000
  for (let at = 2; at < data.length; at += 2) gas += data.startsWith('00', at) ? 4 : 16
  return BigInt(gas)
}

function refusal(error: unknown, draft: EvmDraft, holds: string): unknown {
  if (isError(error, 'INSUFFICIENT_FUNDS'))
    return badRequest('INSUFFICIENT_BALANCE', `${draft.from} holds ${holds}, which does not cover the transaction and its fee.`)
  const reason = revertReason(error, draft.explain)
  if (reason === null) return error
  const hint = draft.hint?.(reason || nodeWords(error)) ?? null
  const errorOf = draft.refusedStatus === 422 ? unprocessable : badRequest
  return errorOf(
    'CHAIN_WOULD_REFUSE',
    `The chain would refuse this transaction${reason ? `: ${reason}` : ' and gives no reason'}.${hint ? ` ${hint}` : ''}`,
    error,
  )
}
