import { toHex } from '@cosmjs/encoding'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { type Assembled, type KitContext, type NetworkBase, requireFee, requireFunds, tokensText } from '@svc/contract'
import type { Static } from 'typebox'
import { readAccount } from './account.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badRequest, unavailable } from './codes.ts'
import { ceilOf, feeOf, leastGasPrice } from './gas-price.ts'
import { type Delegation, denomsOf, paidIn, payoutGas, type Rewards, readRewardDenoms, unsimulatedGas } from './payout.ts'
import { requirePayout } from './payout-room.ts'
import type { CosmosPreflight } from './preflight.ts'
import type { CosmosNetwork, CosmosSettings } from './settings.ts'
import { LEAST_FEE, simulate } from './simulate.ts'
import { authInfoOf, bodyOf, type MessageTypes, rawOf, signHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/** A transaction in the family's own words; its signer is in the preflight. */
export interface CosmosDraft {
  readonly messages: readonly EncodeObject[]
  /** Base units that the messages take out of the account. @default 0 */
  readonly spends?: bigint
  /** The delegation whose rewards the chain pays out along with the messages, whether or not there are some when it is crafted. */
  readonly pays?: Delegation
  /** True if the draft's messages only pay rewards: where the chain is seen to pay nothing, the draft is refused. @default false */
  readonly onlyPays?: boolean
  /** Gas that transactions of others in the same block can add to the messages'. @default 0 */
  readonly crowd?: bigint
}

const NO_REWARDS: Rewards = { owed: null, held: [], poolBytes: null }

type Unsigned = Static<CosmosWire['unsigned']>

/**
 * Makes the unsigned transaction of a draft, in SIGN_MODE_DIRECT. The simulation has to wait for the preflight, since it is checked against the sequence.
 * Its gas limit is what the simulation used, what the chain takes besides, and what a payout of rewards takes that may come until it is delivered.
 *
 * @throws 400 CHAIN_WOULD_REFUSE, CLAIM_PAYS_NOTHING, INSUFFICIENT_BALANCE, TRANSACTION_PENDING; 503 FEE_ABOVE_CAP
 */
export async function assembleCosmos(
  chain: CosmosChain,
  types: MessageTypes,
  ctx: KitContext<CosmosClient, CosmosSettings>,
  draft: CosmosDraft,
  preflight: Promise<CosmosPreflight>,
): Promise<Assembled<Unsigned>> {
  const { network } = ctx
  const { denom } = chain
  const [live, rewards] = await Promise.all([preflight, draft.pays ? readRewardDenoms(chain, ctx.client, draft.pays) : NO_REWARDS])
  // The simulation takes a fee as well, and says in other words that it is not there.
  requireCover(live, draft.spends ?? 0n, LEAST_FEE, network)
  const body = bodyOf(types, draft.messages, network.memo)
  const most = BigInt(network.gas_used_maximum) + payoutGas(rewards)
  const { gasUsed, events, sequence } = await simulated(ctx, chain, body, live, most)

  const paid = draft.pays ? paidIn(events, draft.pays) : null
  // A sequence that moved in between may have moved the delegation too: then the rewards that were read are of before it.
  if (draft.pays && draft.onlyPays && sequence === live.account.sequence) await requirePayout(chain, ctx, draft.pays, rewards, paid)
  const missing = unsimulatedGas(rewards, paid)
  const delivered = gasUsed + (chain.gasBeyondSimulation ?? 0n) + missing + (draft.crowd ?? 0n)
  const gasLimit = ceilOf(delivered * BigInt(network.gas_limit_percent), 100n)
  const fee = feeOf(gasLimit, live.gasPrice)
  requireAffordable(gasLimit, fee, denomsOf(rewards), network)
  requireCover(live, draft.spends ?? 0n, fee, network)

  const accountNumber = live.account.number
  const authInfo = authInfoOf(chain, { publicKey: live.publicKey, sequence, gasLimit, fee: { denom, amount: fee } })
  return {
    unsigned: {
      unsigned_tx_hex: toHex(rawOf(body, authInfo, [])),
      tx_auth_info_hex: toHex(authInfo),
      unsigned_tx_hash_hex: toHex(signHash(chain, body, authInfo, network.chainId, accountNumber)),
    },
    terms: { sequence, accountNumber, gasLimit, fee },
  }
}

/** Gas that the messages take. A block may come between the two questions, so a sequence that was used meanwhile is asked once more. */
async function simulated(
  ctx: KitContext<CosmosClient, CosmosSettings>,
  chain: CosmosChain,
  body: Uint8Array,
  live: CosmosPreflight,
  most: bigint,
) {
  let { sequence } = live.account
  let simulation = await simulate(ctx, chain, body, { publicKey: live.publicKey, sequence }, most)
  if (simulation === 'stale-sequence') {
    sequence = (await readAccount(ctx.client, live.address)).sequence
    simulation = await simulate(ctx, chain, body, { publicKey: live.publicKey, sequence }, most)
  }
  if (simulation !== 'stale-sequence') return { ...simulation, sequence }
  throw badRequest(
    'TRANSACTION_PENDING',
    `Another transaction of ${live.address} is on its way into a block. Craft again when it is there, in some seconds.`,
  )
}

/** Holds a fee against the cap, and tells where no lower price of gas would mend it. @throws 503 FEE_ABOVE_CAP */
function requireAffordable(gasLimit: bigint, fee: bigint, denoms: number, network: CosmosNetwork): void {
  const least = feeOf(gasLimit, leastGasPrice(network))
  if (least <= network.maxFee) {
    requireFee(fee, network)
    return
  }
  const why = denoms > 1 ? `, since its validator's rewards are in ${denoms} denominations, which anybody can add to` : ''
  const [costs, cap] = [tokensText(least, network), tokensText(network.maxFee, network)]
  throw unavailable(
    'FEE_ABOVE_CAP',
    `The transaction takes ${gasLimit} gas${why}. That costs ${costs} even at the lowest price of gas, above the operator's cap of ${cap}. Waiting does not help; the operator can raise max_fee.`,
    3600,
  )
}

/** A fee is paid from what is spendable; locked coins of a vesting account can be delegated. */
function requireCover({ address, balance, spendable }: CosmosPreflight, spends: bigint, fee: bigint, network: NetworkBase): void {
  requireFunds({ address, holds: balance, amount: spends, fee }, network)
  if (spendable >= fee) return
  const [free, needed] = [tokensText(spendable, network), tokensText(fee, network)]
  throw badRequest(
    'INSUFFICIENT_BALANCE',
    `${address} can spend ${free}, the rest of its balance is locked; that does not cover the fee of ${needed}.`,
  )
}
