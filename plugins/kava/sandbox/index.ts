import { type CosmosGenesis, type CosmosScenario, hubScenario } from '@svc/sandbox-cosmos'

/** Kava with three validators, of which the first is the operator's. No node of the chain was asked: what the registry and the sources say, and round numbers for the rest. */
export const genesis: CosmosGenesis = {
  algorithm: 'secp256k1',
  prefix: 'kava',
  denom: 'ukava',
  decimals: 6,
  blockSeconds: 6,
  maxMemo: 256,
  idleSupply: '900000000',
  staking: { unbondingSeconds: 1_814_400, maxEntries: 7, maxValidators: 100, minCommission: '0.05' },
  distribution: { communityTax: '0', parksRewards: false },
  slashing: {
    doubleSignFraction: '0.05',
    downtimeFraction: '0.0001',
    downtimeJailSeconds: 600,
    signedBlocksWindow: 10_000,
    minSignedPerWindow: '0.05',
  },
  mint: { kind: 'rate', rate: '0.09' },
  fees: { kind: 'minimum', nodePrice: '0.05', networkPrice: '0.05' },
  node: { txIndex: true, keepsResults: true, celestiaCore: false },
  validators: [
    {
      moniker: 'operator',
      tokens: '20000000',
      commission: '0.05',
      // A public test key, so that the chain has seen a key of its kind.
      publicKey: '034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff',
    },
    { moniker: 'first', tokens: '50000000', commission: '0.1' },
    { moniker: 'second', tokens: '30000000', commission: '0.05' },
  ],
}

/** Kava on a local node. An epoch is a day. */
export const scenario: CosmosScenario = hubScenario({ chain: 'cosmos:kava_2222-10', genesis, prices: { kava: '0.1' } })
