/** Contracts of the protocol on a chain: those that its vaults share, and what else belongs to the chain. */
export interface Deployment {
  readonly vaults_registry: string
  readonly keeper: string
  readonly os_token_controller: string
  /** For vaults from version 2 on. */
  readonly os_token_config: string
  /** For vaults that were never upgraded from version 1. */
  readonly os_token_config_v1: string
  /** Block of the Keeper's deployment, before which no vault has events. */
  readonly first_block: number
  readonly explorer: string
}

/**
 * Ethereum mainnet and Hoodi, by chain id.
 *
 * @see https://github.com/stakewise/v3-core/tree/main/deployments (mainnet.json, hoodi.json; read 2026-11-21)
 */
export const deployments: Readonly<Record<string, Deployment>> = {
  '1': {
    vaults_registry: '0x3a0008a588772446f6e656133C2D5029CC4FC20E',
    keeper: '0x6B5815467da09DaA7DC83Db21c9239d98Bb487b5',
    os_token_controller: '0x2A261e60FB14586B474C208b1B7AC6D0f5000306',
    os_token_config: '0x287d1e2A8dE183A8bf8f2b09Fa1340fBd766eb59',
    os_token_config_v1: '0xE8822246F8864DA92015813A39ae776087Fb1Cd5',
    first_block: 18_470_089,
    explorer: 'https://etherscan.io',
  },
  '560048': {
    vaults_registry: '0xf16fea93D3253A401C3f73B0De890C6586740B25',
    keeper: '0xA7D1Ac9D6F32B404C75626874BA56f7654c1dC0f',
    os_token_controller: '0x140Fc69Eabd77fFF91d9852B612B2323256f7Ac1',
    os_token_config: '0x5b817621EBE00622b9a71b53c942b392751c8197',
    os_token_config_v1: '0x2F349728196C8cAdEF064aE861d3e0199d31b24D',
    first_block: 94_073,
    explorer: 'https://hoodi.etherscan.io',
  },
}
