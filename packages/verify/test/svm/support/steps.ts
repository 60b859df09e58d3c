import { createHash } from 'node:crypto'
import { base58 } from '../../../src/bytes/base58.ts'
import type { Call, Value } from '../../../src/index.ts'
import { key, type Meta, type Step, u32, u64 } from './write.ts'

export const SYSTEM = '11111111111111111111111111111111'
export const STAKE = 'Stake11111111111111111111111111111111111111'
export const BUDGET = 'ComputeBudget111111111111111111111111111111'
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
export const POOL = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'
export const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
const RENT = 'SysvarRent111111111111111111111111111111111'
const HISTORY = 'SysvarStakeHistory1111111111111111111111111'
const HASHES = 'SysvarRecentB1ockHashes11111111111111111111'
const CONFIG = 'StakeConfig11111111111111111111111111111111'

type Args = Readonly<Record<string, Value>>

interface Form {
  readonly program: string
  /** `s` signs, `w` is written to, `r` is read; a name of an argument, or an address. */
  readonly accounts: string
  readonly tag: Uint8Array
  readonly data: string
}

const WITHDRAW_SOL = `w:pool r:withdrawAuthority s:authority w:poolTokensFrom w:reserve w:recipient w:managerFee w:mint r:${CLOCK} r:${HISTORY} r:${STAKE} r:tokenProgram`
const WITHDRAW_STAKE = `w:pool w:validatorList r:withdrawAuthority w:stakeFrom w:stakeTo r:newAuthority s:authority w:poolTokensFrom w:managerFee w:mint r:${CLOCK} r:tokenProgram r:${STAKE}`
const DEPOSIT_SOL = `w:pool r:withdrawAuthority w:reserve sw:from w:poolTokensTo w:managerFee w:referralFee w:mint r:${SYSTEM} r:tokenProgram`

/** Every instruction that is read, written down a second time from the descriptions of the programs. */
export const FORMS: Readonly<Record<string, Form>> = {
  'System.CreateAccount': {
    program: SYSTEM,
    accounts: 'sw:from sw:newAccount',
    tag: u32(0),
    data: 'u64:lamports u64:space key:owner',
  },
  'System.Transfer': { program: SYSTEM, accounts: 'sw:from w:to', tag: u32(2), data: 'u64:lamports' },
  'System.CreateAccountWithSeed': {
    program: SYSTEM,
    accounts: 'sw:from w:newAccount',
    tag: u32(3),
    data: 'key:base text:seed u64:lamports u64:space key:owner',
  },
  'System.AdvanceNonceAccount': { program: SYSTEM, accounts: `w:nonceAccount r:${HASHES} s:authority`, tag: u32(4), data: '' },
  'System.WithdrawNonceAccount': {
    program: SYSTEM,
    accounts: `w:nonceAccount w:recipient r:${HASHES} r:${RENT} s:authority`,
    tag: u32(5),
    data: 'u64:lamports',
  },
  'System.InitializeNonceAccount': {
    program: SYSTEM,
    accounts: `w:nonceAccount r:${HASHES} r:${RENT}`,
    tag: u32(6),
    data: 'key:authority',
  },
  'Stake.Initialize': {
    program: STAKE,
    accounts: `w:stake r:${RENT}`,
    tag: u32(0),
    data: 'key:staker key:withdrawer u64:lockupTimestamp u64:lockupEpoch key:custodian',
  },
  'Stake.Authorize': { program: STAKE, accounts: `w:stake r:${CLOCK} s:authority`, tag: u32(1), data: 'key:newAuthority role:role' },
  'Stake.DelegateStake': {
    program: STAKE,
    accounts: `w:stake r:vote r:${CLOCK} r:${HISTORY} r:${CONFIG} s:authority`,
    tag: u32(2),
    data: '',
  },
  'Stake.Withdraw': {
    program: STAKE,
    accounts: `w:stake w:recipient r:${CLOCK} r:${HISTORY} s:authority`,
    tag: u32(4),
    data: 'u64:lamports',
  },
  // Under a lockup, signed by its custodian: the same name with an account more.
  'Stake.Withdraw+': {
    program: STAKE,
    accounts: `w:stake w:recipient r:${CLOCK} r:${HISTORY} s:authority s:custodian`,
    tag: u32(4),
    data: 'u64:lamports',
  },
  'Stake.Deactivate': { program: STAKE, accounts: `w:stake r:${CLOCK} s:authority`, tag: u32(5), data: '' },
  'AssociatedToken.CreateIdempotent': {
    program: ASSOCIATED,
    accounts: `sw:payer w:tokenAccount r:owner r:mint r:${SYSTEM} r:tokenProgram`,
    tag: Uint8Array.of(1),
    data: '',
  },
  'Memo.Memo': { program: MEMO, accounts: '', tag: new Uint8Array(), data: 'rest:memo' },
  'StakePool.WithdrawStake': { program: POOL, accounts: WITHDRAW_STAKE, tag: Uint8Array.of(10), data: 'u64:poolTokens' },
  'StakePool.DepositSol': { program: POOL, accounts: DEPOSIT_SOL, tag: Uint8Array.of(14), data: 'u64:lamports' },
  'StakePool.WithdrawSol': { program: POOL, accounts: WITHDRAW_SOL, tag: Uint8Array.of(16), data: 'u64:poolTokens' },
  'StakePool.WithdrawStakeWithSlippage': {
    program: POOL,
    accounts: WITHDRAW_STAKE,
    tag: Uint8Array.of(24),
    data: 'u64:poolTokens u64:leastLamports',
  },
  'StakePool.DepositSolWithSlippage': {
    program: POOL,
    accounts: DEPOSIT_SOL,
    tag: Uint8Array.of(25),
    data: 'u64:lamports u64:leastPoolTokens',
  },
  'StakePool.WithdrawSolWithSlippage': {
    program: POOL,
    accounts: WITHDRAW_SOL,
    tag: Uint8Array.of(26),
    data: 'u64:poolTokens u64:leastLamports',
  },
}

