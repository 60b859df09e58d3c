import { type Condition, itemsOf, membersOf } from '@svc/contract'
import { type Check, shown, thrown } from '../check.ts'
import { type Client, createClient } from '../http.ts'
import { firstSeen } from '../landing.ts'
import { createRecording, type Endpoint } from '../lies/endpoint.ts'
import { createHeart } from '../life/heart.ts'
import { createClock } from '../life/watcher.ts'
import { openState } from '../service.ts'
import type { Subject } from '../subject.ts'
import { createStakes, unacceptedIn, type Visit } from '../terms/accepting.ts'
import type { TermsTest } from '../terms/options.ts'

const MINUTE_MS = 60_000
/** Pace of a condition where the plugin names none, in minutes. */
const USUAL_MINUTES = 5
/** Setting by which the endpoints of a family may be as old as they like, where it is not that of the others: the clock of a trial goes on by itself. */
const AGE_BY_FAMILY: Readonly<Record<string, string>> = { move: 'max_checkpoint_age' }
/** Beats in which the lease of the service before has ended, a reading is compared, and endpoints that differ are asked again; and the time between two. */
const BEATS = 6
const BEAT_MS = 30_000
const PAGE = 100

/**
 * Tests what others may change of a product: each change of its test is played, and told once by the events that it says, to who watches a wallet there, by services
 * that come one after another on one database. Nothing is told at first sight, nor by what is ordinary, nor while one of two endpoints is still where it was before.
 * While a power has a holder who is not accepted nothing is staked there, after a restart neither, and everything leaves.
 */
export async function terms(subject: Subject, check: Check): Promise<void> {
  const { options, protocol } = subject
  const conditions = protocol.condition ? await protocol.condition(subject.connect()) : []
  const names = conditions.flatMap(namesOf).sort()
  if (names.length === 0) {
    check.note('the plugin reads no terms of its product, so that no change of them is played')
    return
  }
  const { terms: test } = options
  check.ok(test !== undefined, 'there is a test of terms', 'the option terms')
  if (test === undefined) return
  check.equal(names, [...test.reads].sort(), 'the terms that its test says are read')
  const trial = await openTrial(subject)
  try {
    const stakes = createStakes(subject, check)
    check.equal(await trial.look(undefined, stakes.begin), [], 'nothing is told at first sight')
    await play(subject, check, test, trial, stakes)
  } catch (error) {
    check.fail('the changes were played to their end', thrown(error))
  } finally {
    await trial.close()
  }
}

type Trial = Awaited<ReturnType<typeof openTrial>>

async function play(
  subject: Subject,
  check: Check,
  { changes }: TermsTest,
  trial: Trial,
  stakes: ReturnType<typeof createStakes>,
): Promise<void> {
  for (const [index, { name, play: happen, told: events }] of changes.entries()) {
    const behind = index === 0 ? await halfway(subject, trial) : null
    await happen(subject.world)
    if (behind) {
      const { live, recorded } = behind
      for (const ends of [
        [live, recorded],
        [recorded, live],
      ]) {
        const unaccepted = async ({ operations }: Visit) =>
          void check.equal(await unacceptedIn(operations), [], `${name}: nor can one of two endpoints keep anybody from staking`)
        check.equal(await trial.look(ends, unaccepted), [], `${name}: while one of two endpoints does not say so, nothing is told`)
      }
    }
    const judge = (visit: Visit) => stakes.judge(visit, name)
    check.equal(await trial.look(undefined, judge), [...events].sort(), `${name}: it is told by ${events.join(' and ') || 'nothing'}`)
    check.equal(await trial.look(), [], `${name}: and not again`)
  }
  check.tried(changes.length, 'changes of the terms')
}

/** An endpoint that asks the chain, and one that stays where it is now: it answers again what it was asked before. */
async function halfway(subject: Subject, trial: Trial) {
  const recording = createRecording(subject, subject.family.liar)
  const recorded = recording.endpoint('behind', null)
  await trial.look([recorded, recorded])
  return { recorded, live: recording.live('live') }
}

/** Services that come one after another on one database, each of which reads the condition once when it starts. */
async function openTrial(subject: Subject) {
  const clock = createClock()
  const state = await openState()
  const short = subject.protocol.name.replace(/^@svc\/plugin-/, '')
  const { address } = (await subject.player()).wallet
  const earlier = new Set<unknown>()

  /** Events of terms that were not there before, each as a change says it, sorted. */
  async function freshIn(operations: Client): Promise<readonly string[]> {
    const events = itemsOf(membersOf((await operations.get(`/events?limit=${PAGE}`)).json).events)
    const fresh = events.map(membersOf).filter(({ id }) => !earlier.has(id))
    for (const { id } of fresh) earlier.add(id)
    return fresh
      .flatMap(({ type, body }) => {
        const { aspect, fee, rule, effective_epoch: epoch } = membersOf(membersOf(JSON.parse(String(body))).data)
        const name = aspect ?? fee ?? rule
        // The fee of a transaction is no name of a term.
        return typeof name !== 'string' ? [] : [`${type} ${name}${epoch === null ? '' : ' ahead'}`]
      })
      .sort()
  }

  return {
    /** Starts a service, has it read and compare, and ends it. @param ends endpoints, best first @default the chain's own. @param visit looks at it before it ends @returns events of terms that it has told */
    async look(ends?: readonly Endpoint[], visit?: (visit: Visit) => Promise<void>): Promise<readonly string[]> {
      clock.pass(((subject.protocol.conditionMinutes ?? USUAL_MINUTES) + 1) * MINUTE_MS)
      const { pulse, beat } = createHeart()
      const service = await subject.serve({
        ...{ now: clock.now, state, pulse, settings: { [AGE_BY_FAMILY[subject.kit.family] ?? 'max_block_age']: 0 } },
        ...(ends ? { endpoints: ends.map(({ url }) => url), fetch: fetchingBy(subject, ends) } : {}),
      })
      try {
        const integrator = createClient(`${service.url}/api/v1`, await service.key())
        const answer = await integrator.send('PUT', `/watch/${short}/${address}`)
        if (answer.status !== 200) throw new TypeError(`watch answered ${answer.status} ${shown(answer.text)}`)
        const operations = await service.operations()
        await untilRead(operations)
        for (let beats = 0; beats < BEATS; beats++) {
          clock.pass(BEAT_MS)
          await beat()
        }
        const events = await freshIn(operations)
        await visit?.({ service, operations, beat })
        return events
      } finally {
        await service.close()
      }
    },
    close: () => state.store.close(),
  }
}

function fetchingBy(subject: Subject, ends: readonly Endpoint[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const end = ends.find(({ url }) => request.url.startsWith(url))
    return end ? end.fetch(request) : subject.upstream.fetch(request)
  }
}

/** Waits until a service has read the state of what is staked with. @throws TypeError when it does not */
async function untilRead(operations: Client): Promise<void> {
  const reading = await firstSeen(async () => {
    const [protocol] = itemsOf((await operations.get('/protocols')).json)
    const [network] = itemsOf(membersOf(protocol).networks)
    return membersOf(network).staked_with ?? null
  })
  if (reading === null) throw new TypeError('the condition was not read')
}

function namesOf({ terms: list = [] }: Condition): readonly string[] {
  return list.map(({ kind, name }) => `${kind} ${name}`)
}
