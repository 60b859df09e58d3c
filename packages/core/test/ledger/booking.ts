import { declareErrors, protocol } from '@svc/contract'
import type { Earning, Flow } from '@svc/contract/book'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import { give, NO_TERMS } from '@svc/testing/paper-protocol'
import type { Test } from 'tap'
import type { Store } from '../../src/index.ts'
import { type BookLine, findBooks, linesOf } from '../../src/ledger/read.ts'
import { following } from '../life/heart.ts'
import { createScript } from '../life/living.ts'
import type { ServeOptions } from '../support/serve.ts'

export const HOSTS = ['desk.invalid', 'desk2.invalid'] as const

/** A reading as the local desk tells it. */
interface DeskReading {
  readonly height: string
  readonly hash: string
  readonly time: string
  /** By bucket. */
  readonly amounts: Record<string, string>
  /** What the chain has paid since it began. */
  readonly paid: string
}

/** Answers of one desk, which a test may change. */
export type Answers = { reading: DeskReading; holds: boolean; flows: Flow[] }

/** A chain of one wallet, of which each desk tells what it likes. */
export class PaperChain {
  height = 100n
  time = new Date('2026-11-21T12:00:00.000Z')
  hashes = new Map<bigint, string>()
  amounts: Record<string, bigint> = { stake: 0n, rewards: 0n }
  paid = 0n
  /** True while there are assets that its book leaves out. */
  leavesOut = false
  flows: Flow[] = []
  /** Changes what a desk says. */
  lie: <Word extends keyof Answers>(host: string, word: Word, answer: Answers[Word]) => Answers[Word] | Error = (_host, _word, answer) =>
    answer
  readonly asked: string[] = []

  /** The next block, in which something moves. */
  block(...flows: readonly (readonly [kind: Flow['kind'], amount: bigint, from: string, to: string])[]): void {
    this.height += 1n
    for (const [index, [kind, amount, from, to]] of flows.entries()) {
      this.flows.push({ kind, amount, from, to, height: this.height, time: this.time, tx: `tx-${this.height}`, index })
      if (from in this.amounts) this.amounts[from] = (this.amounts[from] ?? 0n) - amount
      if (to in this.amounts) this.amounts[to] = (this.amounts[to] ?? 0n) + amount
    }
  }

  pay(amount: bigint): void {
    this.block()
    this.paid += amount
    this.amounts.rewards = (this.amounts.rewards ?? 0n) + amount
  }

  /** A stranger pays in another asset. */
  payIn(asset: string, amount: bigint): void {
    this.block()
    this.amounts[`foreign:${asset}`] = (this.amounts[`foreign:${asset}`] ?? 0n) + amount
  }

  /** Number of times that flows are still being read when they are asked for. */
  unread = 0

  /** Holds an answer up. */
  wait: (word: string) => Promise<void> = async () => {}

  hash(height: bigint): string {
    return this.hashes.get(height) ?? `b${height}`
  }

  answer(host: string, word: string, body: Record<string, string>): unknown {
    this.asked.push(`${host} ${word}`)
    if (word === 'reading') {
      const text = Object.fromEntries(Object.entries(this.amounts).map(([key, amount]) => [key, amount.toString()]))
      const { height } = this
      return this.lie(host, word, {
        height: `${height}`,
        hash: this.hash(height),
        time: this.time.toISOString(),
        amounts: text,
        paid: `${this.paid}`,
      })
    }
    if (word === 'holds') return this.lie(host, word, this.hash(BigInt(body.height ?? '')) === body.hash)
    const [from, to] = [BigInt(body.from ?? ''), BigInt(body.to ?? '')]
    return this.lie(
      host,
      'flows',
      this.flows.filter(({ height }) => height !== null && height > from && height <= to),
    )
  }

  readonly fetch: typeof fetch = async (url, init) => {
    const { host, pathname } = new URL(String(url))
    const word = pathname.slice(1)
    if (!['reading', 'holds', 'flows'].includes(word))
      return Response.json(word === 'who' ? { chain: '1' } : word === 'serial' ? { serial: '0', fee: '5' } : {})
    await this.wait(word)
    const told = this.answer(host, word, JSON.parse(String(init?.body)))
    if (told instanceof Error) throw told
    return Response.json({ told: JSON.stringify(told, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)) })
  }
}

const { unavailable } = declareErrors({ LOGS_UNREAD: [503, 'The logs are being read.'] })

