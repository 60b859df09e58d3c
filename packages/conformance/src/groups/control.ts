import { itemsOf, membersOf } from '@svc/contract'
import { type Check, shown, thrown } from '../check.ts'
import type { ControlTest, ForeignChange, ForeignStage, PowerLie } from '../control/options.ts'
import { type Client, createClient } from '../http.ts'
import { createRecording } from '../lies/endpoint.ts'
import { createHeart } from '../life/heart.ts'
import { createClock } from '../life/watcher.ts'
import { createPlayer } from '../player.ts'
import { seededWhole } from '../seeded.ts'
import { openState } from '../service.ts'
import { FUNDS, type Subject } from '../subject.ts'

const SECOND_MS = 1_000
/** More than a round of digests, and than the day and three hours between two readings of a position without one; less than the month in which each is read whole. */
const ROUND_MS = 28 * 3_600_000
/** After it each position is read whole, whatever its digest says. */
const MONTH_MS = 32 * 86_400_000
/** Beats in which a round, the reading that follows from it, and one more that two endpoints may take, are over. */
const BEATS = 12
const STEP_MS = 30_000
/** Beats between two searches for changes from elsewhere, and beats in which what a search has found is read and told. */
const SEARCH_BEATS = 45
const SOON_BEATS = 5
const PAGE = 100
/** Positions of an ordinary change that are played at once: each is read whole on a month's first day. */
const LOT = 50
/** Positions of one seed, at most: those of the next one are others. */
const MOST_POSITIONS = 100_000

/**
 * Tests what happens to a position by others' hands: each foreign change of its test is made to a wallet of its own, without the service. It must be reported once by the
 * expected events, found by the service's own means within a day, and not be reported again when the position is read whole. Ordinary changes are no alarm. A claim of
 * only one of two endpoints is not reported. `SVC_CHANGES` and `SVC_ORDINARY` are the numbers of random positions of each change, and of each ordinary one.
 */
export async function control(subject: Subject, check: Check): Promise<void> {
  const { options, protocol, direct } = subject
  const { control: test } = options
  const fresh = await subject.player(check)
  const { control: powers } = await protocol.balance(direct, subject.kit.address(fresh.wallet.address))
  if (powers === undefined) {
    check.note('the plugin does not read who has power over a position, so that no foreign change is played')
    return
  }
  check.equal(powers, [], 'over the position of a fresh wallet nobody else has power')
  check.ok(test !== undefined, 'there is a test of foreign changes', 'the option control')
  if (test === undefined) return
  const isSearched = subject.protocol.stirrings !== undefined
  if (isSearched && (await searchOf(subject)) === null)
    check.note('the local chain does not offer what the plugin searches for changes from elsewhere')
  const trial = await openTrial(subject, check, test)
  try {
    const [positions, more] = [Number(process.env.SVC_CHANGES ?? 1), Number(process.env.SVC_ORDINARY ?? 1)]
    let played = 0
    for (const [index, change] of test.changes.entries()) {
      const [most, lot] = change.ordinary ? [more, LOT] : [positions, 1]
      for (let at = 0; at < most; at += lot) {
        const seeds = Array.from({ length: Math.min(lot, most - at) }, (_, next) => seedOf(index, at + next))
        await trial.play(change, seeds)
        played += seeds.length
      }
    }
    check.tried(played, 'changes by other hands, each of another random position')
  } finally {
    await trial.close()
  }
  for (const lie of test.lies) for (const place of ['first', 'second'] as const) await lied(subject, check, test, lie, place)
  check.tried(test.lies.length * 2, 'lies of one of two endpoints')
}

/** Seed of a position; SVC_SEED makes all of them others. */
function seedOf(change: number, position: number): number {
  return MOST_POSITIONS * (100 * Number(process.env.SVC_SEED ?? 0) + change) + position + 1
}

