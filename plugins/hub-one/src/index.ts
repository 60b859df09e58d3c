import { hubOne } from '@svc/intent-hub'
import { hubProtocol } from '@svc/kit-cosmos'
import examples from './examples.generated.json' with { type: 'json' }

/**
 * Native delegation on the Cosmos Hub, chain `cosmoshub-4`.
 *
 * @see https://github.com/cosmos/chain-registry/blob/master/cosmoshub/chain.json (read 2026-11-21): prefix, denom, and the average gas price
 * @see https://github.com/skip-mev/feemarket (read 2026-11-21): the fee market. Its floor on the Hub is 0.005 uatom, and its price
 * moves by an eighth at most from block to block, so a fifth on top lasts for a block at least, and longer in quiet times.
 */
export default hubProtocol({
  name: '@svc/plugin-hub-one',
  prefix: '/hub-one/native',
  summary: 'Cosmos Hub. Native delegation.',
  maxFee: '0.1',
  symbol: 'ATOM',
  intent: hubOne,
  coins: { 'cosmoshub-4': 'cosmos' },
  examples: examples,
  chain: {
    prefix: 'cosmos',
    denom: 'uatom',
    decimals: 6,
    gasPrices: [{ path: '/feemarket.feemarket.v1.Query/GasPrice', byDenom: true, answer: 'dec-coin' }],
    gasPrice: { minimum: '0.005', fallback: '0.025', percent: 120 },
    provisions: '/cosmos.mint.v1beta1.Query/AnnualProvisions',
    /** @see https://forum.cosmos.network/t/governance-adjustment-of-blocks-per-year-to-come-aligned-with-actual-block-time/1682 (6.5 s; read 2026-11-22) */
    inclusionMs: 6_000,
    lookup: 'tx',
  },
})
