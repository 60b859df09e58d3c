import { type NearScenario, nearEngine } from './chain/near-chain.ts'
import { NEAR } from './chain/units.ts'

export { type NearChain, type NearScenario, nearEngine } from './chain/near-chain.ts'

/** The pool of the scenario. */
export const poolAccount = 'pool-one.poolv1.near'

/** A pool with a million NEAR and a fee of 5 percent. Each epoch pays it about 5 percent a year. */
export const scenario: NearScenario = {
  engine: nearEngine,
  chain: 'near:mainnet',
  prices: { near: '2.5' },
  async install({ node }) {
    node.createPool(poolAccount, 1_000_000n * NEAR, { numerator: 5, denominator: 100 })
    node.rewards.set(poolAccount, 40n * NEAR)
    return { settings: { pool: poolAccount } }
  },
}
