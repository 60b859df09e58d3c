import { readPool } from '../src/chain/pool.ts'
import pool from './vectors/pool.json' with { type: 'json' }
import transactions from './vectors/transactions.json' with { type: 'json' }

/** Settings as the plugin gets them, of the pool of the vectors. */
export const network = {
  name: 'vectors',
  chainId: 'mainnet-beta',
  maxFee: 1_000_000n,
  pool: transactions.pool,
  mint: transactions.mint,
  program: 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
  token_program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
} as const

/** The account of the pool as it is stored: zeros behind what is used. */
export const poolBytes = Buffer.concat([Buffer.from(pool.data, 'hex'), Buffer.alloc(611 - pool.data.length / 2)])
export const record = readPool(poolBytes)
