import type { EntryKind } from '@svc/contract/book'
import type { Attempt, Base } from '@svc/core'
import { type Check, shown, thrown } from '../check.ts'
import { baseOf, faultsOf, look, textOf } from '../ledger/look.ts'
import type { LedgerTest } from '../ledger/options.ts'
import { createRecording, type Told } from '../lies/endpoint.ts'
import type { Subject } from '../subject.ts'
import type { WalletLife } from '../wallet-life.ts'

/** Wallets whose lives are lived, and steps of each; SVC_LEDGER is another number of wallets. */
const LIVES = 3
const STEPS = 24
/** Flows by transactions of an interval that is lied about, and how many are. */
const LIED_OF = 2
const MOST_LIED = 2
/** Lies that are told of one interval; SVC_LIES=all tells every one. */
const MOST_LIES = 120
/** Answers that say that the chain could not be read: the book waits. */
const UPSTREAM = new Set([502, 503, 504])

/** An interval that was lived, with what it begins with. */
interface Lived {
  readonly bases: readonly Base[]
  readonly wallet: string
  readonly kinds: readonly string[]
}

/** Entries of an interval. */
type Entries = Extract<Attempt, { readonly kind: 'closed' }>['closing']['entries']

/** Everything that was tried. */
interface Count {
  steps: number
  refused: number
  intervals: number
  /** Intervals that stay open for a reason that the test allows. */
  open: number
  /** Intervals that were lied about, lies, and what came of them. */
  lied: number
  told: number
  waited: number
  unexplained: number
  harmless: number
}

/**
 * Tests the book of wallets with random lives: every interval adds up, bucket by bucket, and is explained; rewards are those that the chain has paid, to the unit. Each
 * fact of an endpoint is then made false in turn: a false value must never be written as explained.
 */
export async function ledger(subject: Subject, check: Check): Promise<void> {
  const { protocol, options } = subject
  if (!protocol.book) {
    check.equal(options.ledger, undefined, 'a plugin that declares no book has no test of it')
    return
  }
  const { ledger: test } = options
  if (!test) {
    check.fail('there is a test of the book', 'the option ledger: what may happen to a wallet, and what it has')
    return
  }
  const lived: Lived[] = []
  const lives = Number(process.env.SVC_LEDGER ?? LIVES)
  const count: Count = { steps: 0, intervals: 0, refused: 0, open: 0, lied: 0, told: 0, waited: 0, unexplained: 0, harmless: 0 }
  for (let at = 0; at < lives; at++)
    try {
      lived.push(...(await live(subject, check, test, at, count)))
    } catch (error) {
      check.fail(`life ${at} came to its end`, thrown(error))
    }
  check.note(
    `${lives} lives of ${count.steps} steps, ${count.refused} of them refused, in ${count.intervals} intervals, of which ${count.open} stay open`,
  )
  check.ok(count.open * 3 < count.intervals, 'most intervals are explained', count.open)
  const happened = new Set(lived.flatMap(({ kinds }) => kinds))
  // Whether a division leaves something is chance.
  const declared = new Set(protocol.book.buckets.flatMap(({ movedBy }) => movedBy.filter((kind) => kind !== 'rounding')))
  check.equal(
    [...declared].filter((kind) => !happened.has(kind)).toSorted(),
    [...(test.unreached ?? [])].toSorted(),
    'everything that moves a bucket has happened, but for what the test cannot cause',
  )
  if (!subject.family.liar) return
  check.tried(count.told, 'lies about a book')
  check.note(`${count.waited} made it wait, ${count.unexplained} left something unexplained, ${count.harmless} had no effect`)
}

async function live(subject: Subject, check: Check, test: LedgerTest, at: number, count: Count): Promise<readonly Lived[]> {
  const { world, kit } = subject
  const player = await subject.player()
  const random = numbers(at + 1)
  const life: WalletLife = { player, rpcUrl: world.rpcUrl, operate: (name, body) => world.operate(name, body), random }
  const wallet = kit.address(player.wallet.address)
  const recording = () => createRecording(subject).live('chain')
  await test.begin?.(life)
  await test.finalise(life)
  // By the number of the reading: an interval that explains an open one begins with the reading before that.
  const wealths = new Map([[0, await wealthOf(test, life)]])
  const lived: Lived[] = []
  let bases: readonly Base[] = [baseOf(await look(subject, [recording()], wallet, [], new Date()), 0)]
  const history: string[] = []
  for (let step = 0; step < STEPS; ) {
    for (const until = step + 1 + random(3); step < until; step++) {
      const each = test.steps[random(test.steps.length)]
      count.steps++
      await each?.run(life).then(
        () => history.push(each.name),
        () => {
          count.refused++
        },
      )
    }
    await test.finalise(life)
    const result = await look(subject, [recording()], wallet, bases, new Date())
    count.intervals++
    const where = `life ${at}, interval ${count.intervals}`
    if (result.kind !== 'closed') {
      check.fail(`${where}: it is closed`, result.kind)
      return lived
    }
    const { closing } = result
    check.equal(faultsOf(subject, result), [], `${where}: it adds up`)
    const isOpen = !closing.complete && closing.reasons.every((reason) => test.open?.includes(reason))
    const found = shown({ reasons: closing.reasons, text: textOf(result), history: history.slice(-4) })
    if (!check.ok(closing.complete || isOpen, `${where}: everything is explained`, found)) return lived
    if (isOpen) count.open++
    const [before, wealth] = [wealths.get(result.base.n), await wealthOf(test, life)]
    wealths.set(count.intervals, wealth)
    if (closing.complete)
      for (const asset of new Set(
        ['native', ...wealth.keys(), ...closing.entries.map((entry) => entry.asset)].filter((each) => isJudged(test, each)),
      )) {
        const gain = (wealth.get(asset) ?? 0n) - (before?.get(asset) ?? 0n)
        check.equal(
          gainOf(closing.entries, asset, test.earned),
          gain,
          `${where}: what the wallet has gained of ${asset} is told, to the unit`,
        )
      }
    const kinds = closing.entries.map(({ kind }) => kind)
    if (closing.complete) {
      const interval = { bases, wallet, kinds }
      lived.push(interval)
      // At once: the chain goes on, and the interval is one to this moment.
      const isFull = closing.entries.filter(({ tx }) => tx !== null).length >= LIED_OF || (step >= STEPS && count.lied === 0)
      if (isFull && count.lied < MOST_LIED) {
        count.lied++
        await lies(subject, check, interval, count)
      }
    }
    bases = [baseOf(result, count.intervals), ...bases].slice(0, 2)
  }
  return lived
}

