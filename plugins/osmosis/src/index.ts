import { osmosis } from '@svc/intent-hub'
import { type CosmosChain, hubProtocol } from '@svc/kit-cosmos'

/**
 * Describes Osmosis, chain `osmosis-1`.
 *
 * @see https://github.com/cosmos/chain-registry/blob/master/osmosis/chain.json (627bbab, read 2026-11-23): prefix, denom, and the average gas price
 * @see https://github.com/osmosis-labs/osmosis (9829d39, read 2026-11-23): x/txfees, whose base fee moves from 0.03 to 10 uosmo, up by 6 % a block at most;
 * x/mint, which mints by epochs of x/epochs and gives stakers a share
 */
export const chain: CosmosChain = {
  algorithm: 'secp256k1',
  prefix: 'osmo',
  denom: 'uosmo',
  decimals: 6,
  gasPrices: [{ path: '/osmosis.txfees.v1beta1.Query/GetEipBaseFee', answer: 'dec' }],
  // 340 times the least is the highest that x/txfees lets the price be.
  gasPrice: { minimum: '0.03', fallback: '0.1', percent: 110, ceiling: 340 },
  issuance: { form: 'epoch', module: 'osmosis.mint.v1beta1', epochs: 'osmosis.epochs.v1beta1' },
  /** Not measured: assumed. It decides how often a transaction is looked for, and on no money. */
  inclusionMs: 3_000,
  poolWithPayout: true,
  lookup: 'tx',
}

/** Native delegation on Osmosis. */
export default hubProtocol({
  name: '@svc/plugin-osmosis',
  prefix: '/osmosis/native',
  summary: 'Osmosis. Native delegation.',
  networkTitle: 'OsmosisNetwork',
  maxFee: '0.5',
  symbol: 'OSMO',
  intent: osmosis,
  coins: { 'osmosis-1': 'osmosis' },
  chain,
})
