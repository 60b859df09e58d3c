import type { NetworkBase } from '@svc/contract'
import { type Static, Type } from 'typebox'
import { serviceError } from './codes.ts'
import { isDigest } from './digest.ts'

/**
 * Chain identifiers, the digest of the genesis checkpoint in base58, by chain id.
 *
 * @see https://docs.sui.io/guides/developer/getting-started/connect (read 2026-11-21)
 */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  mainnet: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  testnet: '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD',
}

/** Decimal places of SUI; the smallest unit is MIST. @see https://docs.sui.io/concepts/tokenomics/sui-coin (read 2026-11-21) */
export const DECIMALS = 9

/** Highest gas price that the chain accepts, in MIST. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (max_gas_price, read 2026-11-22) */
export const MOST_GAS_PRICE = 100_000

/** Schema of the family's settings, besides the protocol's own. */
export const moveSettings = Type.Object({
  chain_identifier: Type.Optional(
    Type.Refine(
      Type.String({
        description:
          "Digest of the chain's genesis checkpoint, base58, by which it is told from others. Known for mainnet and testnet; any other chain needs it.",
      }),
      isDigest,
      () => 'must be the digest of a checkpoint: 32 bytes in base58',
    ),
  ),
  max_checkpoint_age: Type.Integer({
    minimum: 0,
    /** Checkpoints come several times a second; a restart of the network has taken some hours at worst. */
    default: 900,
    description:
      "Seconds that a node's last checkpoint may lie back; beyond that nothing is read or crafted from it, and the next one is asked. 0 for no limit.",
  }),
  gas_price_maximum: Type.Integer({
    minimum: 1,
    maximum: MOST_GAS_PRICE,
    /** Three times the reference price with which mainnet began; its validators have voted for about half of that since. @see https://docs.sui.io/concepts/tokenomics/gas-pricing (read 2026-11-22) */
    default: 3000,
    description:
      'MIST for a unit of gas that a single node is believed to ask for; above that the others are asked, and it counts when none asks for less. No fee is above max_fee.',
  }),
})

/** Settings of the family, as read. */
export interface MoveSettings extends Static<typeof moveSettings> {}

/** A network of the family, as the plugin's settings were checked and filled in. */
export type MoveNetwork = NetworkBase & MoveSettings

/** Returns the identifier of a network's chain, as its nodes report it. @throws 500 CHAIN_IDENTIFIER_MISSING, at start */
export function identifierOf(network: MoveNetwork): string {
  const identifier = network.chain_identifier ?? IDENTIFIERS[network.chainId]
  if (identifier !== undefined) return identifier
  throw serviceError(
    500,
    'CHAIN_IDENTIFIER_MISSING',
    `The network ${network.chainId} needs the setting chain_identifier, the digest of its genesis checkpoint; only those of ${Object.keys(IDENTIFIERS).join(' and ')} are known.`,
  )
}

/** Returns the service's name for a chain; its identifier where it has no name. */
export function nameOf(identifier: string): string {
  return Object.entries(IDENTIFIERS).find(([, id]) => id === identifier)?.[0] ?? identifier
}
