import type { NetworkBase } from '@svc/contract'
import { termsOf } from '@svc/core/plugins'
import { check, type Effects, type Mismatch } from '@svc/verify'
import { readInput, review } from '@svc/verify/intent'
import { ms, spreadOf, table, timed } from './measure.ts'
import { type Staged, type Subject, stageSubjects } from './subjects.ts'
import { createReplay, type Replay } from './upstream.ts'
import { createWorld, type World } from './world.ts'

const HEAD = ['request', 'waves', 'calls', 'p50 at 0 ms', 'p99 at 0 ms', 'p50 at 50 ms', 'own p50 at 50 ms']
/** Most of the median, in milliseconds: of a craft when the upstream takes no time, of its decode check, and of the check in the caller's process. */
const BUDGETS = { craft: 10, check: 1, review: 2 } as const

/** A request of a protocol. */
interface Request {
  readonly name: string
  readonly path: string
  /** Absent for a read. */
  readonly body?: object
}

/**
 * Own time of every craft and read of every installed protocol at zero and at 50 ms of upstream delay, with waves and calls; and of decode
 * checks. What is asked for is what the scenarios' stages are ready for. Ends with 1 where a median is over its budget.
 */
export async function benchCrafts(): Promise<string> {
  const { sandbox, subjects } = await stageSubjects()
  try {
    const rows: (string | number)[][] = []
    const notes: string[] = []
    const over: string[] = []
    const judge = (name: string, p50: number, most: number) => {
      if (!(p50 <= most)) over.push(`${name}: ${ms(p50)} of ${ms(most)}`)
    }
    for (const subject of subjects) {
      const replay = createReplay()
      const world = await createWorld(subject, subject.place, { fetch: replay.fetch })
      const ask = asker(subject, world)
      for (const request of await requestsOf(subject, world)) {
        const name = `${subject.label} ${request.name}`
        const { cells, p50 } = await row(ask, replay, request)
        if (request.body) judge(name, p50, BUDGETS.craft)
        rows.push([name, ...cells])
      }
      const [action, body] = Object.entries(subject.stage.bodies)[0]!
      const args = await decodedWith(subject, () => ask({ name: action, path: `/action/${action}`, body }))
      const { p50, p99 } = spreadOf(decodeTimes(subject, args))
      notes.push(`decode check of ${subject.label} ${action}: p50 ${ms(p50)}, p99 ${ms(p99)} (budget p50 ${ms(BUDGETS.check)})`)
      judge(`decode check of ${subject.label} ${action}`, p50, BUDGETS.check)
      const callers = spreadOf(await reviewTimes(subject, world, args[2], { action, body }))
      notes.push(
        `check in the caller's process of ${subject.label} ${action}: p50 ${ms(callers.p50)}, p99 ${ms(callers.p99)} (budget p50 ${ms(BUDGETS.review)})`,
      )
      judge(`check in the caller's process of ${subject.label} ${action}`, callers.p50, BUDGETS.review)
      await world.close()
    }
    if (over.length > 0) process.exitCode = 1
    notes.push(
      `budget of a craft at 0 ms: p50 ${ms(BUDGETS.craft)}`,
      over.length === 0 ? 'every median is within its budget' : `over: ${over.join('; ')}`,
    )
    return `${table('Own time on one connection, upstream answered from memory', HEAD, rows)}\n${notes.join('\n')}`
  } finally {
    await sandbox.close()
  }
}

type Ask = (request: Request) => Promise<Record<string, unknown>>

function asker({ label, prefix }: Subject, { app, apiKey }: World): Ask {
  return async ({ name, path, body }) => {
    const method = body ? 'POST' : 'GET'
    const response = await app.inject({ method, url: prefix + path, headers: { 'x-api-key': apiKey }, ...(body ? { payload: body } : {}) })
    if (response.statusCode !== 200) throw new Error(`${label} ${name}: ${response.statusCode} ${response.body}`)
    return response.json()
  }
}

interface Parameter {
  readonly name: string
  readonly example?: unknown
}

