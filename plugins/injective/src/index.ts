import { injective } from '@svc/intent-hub'
import { type CosmosChain, hubProtocol } from '@svc/kit-cosmos'

/**
 * Describes Injective, chain `injective-1`. Its accounts have keys of Ethereum: keccak-256 makes the address and is what is signed.
 *
 * @see https://github.com/cosmos/chain-registry/blob/master/injective/chain.json (627bbab, read 2026-11-23): prefix, denom, 18 places, and the gas price
 * @see https://github.com/InjectiveLabs/sdk-go (62400a7, read 2026-11-23): chain/crypto/ethsecp256k1, and chain/txfees, whose base fee stands in a message of its own
 */
export const chain: CosmosChain = {
  algorithm: 'ethsecp256k1',
  keyType: '/injective.crypto.v1beta1.ethsecp256k1.PubKey',
  prefix: 'inj',
  denom: 'inj',
  decimals: 18,
  gasPrices: [{ path: '/injective.txfees.v1beta1.Query/GetEipBaseFee', answer: 'dec-in-message' }],
  gasPrice: { minimum: '160000000', fallback: '160000000', percent: 110 },
  issuance: { form: 'annual', module: 'cosmos.mint.v1beta1' },
  /** Not measured: assumed. It decides how often a transaction is looked for, and on no money. */
  inclusionMs: 1_000,
  poolWithPayout: true,
  lookup: 'tx',
}

/** Plugin for native delegation on Injective. */
export default hubProtocol({
  name: '@svc/plugin-injective',
  prefix: '/injective/native',
  summary: 'Injective. Native delegation.',
  networkTitle: 'InjectiveNetwork',
  maxFee: '0.01',
  symbol: 'INJ',
  intent: injective,
  coins: { 'injective-1': 'injective-protocol' },
  chain,
})
