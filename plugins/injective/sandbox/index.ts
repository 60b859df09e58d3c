import { type CosmosGenesis, type CosmosScenario, hubScenario } from '@svc/sandbox-cosmos'

/** Injective with three validators, of which the first is the operator's. No node of the chain was asked: what the registry and the sources say, and round numbers for the rest. */
export const genesis: CosmosGenesis = {
  algorithm: 'ethsecp256k1',
  keyType: '/injective.crypto.v1beta1.ethsecp256k1.PubKey',
  prefix: 'inj',
  denom: 'inj',
  decimals: 18,
  blockSeconds: 1,
  maxMemo: 256,
  idleSupply: '50000000',
  staking: { unbondingSeconds: 1_814_400, maxEntries: 7, maxValidators: 60, minCommission: '0.05' },
  distribution: { communityTax: '0.05', parksRewards: false },
  slashing: {
    doubleSignFraction: '0.05',
    downtimeFraction: '0.0001',
    downtimeJailSeconds: 600,
    signedBlocksWindow: 10_000,
    minSignedPerWindow: '0.05',
  },
  mint: {
    kind: 'inflation',
    inflation: '0.05',
    inflationMax: '0.1',
    inflationMin: '0.04',
    inflationRateChange: '0.1',
    goalBonded: '0.6',
    // A year of blocks at the pace above.
    blocksPerYear: 31_557_600,
  },
  fees: {
    kind: 'minimum',
    nodePrice: '160000000',
    networkPrice: '160000000',
    query: { path: '/injective.txfees.v1beta1.Query/GetEipBaseFee', form: 'dec-in-message' },
  },
  node: { txIndex: true, keepsResults: true, celestiaCore: false },
  validators: [
    {
      moniker: 'operator',
      tokens: '10000000',
      commission: '0.05',
      // A public test key, so that the chain has seen a key of its kind.
      publicKey: '034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff',
    },
    { moniker: 'first', tokens: '25000000', commission: '0.1' },
    { moniker: 'second', tokens: '15000000', commission: '0.05' },
  ],
}

/** Injective on a local node. An epoch is a day. */
export const scenario: CosmosScenario = hubScenario({ chain: 'cosmos:injective-1', genesis, prices: { 'injective-protocol': '8.5' } })
