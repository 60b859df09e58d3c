import type { CosmosGenesis } from '@svc/sandbox-cosmos'

/** A chain like the Cosmos Hub, with two validators. Written out, since a plugin from outside has nothing of the hubs' plugins. */
export const genesis: CosmosGenesis = {
  algorithm: 'secp256k1',
  prefix: 'cosmos',
  denom: 'uatom',
  decimals: 6,
  blockSeconds: 6,
  maxMemo: 256,
  idleSupply: '1000000',
  staking: { unbondingSeconds: 1_814_400, maxEntries: 7, maxValidators: 10, minCommission: '0' },
  distribution: { communityTax: '0.02', parksRewards: false },
  slashing: {
    doubleSignFraction: '0.05',
    downtimeFraction: '0.0001',
    downtimeJailSeconds: 600,
    signedBlocksWindow: 10_000,
    minSignedPerWindow: '0.05',
  },
  mint: {
    kind: 'inflation',
    inflation: '0.1',
    inflationMax: '0.1',
    inflationMin: '0.07',
    inflationRateChange: '1',
    goalBonded: '0.67',
    blocksPerYear: 5_259_492,
  },
  fees: { kind: 'feemarket', minBasePrice: '0.005', learningRate: '0.125', maxBlockGas: 30_000_000 },
  node: { txIndex: true, keepsResults: true, celestiaCore: false },
  validators: [
    { moniker: 'target', tokens: '2000000', commission: '0.05' },
    { moniker: 'source', tokens: '1000000', commission: '0.05' },
  ],
}
