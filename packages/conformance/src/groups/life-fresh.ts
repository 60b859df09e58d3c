import { itemsOf, membersOf } from '@svc/contract'
import { type Check, shown, thrown } from '../check.ts'
import { type Client, createClient } from '../http.ts'
import { createHeart } from '../life/heart.ts'
import { createClock, STEP_MS } from '../life/watcher.ts'
import { createPlayer, type Player } from '../player.ts'
import type { Position } from '../position.ts'
import { openState } from '../service.ts'
import { FUNDS, type Subject } from '../subject.ts'

/** Wallets that begin to stake; SVC_FRESH is another number. */
const WALLETS = 4
/** Wallets that craft within the same second: as many as an account of the default limits can, 200 in a minute, come in a burst. */
const AT_ONCE = 40
const SECOND_MS = 1_000
/** Beats after which what was not told is missing: ten minutes of the service's clock. */
const BEATS = 100
/** Epochs that the chain goes on by after each wallet's stake: more than any protocol takes until a stake is active. */
const EPOCHS = 3
/** Most records of a page. */
const PAGE = 100

/**
 * Tests that nothing is lost of wallets that were never seen before: each stakes, and the chain's clock then advances at once by more than a stake takes to become active.
 * Each wallet is read within a second of its craft; each transaction is reported as final, and each stake that becomes active later, or has a unit, as active, once.
 */
export async function fresh(subject: Subject, check: Check): Promise<void> {
  const { options, world } = subject
  const count = Number(process.env.SVC_FRESH ?? WALLETS)
  const action = await beginningOf(subject, check)
  if (action === null) return
  const body = options.examples[action]?.body
  const clock = createClock()
  const state = await openState()
  const { pulse, beat } = createHeart()
  const service = await subject.serve({ now: clock.now, state, pulse })
  try {
    const ground = { ...subject, service, client: await service.client() }
    const operations = await service.operations()
    const integrator = createClient(`${service.url}/api/v1`, await service.key())
    /** Wallets whose stake is told as active. */
    let tellable = 0
    for (let from = 0; from < count; from += AT_ONCE) {
      const players: Player[] = []
      for (let index = from; index < Math.min(count, from + AT_ONCE); index++) {
        const player = createPlayer(ground, check, false)
        await player.fund(options.funds ?? FUNDS)
        players.push(player)
      }
      const crafts = await Promise.all(players.map((player) => player.craft(action, body)))
      const refusals = crafts.flatMap(({ status, text }) => (status === 200 ? [] : [text]))
      if (!check.equal(refusals, [], 'each fresh wallet can stake')) return
      clock.pass(SECOND_MS)
      await beat()
      const baselines = (await watchesOf(integrator)).filter(({ read_at: readAt }) => readAt !== null)
      check.equal(baselines.length, from + players.length, `each of ${players.length} wallets is read within a second of its craft`)
      for (const player of players) {
        await player.act(action, body)
        if (isTold(await player.position())) tellable++
        await world.advance({ epochs: EPOCHS })
        clock.pass(SECOND_MS)
        await beat()
      }
    }
    const subjectsOf = async (type: string) => new Set((await eventsOf(operations, type)).map(({ subject: of }) => of)).size
    for (let beats = 0; beats < BEATS; beats++) {
      clock.pass(STEP_MS)
      await beat()
      if ((await subjectsOf(FINAL)) === count && (await subjectsOf(ACTIVE)) >= tellable) break
      await world.advance({ epochs: 1 })
    }
    check.equal(await subjectsOf(FINAL), count, `of ${count} fresh wallets each one's transaction is told as final`)
    const active = await eventsOf(operations, ACTIVE)
    check.equal(active.length, tellable, `of ${tellable} stakes that are active later, or have a unit, each is told as active, once`)
    check.tried(count, `fresh wallets, ${tellable} of them with a stake that is told as active`)
  } catch (error) {
    check.fail('fresh wallets: the scene came to its end', thrown(error))
  } finally {
    await service.close()
    await state.store.close()
  }
}

/** Finds the action by which a wallet that has nothing begins to stake; null, with a note, where there is none. */
async function beginningOf(subject: Subject, check: Check): Promise<string | null> {
  for (const action of subject.actions) {
    const example = subject.options.examples[action]
    if (!example || example.setup) continue
    const player = await subject.player(check)
    await player.act(action, example.body)
    const position = await player.position()
    if (position.staked !== '0' || isTold(position)) return action
  }
  check.note('no action begins a stake of a wallet that has none: no fresh wallet was followed')
  return null
}

/** Tells whether `position.active` is told of a stake: it is active only later, or has a unit of its own. */
function isTold({ activating, objects }: Position): boolean {
  return (activating ?? '0') !== '0' || (objects ?? []).some(({ status }) => status === 'activating' || status === 'active')
}

const FINAL = 'transaction.final'
const ACTIVE = 'position.active'

type Members = Readonly<Record<string, unknown>>

function watchesOf(integrator: Client): Promise<readonly Members[]> {
  return listOf(integrator, '/watch?', 'watches', 'after')
}

function eventsOf(operations: Client, type: string): Promise<readonly Members[]> {
  return listOf(operations, `/events?type=${type}&`, 'events', 'before')
}

/** Reads a list to its end. @throws a sentence when a page is refused */
async function listOf(client: Client, path: string, name: string, cursor: string): Promise<readonly Members[]> {
  const all: Members[] = []
  let next: unknown = ''
  do {
    const answer = await client.get(`${path}limit=${PAGE}${next === '' ? '' : `&${cursor}=${String(next)}`}`)
    if (answer.status !== 200) throw new TypeError(`${path} answered ${answer.status} ${shown(answer.text)}`)
    const page = membersOf(answer.json)
    all.push(...itemsOf(page[name]).map(membersOf))
    next = page.next
  } while (next !== null)
  return all
}
