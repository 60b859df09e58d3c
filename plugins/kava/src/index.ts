import { kava } from '@svc/intent-hub'
import { type CosmosChain, hubProtocol } from '@svc/kit-cosmos'

/**
 * Describes Kava, chain `kava_2222-10`. Its accounts of EVM transactions have keys of their own; delegations by them are not served.
 *
 * @see https://github.com/cosmos/chain-registry/blob/master/kava/chain.json (627bbab, read 2026-11-23): prefix, denom, and the gas prices
 * @see https://github.com/Kava-Labs/kava (917cc32, read 2026-11-23): x/community, which pays stakers by the second out of a pool that can run dry, while x/mint mints nothing
 */
export const chain: CosmosChain = {
  algorithm: 'secp256k1',
  prefix: 'kava',
  denom: 'ukava',
  decimals: 6,
  // Its nodes have a minimum each, which none of them tells.
  gasPrices: [],
  gasPrice: { minimum: '0.05', fallback: '0.1', percent: 100 },
  issuance: { form: 'rate-of-bonded', module: 'kava.community.v1beta1' },
  /** Not measured: assumed. It decides how often a transaction is looked for, and on no money. */
  inclusionMs: 6_000,
  poolWithPayout: true,
  lookup: 'tx',
}

/** Native delegation on Kava. */
export default hubProtocol({
  name: '@svc/plugin-kava',
  prefix: '/kava/native',
  summary: 'Kava. Native delegation.',
  networkTitle: 'KavaNetwork',
  maxFee: '0.2',
  symbol: 'KAVA',
  intent: kava,
  coins: { 'kava_2222-10': 'kava' },
  chain,
})
