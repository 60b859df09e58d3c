import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '@svc/testing/free-ports'
import { type Programs, type Running, until } from '../programs.ts'
import { type Consensus, createConsensus } from './consensus.ts'
import { engineApi } from './engine-api.ts'
import { genesis } from './genesis.ts'

/** A geth that runs, and the consensus client that drives it. */
export interface Geth {
  readonly url: string
  readonly beacon: Consensus
  /** @throws Error with the node's words, where it refuses */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
  /**
   * Ends it and starts it again on the same data.
   *
   * @param how.kill ends it by force, so that it saves nothing
   */
  restart(how?: { readonly kill?: boolean }): Promise<void>
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
  const secret = randomBytes(32).toString('hex')
  const [first, jwt, data] = [join(folder, 'genesis.json'), join(folder, 'jwt.hex'), join(folder, 'data')]
  await writeFile(first, genesis(rich, time))
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

  async function start(): Promise<Running> {
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
    const running = programs.start(program, ['--datadir', data, ...alone, ...ears, ...flags], join(folder, 'geth.log'))
    await until('geth', START_SECONDS, () => rpc('eth_chainId'), running)
    return running
  }

  let running = await start()
  const block = (await rpc('eth_getBlockByNumber', ['0x0', false])) as { readonly hash: string }
  const beacon = createConsensus(engineApi(`http://127.0.0.1:${auth}`, secret), { hash: block.hash, time })
  return {
    url,
    beacon,
    rpc,
    async restart({ kill = false } = {}) {
      await running.stop(kill ? 'SIGKILL' : 'SIGTERM')
      running = await start()
      await beacon.resume()
    },
    stop: () => running.stop(),
  }
}
