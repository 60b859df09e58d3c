import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '@svc/testing/free-ports'
import { type Programs, type Running, until } from '../programs.ts'
import type { CosmosFamily } from './family.ts'
import { type Extra, fillGenesis, ownersOf, type Validator } from './genesis.ts'
import { nodeKeyOf, type Wallet, walletOf } from './keys.ts'
import { openRpc, type Rpc } from './rpc.ts'
import { type Settings, setIn } from './toml.ts'

/** A node of a chain. */
export interface FullNode {
  readonly rpc: Rpc
  stop(): Promise<void>
  /** Starts it again on what it kept. @param config settings of config.toml that are another from now on. @param app those of app.toml */
  start(config?: Settings, app?: Settings): Promise<void>
}

/** A node with the validator that it has. */
interface ChainNode extends FullNode {
  /** Operator's address of its validator. */
  readonly validator: string
}

/** A running chain of four validators. */
export interface Chain {
  readonly family: CosmosFamily
  readonly nodes: readonly [ChainNode, ChainNode, ChainNode, ChainNode]
  /** The first node, as its peers know it. */
  readonly peer: { readonly id: string; readonly port: number }
  /** A wallet that was funded in the beginning. @throws Error for another name */
  wallet(name: string): Wallet
  /** Waits until a height is reached on the first node. @returns the height that it is then */
  reach(height: bigint): Promise<bigint>
  /** Waits for some more blocks. */
  pass(blocks: number): Promise<bigint>
  /** Starts a further node, which is no validator and fetches the chain from its peers. @param name of its folder. @param config settings of config.toml of its own */
  join(name: string, config: Settings): Promise<FullNode>
}

/** Time that a chain may take to its first block, in seconds: four nodes start on a busy machine. */
const START_SECONDS = 180

/**
 * Starts a chain as its documentation says: init, genesis with validators, start; each node with the settings of its own defaults but for those of the family.
 *
 * @param program of the node
 * @param names of wallets to fund
 * @param extra what they have besides, by name
 * @param own settings of config.toml of one node alone, by its index; `ownApp` those of app.toml
 */
export async function startChain(
  programs: Programs,
  family: CosmosFamily,
  options: {
    readonly program: string
    readonly folder: string
    readonly names: readonly string[]
    readonly extra?: Readonly<Record<string, Extra>>
    readonly own?: Readonly<Record<number, Settings>>
    readonly ownApp?: Readonly<Record<number, Settings>>
  },
): Promise<Chain> {
  const { program, folder, names, extra = {}, own = {}, ownApp = {} } = options
  const { chainId, prefix } = family
  await mkdir(folder, { recursive: true })
  const validators: readonly Validator[] = ownersOf(prefix).map((owner) => ({
    owner,
    key: nodeKeyOf(`${chainId} ${owner.name} validator`),
    node: nodeKeyOf(`${chainId} ${owner.name} node`),
  }))
  const wallets = new Map(names.map((name) => [name, walletOf(name, prefix)]))
  const homes = validators.map((_, index) => join(folder, `node${index}`))
  const [first = ''] = homes
  await programs.must(program, ['init', 'v0', '--chain-id', chainId, '--home', first])
  const genesisFile = join(first, 'config/genesis.json')
  const genesis = JSON.parse(await readFile(genesisFile, 'utf8'))
  fillGenesis(genesis, family, { validators, wallets: [...wallets.values()], extra })
  await writeFile(genesisFile, JSON.stringify(genesis))
  for (const home of homes.slice(1)) await cp(first, home, { recursive: true })

  const ports = await freePorts(validators.length * PORTS)
  const portsOf = (index: number) => ports.slice(index * PORTS, (index + 1) * PORTS)
  const peers = validators.map(({ node }, index) => `${node.id}@127.0.0.1:${portsOf(index)[0]}`)
  const nodes = await Promise.all(
    validators.map(async (validator, index) => {
      const home = homes[index] ?? ''
      const persistent = peers.filter((_, other) => other !== index).join(',')
      await writeKeys(home, validator)
      await writeSettings(home, family, { ports: portsOf(index), peers: persistent, own: own[index] ?? {}, ownApp: ownApp[index] ?? {} })
      const node = runNode(programs, { program, home, family, name: validator.owner.name, rpcPort: portsOf(index)[1] ?? 0 })
      return { ...node, validator: validator.owner.operator }
    }),
  )
  const [a, b, c, d] = nodes
  if (!a || !b || !c || !d) throw new Error('A chain has four nodes.')
  await Promise.all(nodes.map((node) => node.start()))
  const reach = (height: bigint) =>
    until(`block ${height} of ${chainId}`, START_SECONDS + Number(height) * family.blockSeconds, async () => {
      const now = await a.rpc.height()
      return now >= height && now
    })
  await reach(2n)
  return {
    family,
    nodes: [a, b, c, d],
    peer: { id: validators[0]?.node.id ?? '', port: portsOf(0)[0] ?? 0 },
    wallet(name) {
      const match = wallets.get(name)
      if (!match) throw new Error(`Nobody has funded a wallet ${name}.`)
      return match
    },
    reach,
    pass: async (blocks) => reach((await a.rpc.height()) + BigInt(blocks)),
    async join(name, config) {
      const home = join(folder, name)
      await mkdir(join(home, 'data'), { recursive: true })
      await cp(join(first, 'config'), join(home, 'config'), { recursive: true })
      await rm(join(home, 'config/addrbook.json'), { force: true })
      await writeFile(join(home, 'data/priv_validator_state.json'), JSON.stringify({ height: '0', round: 0, step: 0 }))
      await writeKeys(home, { key: nodeKeyOf(`${chainId} ${name} validator`), node: nodeKeyOf(`${chainId} ${name} node`) })
      const own = await freePorts(PORTS)
      await writeSettings(home, family, { ports: own, peers: peers.join(','), own: config, ownApp: {} })
      const node = runNode(programs, { program, home, family, name, rpcPort: own[1] ?? 0 })
      await node.start()
      return node
    },
  }
}

