import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
  QueryAccountRequest,
  QueryAccountResponse,
  QueryParamsRequest,
  QueryParamsResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import {
  BaseVestingAccount,
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount,
  PermanentLockedAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Context } from '../context.ts'
import { QueryError } from '../errors.ts'
import { periodsOf } from '../modules/vesting.ts'
import type { Account, Vesting } from '../state.ts'
import { keyTypeOf } from '../tx/decode.ts'
import { GasMeter } from '../tx/gas.ts'
import { account as accountAddress } from './arguments.ts'
import { type QueryRoutes, query } from './router.ts'

/** Queries of accounts, whatever their kind. */
export const authQueries: QueryRoutes = {
  '/cosmos.auth.v1beta1.Query/AccountInfo': query(QueryAccountInfoRequest, QueryAccountInfoResponse, ({ address }, ctx) => ({
    info: baseAccount(ctx, address, existing(ctx, address)),
  })),
  '/cosmos.auth.v1beta1.Query/Account': query(QueryAccountRequest, QueryAccountResponse, ({ address }, ctx) => ({
    account: anyAccount(ctx, address, existing(ctx, address)),
  })),
  '/cosmos.auth.v1beta1.Query/Params': query(QueryParamsRequest, QueryParamsResponse, (_, ctx) => ({
    params: {
      maxMemoCharacters: BigInt(ctx.genesis.maxMemo),
      txSigLimit: 7n,
      txSizeCostPerByte: GasMeter.perByte,
      sigVerifyCostEd25519: 590n,
      sigVerifyCostSecp256k1: GasMeter.perSignature,
    },
  })),
}

function existing(ctx: Context, address: string): Account {
  const account = ctx.state.accounts.get(accountAddress(ctx, address))
  if (account === undefined) throw new QueryError('NotFound', `account ${address} not found`)
  return account
}

function baseAccount(ctx: Context, address: string, { number, sequence, publicKey }: Account): BaseAccount {
  const key = publicKey && { typeUrl: keyTypeOf(ctx.genesis), value: PubKey.encode({ key: publicKey }).finish() }
  return BaseAccount.fromPartial({ address, accountNumber: number, sequence, ...(key && { pubKey: key }) })
}

function anyAccount(ctx: Context, address: string, account: Account): Any {
  const base = baseAccount(ctx, address, account)
  if (account.module !== undefined) {
    const value = ModuleAccount.encode({ baseAccount: base, name: account.module, permissions: [] }).finish()
    return { typeUrl: '/cosmos.auth.v1beta1.ModuleAccount', value }
  }
  if (account.vesting !== undefined) return anyVesting(ctx, base, account.vesting)
  return { typeUrl: '/cosmos.auth.v1beta1.BaseAccount', value: BaseAccount.encode(base).finish() }
}

function anyVesting(ctx: Context, baseAccount: BaseAccount, vesting: Vesting): Any {
  const coins = (amount: bigint) => (amount === 0n ? [] : [{ denom: ctx.genesis.denom, amount: String(amount) }])
  const baseVestingAccount = BaseVestingAccount.fromPartial({
    baseAccount,
    originalVesting: coins(vesting.original),
    delegatedFree: coins(vesting.delegatedFree),
    delegatedVesting: coins(vesting.delegatedVesting),
    endTime: vesting.kind === 'permanent' ? 0n : vesting.end,
  })
  const typeUrl = (name: string) => `/cosmos.vesting.v1beta1.${name}`
  if (vesting.kind === 'continuous') {
    const value = ContinuousVestingAccount.encode({ baseVestingAccount, startTime: vesting.start }).finish()
    return { typeUrl: typeUrl('ContinuousVestingAccount'), value }
  }
  if (vesting.kind === 'periodic') {
    const vestingPeriods = periodsOf(vesting).map(({ seconds, amount }) => ({ length: seconds, amount: coins(amount) }))
    const value = PeriodicVestingAccount.encode({ baseVestingAccount, startTime: vesting.start, vestingPeriods }).finish()
    return { typeUrl: typeUrl('PeriodicVestingAccount'), value }
  }
  if (vesting.kind === 'delayed') {
    return { typeUrl: typeUrl('DelayedVestingAccount'), value: DelayedVestingAccount.encode({ baseVestingAccount }).finish() }
  }
  return { typeUrl: typeUrl('PermanentLockedAccount'), value: PermanentLockedAccount.encode({ baseVestingAccount }).finish() }
}