/** Reads what a wallet has, by asset. */
async function wealthOf(test: LedgerTest, life: WalletLife): Promise<ReadonlyMap<string, bigint>> {
  return new Map([['native', await test.wealth(life)], ...Object.entries((await test.others?.(life)) ?? {})])
}

/** Tells whether the test says what there is of an asset: shares are judged by what they are worth. */
function isJudged({ others }: LedgerTest, asset: string): boolean {
  return asset === 'native' || others !== undefined
}

/** Sums what entries of some kinds have brought of an asset from the chain, less what they took to it. */
function gainOf(entries: Entries, of: string, kinds: readonly EntryKind[] = ['reward']): bigint {
  const own = entries.filter(({ kind, asset }) => asset === of && kinds.includes(kind))
  return own.reduce((sum, { amount, from, to }) => sum + (from === 'chain' ? amount : 0n) - (to === 'chain' ? amount : 0n), 0n)
}

/** Makes each fact of an interval's answers false, at the only endpoint and beside an honest one. */
async function lies(subject: Subject, check: Check, { bases, wallet }: Lived, count: Count): Promise<void> {
  const { liar } = subject.family
  if (!liar) return
  const now = new Date()
  const recording = createRecording(subject, liar)
  const on = (...endpoints: readonly (Told | null)[]) =>
    look(
      subject,
      endpoints.map((lie, index) => recording.endpoint(`${lie ? 'liar' : 'honest'}${index}`, lie)),
      wallet,
      bases,
      now,
    )
  const honest = await on(null)
  if (!check.ok(honest.kind === 'closed' && honest.closing.complete, 'an honest endpoint explains the interval once more', textOf(honest)))
    return
  // An endpoint may say that the last reading's block is gone: then all since the one before it is right.
  const older = bases.length > 1 ? [textOf(await look(subject, [recording.endpoint('honest0', null)], wallet, bases.slice(1), now))] : []
  const right = [textOf(honest), ...older]
  const all = [...recording.answers].flatMap(([question, answer]) => liar.lies(question, answer, now).map((lie) => ({ ...lie, question })))
  const each = process.env.SVC_LIES === 'all' ? 1 : Math.max(1, Math.ceil(all.length / MOST_LIES))
  for (const lie of all.filter((_, index) => index % each === 0)) {
    count.told++
    const problem = judge(await on(lie).catch((error: unknown) => error), right)
    if (problem === null) count.harmless++
    else if (problem === 'waits') count.waited++
    else if (problem === 'open') count.unexplained++
    else check.fail(`${lie.name}, at the only endpoint: nothing wrong is written as explained`, problem)
    if (problem === null) continue
    const paired = judge(await on(lie, null).catch((error: unknown) => error), right)
    if (paired !== null && paired !== 'waits')
      check.fail(`${lie.name}, with a healthy endpoint behind it: what the chain says is written`, paired)
  }
}

/** @returns null where it is written as it is; `waits` and `open` where that is said; else what is wrong */
function judge(outcome: unknown, right: readonly string[]): string | null {
  if (outcome instanceof Error) {
    const { statusCode } = outcome as { readonly statusCode?: number }
    return statusCode !== undefined && UPSTREAM.has(statusCode) ? 'waits' : thrown(outcome)
  }
  const result = outcome as Awaited<ReturnType<typeof look>>
  if (result.kind === 'behind') return 'waits'
  if (result.kind === 'closed' && !result.closing.complete) return 'open'
  return right.includes(textOf(result)) ? null : `written as ${shown(textOf(result))} in place of ${shown(right[0])}`
}

/** Numbers that are the same in each run: a linear congruential generator. @see https://en.wikipedia.org/wiki/Linear_congruential_generator (constants of Numerical Recipes, read 2026-11-28) */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
