import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '../measure.ts'
import { stageSubjects } from '../subjects.ts'
import { type Case, casesOf } from './cases.ts'
import { createChainFront } from './chain.ts'
import { GATED, isGated, type Multiples, standingOf } from './ratios.ts'
import { answerOf, launch, shoot, type Target } from './shoot.ts'
import { profiled } from './stages.ts'
import type { Told, Used } from './target.ts'

/** Rounds of each request, and of one whose median was over its budget: a neighbour of this machine is to be outvoted, and what got dearer is not. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const MORE_ROUNDS = 10
/** The package of one protocol, where one alone is looked at. */
const PROTOCOL = process.env.BENCH_PROTOCOL
/** Only cases whose label has this in it. */
const ONLY = process.env.BENCH_ONLY === undefined ? undefined : new RegExp(process.env.BENCH_ONLY)
/** The server whose requests are taken apart: `unsigned` or `signed`; none where it is not set. */
const PROFILE = process.env.BENCH_PROFILE

type Targets = Readonly<Record<Told['kind'], Target>>

/**
 * CPU of the service for requests of installed protocols, as a ratio to bare Fastify that answers the same bytes, in one run: the service in a
 * process of its own with sockets, its database in a file and its log written; chain and load in another. Ends with 1 where a ratio is over its budget.
 * Without a choice of protocol or of requests it measures those that have a budget of their own.
 *
 * Of an action without an amount the answers are all the same, so that its RSA signature is made once.
 */
export async function benchBudget(): Promise<string> {
  const isGate = PROTOCOL === undefined && ONLY === undefined
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-budget-'))
  const { sandbox, subjects } = await stageSubjects(PROTOCOL === undefined ? (isGate ? GATED : undefined) : [PROTOCOL])
  const front = createChainFront()
  const targets: Target[] = []
  try {
    const places = Object.fromEntries(
      await Promise.all(
        subjects.map(async ({ name, place: { chainId, network }, plugin }) => {
          const place = { chainId, network: { ...network, ...withoutAge(plugin.protocol.kit.network.properties) } }
          return [name, await front.placed(place)] as const
        }),
      ),
    )
    const start = async (told: Pick<Told, 'kind'> & Partial<Told>) => {
      const target = await launch({ folder: join(folder, told.kind), places, answers: [], ...told })
      targets.push(target)
      return target
    }
    const [unsigned, signed] = await Promise.all([start({ kind: 'unsigned' }), start({ kind: 'signed' })])
    const all: Case[] = []
    for (const subject of subjects) all.push(...(await casesOf(subject, signed)))
    const cases = all.filter((each) => (isGate ? isGated(each) : (ONLY?.test(each.label) ?? true)))
    const answers: [Case['method'], string, string][] = []
    for (const each of cases) answers.push([each.method, each.path, await answerOf(unsigned, each)])
    const bare = await start({ kind: 'bare', answers })
    const rows: Row[] = []
    for (const each of cases) {
      rows.push(await rowOf(each, { bare, unsigned, signed }))
      if (process.env.BENCH_SHOW) console.error(cellsOf(rows.at(-1)!).join('  '))
    }
    const over = rows.filter(({ isOver }) => isOver)
    const telemetry = await countingOf(rows, unsigned)
    if (over.length > 0 || telemetry.isOver) process.exitCode = 1
    const text = table(`CPU of a request as a multiple of bare Fastify's, median of ${ROUNDS} rounds`, HEAD, rows.map(cellsOf))
    const verdict = over.length === 0 ? 'every ratio is within its budget' : `${over.length} rows are over their budget`
    return [text, verdict, telemetry.text, PROFILE ? await profiled(cases, PROFILE === 'signed' ? signed : unsigned) : ''].join('\n')
  } finally {
    for (const target of targets) target.kill()
    front.close()
    await sandbox.close()
    rmSync(folder, { recursive: true })
  }
}

/** Settings of families for how old a node's head may be, of which 0 is no limit: in memory it stands still, and a busy machine may take long. */
function withoutAge(settings: object): Readonly<Record<string, number>> {
  const ages = ['max_block_age', 'max_checkpoint_age'].filter((name) => Object.hasOwn(settings, name))
  return Object.fromEntries(ages.map((name) => [name, 0]))
}

/** Requests of one round, so many that the servers are at work for about as long as each other. */
const TIMES = { craft: 100, prepare: 50, broadcast: 50, networks: 400, read: 100 } as const
const BARE_TIMES = 2000

