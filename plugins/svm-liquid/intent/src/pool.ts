import { Refused } from '@svc/verify/intent'
import type { Terms } from './terms.ts'

// Whose pool is promised: what the settings name, and else what is written out here once more, so that no wrong address among the
// writer's passes for the right one.

/** @see https://github.com/solana-program/stake-pool (read 2026-11-21) */
const PROGRAM = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'
const DEVNET_PROGRAM = 'DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib'
/** @see https://docs.jpool.one (read 2026-11-21) */
const MAINNET_POOL = 'CtMyWsrUtAwXWiGr9WjHT5fC3p3fgV8cyGpLTo2LJzG1'
const MAINNET_MINT = '7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn'

/** Identity of a pool. */
interface Pool {
  readonly pool: string
  readonly mint: string
  readonly program: string
  readonly tokenProgram: string
}

/**
 * Completes the addresses of a pool by those that are known for the cluster.
 *
 * @throws Refused when the settings name no address that is not known for the cluster
 */
export function poolOf({ chainId, pool: poolAddress, mint, program, token_program: tokenProgram }: Terms): Pool {
  const onMainnet = chainId === 'mainnet-beta'
  const pool = poolAddress ?? required('pool', onMainnet, MAINNET_POOL, chainId)
  return {
    pool,
    mint: mint ?? required('mint', onMainnet && pool === MAINNET_POOL, MAINNET_MINT, chainId),
    program: program ?? (chainId === 'devnet' ? DEVNET_PROGRAM : required('program', onMainnet || chainId === 'testnet', PROGRAM, chainId)),
    tokenProgram,
  }
}

function required(term: string, isKnown: boolean, address: string, chainId: string): string {
  if (isKnown) return address
  throw new Refused(`terms.${term}`, `an address, since none is known for ${chainId}`, 'nothing')
}