/** A service that follows by the beats of the test, and whose endpoints may be as old as they like: its clock goes on by months. */
async function openTrial(
  subject: Subject,
  check: Check,
  test: ControlTest,
  endpoints?: { readonly urls: readonly string[]; readonly fetch: typeof fetch },
) {
  const clock = createClock()
  const state = await openState()
  const { pulse, beat } = createHeart()
  const service = await subject.serve({
    life: { rereads_per_day: 2 * LOT },
    ...{ now: clock.now, state, pulse, settings: { [subject.family.ageSetting ?? 'max_block_age']: 0 } },
    ...(endpoints ? { endpoints: endpoints.urls, fetch: endpoints.fetch } : {}),
  })
  const operations = await service.operations()
  const integrator = createClient(`${service.url}/api/v1`, await service.key())
  const client = await service.client()
  const search = await searchOf(subject)
  if (subject.protocol.stirrings && !search)
    check.note('the local chain does not offer what the plugin searches for changes from elsewhere')
  const short = subject.protocol.name.replace(/^@svc\/plugin-/, '')

  async function begun(seed: number): Promise<ForeignStage> {
    const own = await subject.player(check)
    await test.begin(own, seededWhole(seed))
    const stranger = own.newcomer()
    await stranger.fund(subject.options.funds ?? FUNDS)
    return {
      rpcUrl: subject.world.rpcUrl,
      player: own,
      stranger,
      position: await own.position(),
      followed: createPlayer({ ...subject, service, client }, check, false, own.wallet),
      watch: watched,
      operate: (name, body) => subject.world.operate(name, body),
    }
  }

  /** Wallets that are watched for the change that is played. */
  const wallets = new Set<string>()

  /** Watches a wallet, and waits for its first reading. */
  async function watched(address: string): Promise<void> {
    wallets.add(address)
    const answer = await integrator.send('PUT', `/watch/${short}/${address}`)
    if (answer.status !== 200) throw new TypeError(`watch answered ${answer.status} ${shown(answer.text)}`)
    clock.pass(SECOND_MS)
    await beat()
    if ((await readAt(integrator, address)) === null) throw new TypeError('the wallet was not read within a second')
  }

  /** Lets so much time pass, and a while in which what is due then is done. */
  async function pass(ms: number): Promise<void> {
    clock.pass(test.ticks ? await ticked(ms) : ms)
    for (let beats = 0; beats < BEATS; beats++) {
      clock.pass(STEP_MS)
      await beat()
    }
  }

  /** Lets the time pass in which the plugin's search for changes from elsewhere is made once, and what it has found is read. */
  async function passSearch({ everySeconds }: Search): Promise<void> {
    const step = Math.max(SECOND_MS, (everySeconds * SECOND_MS) / SEARCH_BEATS)
    for (let beats = 0; beats < SEARCH_BEATS + SOON_BEATS; beats++) {
      clock.pass(step)
      await beat()
    }
  }

  /** Moves the chain's clock on. @returns the time until what it shows then, in milliseconds of the service's clock */
  async function ticked(ms: number): Promise<number> {
    const { timestamp } = await subject.world.advance({ seconds: Math.ceil(ms / SECOND_MS) })
    return Number(timestamp) * SECOND_MS - clock.now().getTime()
  }

  return {
    begun,
    watched,
    pass,
    told: (address: string) => toldOf(operations, address),
    readAt: (address: string) => readAt(integrator, address),
    async play({ name, before, play, told: events, later = [], ordinary, soon }: ForeignChange, seeds: readonly number[]): Promise<void> {
      try {
        const stages: ForeignStage[] = []
        for (const seed of seeds) {
          const first = await begun(seed)
          await before?.(first)
          stages.push(before ? { ...first, position: await first.player.position() } : first)
          await watched(first.player.wallet.address)
        }
        const addresses = stages.map(({ player }) => player.wallet.address)
        const readings = () => Promise.all(addresses.map((address) => readAt(integrator, address)))
        // A search that compares with the last one must have seen the position before.
        if (soon && search) await passSearch(search)
        for (const stage of stages) await play(stage)
        if (soon && search) {
          await passSearch(search)
          for (const address of addresses)
            check.equal(await toldOf(operations, address), [...events].sort(), `${name}: it is told after the next search`)
        }
        await pass(ROUND_MS)
        // What tells nothing needs no digest of its own; what is told is found by the day's round.
        for (const address of events.length > 0 ? addresses : [])
          check.equal(await toldOf(operations, address), [...events].sort(), `${name}: within a day it is told by ${events.join(' and ')}`)
        const earlier = await readings()
        await pass(MONTH_MS)
        const now = await readings()
        check.ok(
          now.every((time, at) => time !== earlier[at]),
          `${name}: the position is read whole within a month`,
        )
        for (const address of addresses) {
          check.equal(
            await toldOf(operations, address),
            [...events, ...later].sort(),
            `${name}: and nothing else is told, and nothing twice`,
          )
          if (ordinary) check.equal(await alarmsOf(operations, address), [], `${name}: and nothing of it is an alarm`)
        }
      } catch (error) {
        check.fail(`${name}: the change was played to its end`, thrown(error))
      }
      // The readings of a day are few: those of the next change are not to wait for these wallets.
      for (const wallet of wallets) await integrator.send('DELETE', `/watch/${short}/${wallet}`)
      wallets.clear()
    },
    async close() {
      await service.close()
      await state.store.close()
    },
  }
}

