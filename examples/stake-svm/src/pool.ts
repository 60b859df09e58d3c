import { PublicKey } from '@solana/web3.js'
import type { Call } from '@svc/verify'
import type { Chain } from './chain.ts'
import { Refused } from './sandbox-file.ts'

const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
/** Bytes of a token account, and where in it the amount stands. @see https://github.com/solana-program/token (state.rs, read 2026-11-21) */
const TOKEN_AMOUNT_AT = 64

/** Accounts of a pool, from your own node: what a deposit or an exit may touch, and nothing else. */
export interface Pool {
  readonly program: string
  readonly address: string
  readonly withdrawAuthority: string
  readonly reserve: string
  readonly mint: string
  readonly managerFee: string
  readonly tokenProgram: string
}

/**
 * Reads a pool's record.
 *
 * @see https://github.com/solana-program/stake-pool (program/src/state.rs, struct StakePool, read 2026-11-21): fields of fixed places
 * @throws Refused when the pool is not what was agreed
 */
export async function readPool({ node }: Chain, agreed: { program: string; pool: string; mint: string }): Promise<Pool> {
  const [program, address] = [new PublicKey(agreed.program), new PublicKey(agreed.pool)]
  const account = await node.getAccountInfo(address)
  if (!account?.owner.equals(program)) throw new Refused(`${agreed.pool} is no stake pool of the program ${agreed.program}.`)
  const key = (at: number) => new PublicKey(account.data.subarray(at, at + 32)).toBase58()
  if (key(162) !== agreed.mint) throw new Refused(`The pool's tokens are ${key(162)}, and ${agreed.mint} was agreed.`)
  const [authority] = PublicKey.findProgramAddressSync([address.toBytes(), Buffer.from('withdraw')], program)
  return {
    program: agreed.program,
    address: agreed.pool,
    withdrawAuthority: authority.toBase58(),
    reserve: key(130),
    mint: agreed.mint,
    managerFee: key(194),
    tokenProgram: key(226),
  }
}

/** Address of a wallet's own account for the pool's tokens. */
export function tokenAccountOf({ mint, tokenProgram }: Pool, wallet: string): string {
  const seeds = [wallet, tokenProgram, mint].map((key) => new PublicKey(key).toBytes())
  const [address] = PublicKey.findProgramAddressSync(seeds, new PublicKey(ASSOCIATED_TOKEN))
  return address.toBase58()
}

/** Pool tokens of a wallet, in base units; nothing without an account. */
export async function tokensOf({ node }: Chain, pool: Pool, wallet: string): Promise<bigint> {
  const account = await node.getAccountInfo(new PublicKey(tokenAccountOf(pool, wallet)))
  return account?.data.readBigUInt64LE(TOKEN_AMOUNT_AT) ?? 0n
}

/** Pays into the pool, from the wallet and for the wallet. @param memo names the validator that the pool's operator stakes it with */
export function deposit(pool: Pool, wallet: string, lamports: bigint, memo: string): readonly Call[] {
  const tokens = tokenAccountOf(pool, wallet)
  return [
    {
      target: ASSOCIATED_TOKEN,
      method: 'AssociatedToken.CreateIdempotent(payer, tokenAccount, owner, mint, tokenProgram)',
      args: { payer: wallet, tokenAccount: tokens, owner: wallet, mint: pool.mint, tokenProgram: pool.tokenProgram },
      value: 0n,
    },
    {
      target: pool.program,
      method:
        'StakePool.DepositSol(pool, withdrawAuthority, reserve, from, poolTokensTo, managerFee, referralFee, mint, tokenProgram, lamports)',
      args: { ...common(pool), from: wallet, poolTokensTo: tokens, referralFee: tokens, lamports },
      value: lamports,
    },
    { target: MEMO, method: 'Memo.Memo(memo)', args: { memo }, value: 0n },
  ]
}

/** Burns pool tokens of the wallet, and pays the wallet from the pool's reserve. */
export function exit(pool: Pool, wallet: string, poolTokens: bigint): Call {
  return {
    target: pool.program,
    method:
      'StakePool.WithdrawSol(pool, withdrawAuthority, authority, poolTokensFrom, reserve, recipient, managerFee, mint, tokenProgram, poolTokens)',
    args: { ...common(pool), authority: wallet, poolTokensFrom: tokenAccountOf(pool, wallet), recipient: wallet, poolTokens },
    value: 0n,
  }
}

function common({ address, withdrawAuthority, reserve, managerFee, mint, tokenProgram }: Pool) {
  return { pool: address, withdrawAuthority, reserve, managerFee, mint, tokenProgram }
}
