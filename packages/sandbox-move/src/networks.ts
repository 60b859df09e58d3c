/**
 * Digest of the genesis checkpoint by network, which nodes give as the chain's id.
 *
 * @see https://docs.sui.io/references/sui-api (GetServiceInfo of the public full nodes, read 2026-11-21)
 */
const identifiers: ReadonlyMap<string, string> = new Map([
  ['mainnet', '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'],
  ['testnet', '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD'],
])

/** Returns the chain identifier that nodes of a network give, in base58; for an unknown network, one generated from its name. */
export function identifierOf(chainId: string, generator: (name: string) => string): string {
  return identifiers.get(chainId) ?? generator(chainId)
}