type Search = NonNullable<Subject['protocol']['stirrings']>

/** Returns the plugin's search for changes from elsewhere; null where it has none, or the chain does not offer it. */
async function searchOf({ protocol: { stirrings }, direct }: Subject): Promise<Search | null> {
  const nobody = async () => []
  const first = await stirrings?.search(direct, null, nobody)
  return (stirrings && (await stirrings.search(direct, first?.height ?? null, nobody)) && stirrings) ?? null
}

/** What one of two endpoints says of a position is told by nothing, however often it is read. */
async function lied(subject: Subject, check: Check, test: ControlTest, lie: PowerLie, place: 'first' | 'second'): Promise<void> {
  const { liar } = subject.family
  const recording = createRecording(subject, liar)
  let isLying = false
  const [liarEnd, healthy] = [
    recording.live('lying', (question, answer) => (isLying ? lie.answer(question, answer) : answer)),
    recording.live('healthy'),
  ]
  const urls = (place === 'first' ? [liarEnd, healthy] : [healthy, liarEnd]).map(({ url }) => url)
  const fetching: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const end = [liarEnd, healthy].find(({ url }) => request.url.startsWith(url))
    return end ? end.fetch(request) : subject.upstream.fetch(request)
  }
  const trial = await openTrial(subject, check, test, { urls, fetch: fetching })
  const name = `the ${place} of two endpoints says that ${lie.name}`
  try {
    const { player } = await trial.begun(seedOf(test.changes.length, 0))
    const { address } = player.wallet
    await trial.watched(address)
    isLying = true
    await trial.pass(MONTH_MS)
    check.equal(await trial.told(address), [], `${name}: nothing is told on its word`)
    isLying = false
    await trial.pass(MONTH_MS)
    check.equal(await trial.told(address), [], `${name}: nor when it says the truth again`)
  } catch (error) {
    check.fail(`${name}: the lie was played to its end`, thrown(error))
  } finally {
    await trial.close()
  }
}

/** Events of a wallet's position, each as a change says it, sorted. */
async function toldOf(operations: Client, address: string): Promise<readonly string[]> {
  return (await eventsOf(operations, address)).map(({ name }) => name).sort()
}

/** Those of them that are alarms, each with its weight. */
async function alarmsOf(operations: Client, address: string): Promise<readonly string[]> {
  const events = await eventsOf(operations, address)
  return events.flatMap(({ name, severity }) => (severity === 'critical' || severity === 'warning' ? [`${name}: ${severity}`] : []))
}

async function eventsOf(operations: Client, address: string) {
  const { events } = membersOf((await operations.get(`/events?limit=${PAGE}`)).json)
  return itemsOf(events)
    .map(membersOf)
    .filter(({ subject: of, type }) => String(of).endsWith(` ${address}`) && String(type).startsWith('position.'))
    .map(({ type, body }) => {
      const { aspect, cause, severity } = membersOf(membersOf(JSON.parse(String(body))).data)
      return { name: [type, aspect ?? cause].filter((word) => word !== undefined).join(' '), severity }
    })
}

/** Time at which a wallet was read last; null: never. */
async function readAt(integrator: Client, address: string): Promise<unknown> {
  const { watches } = membersOf((await integrator.get(`/watch?limit=${PAGE}`)).json)
  const row = itemsOf(watches)
    .map(membersOf)
    .find(({ address: of }) => of === address)
  return row?.read_at ?? null
}
