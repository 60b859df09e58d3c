/** The chains on which the recordings were made, as the stand-in can have them: the same names, numbers and keys, so that the recorded bytes are good here too. */
import { type CosmosChain, type CosmosGenesis, startCosmosChain } from '@svc/sandbox-cosmos'
import { type RecordedNode, type Recording, recordings } from '@svc/testing/recordings'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Test } from 'tap'
import type { Context } from '../../src/context.ts'
import { moduleAddress } from '../../src/modules/auth.ts'
import { balanceOf, mintCoins, send } from '../../src/modules/bank.ts'
import { delegate } from '../../src/modules/staking.ts'
import { celestia, hub } from '../support.ts'

export type Recorded = Extract<RecordedNode, 'hub' | 'celestia'>

const NAMES = ['v0', 'v1', 'v2', 'v3'] as const
const VALIDATORS = {
  hub: [
    'cosmosvaloper1hy5muygqa9am4c8nkyjfwlmumqaln98jrx500f F89EUfY+tIO/20HO1DCLdbjAolD4SSglKsuuzk6dx6E=',
    'cosmosvaloper1hxwtk37fh9xcyweng9cjvvxpl8vsx59ghhrrmg je3tgPrnoZuH+CKZL7wracdBtj2idomZ9UeIpTIOVCg=',
    'cosmosvaloper1864te3kssmm7003y2nsf74npt356u5ehc8g9hz oQhJtu+GXlgoCGBmR3p2xiIv5hy7ZuApEHvB+g7cOY0=',
    'cosmosvaloper1fuwc0ffjtudsmtj5u8c3cfhw60quxc3scshgq7 9IVS+qu7ZaUNUJprDyJicozpvCSlxfwZn/q2GnFezEA=',
  ],
  celestia: [
    'celestiavaloper13yfe9n0kth8dr5554q0k2d7luqm53stc9lgzvp zEJYWB1n0cAldyzj0rjtQrKLfz95b8wIM/oWwaOXQ8M=',
    'celestiavaloper10llm65hl82puxl7s6ytp620fmurc2h23rrreqx szjPmd9n0vgqZ8ywfSHvapMoYg0xId+rUkZzwassWwU=',
    'celestiavaloper15uelzlk4w98w5vhfy79l0c0rk8da870u3x6rcn ZHXDar8BkyNvzDgvQvQcWGAYJnICo7ZWjSpYZWLwxZQ=',
    'celestiavaloper1ylyf76rm3c7x426qn45qd47hne47g750vk4waw kbdqMde9MqYpgV78RQQaWoTvO/dpVqqOeuZER8b9gM4=',
  ],
} as const

const validatorsOf = (node: Recorded, commission: string) =>
  VALIDATORS[node].map((line, index) => {
    const [operator = '', consensusKey = ''] = line.split(' ')
    return { moniker: NAMES[index]!, tokens: String(40_000_000 - index * 10_000_000), commission, operator, consensusKey }
  })

const local = { unbondingSeconds: 120, maxEntries: 7, maxValidators: 100, minCommission: '0.05' }

/** Settings of the two recorded chains. */
export const GENESIS: Readonly<Record<Recorded, CosmosGenesis>> = {
  hub: { ...hub, blockSeconds: 1, maxMemo: 512, idleSupply: '300000000', staking: local, validators: validatorsOf('hub', '0.1') },
  celestia: {
    ...celestia,
    slashing: { ...celestia.slashing, downtimeFraction: '0' },
    blockSeconds: 6,
    idleSupply: '300000000',
    staking: local,
    validators: validatorsOf('celestia', '0.2'),
  },
}

/** An account of the recorded chain: address, number, sequence and base units at the time of the questions, and what is staked with v2. */
interface Recorder {
  readonly address: string
  readonly number: bigint
  readonly sequence: bigint
  readonly balance: bigint
  readonly staked?: bigint
  /** In base64; of one that has sent before. */
  readonly key?: string
}

const FIRST_KEY = 'A1GVd2K0UrLZ1XfMBkZonnJJXJNQRwrmAhromPHjb+Ac'
const MAIN_KEY = 'A0ysA6imyiQ3VERqIlWF82QZ5LruCt+c31/3jJHaSxh/'

