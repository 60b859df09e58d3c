import { hubTwo } from '@svc/intent-hub'
import { hubProtocol } from '@svc/kit-cosmos'
import examples from './examples.generated.json' with { type: 'json' }

/**
 * Plugin for native delegation on Celestia, chain `celestia`.
 *
 * @see https://github.com/cosmos/chain-registry/blob/master/celestia/chain.json (read 2026-11-21): prefix, denom, and the average gas price
 * @see https://github.com/celestiaorg/celestia-app (v9, read 2026-11-21): the nodes' minimum of 0.004 utia, x/minfee, the gas estimator,
 * x/mint of its own, and `tx_status`, since its nodes keep no index of transactions unless told to
 */
export default hubProtocol({
  name: '@svc/plugin-hub-two',
  prefix: '/hub-two/native',
  summary: 'Celestia. Native delegation.',
  networkTitle: 'HubTwoNetwork',
  maxFee: '0.1',
  symbol: 'TIA',
  intent: hubTwo,
  coins: { celestia: 'celestia' },
  examples: examples,
  chain: {
    algorithm: 'secp256k1',
    prefix: 'celestia',
    denom: 'utia',
    decimals: 6,
    gasPrices: [
      { path: '/celestia.minfee.v1.Query/NetworkMinGasPrice', answer: 'dec' },
      { path: '/celestia.core.v1.gas_estimation.GasEstimator/EstimateGasPrice', answer: 'double', ofNode: true },
    ],
    gasPrice: { minimum: '0.004', fallback: '0.02', percent: 110 },
    issuance: { form: 'annual', module: 'celestia.mint.v1' },
    /** @see https://cips.celestia.org/cip-048.html (read 2026-11-22) */
    inclusionMs: 3_000,
    /** @see https://github.com/celestiaorg/CIPs/blob/main/cips/cip-030.md (read 2026-11-21) */
    parksRewards: true,
    /** @see celestia-app v6 on a fork of SDK 0.51.6: unordered transactions came with 0.53 (read 2026-11-23) */
    sequenced: true,
    lookup: 'tx_status',
  },
})
