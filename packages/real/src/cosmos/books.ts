import { QueryAccountInfoRequest, QueryAccountInfoResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QueryDelegationTotalRewardsRequest, QueryDelegationTotalRewardsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import {
  QueryDelegationRequest,
  QueryDelegationResponse,
  QueryUnbondingDelegationRequest,
  QueryUnbondingDelegationResponse,
  QueryValidatorRequest,
  QueryValidatorResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { until } from '../programs.ts'
import type { Rpc } from './rpc.ts'

/** Books of the node on an address and a validator at one height; amounts in base units of the chain's token. */
export interface Books {
  readonly height: bigint
  readonly coins: bigint
  readonly staked: bigint
  /** Shares of the validator, in 10^18th parts. */
  readonly shares: bigint
  readonly validator: Worth
  readonly rewards: bigint
  /** Rewards in other denominations, in whole base units of each. */
  readonly others: ReadonlyMap<string, bigint>
  readonly exits: readonly Exit[]
}

/** Worth of all shares of a validator together. */
interface Worth {
  readonly tokens: bigint
  /** In 10^18th parts. */
  readonly shares: bigint
}

/** An exit on its way. */
interface Exit {
  readonly id: string
  readonly amount: bigint
  /** Its amount before any slash. */
  readonly begun: bigint
  /** In seconds since 1970. */
  readonly completes: bigint
}

/** A transaction in a block. */
export interface DeliveredTransaction {
  readonly height: bigint
  readonly code: number
  readonly gasWanted: bigint
  readonly gasUsed: bigint
}

/** Scale of the SDK's fixed-point numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-24) */
const SCALE = 10n ** 18n

/** Time that an application may lag behind its consensus engine, in seconds. */
const STATE_SECONDS = 10

/**
 * Reads the books.
 *
 * @param height 0: the latest, the same for all of them
 */
export async function readBooks(rpc: Rpc, denom: string, validator: string, address: string, height = 0n): Promise<Books> {
  const at = height === 0n ? await rpc.height() : height
  const ask = async <T>(path: string, request: Uint8Array, read: (value: Uint8Array) => T, none: T) => {
    const { code, log, value } = await until(`the state at ${at}`, STATE_SECONDS, async () => {
      const answer = await rpc.query(path, request, at)
      // The consensus engine tells a height a moment before the application has its state.
      return !/height in the future/.test(answer.log) && answer
    })
    if (code === 0) return read(value)
    if (/not found|NotFound/.test(log)) return none
    throw new Error(`${path} at ${at}: ${log}`)
  }
  const pair = { delegatorAddr: address, validatorAddr: validator }
  const [coins, delegation, worth, exits, rewards] = await Promise.all([
    ask(
      '/cosmos.bank.v1beta1.Query/Balance',
      QueryBalanceRequest.encode({ address, denom }).finish(),
      (value) => BigInt(QueryBalanceResponse.decode(value).balance?.amount ?? '0'),
      0n,
    ),
    ask(
      '/cosmos.staking.v1beta1.Query/Delegation',
      QueryDelegationRequest.encode(pair).finish(),
      (value) => {
        const { delegationResponse: response } = QueryDelegationResponse.decode(value)
        return { staked: BigInt(response?.balance.amount ?? '0'), shares: BigInt(response?.delegation.shares ?? '0') }
      },
      { staked: 0n, shares: 0n },
    ),
    ask(
      '/cosmos.staking.v1beta1.Query/Validator',
      QueryValidatorRequest.encode({ validatorAddr: validator }).finish(),
      (value) => {
        const { tokens, delegatorShares } = QueryValidatorResponse.decode(value).validator
        return { tokens: BigInt(tokens), shares: BigInt(delegatorShares) }
      },
      { tokens: 0n, shares: 0n },
    ),
    ask<readonly Exit[]>(
      '/cosmos.staking.v1beta1.Query/UnbondingDelegation',
      QueryUnbondingDelegationRequest.encode(pair).finish(),
      (value) =>
        QueryUnbondingDelegationResponse.decode(value).unbond.entries.map(({ unbondingId, balance, initialBalance, completionTime }) => ({
          id: String(unbondingId),
          amount: BigInt(balance),
          begun: BigInt(initialBalance),
          completes: completionTime.seconds,
        })),
      [],
    ),
    ask(
      '/cosmos.distribution.v1beta1.Query/DelegationTotalRewards',
      QueryDelegationTotalRewardsRequest.encode({ delegatorAddress: address }).finish(),
      (value) => {
        const own = QueryDelegationTotalRewardsResponse.decode(value).rewards.find(({ validatorAddress }) => validatorAddress === validator)
        const units = (own?.reward ?? []).map((coin) => [coin.denom, BigInt(coin.amount) / SCALE] as const)
        const others = new Map(units.filter(([name, amount]) => name !== denom && amount > 0n))
        return { rewards: new Map(units).get(denom) ?? 0n, others }
      },
      { rewards: 0n, others: new Map<string, bigint>() },
    ),
  ])
  return { height: at, coins, ...delegation, validator: worth, ...rewards, exits }
}

/** Reads how much an address holds of a denomination at a height, in base units. */
export async function readCoins(rpc: Rpc, address: string, denom: string, height: bigint): Promise<bigint> {
  const { value } = await rpc.query('/cosmos.bank.v1beta1.Query/Balance', QueryBalanceRequest.encode({ address, denom }).finish(), height)
  return BigInt(QueryBalanceResponse.decode(value).balance?.amount ?? '0')
}

/** Number and next sequence of an account. @param height 0: the latest */
export async function readAccount(
  rpc: Rpc,
  address: string,
  height = 0n,
): Promise<{ readonly accountNumber: bigint; readonly sequence: bigint }> {
  const { value } = await rpc.query('/cosmos.auth.v1beta1.Query/AccountInfo', QueryAccountInfoRequest.encode({ address }).finish(), height)
  const { info } = QueryAccountInfoResponse.decode(value)
  if (!info) throw new Error(`The node knows no account ${address}.`)
  return { accountNumber: info.accountNumber, sequence: info.sequence }
}

/**
 * Looks a transaction up in the blocks.
 *
 * @param keepsResults whether the node has an index of results; else its index of hashes is asked
 * @returns null while it is in none
 */
export async function readDelivered(rpc: Rpc, keepsResults: boolean, hash: string): Promise<DeliveredTransaction | null> {
  const base64 = Buffer.from(hash, 'hex').toString('base64')
  if (!keepsResults) {
    const record = (await rpc.call('tx_status', { hash: base64 })) as Record<string, string | number | undefined>
    if (record.status !== 'COMMITTED') return null
    const { height = '0', execution_code = 0, gas_wanted = '0', gas_used = '0' } = record
    return { height: BigInt(height), code: Number(execution_code), gasWanted: BigInt(gas_wanted), gasUsed: BigInt(gas_used) }
  }
  const receipt = await rpc.call('tx', { hash: base64, prove: false }).catch(() => null)
  if (receipt === null) return null
  const { code, gas_wanted, gas_used } = receipt.tx_result as { code: number; gas_wanted: string; gas_used: string }
  return { height: BigInt(String(receipt.height)), code, gasWanted: BigInt(gas_wanted), gasUsed: BigInt(gas_used) }
}