const ACCOUNTS: Readonly<Record<Recorded, readonly Recorder[]>> = {
  hub: [
    {
      address: 'cosmos13qth8swz409zt78xrywytp8277sdzh5qu2hf2x',
      number: 17n,
      sequence: 5n,
      balance: 4_906_492_473n,
      staked: 93_500_000n,
      key: FIRST_KEY,
    },
    { address: 'cosmos17zk3k2ezjhrusz5rmev5yl0wjcnnvv64tvzaqa', number: 18n, sequence: 0n, balance: 5_000_000_000n },
    { address: 'cosmos1up55jzgfr5ej2trfxhk8mefdsknccg8894t2dy', number: 19n, sequence: 0n, balance: 1_000_000n },
    { address: 'cosmos15yk64u7zc9g9k2yr2wmzeva5qgwxps6yxj00e7', number: 21n, sequence: 9n, balance: 0n, staked: 91_500_000n },
    { address: 'cosmos164m3exa2wz9kt5fk5egfn82nd8lahgzgptfru2', number: 20n, sequence: 0n, balance: 3_000_000n },
  ],
  celestia: [
    {
      address: 'celestia13qth8swz409zt78xrywytp8277sdzh5qdqxest',
      number: 37n,
      sequence: 5n,
      balance: 4_906_495_897n,
      staked: 93_500_000n,
      key: FIRST_KEY,
    },
    { address: 'celestia17zk3k2ezjhrusz5rmev5yl0wjcnnvv646xnd6s', number: 38n, sequence: 0n, balance: 5_000_000_000n },
    { address: 'celestia1up55jzgfr5ej2trfxhk8mefdsknccg885l66hf', number: 39n, sequence: 0n, balance: 1_000_000n },
    { address: 'celestia164m3exa2wz9kt5fk5egfn82nd8lahgzgspcnx8', number: 40n, sequence: 0n, balance: 3_000_000n },
    { address: 'celestia19tkvgvwht3n8pcqydrcq4cxwhr8rp2gewh9ulf', number: 30n, sequence: 9n, balance: 0n, staked: 1n },
    { address: 'celestia1wutq76857xhhf26cw5jnmdgnvm9f07glrquqhu', number: 31n, sequence: 9n, balance: 0n, staked: 884_715_809n },
    { address: 'celestia1gx460ylzus4y7pl9s6muewplkkv7hgcp7hswlk', number: 41n, sequence: 1n, balance: 1_251n },
  ],
}

/** A stand-in in the place of a recorded node: what is asked of it, and what it answered. */
export class World {
  readonly node: Recorded
  readonly chain: CosmosChain
  readonly recorded: ReadonlyMap<string, Recording>
  readonly answers = new Map<string, { status: number; contentType: string | undefined; body: unknown }>()

  private constructor(node: Recorded, chain: CosmosChain) {
    this.node = node
    this.chain = chain
    this.recorded = recordings(node)
  }

