import { toHex } from '@cosmjs/encoding'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { type Assembled, badRequest, formatAmount, type KitContext, unavailable } from '@svc/contract'
import type { Static } from 'typebox'
import { readAccount } from './account.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { ceilOf, feeOf } from './gas-price.ts'
import type { CosmosLifetime } from './lifetime.ts'
import type { CosmosNetwork } from './settings.ts'
import { simulate } from './simulate.ts'
import { authInfoOf, bodyOf, rawOf, signHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/** Decimal places of the family's tokens: uatom, utia. @see https://github.com/cosmos/chain-registry (read 2026-11-21) */
export const DECIMALS = 6

/** A transaction in the family's own words; its signer is in the lifetime. */
export interface CosmosDraft {
  readonly messages: readonly EncodeObject[]
  /** Base units that the messages take out of the account. @default 0 */
  readonly spends?: bigint
}

type Unsigned = Static<CosmosWire['unsigned']>

/**
 * Draft to unsigned transaction in SIGN_MODE_DIRECT. The simulation has to wait for the lifetime, since it is checked against the sequence.
 *
 * @throws 400 CHAIN_WOULD_REFUSE, INSUFFICIENT_BALANCE, TRANSACTION_PENDING; 503 FEE_ABOVE_CAP
 */
export async function assembleCosmos(
  { denom }: CosmosChain,
  ctx: KitContext<CosmosClient>,
  draft: CosmosDraft,
  lifetime: Promise<CosmosLifetime>,
): Promise<Assembled<Unsigned>> {
  const network = ctx.network as CosmosNetwork
  const live = await lifetime
  requireFunds(live, draft.spends ?? 0n, 0n)
  const body = bodyOf(draft.messages, network.memo)
  const { gasUsed, sequence } = await simulated(ctx, body, live)

  const gasLimit = ceilOf(gasUsed * BigInt(network.gas_limit_percent), 100n)
  const fee = feeOf(gasLimit, live.gasPrice)
  if (fee > network.maxFee) {
    throw unavailable(
      'FEE_ABOVE_CAP',
      `The network's fee is now ${formatAmount(fee, DECIMALS)}, above the operator's cap of ${formatAmount(network.maxFee, DECIMALS)}; try again when fees have fallen.`,
      60,
    )
  }
  requireFunds(live, draft.spends ?? 0n, fee)

  const accountNumber = live.account.number
  const authInfo = authInfoOf({ publicKey: live.publicKey, sequence, gasLimit, fee: { denom, amount: fee } })
  return {
    unsigned: {
      unsigned_tx_hex: toHex(rawOf(body, authInfo, [])),
      tx_auth_info_hex: toHex(authInfo),
      unsigned_tx_hash_hex: toHex(signHash(body, authInfo, network.chainId, accountNumber)),
    },
    terms: { sequence, accountNumber, gasLimit, fee },
  }
}

/** Gas that the messages take. A block may come between the two questions, so a sequence that was used meanwhile is asked once more. */
async function simulated(ctx: KitContext<CosmosClient>, body: Uint8Array, live: CosmosLifetime) {
  let { sequence } = live.account
  let simulation = await simulate(ctx, body, { publicKey: live.publicKey, sequence })
  if (simulation === 'stale-sequence') {
    sequence = (await readAccount(ctx.client, live.address)).sequence
    simulation = await simulate(ctx, body, { publicKey: live.publicKey, sequence })
  }
  if (simulation !== 'stale-sequence') return { ...simulation, sequence }
  throw badRequest(
    'TRANSACTION_PENDING',
    `Another transaction of ${live.address} is on its way into a block. Craft again when it is there, in some seconds.`,
  )
}

/** A fee is paid from what is spendable; locked coins of a vesting account can be delegated. */
function requireFunds({ address, balance, spendable }: CosmosLifetime, spends: bigint, fee: bigint): void {
  const text = (amount: bigint) => formatAmount(amount, DECIMALS)
  if (balance < spends + fee) {
    const needed =
      fee === 0n
        ? text(spends)
        : spends === 0n
          ? `the fee of ${text(fee)}`
          : `${text(spends + fee)} (amount ${text(spends)} and fee ${text(fee)})`
    throw badRequest('INSUFFICIENT_BALANCE', `${address} holds ${text(balance)}, which does not cover ${needed}.`)
  }
  if (spendable < fee) {
    throw badRequest(
      'INSUFFICIENT_BALANCE',
      `${address} can spend ${text(spendable)}, the rest of its balance is locked; that does not cover the fee of ${text(fee)}.`,
    )
  }
}
