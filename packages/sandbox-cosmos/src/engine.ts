import { type ChainEngine, openDoor, parseChainName, present } from '@svc/sandbox'
import type { CosmosChain } from './cosmos-chain.ts'
import type { CosmosGenesis } from './genesis.ts'
import { type CosmosWallet, cosmosWallets } from './wallets.ts'

/** Engine of local chains of Cosmos SDK networks; each chain gets its genesis from a scenario. */
export const cosmosEngine: ChainEngine<CosmosChain, CosmosWallet> = {
  family: 'cosmos',
  load: loadNode,
  start: startCosmosChain,
  wallets: cosmosWallets,
  addressOf: ({ addresses }, { id }) => present(addresses[id], `an address on ${id}`),
  sign: async (wallet, payload) => (await import('./custodian.ts')).signHash(wallet, payload),
}

/**
 * Starts a local Cosmos chain on 127.0.0.1: a node of ours behind CometBFT's RPC, and in front of it the fault proxy, which is the
 * chain's `rpcUrl`. It answers HTTP 503 until it is given a genesis.
 *
 * @param options.chainId as the network's own: `cosmoshub-4`
 * @param options.genesis what the chain is made of; absent when a scenario gives it later
 * @param options.time milliseconds since 1970 of the first block. @default now, in whole seconds
 * @param options.port of `rpcUrl`; any free one when absent
 * @param options.log gets one line per start and end
 * @throws SandboxError `PORT_BUSY`, `INVALID_INPUT`
 */
export async function startCosmosChain(options: {
  chainId: string
  genesis?: CosmosGenesis
  time?: number
  port?: number
  log?: (line: string) => void
}): Promise<CosmosChain> {
  const chainId = parseChainName(options.chainId, 'cosmoshub-4')
  const { time = Math.floor(Date.now() / 1000) * 1000 } = options
  const id = `cosmos:${chainId}`
  // Only now: its libraries are wanted when a chain starts, and not by everybody who imports a scenario.
  const [{ CosmosChain }, { rpcOf }, { pushOf }] = await loadNode()
  let chain: CosmosChain | undefined
  const node = () => chain?.node
  const engine = { answer: rpcOf({ node, name: `chain ${id}` }), push: pushOf({ node }) }
  const door = await openDoor({ ...options, id, engine })
  try {
    chain = new CosmosChain(chainId, door, time)
    if (options.genesis !== undefined) chain.genesis(options.genesis)
    return chain
  } catch (error) {
    await door.close()
    throw error
  }
}

function loadNode() {
  return Promise.all([import('./cosmos-chain.ts'), import('./rpc/server.ts'), import('./rpc/push.ts')])
}
