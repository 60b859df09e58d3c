import { type CosmosGenesis, type CosmosScenario, hubScenario } from '@svc/sandbox-cosmos'

/** Name of the operator's validator in this scenario: the second largest of ten, with 5 % commission. */
export const operatorMoniker = 'operator'

/**
 * The Cosmos Hub as of autumn 2026, with ten validators instead of 180: 250 million ATOM staked, 10 % inflation.
 *
 * @see Cosmos Hub on-chain parameters: unbonding 21 days, 7 entries, tax 2 % (proposal 996), slashing 5 % and 0.01 %, minimum
 * commission 5 %, memo of 512, fee market with a floor of 0.005 uatom and a learning rate of 0.125 (read 2026-11-21)
 */
export const genesis: CosmosGenesis = {
  algorithm: 'secp256k1',
  prefix: 'cosmos',
  denom: 'uatom',
  decimals: 6,
  blockSeconds: 6,
  maxMemo: 512,
  idleSupply: '150000000',
  staking: { unbondingSeconds: 1_814_400, maxEntries: 7, maxValidators: 180, minCommission: '0.05' },
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
    // A year of blocks at the pace above, so that a client which corrects for the real pace has nothing to correct.
    blocksPerYear: 5_259_492,
  },
  fees: { kind: 'feemarket', minBasePrice: '0.005', learningRate: '0.125', maxBlockGas: 30_000_000 },
  node: { txIndex: true, keepsResults: true, celestiaCore: false },
  validators: [
    { moniker: operatorMoniker, tokens: '32000000', commission: '0.05' },
    { moniker: 'atlas', tokens: '40000000', commission: '0.05' },
    { moniker: 'borealis', tokens: '31000000', commission: '0.06' },
    { moniker: 'cassini', tokens: '28000000', commission: '0.08' },
    { moniker: 'deneb', tokens: '26000000', commission: '0.1' },
    { moniker: 'equinox', tokens: '24000000', commission: '0.05' },
    { moniker: 'fermata', tokens: '22000000', commission: '0.07' },
    { moniker: 'galileo', tokens: '20000000', commission: '0.1' },
    { moniker: 'halley', tokens: '16000000', commission: '0.05' },
    { moniker: 'io', tokens: '11000000', commission: '1' },
  ],
}

/** The Cosmos Hub on a local node. An epoch is a day. */
export const scenario: CosmosScenario = hubScenario({ chain: 'cosmos:cosmoshub-4', genesis })
