import { toHex } from '@cosmjs/encoding'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { type Assembly, isServiceError, type KitContext, type NetworkBase, requireFee, requireFunds, tokensText } from '@svc/contract'
import type { Static } from 'typebox'
import { readAccount, readAccountBytes } from './account.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badRequest, unavailable } from './codes.ts'
import { ceilOf, feeOf, leastGasPrice } from './gas-price.ts'
import { type Delegation, denomsOf, newDenomsGas, paidIn, payoutGas, type Rewards, readRewardDenoms, unsimulatedGas } from './payout.ts'
import { requirePayout } from './payout-room.ts'
import type { CosmosPreflight } from './preflight.ts'
import type { CosmosNetwork, CosmosSettings } from './settings.ts'
import { LEAST_FEE, simulate } from './simulate.ts'
import { authInfoOf, bodyOf, type MessageTypes, rawOf, signHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/** A transaction before it is encoded: its messages and gas. Its signer is in the preflight. */
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
 * Makes the unsigned transaction of a draft, in SIGN_MODE_DIRECT. The simulation has to wait for the preflight, since it is checked against the sequence. The gas limit is
 * the sum of the gas that the simulation used, the gas that the chain takes besides, and the gas of a payout of rewards that may come before delivery, in the denominations
 * that the validator holds and in a few that it does not hold yet.
 *
 * @throws 400 CHAIN_WOULD_REFUSE, CLAIM_PAYS_NOTHING, INSUFFICIENT_BALANCE, TRANSACTION_PENDING; 503 FEE_ABOVE_CAP
 */
export async function assembleCosmos(
  chain: CosmosChain,
  types: MessageTypes,
  ctx: KitContext<CosmosClient, CosmosSettings>,
  draft: CosmosDraft,
  preflight: Promise<CosmosPreflight>,
): Promise<Assembly<Unsigned>> {
  const { network } = ctx
  const { denom } = chain
  const [live, rewards] = await Promise.all([preflight, draft.pays ? readRewardDenoms(chain, ctx.client, draft.pays) : NO_REWARDS])
  const body = bodyOf(types, draft.messages, network.memo)
  const most = BigInt(network.gas_used_maximum) + payoutGas(rewards)
  requireSimulable(live, draft.spends ?? 0n, most, network)
  const { gasUsed, events, sequence, accountBytes } = await believed(ctx, chain, body, live, most)

  const paid = draft.pays ? paidIn(events, draft.pays) : null
  if (draft.pays && draft.onlyPays)
    await requirePayout(chain, ctx, draft.pays, rewards, { paid, moved: sequence !== live.account.sequence })
  const missing = unsimulatedGas(rewards, paid)
  const delivered = gasUsed + (chain.gasBeyondSimulation ?? 0n) + missing + (draft.crowd ?? 0n)
  const gasLimit = limitOf(delivered, newDenomsGas(rewards, paid), network)
  const fee = feeOf(gasLimit, live.gasPrice)
  requireAffordable(gasLimit, fee, { denoms: denomsOf(rewards), accountBytes }, network)
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

/** Percent of what is expected that a delivery may take more. Over 891 transactions of both chains none took above one percent more (measured 2026-11-23). */
const SLIP_PERCENT = 2n
/** Percent of its limit that a transaction is expected to use at least, whatever it has room for: all of the fee is charged. */
const LEAST_USED_PERCENT = 56n

/**
 * Works out the gas limit: the larger of the expected gas times the network's percentage, and the expected gas with a slip and `room`, of which so much is taken that at least 56 % of the limit
 * is expected to be used. Both margins are for what can come between craft and block, so that they are not added up. Without `room`, or at 100 %, it is the former alone.
 *
 * @param room gas of what may come besides
 */
function limitOf(expected: bigint, room: bigint, { gas_limit_percent: percent }: CosmosNetwork): bigint {
  const usual = ceilOf(expected * BigInt(percent), 100n)
  // Who wants no margin at all wants no room either.
  if (room === 0n || percent === 100) return usual
  const roomy = smaller(ceilOf(expected * (100n + SLIP_PERCENT), 100n) + room, (expected * 100n) / LEAST_USED_PERCENT)
  if (usual > roomy) return usual
  return roomy
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/**
 * Gas that a transaction takes for each byte of its signer's account, which it reads and writes several times: 3 a byte read, 30 a byte written. A stake took 120, a
 * claim and an exit 51, of accounts of 8,845 and 24,086 bytes with 365 and 1,000 periods (gaiad v29, measured 2026-11-28).
 */
const ACCOUNT_BYTE_GAS = 130n
/** Bytes of a plain account at most: an address, a key of 33 bytes with its type, and two numbers. What it takes is in every simulation. */
const PLAIN_ACCOUNT = 200

/** A simulation that is believed, and the bytes of the signer's account where these are a reason for its gas; else 0. */
type Believed = Awaited<ReturnType<typeof simulated>> & { readonly accountBytes: number }

/**
 * Simulates, and where every endpoint tells more gas than is believed, once more with what the signer's account itself can take: anybody can make a fresh address an
 * account whose coins become free in many periods. The fee is held against `max_fee` all the same.
 *
 * @throws 502 GAS_ABOVE_MAXIMUM
 */
async function believed(
  ctx: KitContext<CosmosClient, CosmosSettings>,
  chain: CosmosChain,
  body: Uint8Array,
  live: CosmosPreflight,
  most: bigint,
): Promise<Believed> {
  try {
    return { ...(await simulated(ctx, chain, body, live, most)), accountBytes: 0 }
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'GAS_ABOVE_MAXIMUM') throw error
    // Where no endpoint tells that, nothing explains the gas.
    const accountBytes = await readAccountBytes(ctx.client, live.address).catch((unread) => {
      throw isServiceError(unread) ? error : unread
    })
    if (accountBytes <= PLAIN_ACCOUNT) throw error
    return { ...(await simulated(ctx, chain, body, live, most + ACCOUNT_BYTE_GAS * BigInt(accountBytes))), accountBytes }
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

/** Reasons for which a transaction takes much gas. */
interface Reasons {
  /** Number of denominations of the validator's rewards. */
  readonly denoms: number
  /** Bytes of the signer's account; 0 where they are no reason. */
  readonly accountBytes: number
}

/** Holds a fee against the cap, and tells where no lower price of gas would mend it. @throws 503 FEE_ABOVE_CAP */
function requireAffordable(gasLimit: bigint, fee: bigint, { denoms, accountBytes }: Reasons, network: CosmosNetwork): void {
  const least = feeOf(gasLimit, leastGasPrice(network))
  if (least <= network.maxFee) {
    requireFee(fee, network)
    return
  }
  const why =
    accountBytes > 0
      ? `, since the chain keeps its account in ${accountBytes} bytes, as one whose coins become free in many periods`
      : denoms > 1
        ? `, since its validator's rewards are in ${denoms} denominations, which anybody can add to`
        : ''
  const [costs, cap] = [tokensText(least, network), tokensText(network.maxFee, network)]
  throw unavailable(
    'FEE_ABOVE_CAP',
    `The transaction takes ${gasLimit} gas${why}. That costs ${costs} even at the lowest price of gas, above the operator's cap of ${cap}. Waiting does not help; the operator can raise max_fee.`,
    3600,
  )
}

/**
 * Refuses what a simulation, which takes the least fee there is, would refuse in other words. No fee is known before it: the most that this one can be is told.
 *
 * @param most gas that a node is believed
 */
function requireSimulable(live: CosmosPreflight, spends: bigint, most: bigint, network: CosmosNetwork): void {
  const { address, balance, spendable, gasPrice } = live
  if (balance >= spends + LEAST_FEE && spendable >= LEAST_FEE) return
  const fee = smaller(feeOf(limitOf(most, 0n, network), gasPrice), network.maxFee)
  if (spends > 0n) requireFunds({ address, holds: balance, amount: spends, fee }, network)
  const rest = balance > spendable ? ', the rest of its balance is locked' : ''
  throw badRequest(
    'INSUFFICIENT_BALANCE',
    `${address} can spend ${tokensText(spendable, network)}${rest}; that does not cover the fee, which is at most ${tokensText(fee, network)}.`,
  )
}

/** Requires that a wallet covers a transaction. The fee is paid from what is spendable; locked coins of a vesting account can be delegated. */
function requireCover({ address, balance, spendable }: CosmosPreflight, spends: bigint, fee: bigint, network: NetworkBase): void {
  requireFunds({ address, holds: balance, amount: spends, fee }, network)
  if (spendable >= fee) return
  const [free, needed] = [tokensText(spendable, network), tokensText(fee, network)]
  throw badRequest(
    'INSUFFICIENT_BALANCE',
    `${address} can spend ${free}, the rest of its balance is locked; that does not cover the fee of ${needed}.`,
  )
}
