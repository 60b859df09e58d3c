import type { Check } from '../check.ts'
import type { Liar } from '../family.ts'
import { createRecording, type Told } from '../lies/endpoint.ts'
import { requestsOf } from '../lies/requests.ts'
import { type Outcome, type Probe, trial } from '../lies/trial.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'

/** Lies that are told to one request, fewer where its answers are long or many; SVC_LIES=all tells every one. */
const MOST = 80
const LEAST = 16
/** Answers that say that it is the endpoint that fails. */
const UPSTREAM = new Set([502, 503, 504])

/**
 * An endpoint lies: each fact of each answer is made false, one at a time. By itself it may keep a request from being answered, and have
 * believed what the chain might have said, within bounds; it never makes a fault, nor an answer from what cannot be. Beside a healthy
 * endpoint a lie that can be recognised costs nothing: the answer is the right one.
 */
export async function lies(subject: Subject, check: Check): Promise<void> {
  const { liar } = subject.family
  if (!liar) {
    check.ok(true, `the driver of the family ${subject.family.family} has no liar, so that no lie is told`)
    return
  }
  const count = { told: 0, recognised: 0, late: 0, harmless: 0, skipped: 0, believed: new Map<string, number>() }
  for (const request of await requestsOf(subject)) await tell(subject, check, liar, request, count)
  check.tried(count.told, 'lies')
  const believed = [...count.believed].map(([what, number]) => `${what} ${number}`).join(', ')
  const left = count.skipped > 0 ? `; ${count.skipped} were left out, SVC_LIES=all tells them too` : ''
  const late = `${count.late} of them too late for the next endpoint`
  check.note(
    `${count.recognised} were recognised, ${late}, ${count.harmless} without effect, believed in bounds: ${believed || 'none'}${left}`,
  )
}

interface Count {
  told: number
  recognised: number
  late: number
  harmless: number
  skipped: number
  readonly believed: Map<string, number>
}

async function tell(subject: Subject, check: Check, liar: Liar, request: Probe, count: Count): Promise<void> {
  const now = new Date()
  const recording = createRecording(subject, liar)
  const on = (...endpoints: readonly (Told | null)[]) =>
    trial(
      subject,
      endpoints.map((lie, index) => recording.endpoint(`${lie ? 'liar' : 'honest'}${index}`, lie)),
      now,
      request,
    )
  const first = await on(null)
  const again = await on(null)
  if (
    !check.ok(first.status === 200 && again.status === 200, `${request.name} is answered by an honest endpoint`, [first.said, again.said])
  )
    return
  // What is made anew each time, such as a key, is no difference.
  const fresh = new Set([...first.facts].filter(([path, text]) => again.facts.get(path) !== text).map(([path]) => path))
  const right = (outcome: Outcome) => outcome.status === 200 && same(first, outcome, fresh)

  const all = [...recording.answers].flatMap(([question, answer]) => liar.lies(question, answer, now).map((lie) => ({ ...lie, question })))
  const chosen = sample(all, count.told, costOf(recording.answers))
  count.skipped += all.length - chosen.length
  for (const lie of chosen) {
    count.told++
    const alone = await on(lie)
    const where = `${request.name}: ${lie.name}`
    const problem = judge(liar, request, lie, alone, right(alone) || leftOut(request, first, alone))
    if (problem) {
      check.fail(`${where}, at the only endpoint`, problem)
      continue
    }
    if (right(alone)) count.harmless++
    else if (UPSTREAM.has(alone.status) || leftOut(request, first, alone)) count.recognised++
    else if (lie.believed !== undefined) count.believed.set(lie.believed, (count.believed.get(lie.believed) ?? 0) + 1)
    // What is believed, or has no effect, is the same with an endpoint behind it.
    if (!UPSTREAM.has(alone.status) && !leftOut(request, first, alone)) continue
    const paired = await on(lie, null)
    if (right(paired)) continue
    // What the chain might have said is sometimes found out only by what follows from it.
    if (lie.believed !== undefined && (UPSTREAM.has(paired.status) || leftOut(request, first, paired))) count.late++
    else check.fail(`${where}, with a healthy endpoint behind it`, told(paired, first))
  }
}

/** Spread over all of them, the same ones each time; others for the next request, which asks much the same. */
function sample(all: readonly Told[], shift: number, cost: number): readonly Told[] {
  if (process.env.SVC_LIES === 'all') return all
  const step = Math.max(1, Math.ceil(all.length / Math.max(LEAST, MOST / cost)))
  return all.filter((_, index) => (index + shift) % step === 0)
}

/** What it takes to answer a request, against one that asks little. */
function costOf(answers: ReadonlyMap<string, string>): number {
  const characters = [...answers.values()].reduce((sum, answer) => sum + answer.length, 0)
  return 1 + characters / 10_000 + answers.size / 20
}

/** @returns what is wrong with what a lie did, or null */
function judge(liar: Liar, request: Probe, lie: Told, outcome: Outcome, right: boolean): string | null {
  const { status, said, facts } = outcome
  if (right || UPSTREAM.has(status)) return null
  if (status !== 200 && status !== 400 && status !== 422) return `${status} ${said}`
  if (lie.believed === undefined)
    return status === 200 ? `it is believed: ${[...facts].slice(0, 6).join(' ')}` : `it is believed: ${status} ${said}`
  if (liar.believed[lie.believed] === undefined) return `the driver does not say within which bound "${lie.believed}" is believed`
  if (status !== 200) return null
  const beyond = request.bound?.(facts) ?? null
  return beyond === null ? null : `believed beyond its bound: ${beyond}`
}

function same(one: Outcome, other: Outcome, fresh: ReadonlySet<string>): boolean {
  return differences(one, other).every((path) => fresh.has(path))
}

/** Whether a read that may do so says null in place of what it could not read, and nothing else is different. */
function leftOut(request: Probe, one: Outcome, other: Outcome): boolean {
  if (!request.partial || other.status !== 200) return false
  const wrong = differences(one, other)
  return wrong.length > 0 && wrong.every((path) => other.facts.get(path) === 'null')
}

function differences(one: Outcome, other: Outcome): string[] {
  const paths = new Set([...one.facts.keys(), ...other.facts.keys()])
  return [...paths].filter((path) => one.facts.get(path) !== other.facts.get(path))
}

function told(outcome: Outcome, right: Outcome): string {
  if (outcome.status !== 200) return `${outcome.status} ${outcome.said}`
  const path = present(differences(right, outcome)[0], 'a difference')
  return `${path} is ${outcome.facts.get(path)} in place of ${right.facts.get(path)}`
}