/** The actions that the stage has bodies for, and every read, its own among them: of what the stage says, else of the document's example. */
async function requestsOf({ prefix, stage }: Staged, { app }: World): Promise<readonly Request[]> {
  const document = (await app.inject('/openapi.json')).json<{ paths: Record<string, { get?: { parameters?: readonly Parameter[] } }> }>()
  const reads = Object.entries(document.paths).flatMap(([path, { get }]) => (get && path.startsWith(`${prefix}/`) ? [{ path, get }] : []))
  return [
    ...Object.entries(stage.bodies).map(([name, body]) => ({ name, path: `/action/${name}`, body })),
    ...reads.map(({ path, get }) => {
      const behind = path.slice(prefix.length)
      const filledIn = (name: string) => stage.parameters[name] ?? get.parameters?.find((each) => each.name === name)?.example
      return { name: behind.slice(1), path: behind.replace(/\{(\w+)\}/g, (_, name: string) => String(filledIn(name))) }
    }),
  ]
}

async function row(
  ask: Ask,
  replay: Replay,
  request: Request,
): Promise<{ readonly cells: readonly (string | number)[]; readonly p50: number }> {
  replay.delayMs = 0
  await ask(request)
  await replay.reset()
  // Answers of no delay could end before a call made at the same time has begun.
  replay.delayMs = 20
  await ask(request)
  const { waves, calls } = replay.counts()
  replay.delayMs = 0
  const now = await timed(400, () => ask(request))
  replay.delayMs = 50
  const later = await timed(15, () => ask(request))
  replay.delayMs = 0
  return { cells: [waves, calls, ms(now.p50), ms(now.p99), ms(later.p50), ms(later.p50 - 50 * waves)], p50: now.p50 }
}

/** Returns what the kit is asked to read back for a craft. */
async function decodedWith({ plugin }: Staged, craft: () => Promise<unknown>): Promise<Parameters<Decode>> {
  const kit = plugin.protocol.kit as { decode: Decode }
  const { decode } = kit
  const calls: Parameters<Decode>[] = []
  kit.decode = (...args) => {
    calls.push(args)
    return decode.apply(kit, args)
  }
  await craft()
  kit.decode = decode
  return calls.at(-1)!
}

/** The second reading of a craft, done by the kit as the service does it for every one, over and over. @returns milliseconds of each */
function decodeTimes({ plugin, place }: Staged, args: Parameters<Decode>): readonly number[] {
  const kit = plugin.protocol.kit as { decode: Decode }
  const { decode } = kit
  const [, effects, { maxFee }, terms] = args
  return Array.from({ length: 2000 }, () => {
    const from = performance.now()
    const mismatches: readonly Mismatch[] = check(decode.apply(kit, args), effects, { chainId: place.chainId, maxFee, terms })
    const took = performance.now() - from
    if (mismatches.length > 0) throw new Error(`the decode check found ${JSON.stringify(mismatches)}`)
    return took
  }).slice(200)
}

/** The check of the same craft as a caller's client does it, sentence and bounded facts included, over and over. @returns milliseconds of each */
async function reviewTimes(
  { plugin: { protocol }, prefix }: Staged,
  { app, apiKey }: World,
  network: NetworkBase,
  { action: name, body }: { readonly action: string; readonly body: object },
): Promise<readonly number[]> {
  const { intent } = protocol
  const action = intent?.actions[name]
  if (!intent || !action) throw new Error(`${protocol.name} declares no intent of ${name}`)
  const { headers, body: text } = await app.inject({
    method: 'POST',
    url: `${prefix}/action/${name}`,
    headers: { 'x-api-key': apiKey },
    payload: body,
  })
  const terms = termsOf(protocol, network)
  const pairs = Object.entries(body).map(([key, value]) => [key, action.input[key]?.kind === 'amount' ? String(value) : value])
  const input = readInput(action.input, Object.fromEntries(pairs), terms.decimals)
  const headerValues = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]))
  const answer: unknown = JSON.parse(text)
  return Array.from({ length: 2000 }, () => {
    const from = performance.now()
    const outcome = review({ intent, action, terms, input, answer, stated: headerValues })
    const took = performance.now() - from
    if ('mismatches' in outcome) throw new Error(`the caller's check found ${JSON.stringify(outcome.mismatches)}`)
    return took
  }).slice(200)
}

type Decode = (unsigned: never, effects: Effects, network: NetworkBase, terms: never) => Parameters<typeof check>[0]