/** Number of ports of a node: for its peers, its RPC, its gRPC, and the gRPC of its consensus engine. */
const PORTS = 4

async function writeKeys(home: string, { key, node }: Omit<Validator, 'owner'>): Promise<void> {
  const privKey = (value: string) => ({ type: 'tendermint/PrivKeyEd25519', value })
  await writeFile(join(home, 'config/node_key.json'), JSON.stringify({ priv_key: privKey(node.privateKey) }))
  const pub_key = { type: 'tendermint/PubKeyEd25519', value: key.publicKey }
  const written = { address: key.id.toUpperCase(), pub_key, priv_key: privKey(key.privateKey) }
  await writeFile(join(home, 'config/priv_validator_key.json'), JSON.stringify(written))
}

async function writeSettings(
  home: string,
  family: CosmosFamily,
  { ports: [p2p, rpc, grpc, engine], peers, own, ownApp }: { ports: readonly number[]; peers: string; own: Settings; ownApp: Settings },
): Promise<void> {
  const local = (port = 0) => `tcp://127.0.0.1:${port}`
  const hasEngine = family.config.rpc?.grpc_laddr !== undefined
  await edit(join(home, 'config/config.toml'), [
    family.config,
    {
      rpc: { laddr: local(rpc), pprof_laddr: '', ...(hasEngine ? { grpc_laddr: local(engine) } : {}) },
      p2p: { laddr: local(p2p), persistent_peers: peers, addr_book_strict: false, allow_duplicate_ip: true },
    },
    own,
  ])
  await edit(join(home, 'config/app.toml'), [
    family.app,
    { grpc: { enable: true, address: `127.0.0.1:${grpc}` }, 'grpc-web': { enable: false } },
    ownApp,
  ])
}

async function edit(file: string, settings: readonly Settings[]): Promise<void> {
  let text = await readFile(file, 'utf8')
  for (const each of settings) text = setIn(text, each)
  await writeFile(file, text)
}

function runNode(
  programs: Programs,
  { program, home, family, name, rpcPort }: { program: string; home: string; family: CosmosFamily; name: string; rpcPort: number },
): FullNode {
  let running: Running | null = null
  const rpc = openRpc(`http://127.0.0.1:${rpcPort}`)
  return {
    rpc,
    async stop() {
      await running?.stop()
      running = null
    },
    async start(config, app) {
      if (app) await edit(join(home, 'config/app.toml'), [app])
      if (config) await edit(join(home, 'config/config.toml'), [config])
      const started = programs.start(program, ['start', '--home', home, ...family.startArgs], join(home, 'node.log'))
      running = started
      await until(`${family.chainId} ${name}`, START_SECONDS, () => rpc.call('health'), started)
    },
  }
}
