import type { LifeHost, Looks, NetworkSettings, Standing, Subject } from '@svc/contract'

/** The life of a plugin's transactions, asked of the chain each time. */
export function createLife({ now }: { readonly now: () => Date }): LifeHost {
  const offered = new Map<NetworkSettings, Looks>()
  const ask = async (network: NetworkSettings, txHash: string, bounds: Subject['bounds']): Promise<Standing> => {
    const transaction = offered.get(network)?.transaction
    if (!transaction) throw new Error(`the plugin offered no way to look at ${network.path}`)
    const look = await transaction({ txHash, bounds, keep: null, firstSeen: null, accepted: false })
    return { ...look, txHash, firstSeen: null, checkedAt: now() }
  }
  return {
    offer: (network, looks) => void offered.set(network, looks),
    status: (_request, network, txHash) => ask(network, txHash, null),
    track: (_request, network, { txHash, bounds }) => ask(network, txHash, bounds),
    accepted: () => undefined,
  }
}
