import type { Check } from '../check.ts'
import type { Liar } from '../family.ts'
import { costOf, leftOut, same, sample, told, UPSTREAM } from '../lies/answers.ts'
import { createRecording, type Told } from '../lies/endpoint.ts'
import { requestsOf } from '../lies/requests.ts'
import { type Outcome, type Probe, trial } from '../lies/trial.ts'
import type { Subject } from '../subject.ts'

/**
 * Tests endpoints that lie: each fact of each answer is made false, one at a time. A single endpoint's lie may prevent an answer, and may be believed within the bounds of
 * what the chain could have said; it never leads to an internal fault, nor to an answer from impossible values. Beside a healthy endpoint, a recognisable lie costs
 * nothing: the answer is right.
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

/** @returns what is wrong with what a lie did, or null */
function judge(liar: Liar, request: Probe, lie: Told, outcome: Outcome, right: boolean): string | null {
  const { status, said: message, facts } = outcome
  if (right || UPSTREAM.has(status)) return null
  if (status !== 200 && status !== 400 && status !== 422) return `${status} ${message}`
  if (lie.believed === undefined)
    return status === 200 ? `it is believed: ${[...facts].slice(0, 6).join(' ')}` : `it is believed: ${status} ${message}`
  if (liar.believed[lie.believed] === undefined) return `the driver does not say within which bound "${lie.believed}" is believed`
  if (status !== 200) return null
  const beyond = request.bound?.(facts) ?? null
  return beyond === null ? null : `believed beyond its bound: ${beyond}`
}
