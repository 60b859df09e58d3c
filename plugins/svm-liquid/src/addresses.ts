/** Addresses that belong to a cluster. */
interface ClusterAddresses {
  readonly program: string
  readonly pool?: string
  readonly mint?: string
}

/**
 * Clusters with a stake pool program of their own that is public. The program: `solana-program/stake-pool`, its README. The pool of
 * mainnet-beta and its token JSOL: docs.jpool.one. On devnet no pool is maintained in public, so that its address is a setting.
 *
 * @see https://github.com/solana-program/stake-pool (read 2026-11-21)
 * @see https://docs.jpool.one (read 2026-11-21)
 */
export const CLUSTER_ADDRESSES: Readonly<Record<string, ClusterAddresses>> = {
  'mainnet-beta': {
    program: 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
    pool: 'CtMyWsrUtAwXWiGr9WjHT5fC3p3fgV8cyGpLTo2LJzG1',
    mint: '7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn',
  },
  testnet: { program: 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy' },
  devnet: { program: 'DPoo15wWDqpPJJtS2MUZ49aRxqz5ZaaJCJP4z8bLuib' },
}
