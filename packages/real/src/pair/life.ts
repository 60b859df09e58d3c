import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../programs.ts'
import type { Report } from '../report.ts'
import { type Ask, asksOf } from './asks.ts'
import { type Way, wavesOf } from './gate.ts'
import type { Case, FlatAnswer, Ground, NodeState, SignedBody } from './ground.ts'

/** Times that both services are asked, until the one tells what the other has told by then: a node that is well may have a block some seconds later. */
const TRIES = 40
/** Milliseconds between two of them, after the first few. */
const PAUSE_MS = 500
const AT_ONCE = 4
/** Methods that look for a transaction, as no craft does. */
const LOOKING: ReadonlySet<string> = new Set([
  ...['eth_getTransactionByHash', 'eth_getTransactionReceipt'],
  ...['tx', 'tx_search', 'tx_status', 'unconfirmed_txs', 'block', 'blockchain', 'block_results'],
])
/** Crafts of which the slowest counts: the first one may find out what the others know. */
const CRAFTS = 3
/** Seconds until it is known that the first endpoint is behind, or that one that failed is well again. */
const KNOWN_SECONDS = 60
/** Seconds until a transaction that was sent is told as final; where the chain is had go on for each question, so many questions. */
const FINAL_SECONDS = 60

/** Questions of `until` a second. */
const A_SECOND = 10

/** Plays pairs of endpoints one after the other. */
interface Pairs<Wallet> {
  /** Asks everything of a pair in both orders, the endpoint in the state being the first and the second one. */
  play(state: NodeState<Wallet>): Promise<void>
  /** Methods that were called by what was asked until now. */
  methods(): readonly string[]
  /** Waits until everything that was sent is final, and compares it. */
  close(): Promise<void>
}

/**
 * Two endpoints behind one service, of which one is well: whatever the other one is, callers are told what the one that is well tells alone, a craft takes one wave
 * more at most, and what is sent comes to the chain.
 */
export function createPairs<Wallet>(report: Report, ground: Ground<Wallet>): Pairs<Wallet> {
  const { gates, well } = ground
  /** Calls of each question, and waves of a craft, of two endpoints that are well. */
  const usual = new Map<string, ReadonlySet<string>>()
  let usualWaves: number | null = null
  const sent: { readonly sentence: string; readonly transaction: SignedBody }[] = []

  function open(which: 0 | 1, { way }: NodeState<Wallet>): void {
    for (const [index, gate] of gates.entries()) gate.open(index === which ? way : well)
  }

  async function played(state: NodeState<Wallet>, which: 0 | 1): Promise<void> {
    const example = state.cases[which]
    const word = which === 0 ? 'first' : 'second'
    const of = (what: string) => `${what}, when the ${word} of two endpoints ${state.name}`
    const gate = gates[which]
    open(which, state)
    if (state.isBehind && which === 0)
      await known(ground, example, 'the first endpoint is known to be behind', ({ behind }) => behind[0] > 0)
    const before = gate.visits.length
    if (state.lacks === undefined || usual.get('a craft')?.has(state.lacks)) {
      const { waves, lines } = await slowestCraft(ground, example)
      usualWaves ??= waves
      report.check(
        of('a craft takes one wave more at most'),
        waves > 0 && waves <= usualWaves + 1,
        `${waves} waves, and ${usualWaves} with two that are well\n${lines}`,
      )
    }
    for (const ask of asksOf(ground, example)) {
      if (state.lacks !== undefined && !usual.get(ask.name)?.has(state.lacks)) continue
      const first = gates.map(({ visits }) => visits.length)
      const wrong = await compared(ground, ask, state.way)
      report.check(of(`${ask.name} is what the endpoint that is well tells alone`), wrong === null, wrong)
      const methods = gates.flatMap(({ visits }, index) => visits.slice(first[index]).flatMap((visit) => visit.methods))
      if (!usual.has(ask.name)) usual.set(ask.name, new Set(methods))
    }
    if (state.lacks === undefined || usual.get('a broadcast')?.has(state.lacks)) {
      const calls = gates.map(({ visits }) => visits.length)
      const transaction = await ground.sign(ground.pair, example.wallet)
      const { status, body } = await ground.pair.ask('POST', `${ground.path}/action/broadcast`, {
        body: transaction.body,
        network: ground.network,
      })
      const methods = gates.flatMap(({ visits }, index) => visits.slice(calls[index]).flatMap((visit) => visit.methods))
      if (!usual.has('a broadcast')) usual.set('a broadcast', new Set(methods))
      report.check(of('a broadcast is taken'), status === 200 && body.tx_hash === transaction.hash, { status, body })
      // It is the first one that swallows it, so that the second has to be told by the service itself.
      if (state.isDeaf) await final(of('what was sent'), transaction, true)
      else sent.push({ sentence: of('what was sent'), transaction })
    }
    if (which === 0 && !state.isBehind) report.check(of('it was asked'), gate.visits.length > before)
    for (const each of gates) each.open(well)
    await known(ground, example, 'both endpoints are well again', ({ healthy, behind }) => [...healthy, ...behind].join() === '1,1,0,0')
  }

  /** @param isWaited the chain goes on only where it is had go on, and what was sent is not there yet */
  async function final(sentence: string, { hash }: SignedBody, isWaited: boolean): Promise<void> {
    const read = async (service: typeof ground.pair) =>
      (await service.ask('GET', `${ground.path}/transaction/${hash}`, { network: ground.network })).body
    const end = await until('an end', isWaited ? FINAL_SECONDS / A_SECOND : FINAL_SECONDS, async () => {
      if (isWaited) await ground.pass()
      const status = await read(ground.pair)
      return status.finality === 'final' && status
    }).catch(() => read(ground.pair))
    report.check(`${sentence} comes to the chain, and is told as final`, end.status === 'final', end)
  }

  return {
    async play(state) {
      await played(state, 0)
      await played(state, 1)
    },
    methods: () => [...new Set([...usual.values()].flatMap((methods) => [...methods]))].sort(),
    async close() {
      await ground.pass()
      for (const { sentence, transaction } of sent) await final(sentence, transaction, false)
    },
  }
}

