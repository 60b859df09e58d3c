import { differences } from '@svc/core/plugins'
import { type Check, shown, thrown } from '../check.ts'
import { judge, type ToldAmounts } from '../moves/books.ts'
import type { MovesEvent, MovesTest } from '../moves/options.ts'
import { NotSent, transact } from '../moves/transact.ts'
import { createPlayer } from '../player.ts'
import { present } from '../present.ts'
import { seededWhole } from '../seeded.ts'
import { FUNDS, type Subject } from '../subject.ts'
import type { WalletLife } from '../wallet-life.ts'

/** Wallets whose lives are lived, and steps of each; SVC_LIVES is another number of wallets, and SVC_SEED has them live others. */
const LIVES = 2
const STEPS = 24
/** Further lives, where something has not happened yet: what a chain refuses just then depends on its clock too. */
const FURTHER = 4
/** Lives of one seed, at most: those of the next one are others. */
const MOST_LIVES = 100_000
/** Acts that are tried until there is one to act on. */
const MOST_TRIES = 6
/** Operations of the sandbox that befall nodes and transactions on their way, whatever they move: other groups play them. */
const OF_NODES = ['fault', 'hold', 'drop', 'prune', 'reorganise']

/** Everything that was tried. */
interface Count extends ToldAmounts {
  transactions: number
  failed: number
  /** Refusals by their code. */
  readonly refused: Map<string, number>
  readonly happened: Set<string>
  readonly landed: Set<string>
  readonly operations: Set<string>
}

/**
 * Tests random lives of wallets: the reported moves of each transaction equal the change in the engine's own books, at once and later, and the promise of its bytes; or
 * they are null, with the reason.
 */
export async function moves(subject: Subject, check: Check): Promise<void> {
  const { options, world } = subject
  const test = options.moves
  if (!test) {
    check.note('no random life was lived: the option moves says what may happen to a wallet')
    return
  }
  const lives = Number(process.env.SVC_LIVES ?? LIVES)
  const count: Count = {
    transactions: 0,
    failed: 0,
    exact: 0,
    open: 0,
    refused: new Map(),
    happened: new Set(),
    landed: new Set(),
    operations: new Set(),
  }
  const names = [...test.acts, ...test.events].map(({ name }) => name)
  const missing = () => names.filter((name) => !count.happened.has(name))
  let lived = 0
  for (; lived < lives || (missing().length > 0 && lived < lives + FURTHER); lived++)
    try {
      await live(subject, check, test, lived, count)
    } catch (error) {
      check.fail(`life ${lived} came to its end`, thrown(error))
    }
  check.equal(missing(), [], 'everything that can happen to a wallet has happened')
  check.equal(
    subject.actions.filter((action) => !count.landed.has(action)),
    [],
    'a transaction of each action has landed',
  )
  check.equal(
    (await world.operations()).filter((name) => !count.operations.has(name) && !OF_NODES.includes(name)).toSorted(),
    Object.keys(test.unused ?? {}).toSorted(),
    'every operation of the chain was used, but for those that have a reason not to be',
  )
  check.ok(count.open < count.exact, 'most amounts are told', `${count.open} are not, and ${count.exact} are`)
  check.tried(count.exact, `amounts of ${count.transactions} transactions of ${lived} lives, as the engine has them in its books,`)
  const refusals = [...count.refused].map(([code, times]) => `${times} ${code}`).join(', ')
  check.note(
    `${count.open} amounts were null with a reason, ${count.failed} transactions failed, and was refused: ${refusals || 'nothing'}`,
  )
}

async function live(subject: Subject, check: Check, test: MovesTest, at: number, count: Count): Promise<void> {
  const { options } = subject
  const random = seededWhole(at + 1 + MOST_LIVES * Number(process.env.SVC_SEED ?? 0))
  // Every operation of the chain that a life uses is noted, whoever calls it.
  const world: Subject['world'] = {
    ...subject.world,
    advance: (step) => noted('advance', () => subject.world.advance(step)),
    fund: (address, amount) => noted('fund', () => subject.world.fund(address, amount)),
    operate: (name, body) => noted(name, () => subject.world.operate(name, body)),
  }
  async function noted<T>(name: string, run: () => Promise<T>): Promise<T> {
    const result = await run()
    count.operations.add(name)
    return result
  }
  const player = createPlayer({ ...subject, world }, check, false)
  await player.fund(options.funds ?? FUNDS)
  const life: WalletLife = { player, rpcUrl: world.rpcUrl, operate: (name, body) => world.operate(name, body), random }
  const history: string[] = []
  /** One that no life has come to yet, two times in three. */
  const next = <Each extends { readonly name: string }>(all: readonly Each[]): Each => {
    const rest = all.filter(({ name }) => !count.happened.has(name))
    const among = rest.length > 0 && random(3) > 0 ? rest : all
    return present(among[random(among.length)], 'something that may happen')
  }
  async function happen(): Promise<MovesEvent | null> {
    const event = next(test.events)
    try {
      await event.run(life)
    } catch {
      // The chain refuses it just then, and the life goes on without it.
      return null
    }
    count.happened.add(event.name)
    history.push(event.name)
    return event
  }
  /** An act for which there is something to act on, if one of some is. */
  async function chosen() {
    for (let tries = 1; ; tries++) {
      const act = next(test.acts)
      const body = await act.body(life).catch(() => null)
      if (body !== null || tries === MOST_TRIES) return { act, body }
    }
  }
  for (let step = 0; step < STEPS; step++) {
    if (random(2) === 0) await happen()
    const { act, body } = await chosen()
    if (body === null) {
      await happen()
      continue
    }
    const before = random(3) === 0 ? happen : null
    const noteRefusal = (code: string) => void count.refused.set(code, (count.refused.get(code) ?? 0) + 1)
    const landed = await transact(subject, check, test, life, { action: act.action, body, before, history, refused: noteRefusal }).catch(
      (error: unknown) => {
        if (error instanceof NotSent) return null
        throw error
      },
    )
    if (landed === null) continue
    history.push(`${act.name} ${shown(body)}`)
    const name = `life ${at}: ${history.slice(-8).join('; ')}`
    const look = await landed.look()
    if (look === null) {
      check.fail(`${name}: it is told`, landed.said())
      continue
    }
    count.transactions++
    if (!landed.succeeded) {
      count.failed++
      check.equal([look.status, look.moved?.moves ?? []], ['failed', []], `${name}: what failed has moved nothing`)
      const { holds, staked, freed } = landed.change
      check.equal(
        { holds, staked, freed: freed ?? 0n },
        { holds: {}, staked: 0n, freed: 0n },
        `${name}: nor has the engine that in its books`,
      )
      continue
    }
    count.happened.add(act.name)
    count.landed.add(act.action)
    judge(check, name, look.moved, landed.change, count)
    const differs = differences(landed.promised, look.moved ?? { moves: [] })
    if (!landed.differs) check.equal(differs, [], `${name}: it moved what its bytes promise`)
    if (random(3) > 0) continue
    await happen()
    const later = await landed.look()
    if (later === null) check.fail(`${name}; ${history.at(-1)}: it is told again`, landed.said())
    else judge(check, `${name}; then ${history.at(-1)}`, later.moved, landed.change, count)
  }
}
