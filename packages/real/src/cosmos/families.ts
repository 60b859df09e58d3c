import { hubOne, hubTwo } from '@svc/intent-hub'
import type { CosmosFamily, GenesisState } from './family.ts'

/** Time that unbonding takes on a chain of ours, in seconds. */
const UNBONDING = '120s'

/** Lets a node forget blocks within a run: it keeps those of which evidence may still come. */
function shortEvidence(consensus: GenesisState['consensus']): void {
  Object.assign(consensus.params.evidence, { max_age_num_blocks: '12', max_age_duration: '10000000000' })
}

/**
 * The Cosmos Hub's parameters, but for times: blocks of a second, exits of two minutes, and a window of absence that ends within a run.
 *
 * @see ../../../../docs/real-nodes.md
 */
export const hubFamily: CosmosFamily = {
  chainId: 'cosmoshub-4',
  prefix: 'cosmos',
  denom: 'uatom',
  plugin: '@svc/plugin-hub-one',
  intent: hubOne,
  gasPrice: 10_000n,
  blockSeconds: 1,
  startArgs: [],
  config: { consensus: { timeout_commit: '1s' } },
  app: { '': { 'minimum-gas-prices': '0.005uatom' } },
  genesisFee: 0n,
  commission: '0.1',
  keepsResults: true,
  // Beside the life of denominations the community pool grows by tens of them between craft and block, which every payout of the chain then writes: 97.2 was seen (2026-11-25).
  mostUsed: 99,
  genesis({ app_state, consensus }) {
    const denom = 'uatom'
    Object.assign(app_state.staking.params, { unbonding_time: UNBONDING, bond_denom: denom, min_commission_rate: '0.050000000000000000' })
    Object.assign(app_state.slashing.params, {
      signed_blocks_window: '20',
      downtime_jail_duration: '20s',
      slash_fraction_downtime: '0.000100000000000000',
    })
    Object.assign(app_state.mint.params, {
      mint_denom: denom,
      inflation_max: '0.100000000000000000',
      inflation_min: '0.100000000000000000',
    })
    app_state.mint.minter.inflation = '0.100000000000000000'
    for (const coin of [...app_state.gov.params.min_deposit, ...app_state.gov.params.expedited_min_deposit]) coin.denom = denom
    const price = '0.005000000000000000'
    const rate = '0.125000000000000000'
    Object.assign(app_state.feemarket.params, {
      min_base_gas_price: price,
      min_learning_rate: rate,
      max_learning_rate: rate,
      max_block_utilization: '30000000',
      fee_denom: denom,
      distribute_fees: true,
    })
    Object.assign(app_state.feemarket.state, { base_gas_price: price, learning_rate: rate })
    app_state.auth.params.max_memo_characters = '512'
    consensus.params.block.max_gas = '75000000'
    shortEvidence(consensus)
  },
}

/** Celestia with its own parameters and settings; shortened are exits, and the window of absence, which slashes as on the Hub. */
export const celestiaFamily: CosmosFamily = {
  chainId: 'celestia',
  prefix: 'celestia',
  denom: 'utia',
  plugin: '@svc/plugin-hub-two',
  intent: hubTwo,
  gasPrice: 8_000n,
  blockSeconds: 6,
  startArgs: ['--force-no-bbr'],
  // Set below, a port for each node.
  config: { rpc: { grpc_laddr: '' } },
  app: {},
  genesisFee: 500n,
  commission: '0.2',
  keepsResults: false,
  mostUsed: 95,
  genesis({ app_state, consensus }) {
    app_state.staking.params.unbonding_time = UNBONDING
    shortEvidence(consensus)
    Object.assign(app_state.slashing.params, {
      signed_blocks_window: '10',
      downtime_jail_duration: '20s',
      min_signed_per_window: '0.500000000000000000',
      slash_fraction_downtime: '0.000100000000000000',
    })
  },
}