  static async start(t: Test, node: Recorded): Promise<World> {
    const time = Date.parse('2026-11-23T09:16:18.715Z')
    const chain = await startCosmosChain({ chainId: node === 'hub' ? 'cosmoshub-4' : 'celestia', genesis: GENESIS[node], time })
    t.teardown(() => chain.close())
    const world = new World(node, chain)
    chain.makeBlock({ begin: (ctx) => world.#install(ctx) })
    return world
  }

  /** Makes blocks until a height. */
  async until(height: number): Promise<void> {
    const missing = height - this.chain.latest().block
    if (missing > 0) await this.chain.mine(missing)
  }

  /** Asks what was asked when these were recorded, in this order; each once. */
  async ask(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (this.answers.has(name)) throw new Error(`${name} was asked already`)
      const { http = '', body } = this.#question(name)
      const [method = '', path = ''] = http.split(/ (.*)/s)
      const response = await fetch(`${this.chain.rpcUrl}${path}`, {
        method,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const contentType = response.headers.get('content-type') ?? undefined
      this.answers.set(name, { status: response.status, contentType, body: /^[{[]/.test(text) ? JSON.parse(text) : text })
    }
  }

  /** Asks all whose names match and that were not asked yet. */
  async askAll(...patterns: readonly RegExp[]): Promise<void> {
    const names = [...this.recorded.keys()].filter((name) => !this.answers.has(name) && patterns.some((pattern) => pattern.test(name)))
    await this.ask(...names)
  }

  /** Bytes of the transaction that a recording is about. */
  bytes(name: string): Uint8Array {
    const { request, response } = this.#recording(name)
    const { params } = request.body as { params: { tx?: string } }
    return Buffer.from(params.tx ?? (response.body as { result: { tx: string } }).result.tx, 'base64')
  }

  /** Puts the transaction of a recording into a block of the height that it was in, and asks for it in every way that was recorded. */
  async land(situation: string): Promise<void> {
    const { height } = (this.#recording(`tx-${situation}`).response.body as { result: { height: string } }).result
    await this.until(Number(height) - 1)
    this.chain.node!.submit(this.bytes(`tx-${situation}`))
    await this.until(Number(height))
    await this.askLanded(situation)
  }

  /** @param index of the transaction in the latest block */
  async askLanded(situation: string, index = 0): Promise<void> {
    for (const kind of ['tx', 'tx-status']) if (this.recorded.has(`${kind}-${situation}`)) await this.ask(`${kind}-${situation}`)
    const name = `block-results-${situation}`
    if (!this.recorded.has(name)) return
    const { result } = (await this.call('block_results', { height: String(this.chain.latest().block) })) as { result: any }
    this.answers.set(name, { status: 200, contentType: 'application/json', body: result?.txs_results?.[index] })
  }

  /** Celestia's main account had sent four transactions, a stake among them, before the broadcasts. */
  sendFour(): void {
    const { address = '', number = 0n } = ACCOUNTS[this.node][1] ?? {}
    this.chain.node!.makeBlock({
      begin: (ctx) => {
        ctx.state.accounts.set(address, { number, sequence: 4n, publicKey: Buffer.from(MAIN_KEY, 'base64') })
        delegate(ctx, address, this.#validator, 1_000_000n)
      },
    })
  }

  /** Gives the first account as many entries that unbond as it may have, and the sequence of its recorded unstake. */
  fillEntries(): void {
    const { address = '', number = 0n, key = '' } = ACCOUNTS[this.node][0] ?? {}
    this.chain.node!.makeBlock({
      begin: (ctx) => {
        ctx.state.accounts.set(address, { number, sequence: 12n, publicKey: Buffer.from(key, 'base64') })
        const entry = { creationHeight: 1n, completionTime: ctx.time + 60_000, initialBalance: 1n, balance: 1n }
        const entries = Array.from({ length: 7 }, (_, index) => ({ ...entry, id: BigInt(100 + index), creationHeight: BigInt(index + 1) }))
        ctx.state.unbondings.set(`${this.#validator}/${address}`, entries)
      },
    })
  }

  /** Makes the block of a transaction that waits, after its account was emptied by another one of the same block. */
  emptyLast(): void {
    const { address = '' } = ACCOUNTS[this.node].at(-1) ?? {}
    this.chain.node!.makeBlock({
      begin: (ctx) => send(ctx, address, moduleAddress(ctx.genesis, 'fee_collector'), balanceOf(ctx.state, address, ctx.genesis.denom)),
    })
  }

  async call(method: string, params: unknown): Promise<unknown> {
    const response = await fetch(this.chain.rpcUrl, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
    return response.json()
  }

  /** That with which the recorded accounts staked. */
  get #validator(): string {
    return VALIDATORS[this.node][2].split(' ')[0] ?? ''
  }

  #recording(name: string): Recording {
    const found = this.recorded.get(name)
    if (found === undefined) throw new Error(`${this.node} has no recording ${name}`)
    return found
  }

  #question(name: string): { http: string; body?: unknown } {
    const { request } = this.#recording(name)
    if (request.cut === undefined && request.note === undefined && !JSON.stringify(request).includes('\u2026')) return request
    return { http: request.http, body: this.#uncut(name) }
  }

  /** What was too long to be kept, made again. */
  #uncut(name: string): unknown {
    if (name === 'rpc-too-large')
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: 'A'.repeat(1_100_000) } })
    if (name === 'broadcast-large') {
      const raw = TxRaw.decode(this.bytes('broadcast-long-memo'))
      const body = TxBody.encode({ ...TxBody.decode(raw.bodyBytes), memo: 'm'.repeat(700_000) }).finish()
      const tx = Buffer.from(TxRaw.encode({ ...raw, bodyBytes: body }).finish()).toString('base64')
      return { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx } }
    }
    throw new Error(`the question of ${name} is cut, and how it was is not known`)
  }

  #install(ctx: Context): void {
    if (this.node === 'celestia') mintCoins(ctx, moduleAddress(ctx.genesis, 'not_bonded_tokens_pool'), 21_038_022_586n)
    for (const { address, number, sequence, balance, staked = 0n, key } of ACCOUNTS[this.node]) {
      mintCoins(ctx, address, balance + staked)
      ctx.state.accounts.set(address, { number, sequence, ...(key && { publicKey: Buffer.from(key, 'base64') }) })
      if (staked > 0n) delegate(ctx, address, this.#validator, staked)
    }
  }
}
