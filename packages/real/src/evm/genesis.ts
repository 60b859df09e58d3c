import { multicallAddress, multicallCode, vaultCodes } from './models.ts'

/** Ethereum's own, so that the service takes the chain for the one that its plugin knows. */
export const CHAIN_ID = 1
/** The gas limit of mainnet. @see https://github.com/ethereum/go-ethereum/blob/v1.17.0/miner/miner.go (GasCeil, read 2026-11-24) */
const GAS_LIMIT = 60_000_000
/** Wei of each account that is given something. */
const FUNDS = 10n ** 30n
/** Blob counts a block; no transaction here has any. @see EIP-4844, EIP-7691 (read 2026-11-24) */
const BLOBS = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3338477 },
  later: { target: 6, max: 9, baseFeeUpdateFraction: 5007716 },
}

/**
 * Writes the first block of a chain with all rules of mainnet up to Osaka, on which the contracts of the vault stand from the beginning. They are the models of
 * the plugin's sandbox at the addresses of mainnet: a node runs their code for real, and it is not the code of the protocol.
 *
 * @param rich accounts that have funds
 * @param time seconds since 1970
 * @returns what `geth init` reads
 */
export function genesis(rich: readonly string[], time: number): string {
  const codes = [...vaultCodes(CHAIN_ID), [multicallAddress, multicallCode] as const]
  const blocks = [
    'homestead',
    'eip150',
    'eip155',
    'eip158',
    'byzantium',
    'constantinople',
    'petersburg',
    'istanbul',
    'muirGlacier',
    'berlin',
  ]
  const later = ['london', 'arrowGlacier', 'grayGlacier', 'mergeNetsplit']
  return JSON.stringify({
    config: {
      chainId: CHAIN_ID,
      ...Object.fromEntries([...blocks, ...later].map((name) => [`${name}Block`, 0])),
      ...Object.fromEntries(['shanghai', 'cancun', 'prague', 'osaka'].map((name) => [`${name}Time`, 0])),
      terminalTotalDifficulty: 0,
      depositContractAddress: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
      blobSchedule: { cancun: BLOBS.cancun, prague: BLOBS.later, osaka: BLOBS.later },
    },
    timestamp: `0x${time.toString(16)}`,
    gasLimit: `0x${GAS_LIMIT.toString(16)}`,
    difficulty: '0x0',
    baseFeePerGas: '0x3b9aca00',
    alloc: {
      ...Object.fromEntries(rich.map((address) => [address, { balance: String(FUNDS) }])),
      ...Object.fromEntries(codes.map(([address, code]) => [address, { balance: '0', code }])),
    },
  })
}
