import { type Assembled, type KitContext, requireFee, requireFunds, tokensText } from '@svc/contract'
import { isError, Transaction, toQuantity } from 'ethers'
import type { Static } from 'typebox'
import type { EvmClient } from './client.ts'
import { badRequest, unprocessable } from './codes.ts'
import { nodeWords, revertReason } from './reverts.ts'
import type { EvmSettings } from './settings.ts'
import type { evmWire } from './wire.ts'

/** A call in the family's own words. */
export interface EvmDraft {
  /** Who signs and pays. */
  readonly from: string
  readonly to: string
  /** Wei sent along. @default 0 */
  readonly value?: bigint
  readonly data: string
  /** Added to the sentence when the chain would refuse, by what it says: its reason, or the node's words where it gives none; null for others. */
  readonly hint?: (said: string) => string | null
  /** Words for the return data of a refusal where the contract has errors of its own; null for any other. */
  readonly explain?: (data: string) => string | null
  /** Status of a simulation that was refused. @default 400 */
  readonly refusedStatus?: 400 | 422
}

/** What a legacy transaction needs besides its draft. All in wei. */
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

/** Nonce, price and balance, asked together. */
export async function evmPreflight({ client, network }: KitContext<EvmClient, EvmSettings>, signer: string): Promise<EvmPreflight> {
  const [nonce, price, balance] = await Promise.all([
    client.quantity('eth_getTransactionCount', [signer, 'pending'], 0n, MOST_NONCE),
    client.quantity('eth_gasPrice', [], 1n, MOST_GAS_PRICE),
    client.quantity('eth_getBalance', [signer, 'latest']),
  ])
  return { nonce, gasPrice: (price * BigInt(network.gas_price_percent)) / 100n, balance }
}

/**
 * Draft to unsigned legacy transaction. The estimate leaves together with the preflight's calls and is the simulation.
 *
 * @throws 400 CHAIN_WOULD_REFUSE with the chain's reason; 400 INSUFFICIENT_BALANCE; 503 FEE_ABOVE_CAP
 */
export async function assembleEvm(
  ctx: KitContext<EvmClient, EvmSettings>,
  draft: EvmDraft,
  preflight: Promise<EvmPreflight>,
): Promise<Assembled<Unsigned>> {
  const { network } = ctx
  const value = draft.value ?? 0n
  const call = { from: draft.from, to: draft.to, data: draft.data, ...(value === 0n ? {} : { value: toQuantity(value) }) }
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

  const transaction = Transaction.from({
    type: 0,
    chainId: BigInt(network.chainId),
    nonce: Number(nonce),
    gasPrice,
    gasLimit,
    to: draft.to,
    value,
    data: draft.data,
  })
  return {
    unsigned: {
      serialized_tx_hex: transaction.unsignedSerialized,
      unsigned_tx_hash_hex: transaction.unsignedHash,
      payload: {
        type: '0x0',
        nonce: toQuantity(nonce),
        gasLimit: toQuantity(gasLimit),
        to: draft.to,
        value: toQuantity(value),
        data: draft.data,
        gasPrice: toQuantity(gasPrice),
        chainId: toQuantity(BigInt(network.chainId)),
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
  const bytes = data.slice(2).match(/../g) ?? []
  return bytes.reduce((gas, byte) => gas + (byte === '00' ? 4n : 16n), 21_000n)
}

function refusal(error: unknown, draft: EvmDraft, holds: string): unknown {
  if (isError(error, 'INSUFFICIENT_FUNDS'))
    return badRequest('INSUFFICIENT_BALANCE', `${draft.from} holds ${holds}, which does not cover the transaction and its fee.`)
  const reason = revertReason(error, draft.explain)
  if (reason === null) return error
  const hint = draft.hint?.(reason || nodeWords(error)) ?? null
  const refused = draft.refusedStatus === 422 ? unprocessable : badRequest
  return refused(
    'CHAIN_WOULD_REFUSE',
    `The chain would refuse this transaction${reason ? `: ${reason}` : ' and gives no reason'}.${hint ? ` ${hint}` : ''}`,
    error,
  )
}