/** A request, what it came to, and what it is held to. */
interface Row {
  readonly request: Case
  /** Microseconds of bare Fastify, and of the main thread. */
  readonly bare: number
  readonly mainMicroseconds: number
  readonly reached: Multiples
  readonly budget: Multiples
  readonly isOver: boolean
}

async function rowOf(request: Case, targets: Targets): Promise<Row> {
  const { budget } = standingOf(request)
  const rounds: Round[] = []
  const measured = async (count: number) => {
    for (let round = 0; round < count; round++) rounds.push(await roundOf(request, targets, budget))
    return judged(request, rounds, budget)
  }
  // The first is for the compiler.
  await roundOf(request, targets, budget)
  const row = await measured(ROUNDS)
  return row.isOver ? await measured(MORE_ROUNDS) : row
}

/**
 * One round: microseconds of each server, all at the same time. So each meets the same neighbours, and a calm machine is as busy as any: what a request costs grows by half or doubles
 * where others take the caches away, and one after the other it would grow for one of them.
 */
type Round = Readonly<Partial<Record<Told['kind'], Used>>> & { readonly bare: Used; readonly signed: Used }

async function roundOf(request: Case, { bare, unsigned, signed }: Targets, { unsigned: isMeasured }: Multiples): Promise<Round> {
  const times = TIMES[request.kind]
  const [ofBare, ofSigned, ofUnsigned] = await Promise.all([
    shoot(bare, request, BARE_TIMES),
    shoot(signed, request, times),
    ...(isMeasured === undefined ? [] : [shoot(unsigned, request, times)]),
  ])
  return { bare: ofBare, signed: ofSigned, ...(ofUnsigned === undefined ? {} : { unsigned: ofUnsigned }) }
}

function judged(request: Case, rounds: readonly Round[], budget: Multiples): Row {
  const middle = (of: (round: Round) => number) => rounds.map(of).sort((a, b) => a - b)[rounds.length >> 1] ?? Number.NaN
  const multiple = (of: (round: Round) => number | undefined) => middle((round) => (of(round) ?? Number.NaN) / round.bare.process)
  const reached = {
    ...(budget.unsigned === undefined ? {} : { unsigned: multiple((round) => round.unsigned?.process) }),
    signed: multiple((round) => round.signed.process),
    main: multiple((round) => round.signed.main),
  }
  const isWithin = (name: keyof Multiples) => budget[name] === undefined || (reached[name] ?? Number.NaN) <= budget[name]
  return {
    request,
    bare: middle((round) => round.bare.process),
    mainMicroseconds: middle((round) => round.signed.main),
    reached,
    budget,
    isOver: !(isWithin('unsigned') && isWithin('signed') && isWithin('main')),
  }
}

/** Largest share of a craft's CPU that counting it may take, while nothing is traced. */
const MOST_COUNTING = 0.01

/** Holds what a service counts of a craft against the craft that costs least of those that were measured without signatures. */
async function countingOf(rows: readonly Row[], target: Target): Promise<{ readonly text: string; readonly isOver: boolean }> {
  const crafts = rows.flatMap(({ request, bare, reached: { unsigned } }) =>
    request.kind === 'craft' && unsigned !== undefined ? [bare * unsigned] : [],
  )
  if (crafts.length === 0) return { text: '', isOver: false }
  const times: number[] = []
  for (let time = 0; time < ROUNDS; time++) times.push(await target.ask<number>('counting'))
  const microseconds = times.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
  const share = microseconds / Math.min(...crafts)
  const figures = `${microseconds.toFixed(1)} µs for a craft, ${(share * 100).toFixed(2)} % of it`
  return { text: `telemetry without an SDK: ${figures} (budget: ${MOST_COUNTING * 100} %)`, isOver: !(share < MOST_COUNTING) }
}

const HEAD = ['request', 'bare, µs', 'signatures off', 'goal', 'all on', 'goal', 'main thread', 'µs', 'goal', 'budgets', '']

function cellsOf({ request, bare, mainMicroseconds, reached, budget, isOver }: Row): (string | number)[] {
  const { goal } = standingOf(request)
  return [
    request.label,
    bare.toFixed(0),
    reached.unsigned?.toFixed(1) ?? '',
    goal.unsigned ?? '',
    reached.signed.toFixed(1),
    goal.signed ?? '',
    reached.main.toFixed(1),
    mainMicroseconds.toFixed(0),
    goal.mainMicroseconds ?? '',
    [budget.unsigned, budget.signed, budget.main].flatMap((most) => most?.toFixed(1) ?? []).join(' / '),
    isOver ? 'over' : '',
  ]
}
