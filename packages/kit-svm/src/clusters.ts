import { badGateway, type KitContext } from '@svc/contract'
import type { SvmClient } from './client.ts'
import { malformed } from './rpc.ts'
import type { SvmNetwork } from './settings.ts'

/** Hashes of the first block, by which clusters are told apart. @see https://docs.solanalabs.com/clusters/available (read 2026-11-21) */
const GENESIS: Readonly<Record<string, string>> = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  testnet: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
}

/** How long an answer about the cluster is relied on, in milliseconds: endpoints behind one name may be exchanged. */
const CONFIRMED_MS = 600_000

/**
 * The cluster that the endpoints serve.
 *
 * @returns the network's chain id when the genesis hash is its own; else the name of the cluster, or the hash when none is known
 * @throws 502, 503, 504
 */
export async function clusterOf({ client, network }: KitContext<SvmClient>): Promise<string> {
  const hash = await client.rpc<unknown>('getGenesisHash', [])
  if (typeof hash !== 'string' || hash === '') throw malformed(hash)
  if (hash === genesisOf(network as SvmNetwork)) return network.chainId
  return Object.keys(GENESIS).find((name) => GENESIS[name] === hash) ?? hash
}

/**
 * Refuses to craft from a node of another cluster: addresses are the same on all of them, so that nothing else would show it. Asked once
 * in a while, beside the other questions of a craft.
 *
 * @throws 502 UPSTREAM_OTHER_CHAIN
 */
export async function requireCluster(ctx: KitContext<SvmClient>): Promise<void> {
  const { cluster } = ctx.client
  const { chainId } = ctx.network
  if (cluster.confirmedUntil > performance.now() || genesisOf(ctx.network as SvmNetwork) === undefined) return
  const found = await clusterOf(ctx)
  if (found !== chainId)
    throw badGateway('UPSTREAM_OTHER_CHAIN', `The node serves the cluster ${found} instead of ${chainId}; the operator has to mend that.`)
  cluster.confirmedUntil = performance.now() + CONFIRMED_MS
}

function genesisOf({ chainId, genesis_hash }: SvmNetwork): string | undefined {
  return genesis_hash ?? (Object.hasOwn(GENESIS, chainId) ? GENESIS[chainId] : undefined)
}
