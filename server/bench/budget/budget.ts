import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '../measure.ts'
import { stageSubjects } from '../subjects.ts'
import { type Case, casesOf } from './cases.ts'
import { createChainFront } from './chain.ts'
import { budgetOf } from './ratios.ts'
import { answerOf, launch, shoot, type Target } from './shoot.ts'
import { profiled } from './stages.ts'
import type { Told, Used } from './target.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
/** The package of one protocol, where one alone is looked at. */
const PROTOCOL = process.env.BENCH_PROTOCOL
/** Only cases whose label has this in it. */
const ONLY = new RegExp(process.env.BENCH_ONLY ?? '.')
/** The server whose requests are taken apart: `unsigned` or `signed`; none where it is not set. */
const PROFILE = process.env.BENCH_PROFILE

type Targets = Readonly<Record<Told['kind'], Target>>

/**
 * CPU of the service for each kind of request of every installed protocol, as a ratio to bare Fastify that answers the same bytes, in one run: the service in a
 * process of its own with sockets, its database in a file and its log written; chain and load in another. Ends with 1 where a ratio is over its budget.
 *
 * Of an action without an amount the answers are all the same, so that its RSA signature is made once.
 */
export async function benchBudget(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-budget-'))
  const { sandbox, subjects } = await stageSubjects(PROTOCOL)
  const front = createChainFront()
  const targets: Target[] = []
  try {
    const places = Object.fromEntries(
      await Promise.all(subjects.map(async ({ name, place }) => [name, await front.placed(place)] as const)),
    )
    const start = async (told: Pick<Told, 'kind'> & Partial<Told>) => {
      const target = await launch({ folder: join(folder, told.kind), places, answers: [], ...told })
      targets.push(target)
      return target
    }
    const [unsigned, signed] = await Promise.all([start({ kind: 'unsigned' }), start({ kind: 'signed' })])
    const all: Case[] = []
    for (const subject of subjects) all.push(...(await casesOf(subject, signed)))
    const cases = all.filter(({ label }) => ONLY.test(label))
    const answers: [Case['method'], string, string][] = []
    for (const each of cases) answers.push([each.method, each.path, await answerOf(unsigned, each)])
    const bare = await start({ kind: 'bare', answers })
    const rows: (string | number)[][] = []
    for (const each of cases) {
      rows.push(await row(each, { bare, unsigned, signed }))
      if (process.env.BENCH_SHOW) console.error(rows.at(-1)?.join('  '))
    }
    const over = rows.filter((cells) => cells.includes(OVER))
    if (over.length > 0) process.exitCode = 1
    const head = ['request', 'bare, µs', 'signatures off', 'budget', 'all on', 'main thread', 'budget', '']
    const text = table(`CPU of a request as a multiple of bare Fastify's, median of ${ROUNDS} rounds`, head, rows)
    const verdict = over.length === 0 ? 'every ratio is within its budget' : `${over.length} rows are over their budget`
    return [text, verdict, PROFILE ? await profiled(cases, PROFILE === 'signed' ? signed : unsigned) : ''].join('\n')
  } finally {
    for (const target of targets) target.kill()
    front.close()
    await sandbox.close()
    rmSync(folder, { recursive: true })
  }
}

const OVER = 'over'

/** Requests of one round. Bare Fastify takes a fiftieth of a craft's time. */
const TIMES = { craft: 100, prepare: 50, broadcast: 50, networks: 500, read: 100 } as const
const BARE_TIMES = 1000

async function row(each: Case, { bare, unsigned, signed }: Targets): Promise<(string | number)[]> {
  const times = TIMES[each.kind]
  const budget = budgetOf(each)
  const measured = { bare, signed, ...(budget.unsigned === undefined ? {} : { unsigned }) }
  const samples: Record<string, Used[]> = {}
  for (let round = -1; round < ROUNDS; round++)
    for (const [kind, target] of Object.entries(measured)) {
      const used = await shoot(target, each, kind === 'bare' ? BARE_TIMES : times)
      // The first is for the compiler.
      if (round >= 0) samples[kind] = [...(samples[kind] ?? []), used]
    }
  const middle = (kind: string, what: keyof Used) =>
    (samples[kind] ?? []).map((used) => used[what]).sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
  const ratio = (kind: string, what: keyof Used) => middle(kind, what) / middle('bare', what)
  const [off, on, main] = [ratio('unsigned', 'process'), ratio('signed', 'process'), ratio('signed', 'main')]
  const isOver = on > budget.signed || (budget.unsigned !== undefined && !(off <= budget.unsigned))
  return [
    each.label,
    middle('bare', 'process').toFixed(0),
    budget.unsigned === undefined ? '' : off.toFixed(1),
    budget.unsigned ?? '',
    on.toFixed(1),
    main.toFixed(1),
    budget.signed,
    isOver ? OVER : '',
  ]
}
