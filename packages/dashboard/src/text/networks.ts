/** A protocol as far as it is named: what GET /protocols says of it. */
export interface NamedProtocol {
  /** Short name of its plugin. */
  readonly protocol: string
  /** Name that a person gives the protocol: that of its chain, or what it is `on` its chain. */
  readonly title: string
  readonly networks: readonly {
    /** Value for X-NETWORK: `143`. */
    readonly network: string
    /** Name that the operator gives the network: `mainnet`. */
    readonly name: string
    readonly caip2: string
  }[]
}

/**
 * Names a network in the one way in which every page does: chain, name and id, as in `Chain mainnet (1)`. One that no protocol at hand has stays as it was written.
 *
 * @param id as X-NETWORK has it, or as CAIP-2
 * @param protocol short name of the protocol that it is of, where that is known: ids of two chain families may be alike
 */
export function networkName(protocols: readonly NamedProtocol[], id: string, protocol?: string | null): string {
  const of = protocols.filter((each) => each.protocol === protocol)
  const match = [...of, ...protocols].flatMap(({ title, networks }) =>
    networks.filter(({ network, caip2 }) => network === id || caip2 === id).map((each) => ({ title, ...each })),
  )[0]
  if (match === undefined) return id
  const { title, name, network } = match
  const chain = chainOf(title)
  const label = name.toLowerCase().startsWith(chain.toLowerCase()) ? capital(name) : `${chain} ${name}`
  // Names of some families are ids already, as `devnet`.
  return name.toLowerCase() === network.toLowerCase() ? label : `${label} (${network})`
}

/** Finds the value for X-NETWORK of a chain by its CAIP-2; null where no protocol at hand has it. */
export function networkIdOf(protocols: readonly NamedProtocol[], caip2: string): string | null {
  return protocols.flatMap(({ networks }) => networks).find((each) => each.caip2 === caip2)?.network ?? null
}

/** Names a protocol as people do; one that is not at hand by its short name. */
export function protocolName(protocols: readonly NamedProtocol[], protocol: string): string {
  return protocols.find((each) => each.protocol === protocol)?.title ?? protocol
}

/**
 * Names a protocol and its network together: `Chain mainnet (1)` where the protocol is the chain's own, else `Pool, Chain mainnet (1)`. Null where there is neither.
 */
export function placeName(protocols: readonly NamedProtocol[], protocol: string | null, network: string | null): string | null {
  if (network === null) return protocol === null ? null : protocolName(protocols, protocol)
  const place = networkName(protocols, network, protocol)
  if (protocol === null) return place
  const title = protocolName(protocols, protocol)
  return chainOf(title) === title && place.startsWith(title) ? place : `${title.replace(` on ${chainOf(title)}`, '')}, ${place}`
}

/** Lists the networks of protocols by their ids, each once, with its name. */
export function networksOf(protocols: readonly NamedProtocol[]): readonly { readonly value: string; readonly label: string }[] {
  const labels = new Map<string, string>()
  for (const { protocol, networks } of protocols)
    for (const { network } of networks) if (!labels.has(network)) labels.set(network, networkName(protocols, network, protocol))
  return [...labels].map(([value, label]) => ({ value, label }))
}

/** Names the chain of a protocol by its title: after the last “ on ”, as in `Pool on Chain`, else the whole. */
function chainOf(title: string): string {
  return title.slice(title.lastIndexOf(' on ') < 0 ? 0 : title.lastIndexOf(' on ') + 4)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
