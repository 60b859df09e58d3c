import { type CosmosGenesis, type CosmosScenario, hubScenario } from '@svc/sandbox-cosmos'

/** Osmosis with three validators, of which the first is the operator's. No node of the chain was asked: what the registry and the sources say, and round numbers for the rest. */
export const genesis: CosmosGenesis = {
  algorithm: 'secp256k1',
  prefix: 'osmo',
  denom: 'uosmo',
  decimals: 6,
  blockSeconds: 2,
  maxMemo: 256,
  idleSupply: '400000000',
  staking: { unbondingSeconds: 1_209_600, maxEntries: 7, maxValidators: 110, minCommission: '0.05' },
  distribution: { communityTax: '0', parksRewards: false },
  slashing: {
    doubleSignFraction: '0.05',
    downtimeFraction: '0.0001',
    downtimeJailSeconds: 600,
    signedBlocksWindow: 10_000,
    minSignedPerWindow: '0.05',
  },
  // 100,000 a day, a half of it for stakers: 7.3 % of 250 million a year.
  mint: { kind: 'epoch', perEpoch: '100000', epoch: { identifier: 'day', seconds: 86_400 }, stakers: '0.5' },
  fees: {
    kind: 'minimum',
    nodePrice: '0.03',
    networkPrice: '0.03',
    query: { path: '/osmosis.txfees.v1beta1.Query/GetEipBaseFee', form: 'dec' },
  },
  node: { txIndex: true, keepsResults: true, celestiaCore: false },
  validators: [
    {
      moniker: 'operator',
      tokens: '50000000',
      commission: '0.05',
      // A public test key, so that the chain has seen a key of its kind.
      publicKey: '034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff',
    },
    { moniker: 'first', tokens: '120000000', commission: '0.1' },
    { moniker: 'second', tokens: '80000000', commission: '0.05' },
  ],
}

/** Osmosis on a local node. An epoch is a day. */
export const scenario: CosmosScenario = hubScenario({ chain: 'cosmos:osmosis-1', genesis, prices: { osmosis: '0.06' } })
