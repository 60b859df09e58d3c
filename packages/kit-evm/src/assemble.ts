import { type Assembly, type KitContext, requireFee, requireFunds, tokensText } from '@svc/contract'
import { isError } from 'ethers'
import type { Static } from 'typebox'
import { quantityText, readBytes, readQuantity } from './answer.ts'
import type { EvmClient } from './client.ts'
import { badRequest, unprocessable } from './codes.ts'
import { hashOf, writeUnsigned } from './legacy.ts'
import { nodeWords, revertReason } from './reverts.ts'
import type { EvmSettings } from './settings.ts'
import { delegateOf } from './wallet-code.ts'
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

/** Facts that a legacy transaction needs besides its draft. All in wei. */
export interface EvmPreflight {
  readonly nonce: bigint
  /** The chain's suggestion, with the network's percentage on top. */
  readonly gasPrice: bigint
  /** Balance of the signer. */
  readonly balance: bigint
}

type Unsigned = Static<(typeof evmWire)['unsigned']>

/**
 * Highest nonce that is believed. The protocol allows 2^64 - 2; an account that sent a transaction a second since the first EVM block would be
 * far below this. It also fits the library's number. @see https://eips.ethereum.org/EIPS/eip-2681 (read 2026-11-22)
 */
const MOST_NONCE = 2n ** 48n - 1n
/** Highest price that is believed, in wei: at this one the cheapest transaction costs 21 native tokens. */
const MOST_GAS_PRICE = 10n ** 15n

/** Reads nonce, price and balance of the signer, asked together. @throws 400 WALLET_IS_CONTRACT where every endpoint says that the signer is a contract: no key signs for one */
export async function evmPreflight({ client, network }: KitContext<EvmClient, EvmSettings>, signer: string): Promise<EvmPreflight> {
  const [nonce, price, balance, code] = await Promise.all([
    client.quantity('eth_getTransactionCount', [signer, 'pending'], 0n, MOST_NONCE),
    // At a price far too low a transaction waits for good: what one endpoint tells below the chain's least counts where none tells more.
    client.ask(
      'eth_gasPrice',
      [],
      (answer) => readQuantity(answer, 1n, MOST_GAS_PRICE),
      'along',
      (told) => 'value' in told && told.value < BigInt(network.gas_price_least),
    ),
    client.quantity('eth_getBalance', [signer, 'latest']),
    client.ask('eth_getCode', [signer, 'latest'], readBytes, 'along', (told) => 'value' in told && isContract(told.value)),
  ])
  if (isContract(code))
    throw badRequest(
      'WALLET_IS_CONTRACT',
      `${signer} is a contract, and no key can sign a transaction for it. A contract wallet, such as a Safe, acts by calls that its owners approve in its own application: craft for an address that has a key.`,
    )
  return { nonce, gasPrice: (price * BigInt(network.gas_price_percent)) / 100n, balance }
}

/** Tells whether code is that of a contract, for which nobody has a key. */
function isContract(code: string): boolean {
  return code !== '0x' && delegateOf(code) === null
}

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
