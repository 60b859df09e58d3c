import { type Assembled, badRequest, formatAmount, type KitContext, unavailable, unprocessable } from '@svc/contract'
import { isError, Transaction, toQuantity } from 'ethers'
import type { Static } from 'typebox'
import type { EvmClient } from './client.ts'
import { revertReason } from './reverts.ts'
import type { EvmNetwork } from './settings.ts'
import type { evmWire } from './wire.ts'

/** A call in the family's own words. */
export interface EvmDraft {
  /** Who signs and pays. */
  readonly from: string
  readonly to: string
  /** Wei sent along. @default 0 */
  readonly value?: bigint
  readonly data: string
  /** Added to the sentence when the chain would refuse, for what its reason does not say. */
  readonly hint?: string
  /** Words for the return data of a refusal where the contract has errors of its own; null for any other. */
  readonly explain?: (data: string) => string | null
  /** Status of a simulation that was refused. @default 400 */
  readonly refusedStatus?: 400 | 422
}

/** What a legacy transaction needs besides its draft. All in wei. */
export interface EvmLifetime {
  readonly nonce: bigint
  /** The chain's suggestion, with the network's percentage on top. */
  readonly gasPrice: bigint
  /** Balance of the signer. */
  readonly balance: bigint
}

type Unsigned = Static<(typeof evmWire)['unsigned']>

/** Nonce, price and balance, asked together. */
export async function evmLifetime({ client, network }: KitContext<EvmClient>, signer: string): Promise<EvmLifetime> {
  const [nonce, price, balance] = await Promise.all([
    client.quantity('eth_getTransactionCount', [signer, 'pending']),
    client.quantity('eth_gasPrice', []),
    client.quantity('eth_getBalance', [signer, 'latest']),
  ])
  return { nonce, gasPrice: (price * BigInt((network as EvmNetwork).gas_price_percent)) / 100n, balance }
}

/**
 * Draft to unsigned legacy transaction. The estimate leaves together with the lifetime's calls and is the simulation.
 *
 * @throws 400 CHAIN_WOULD_REFUSE with the chain's reason; 400 INSUFFICIENT_BALANCE; 503 FEE_ABOVE_CAP
 */
export async function assembleEvm(
  ctx: KitContext<EvmClient>,
  draft: EvmDraft,
  lifetime: Promise<EvmLifetime>,
): Promise<Assembled<Unsigned>> {
  const network = ctx.network as EvmNetwork
  const value = draft.value ?? 0n
  const call = { from: draft.from, to: draft.to, data: draft.data, ...(value === 0n ? {} : { value: toQuantity(value) }) }
  const [estimate, live] = await Promise.allSettled([ctx.client.quantity('eth_estimateGas', [call]), lifetime])
  if (live.status === 'rejected') throw live.reason
  const { nonce, gasPrice, balance } = live.value
  if (balance < value) throw insufficient(draft.from, balance, value, 0n)
  if (estimate.status === 'rejected') throw refusal(estimate.reason, draft, balance)

  const gasLimit = (estimate.value * BigInt(network.gas_limit_percent)) / 100n
  const fee = gasLimit * gasPrice
  if (balance < value + fee) throw insufficient(draft.from, balance, value, fee)
  if (fee > network.maxFee) {
    throw unavailable(
      'FEE_ABOVE_CAP',
      `The network's fee is now ${formatAmount(fee, 18)}, above the operator's cap of ${formatAmount(network.maxFee, 18)}; try again when fees have fallen.`,
      60,
    )
  }

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

function insufficient(address: string, balance: bigint, value: bigint, fee: bigint) {
  const needed =
    fee === 0n
      ? formatAmount(value, 18)
      : `${formatAmount(value + fee, 18)} (amount ${formatAmount(value, 18)} and at most ${formatAmount(fee, 18)} in fees)`
  return badRequest('INSUFFICIENT_BALANCE', `${address} holds ${formatAmount(balance, 18)}, which does not cover ${needed}.`)
}

function refusal(error: unknown, draft: EvmDraft, balance: bigint): unknown {
  if (isError(error, 'INSUFFICIENT_FUNDS'))
    return badRequest(
      'INSUFFICIENT_BALANCE',
      `${draft.from} holds ${formatAmount(balance, 18)}, which does not cover the transaction and its fee.`,
    )
  const reason = revertReason(error, draft.explain)
  if (reason === null) return error
  const hint = draft.hint ? ` ${draft.hint}` : ''
  const refused = draft.refusedStatus === 422 ? unprocessable : badRequest
  return refused(
    'CHAIN_WOULD_REFUSE',
    `The chain would refuse this transaction${reason ? `: ${reason}` : ' and gives no reason'}.${hint}`,
    error,
  )
}