/**
 * Asks both services until what the one tells was told by the other as well, in this block or in one before: one whose state is over does not catch up meanwhile.
 *
 * @returns what is not as the endpoint that is well tells it alone; or null
 */
async function compared<Wallet>(ground: Ground<Wallet>, ask: Ask, way: Way): Promise<string | null> {
  const right: FlatAnswer[] = [await ask.on(ground.alone)]
  let wrong: string | null = null
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries >= AT_ONCE) await wait(PAUSE_MS)
    const answer = await ask.on(ground.pair)
    right.push(await ask.on(ground.alone))
    const differences = await Promise.all(right.map((each) => ask.wrong(each, answer, way)))
    if (differences.includes(null)) return null
    wrong = differences.at(-1) ?? null
  }
  return wrong
}

/**
 * Counts the waves of the slowest of a few crafts. What the service asks by the way, for transactions that it follows, does not count.
 *
 * @returns the requests of that craft as well, a line each: endpoint, milliseconds from and to, methods
 */
async function slowestCraft<Wallet>({ pair, gates, path, network, wish, mark }: Ground<Wallet>, { wallet }: Case<Wallet>) {
  const crafts: { readonly waves: number; readonly lines: string }[] = []
  for (let count = 0; count < CRAFTS; count++) {
    const calls = gates.map(({ visits }) => visits.length)
    const began = performance.now()
    await pair.ask('POST', `${path}/action/stake`, { body: wish(wallet), network })
    const visits = gates.flatMap((gate, index) =>
      gate.visits
        .slice(calls[index])
        .filter(({ body, methods }) => body.toLowerCase().includes(mark(wallet)) && methods.every((method) => !LOOKING.has(method)))
        .map((visit) => ({ ...visit, endpoint: index + 1 })),
    )
    const lines = visits.map(
      (visit) => `${visit.endpoint}: ${[visit.began, visit.ended].map((at) => Math.round(at - began)).join(' to ')}, ${visit.methods}`,
    )
    crafts.push({ waves: wavesOf(visits), lines: lines.join('\n') })
  }
  const [slowest = { waves: 0, lines: '' }] = crafts.toSorted((one, other) => other.waves - one.waves)
  return slowest
}

/** State of both endpoints, as the service's counters tell it. */
interface Known {
  readonly healthy: readonly [number, number]
  readonly behind: readonly [number, number]
}

/** Asks for a balance until the service knows something of its endpoints. */
async function known<Wallet>(
  { pair, metrics, path, network, address }: Ground<Wallet>,
  { wallet }: Case<Wallet>,
  what: string,
  holds: (known: Known) => boolean,
): Promise<void> {
  await until(what, KNOWN_SECONDS, async () => {
    await pair.ask('GET', `${path}/staking-balance/${address(wallet)}`, { network })
    const text = await (await fetch(metrics)).text()
    const read = (name: string, endpoint: number) =>
      Number(
        new RegExp(`^${name}\\{(?=[^}]*upstream="[^"]* rpc")[^}]*endpoint="${endpoint}"[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1] ??
          Number.NaN,
      )
    const both = (name: string) => [read(name, 1), read(name, 2)] as const
    return holds({ healthy: both('svc_upstream_healthy'), behind: both('svc_upstream_behind_seconds') })
  })
}
