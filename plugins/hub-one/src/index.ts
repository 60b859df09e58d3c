import { hubOne } from '@svc/intent-hub'
import { hubProtocol } from '@svc/kit-cosmos'
import examples from './examples.generated.json' with { type: 'json' }

/**
 * Plugin for native delegation on the Cosmos Hub, chain `cosmoshub-4`.
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
    algorithm: 'secp256k1',
    prefix: 'cosmos',
    denom: 'uatom',
    decimals: 6,
    gasPrices: [{ path: '/feemarket.feemarket.v1.Query/GasPrice', byDenom: true, answer: 'dec-coin' }],
    gasPrice: { minimum: '0.005', fallback: '0.025', percent: 120 },
    issuance: { form: 'annual', module: 'cosmos.mint.v1beta1' },
    /** @see https://forum.cosmos.network/t/governance-adjustment-of-blocks-per-year-to-come-aligned-with-actual-block-time/1682 (6.5 s; read 2026-11-22) */
    inclusionMs: 6_000,
    /**
     * The fee market simulates a fee of nothing, and neither its escrow nor the tip: a delivery took 18,571 to 18,718 more than a simulation with a signature where fees
     * are burned, and 25,269 to 25,354 where they are given to stakers, which is up to governance (`distribute_fees`; gaiad v29, measured 2026-11-23 and 2026-11-28).
     *
     * @see feemarket v1.1.2, x/feemarket/ante/fee.go, line 102, and x/feemarket/post/fee.go, lines 145 and 185 (read 2026-11-24 and 2026-11-28)
     */
    gasBeyondSimulation: 25_360n,
    /** @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/distribution/keeper/delegation.go, line 448; Celestia's fork of 0.51.6 writes it always (line 321; read 2026-11-25) */
    poolWithPayout: true,
    /** @see gaia v29 of 2026-08, app/ante: no `WithUnorderedTransactions` (read 2026-11-23) */
    sequenced: true,
    lookup: 'tx',
  },
})
