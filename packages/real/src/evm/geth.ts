import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '@svc/testing/free-ports'
import { SigningKey } from 'ethers'
import { type Programs, type Running, until } from '../programs.ts'
import { type Consensus, createConsensus } from './consensus.ts'
import { engineApi } from './engine-api.ts'
import { genesis } from './genesis.ts'

/** A geth that runs, and the consensus client that drives it. */
export interface Geth extends Node {
  readonly beacon: Consensus
  /** File of its first block. */
  readonly first: string
  /** Address for its peers. */
  readonly enode: string
  /**
   * Ends it and starts it again on the same data.
   *
   * @param how.kill ends it by force, so that it saves nothing
   */
  restart(how?: { readonly kill?: boolean }): Promise<void>
}

/** A geth that knows what it is told of the chain of another one, which is its only peer. */
interface Follower extends Node {
  /** Tells it all blocks that there are, and which are safe and final. */
  catchUp(): Promise<void>
  /**
   * Ends it and starts it again on the same data; it is told nothing before `catchUp`.
   *
   * @param how.alone it has no peers any more: nobody hears of what is sent to it
   * @param how.flags what its operator adds to the defaults from now on
   */
  restart(how?: { readonly alone?: boolean; readonly flags?: readonly string[] }): Promise<void>
}

/** What both are. */
interface Node {
  readonly url: string
  /** @throws Error with the node's words, where it refuses */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
  stop(): Promise<void>
}

/** Seconds by which the first block is older than the run. */
const AGE_SECONDS = 800
/** Seconds that a start may take on a machine that builds at the same time. */
const START_SECONDS = 120

/**
 * Starts an ordinary geth, not `--dev`, on a chain of its own, with its consensus client.
 *
 * @param program the built geth
 * @param options.folder for its data
 * @param options.rich addresses that have funds from the beginning
 * @param options.flags what an operator adds to the defaults
 */
export async function startGeth(
  programs: Programs,
  program: string,
  options: { readonly folder: string; readonly rich: readonly string[]; readonly flags?: readonly string[] },
): Promise<Geth> {
  const { folder, rich, flags = [] } = options
  const time = Math.floor(Date.now() / 1_000) - AGE_SECONDS
  const first = join(folder, 'genesis.json')
  await writeFile(first, genesis(rich, time))
  const [port = 0] = await freePorts(1)
  const key = new SigningKey(`0x${randomBytes(32).toString('hex')}`)
  const peering = ['--port', String(port), '--maxpeers', '2', '--nodekeyhex', key.privateKey.slice(2)]
  const node = await runGeth(programs, program, { folder, first, flags: [...peering, ...flags] })
  const block = (await node.rpc('eth_getBlockByNumber', ['0x0', false])) as { readonly hash: string }
  const beacon = createConsensus(node.engine, { hash: block.hash, time })
  return {
    ...node,
    first,
    // The key without the byte that says that it is not compressed.
    enode: `enode://${key.publicKey.slice(4)}@127.0.0.1:${port}`,
    beacon,
    async restart({ kill = false } = {}) {
      await node.restart({ kill })
      await beacon.resume()
    },
  }
}

/**
 * Starts another geth, with data of its own, on the chain of one that runs.
 *
 * @param folder for its data
 */
export async function startFollower(
  programs: Programs,
  program: string,
  { first, beacon, enode }: Geth,
  folder: string,
): Promise<Follower> {
  await mkdir(folder, { recursive: true })
  const node = await runGeth(programs, program, { folder, first, flags: PEERING })
  const catchUp = () => beacon.lead(node.engine)
  const meet = async () => {
    await node.rpc('admin_addPeer', [enode])
    await until('the peers have met', PEER_SECONDS, async () => (await node.rpc('net_peerCount')) === '0x1')
  }
  await catchUp()
  await meet()
  return {
    url: node.url,
    rpc: node.rpc,
    stop: node.stop,
    catchUp,
    async restart({ alone = false, flags = [] } = {}) {
      await node.restart({ flags: alone ? flags : [...PEERING, ...flags] })
      if (!alone) await meet()
    },
  }
}

/** Flags of a node that meets another one; the last one of a name counts. */
const PEERING = ['--maxpeers', '2', '--http.api', 'eth,net,web3,admin']
/** Seconds until two nodes of one machine have met. */
const PEER_SECONDS = 60

/** Makes a geth's data from a first block, and starts it. */
async function runGeth(
  programs: Programs,
  program: string,
  { folder, first, flags }: { readonly folder: string; readonly first: string; readonly flags: readonly string[] },
) {
  const secret = randomBytes(32).toString('hex')
  const [jwt, data] = [join(folder, 'jwt.hex'), join(folder, 'data')]
  await writeFile(jwt, secret)
  await programs.must(program, ['init', '--datadir', data, first])
  const [http = 0, auth = 0] = await freePorts(2)
  const url = `http://127.0.0.1:${http}`

  async function rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await answer.json()) as { readonly result?: unknown; readonly error?: unknown }
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }

  async function start(further: readonly string[]): Promise<Running> {
    // A chain that begins here has nobody to take a snapshot from; a node that wants one answers SYNCING to every block.
    const alone = [
      '--syncmode',
      'full',
      '--networkid',
      '7071',
      '--nodiscover',
      '--maxpeers',
      '0',
      '--nat',
      'none',
      '--port',
      '0',
      '--ipcdisable',
    ]
    const ears = [
      '--http',
      '--http.addr',
      '127.0.0.1',
      '--http.port',
      String(http),
      '--authrpc.port',
      String(auth),
      '--authrpc.jwtsecret',
      jwt,
    ]
    const running = programs.start(program, ['--datadir', data, ...alone, ...ears, ...further], join(folder, 'geth.log'))
    await until('geth', START_SECONDS, () => rpc('eth_chainId'), running)
    return running
  }

  let running = await start(flags)
  return {
    url,
    rpc,
    engine: engineApi(`http://127.0.0.1:${auth}`, secret),
    async restart({ kill = false, flags: further = flags }: { readonly kill?: boolean; readonly flags?: readonly string[] }) {
      await running.stop(kill ? 'SIGKILL' : 'SIGTERM')
      running = await start(further)
    },
    stop: () => running.stop(),
  }
}
