import { lastTwo, type MoveScenario, moveEngine } from '@svc/sandbox-move'

/** Name of the operator's validator in these scenarios: the second largest of ten, with 4 % commission. */
export const operatorName = 'operator'

const SUI = 1_000_000_000n

/** Ten validators instead of about 130. Stakes in SUI, commissions in basis points. */
const validators = [
  { name: operatorName, stake: 62_000_000n, commissionBps: 400 },
  { name: 'atlas', stake: 71_000_000n, commissionBps: 200 },
  { name: 'borealis', stake: 58_000_000n, commissionBps: 200 },
  { name: 'cassini', stake: 55_000_000n, commissionBps: 500 },
  { name: 'deneb', stake: 51_000_000n, commissionBps: 800 },
  { name: 'equinox', stake: 47_000_000n, commissionBps: 400 },
  { name: 'fermata', stake: 42_000_000n, commissionBps: 600 },
  { name: 'galileo', stake: 38_000_000n, commissionBps: 1000 },
  { name: 'halley', stake: 33_000_000n, commissionBps: 200 },
  { name: 'io', stake: 30_000_000n, commissionBps: 10_000 },
]

/** Epochs behind the chain when it is handed over, so that there are rates to take a yield of. */
const pastEpochs = 40

/**
 * Sui on a local node: ten validators, of which one is the operator's, and a past of forty epochs. Every validator's pool earns what
 * 1.6 % a year of its first stake comes to, as on mainnet in April 2026, less commission. An epoch is a day.
 */
function scenarioOf(chainId: string): MoveScenario {
  return {
    engine: moveEngine,
    chain: `move:${chainId}`,
    async install(chain) {
      for (const { name, stake, commissionBps } of validators) await chain.createValidator({ name, commissionBps, stake: stake * SUI })
      await chain.advance({ epochs: pastEpochs })
      return { settings: { validator: chain.validator(operatorName).address } }
    },
    /** The last wallet but one has staked for an epoch. */
    async stage(chain, wallets) {
      const [staker, sender] = lastTwo(wallets.map(({ address }) => address))
      const staked_sui_object_id = await chain.giveStake(staker, operatorName, 1_000n * SUI)
      await chain.advance({ epochs: 2 })
      return {
        bodies: {
          stake: { wallet_address: staker, amount: 25.5 },
          unstake: { wallet_address: staker, staked_sui_object_id },
        },
        parameters: { address: staker },
        sent: { action: 'stake', body: { wallet_address: sender, amount: 25.5 } },
      }
    },
  }
}

export const scenarios: readonly MoveScenario[] = ['mainnet', 'testnet'].map(scenarioOf)