/** One instruction by its name, without the parameters, and its arguments. */
export function step(name: string, args: Args, program?: string): Step {
  const form = FORMS[name]!
  return {
    program: program ?? form.program,
    accounts: pairs(form.accounts).map(([rights, given]) => meta(rights, String(args[given] ?? given))),
    data: Uint8Array.from(Buffer.concat([form.tag, ...pairs(form.data).map(([kind, given]) => field(kind, args[given]!))])),
  }
}

export function stepOf({ target, method, args }: Call): Step {
  const name = method.slice(0, method.indexOf('('))
  return step('custodian' in args && name === 'Stake.Withdraw' ? `${name}+` : name, args, target)
}

/** What an instruction is called in calls. */
export function methodOf(name: string): string {
  return `${name.replace('+', '')}(${parameters(name)
    .map(([, given]) => given)
    .join(', ')})`
}

/** Names of the arguments of an instruction: accounts that may vary, then data. */
export function parameters(name: string): readonly (readonly [kind: string, name: string])[] {
  const { accounts, data } = FORMS[name]!
  return [...pairs(accounts).filter(([, given]) => given.length < 25), ...pairs(data)]
}

export function meta(rights: string, address: string): Meta {
  return { address, signer: rights.includes('s'), writable: rights.includes('w') }
}

export function limit(units: bigint): Step {
  return { program: BUDGET, accounts: [], data: Uint8Array.from([2, ...u32(Number(units))]) }
}

export function price(microLamports: bigint): Step {
  return { program: BUDGET, accounts: [], data: Uint8Array.from([3, ...u64(microLamports)]) }
}

export function derived(base: string, seed: string, owner: string): string {
  return base58(createHash('sha256').update(key(base)).update(seed).update(key(owner)).digest())
}

function pairs(text: string): readonly (readonly [string, string])[] {
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => part.split(':') as [string, string])
}

function field(kind: string, value: Value): Uint8Array {
  if (kind === 'u64') return u64(value as bigint)
  if (kind === 'key') return key(value as string)
  if (kind === 'role') return u32(Number(value))
  const content = Buffer.from(value as string)
  return kind === 'text' ? Buffer.concat([u64(BigInt(content.length)), content]) : content
}
