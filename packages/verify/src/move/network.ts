import { isAddress } from '../bytes/base58.ts'
import { DecodeError, shown } from '../errors.ts'

/** Network that a transaction should be for. Never taken from the craft response. */
export interface MoveNetwork {
  /** Name of the network: `mainnet`, `testnet`. */
  readonly chainId: string
  /** Digest of the network's first checkpoint in base58, by which bytes name it: `4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S`. */
  readonly chainIdentifier: string
}

/** Reads and checks the facts of a network, each once. @throws DecodeError when one of them cannot be a fact of any network */
export function readNetwork(network: unknown): MoveNetwork {
  if (typeof network !== 'object' || network === null) {
    throw new DecodeError(`network is ${shown(network)}; it must be an object with chainId and chainIdentifier`)
  }
  const { chainId, chainIdentifier } = network as Partial<Record<keyof MoveNetwork, unknown>>
  if (typeof chainId !== 'string' || chainId === '' || chainId.startsWith('unknown ')) {
    throw new DecodeError(`network.chainId is ${shown(chainId)}; it must be the name of a network, such as "mainnet"`)
  }
  if (typeof chainIdentifier !== 'string' || !isAddress(chainIdentifier)) {
    throw new DecodeError(`network.chainIdentifier is ${shown(chainIdentifier)}; it must be a digest: base58 of 32 bytes`)
  }
  return { chainId, chainIdentifier }
}
