import { itemsOf, type KitContext, type KitIo, membersOf, requireChain, requireRecent } from '@svc/contract'
import type { Sentinel } from '@svc/contract/rpc'
import { accountOf, key } from './accounts.ts'
import { malformed, type Rpc } from './rpc.ts'
import type { SvmNetwork, SvmSettings } from './settings.ts'

/** Hashes of the first block, by which clusters are told apart. @see https://docs.solanalabs.com/clusters/available (read 2026-11-21) */
const GENESIS: Readonly<Record<string, string>> = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  testnet: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
}

/** The chain's own clock, an account. @see https://docs.anza.xyz/runtime/sysvars (read 2026-11-21) */
export const CLOCK = { address: 'SysvarC1ock11111111111111111111111111111111', bytes: 40, epochs: 8, time: 32 } as const
/** Owner of the accounts in which the chain says what it is like. @see https://docs.rs/solana-sdk-ids/latest/solana_sdk_ids/sysvar/index.html (read 2026-11-22) */
const SYSVARS = 'Sysvar1111111111111111111111111111111111111'

/**
 * Reads the cluster that the endpoints serve.
 *
 * @returns the network's chain id when the genesis hash is its own; else the name of the cluster, or the hash when none is known
 * @throws 502, 503, 504
 */
export async function clusterOf({ client, network }: KitContext<{ readonly rpc: Rpc }, SvmSettings>): Promise<string> {
  return client.rpc('getGenesisHash', [], (result) => nameOf(key(result), network), 'not')
}

/**
 * Makes the sentinels that check whether a node serves the network's cluster, and has its latest blocks. Every wave asks them, for reads and crafts alike: addresses are
 * the same on all clusters, and an old state looks like the present one, so that nothing else would show it.
 */
export function liveNode(network: SvmNetwork, { now }: Pick<KitIo, 'now'>): readonly Sentinel[] {
  const { chainId, max_block_age: most } = network
  const cluster: Sentinel = {
    method: 'getGenesisHash',
    params: [],
    read(result) {
      requireChain(nameOf(key(result), network), chainId)
      return undefined
    },
  }
  const head: Sentinel = {
    method: 'getAccountInfo',
    params: [CLOCK.address, { encoding: 'base64', commitment: 'confirmed' }],
    // Whoever reads the clock among other accounts has asked for it already.
    within(method, params) {
      const [addresses, options] = itemsOf(params)
      const { encoding, dataSlice } = membersOf(options)
      const isWhole = method === 'getMultipleAccounts' && encoding === 'base64' && dataSlice === undefined
      const index = isWhole ? itemsOf(addresses).indexOf(CLOCK.address) : -1
      return index === -1 ? null : (result) => ({ value: itemsOf(membersOf(result).value)[index] })
    },
    read(result) {
      const head = new Date(Number(timeOf(result)) * 1000)
      requireRecent(head, most, now())
      return { head }
    },
  }
  // Of a cluster of one's own without a genesis hash there is nothing to tell it by.
  return [...(genesisOf(network) === undefined ? [] : [cluster]), ...(most === 0 ? [] : [head])]
}

/** @returns seconds since 1970 by the chain's clock */
function timeOf(result: unknown): bigint {
  const clock = accountOf(membersOf(result).value)
  if (clock.owner !== SYSVARS || clock.data.length !== CLOCK.bytes) throw malformed(result)
  return clock.data.readBigInt64LE(CLOCK.time)
}

function nameOf(hash: string, network: SvmNetwork): string {
  if (hash === genesisOf(network)) return network.chainId
  return Object.keys(GENESIS).find((name) => GENESIS[name] === hash) ?? hash
}

/** Names a network by CAIP-2: by the first 32 characters of its cluster's genesis hash, or by the chain id where no hash is known. */
export function caip2Of(network: SvmNetwork): string {
  return `solana:${genesisOf(network)?.slice(0, 32) ?? network.chainId}`
}

function genesisOf({ chainId, genesis_hash }: SvmNetwork): string | undefined {
  return genesis_hash ?? (Object.hasOwn(GENESIS, chainId) ? GENESIS[chainId] : undefined)
}
