import { type CosmosGenesis, type CosmosScenario, hubScenario } from '@svc/sandbox-cosmos'

/** Name of the operator's validator in this scenario: the second largest of eight, with 20 % commission. */
export const operatorMoniker = 'operator'

/**
 * Celestia as of autumn 2026, with eight validators instead of 100: 400 million TIA staked. Rewards are not paid out when a
 * delegation changes (CIP-30), and the
 * node keeps no index of transactions, as is the default.
 *
 * @see celestia-app v9 and Celestia CIPs 29, 30, 37, 41, 44: unbonding 337 hours, 7 entries, tax 2 %, slashing 2 % and nothing for
 * downtime, minimum commission 20 %, memo of 256, node minimum 0.004 utia, network minimum 0.000001 utia, inflation 2.67 % falling by
 * 6.7 % a year to 1.5 % since 31 October 2023 (read 2026-11-21)
 */
export const genesis: CosmosGenesis = {
  algorithm: 'secp256k1',
  prefix: 'celestia',
  denom: 'utia',
  decimals: 6,
  blockSeconds: 3,
  maxMemo: 256,
  idleSupply: '750000000',
  staking: { unbondingSeconds: 1_213_200, maxEntries: 7, maxValidators: 100, minCommission: '0.2' },
  distribution: { communityTax: '0.02', parksRewards: true },
  slashing: {
    doubleSignFraction: '0.02',
    downtimeFraction: '0',
    downtimeJailSeconds: 60,
    signedBlocksWindow: 5000,
    minSignedPerWindow: '0.75',
  },
  mint: { kind: 'schedule', since: '2023-10-31T14:00:00Z', initial: '0.0267', disinflation: '0.067', floor: '0.015' },
  fees: { kind: 'minimum', nodePrice: '0.004', networkPrice: '0.000001' },
  node: { txIndex: false, keepsResults: false, celestiaCore: true },
  validators: [
    { moniker: operatorMoniker, tokens: '60000000', commission: '0.2' },
    { moniker: 'aurora', tokens: '90000000', commission: '0.2' },
    { moniker: 'blobstream', tokens: '58000000', commission: '0.25' },
    { moniker: 'corona', tokens: '52000000', commission: '0.2' },
    { moniker: 'dusk', tokens: '46000000', commission: '0.3' },
    { moniker: 'ember', tokens: '40000000', commission: '0.2' },
    { moniker: 'flare', tokens: '32000000', commission: '0.2' },
    { moniker: 'glow', tokens: '22000000', commission: '0.6' },
  ],
}

/** Celestia on a local node. An epoch is a day. */
export const scenario: CosmosScenario = hubScenario({ chain: 'cosmos:celestia', genesis })
