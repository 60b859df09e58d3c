import type { Check } from '../check.ts'
import type { Liar } from '../family.ts'
import { costOf, differences, leftOut, same, sample, told, UPSTREAM } from '../lies/answers.ts'
import { createRecording, remembering, type Told } from '../lies/endpoint.ts'
import { requestsOf } from '../lies/requests.ts'
import { type Outcome, type Probe, trial } from '../lies/trial.ts'
import type { Subject } from '../subject.ts'

/**
 * Tests two endpoints that have to agree, one of which lies: each fact of each answer is made false at the first one, and then at the second one. The service must give the
 * right answer, or a refusal of the endpoints; a changed number is believed of no single endpoint. Two endpoints must take no more round trips, one after the other, than
 * one.
 */
export async function agreement(subject: Subject, check: Check): Promise<void> {
  const { kit, family, options } = subject
  const { agreement: reason } = options
  if (!kit.agrees) {
    if (
      check.ok(
        reason !== undefined,
        'the kit compares what two endpoints say (`agrees`), or the option agreement says in a sentence why not',
      )
    )
      check.note(`what two endpoints say is not compared, and a network that wants it is refused at start: ${reason}`)
    return
  }
  check.equal(reason, undefined, 'the kit compares what two endpoints say, and no option says why not')
  await countWaves(subject, check)
  const { liar } = family
  if (!liar) {
    check.ok(true, `the driver of the family ${family.family} has no liar, so that no lie is told`)
    return
  }
  const count: Count = { told: 0, right: 0, refused: 0, near: 0, skipped: 0 }
  for (const request of await requestsOf(subject)) if (request.name !== 'broadcast') await tell(subject, check, liar, request, count)
  check.tried(count.told, 'lies of one of two')
  const left = count.skipped > 0 ? `; ${count.skipped} were left out, SVC_LIES=all tells them too` : ''
  check.note(
    `${count.right} had no effect, ${count.refused} were refused, ${count.near} stayed within what a fee level or an estimate may be apart${left}`,
  )
}

interface Count {
  told: number
  right: number
  refused: number
  near: number
  skipped: number
}

/** Two endpoints are asked at the same time, not one after the other. The chain stands still meanwhile: where it goes on between two answers, both are asked once more. */
async function countWaves(subject: Subject, check: Check): Promise<void> {
  const { upstream, world, actions, serve, client } = subject
  const still = remembering({ ...subject, upstream: { ...upstream, fetch } })
  // What is no JSON is of chains that go on by transactions alone.
  upstream.interfere(({ url, body }) =>
    /^[[{]/.test(body) ? still(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }) : null,
  )
  const service = await serve({ endpoints: [world.rpcUrl, world.rpcUrl], settings: { agreement: 2 } })
  try {
    const agreed = await service.client()
    await upstream.idle()
    for (const action of actions) {
      const { player, body } = await subject.example(action)
      const requests = [
        [`${action} is crafted`, (by: typeof client) => by.post(`/action/${action}`, body)],
        ['staking-balance is answered', (by: typeof client) => by.get(`/staking-balance/${player.wallet.address}`)],
      ] as const
      for (const [what, ask] of requests) {
        // What is remembered for a while, such as a rent, has been asked for by both.
        await ask(agreed)
        const alone = await upstream.measure(() => ask(client))
        const both = await upstream.measure(() => ask(agreed))
        if (!check.ok(both.result.status === 200, `${what} by the word of two`, `${both.result.status} ${both.result.text}`)) continue
        // Fewer where what is remembered for a while had to be asked for anew by the one alone.
        check.ok(both.usage.waves <= alone.usage.waves, `${what} in no more waves by the word of two`, [
          both.usage.waves,
          alone.usage.waves,
        ])
        check.ok(both.usage.calls > alone.usage.calls, 'and both are asked', both.usage.calls)
      }
    }
  } finally {
    upstream.interfere(null)
    await service.close()
  }
}

async function tell(subject: Subject, check: Check, liar: Liar, request: Probe, count: Count): Promise<void> {
  const now = new Date()
  const recording = createRecording(subject, liar)
  const on = (...lies: readonly [Told | null, Told | null]) =>
    trial(
      subject,
      lies.map((lie, index) => recording.endpoint(`${lie ? 'liar' : 'honest'}${index}`, lie)),
      now,
      request,
      2,
    )
  const first = await on(null, null)
  const again = await on(null, null)
  if (
    !check.ok(first.status === 200 && again.status === 200, `${request.name} is answered by two honest endpoints`, [first.said, again.said])
  )
    return
  // What is made anew each time, such as a key, is no difference.
  const fresh = new Set(differences(first, again))

  const all = [...recording.answers].flatMap(([question, answer]) => liar.lies(question, answer, now).map((lie) => ({ ...lie, question })))
  const chosen = sample(all, count.told, costOf(recording.answers))
  count.skipped += all.length - chosen.length
  for (const lie of chosen)
    for (const [place, pair] of [
      ['first', [lie, null]],
      ['second', [null, lie]],
    ] as readonly (readonly [string, readonly [Told | null, Told | null]])[]) {
      count.told++
      const outcome = await on(...pair)
      if (outcome.status === 200 && same(first, outcome, fresh)) count.right++
      else if (UPSTREAM.has(outcome.status) || leftOut(request, first, outcome)) count.refused++
      else if (isNear(liar, first, outcome, fresh)) count.near++
      else check.fail(`${request.name}: ${lie.name}, at the ${place} of two`, told(outcome, first))
    }
}

/** Tells whether all that differs is within what the family says that it may be apart between two honest endpoints. */
function isNear({ apart }: Liar, right: Outcome, outcome: Outcome, fresh: ReadonlySet<string>): boolean {
  if (outcome.status !== 200 || apart === undefined) return false
  return differences(right, outcome).every(
    (path) => fresh.has(path) || apart(path, right.facts.get(path) ?? '', outcome.facts.get(path) ?? ''),
  )
}