/** A protocol that keeps a book by what the desks say. */
export function booking(chain: PaperChain, { bare = false } = {}) {
  const { definePlugin } = protocol(paperKit(), { clerk: PaperAddress })
  return definePlugin({
    name: '@svc/plugin-paper',
    prefix: '/paper/native',
    summary: 'Papers.',
    maxFee: '1',
    actions: { give } as never,
    balance: async () => ({
      staked: chain.amounts.stake ?? 0n,
      activating: null,
      deactivating: null,
      withdrawing: null,
      rewards: chain.amounts.rewards ?? 0n,
      objects: null,
    }),
    info: async () => NO_TERMS,
    inspect: async () => undefined,
    ...(!bare && {
      book: {
        buckets: [
          { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit', 'withdrawal', 'compound'] },
          { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim', 'compound'] },
          { name: 'foreign', asset: null, kind: 'accrual', movedBy: ['claim'] },
        ],
        async reading({ client }, wallet) {
          const { told } = await client.ask<'told'>('reading', { wallet })
          const { height, hash, time, amounts, paid } = JSON.parse(told) as DeskReading
          return {
            mark: { height: BigInt(height), hash, time: new Date(time), epoch: 7 },
            amounts: Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [key, BigInt(amount)])),
            keep: { paid },
          }
        },
        async holds({ client }, { height, hash }) {
          const { told } = await client.ask<'told'>('holds', { height: `${height}`, hash })
          return JSON.parse(told) as boolean
        },
        async flows({ client }, wallet, from, to) {
          if (chain.unread-- > 0) throw unavailable('LOGS_UNREAD', 'The logs are being read.', 60)
          const { told } = await client.ask<'told'>('flows', { wallet, from: `${from.mark.height}`, to: `${to.mark.height}` })
          const flows = (JSON.parse(told) as Record<string, string>[]).map(({ amount = '', height = '', time = '', ...rest }) => ({
            ...(rest as unknown as Flow),
            amount: BigInt(amount),
            height: BigInt(height),
            time: new Date(time),
          }))
          return { flows, missing: null }
        },
        async earned(_ctx, _wallet, from, to) {
          const paid = BigInt(to.keep.paid ?? '') - BigInt(from.keep.paid ?? '')
          const others = Object.keys(to.amounts).filter((key) => key.startsWith('foreign:'))
          const proven: Record<string, Earning> = Object.fromEntries(others.map((key) => [key, { proven: true }]))
          const left: Earning = chain.leavesOut ? { unknown: 'not_declared' } : { proven: true }
          return { earnings: { rewards: { least: paid, most: paid }, ...proven, foreign: left } }
        },
      },
    }),
  })
}

/** A service that keeps the book of one wallet. */
export async function keeping(
  t: Test,
  state: Store,
  options: Partial<ServeOptions> & { bare?: boolean; hosts?: readonly string[]; wallet?: string } = {},
) {
  const { bare = false, hosts = HOSTS, wallet = 'p001', ...rest } = options
  const chain = new PaperChain()
  const endpoints = { desk: hosts.map((host) => `http://${host}`) }
  const config = {
    plugins: { '@svc/plugin-paper': { networks: { 1: { name: 'paper one', endpoints, clerk: 'p002' } } } },
    accounts: { acme: { name: 'Acme' }, beta: { name: 'Beta' } },
  }
  const served = await following(t, state, {
    script: createScript(),
    plugins: [booking(chain, { bare })],
    config,
    fetch: chain.fetch,
    ...rest,
  })
  const watch = () => served.call('PUT', `/api/v1/watch/paper/${wallet}`, undefined, undefined)
  return {
    ...served,
    chain,
    watch,
    /** The chain's clock goes with ours. */
    async later(ms: number): Promise<void> {
      chain.time = new Date(chain.time.getTime() + ms)
      await served.pass(ms, Math.max(1_000, ms / 4))
    },
    lines: () => linesIn(state, wallet),
  }
}

/** The book of a wallet, as it stands. */
export async function linesIn(store: Store, wallet: string): Promise<readonly BookLine[]> {
  const [book] = await store.run((database) => findBooks(database, { wallet }, { after: 0, limit: 9 }))
  if (!book) return []
  return store.run((database) => linesOf(database, book, [], { limit: 999 }))
}

/** Says where a book does not add up; empty where it does. */
export function faultsOf(lines: readonly BookLine[]): readonly string[] {
  return lines.flatMap((line) => {
    if (line.isSuperseded || line.opening === null) return []
    const opening = lines[line.opening]
    const change: Record<string, bigint> = {}
    for (const each of lines.slice(line.opening + 1, line.n + 1))
      for (const { from, to, amount } of each.entries) {
        change[from] = (change[from] ?? 0n) - amount
        change[to] = (change[to] ?? 0n) + amount
      }
    const keys = new Set([...Object.keys(opening?.closing ?? {}), ...Object.keys(line.closing)])
    return [...keys].flatMap((key) => {
      const is = (line.closing[key] ?? 0n) - (opening?.closing[key] ?? 0n)
      return is === (change[key] ?? 0n) ? [] : [`line ${line.n}: ${key} changes by ${is}, its entries by ${change[key] ?? 0n}`]
    })
  })
}

/** Entries in short. */
export function shortOf(lines: readonly BookLine[]): readonly string[] {
  return lines.flatMap(({ n, entries }) =>
    entries.map(
      ({ kind, amount, from, to, corrects }) =>
        `${n}: ${kind} ${amount} ${from} > ${to}${corrects === null ? '' : ` (takes back ${corrects})`}`,
    ),
  )
}
