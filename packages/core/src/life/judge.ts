import type { Balance } from '@svc/contract'
import type { Looks, PositionSource } from '../plugins/life/follow.ts'
import type { AnnouncedPower, KeptPosition } from './kept-position.ts'
import { type Beside, compare, missingFrom } from './position.ts'
import type { PositionNews } from './position-news.ts'
import { isShort } from './stakes.ts'
import type { Promised } from './units.ts'
import { agreeing, VOICES } from './voices.ts'

/** A reading that may be saved. */
interface Judged {
  readonly balance: Balance
  readonly beside: Beside
  /** Number of endpoints that report the changes which no followed transaction explains; null: there are none, and no other endpoint was asked. */
  readonly confirmedBy: number | null
}

/** Data by which a reading is judged. */
interface Ground {
  readonly wallet: string
  /** The reading before it; null: there was none. */
  readonly before: KeptPosition | null
  readonly at: Date
  readonly chainTime: Date
  /** Reads the payments out of units that followed transactions have promised since the reading before. */
  promised(): Promise<readonly Promised[]>
  /** Returns those of the addresses that the account watches too. */
  ownAmong(addresses: readonly string[]): Promise<ReadonlySet<string>>
  /** Reads the powers that the account expects to go to others. */
  announced(): Promise<readonly AnnouncedPower[]>
}

/**
 * Judges a reading before it is written. A change that came from elsewhere (a power, a loss, a move) is taken from nobody's single word: each endpoint is asked by itself, and the reading counts
 * that two of them make. Where there is one endpoint, its word is all there is. What tells no such change costs no call more.
 *
 * @param balance as the failover has read it
 * @returns null: no two endpoints say the same
 * @throws 502, 503, 504 where it cannot be known what became of a unit
 */
export async function judge(
  looks: Pick<Looks, 'departed' | 'redelegations' | 'witnesses'>,
  balance: Balance,
  ground: Ground,
): Promise<Judged | null> {
  const own = await besideOf(looks, balance, ground, [])
  if (foreign(balance, own, ground).length === 0) return { balance, beside: own, confirmedBy: null }
  const [promised, announced] = await Promise.all([ground.promised(), ground.announced()])
  const beside = { ...own, promised, announced, own: await ownOf(balance, own, ground) }
  const changes = foreign(balance, beside, ground)
  if (changes.length === 0) return { balance, beside, confirmedBy: null }
  const witnesses = looks.witnesses()
  if (witnesses.length < VOICES) return { balance, beside, confirmedBy: 1 }
  const words = await Promise.allSettled(witnesses.map((witness) => heard(witness, ground, { promised, announced })))
  const heardWords = words.flatMap((word) => (word.status === 'fulfilled' ? [word.value] : []))
  const agreed = agreeing(heardWords, ({ name }) => name, nameOf(changes))
  if (agreed === null) return null
  const [word] = agreed
  // The usual reading is as good as the word of whoever says the same, and is there already.
  if (word.name === nameOf(changes)) return { balance, beside, confirmedBy: agreed.length }
  return { balance: word.balance, beside: word.beside, confirmedBy: agreed.length }
}

/** Asks what one endpoint says by itself. @throws 502, 503, 504 */
async function heard(
  { balance: read, ...source }: PositionSource,
  ground: Ground,
  { promised, announced }: Pick<Required<Beside>, 'promised' | 'announced'>,
) {
  const balance = await read(ground.wallet)
  const units = await besideOf(source, balance, ground, promised)
  const beside = { ...units, announced, own: await ownOf(balance, units, ground) }
  return { balance, beside, name: nameOf(foreign(balance, beside, ground)) }
}

async function besideOf(
  { departed, redelegations }: Pick<PositionSource, 'departed' | 'redelegations'>,
  balance: Balance,
  { wallet, before, chainTime }: Ground,
  promised: readonly Promised[],
): Promise<Beside> {
  const missing = missingFrom(before, balance)
  const isAsked = redelegations !== null && isShort(before, balance, chainTime)
  const [gone, moves] = await Promise.all([
    departed !== null && missing.length > 0 ? departed(wallet, missing) : departed && new Map(),
    isAsked ? redelegations(wallet, BigInt(before?.height ?? 0)) : [],
  ])
  return { departed: gone, promised, redelegations: moves }
}

/** Tells which of those that have power are the account's own. */
function ownOf({ control = [] }: Balance, { departed }: Beside, ground: Ground): Promise<ReadonlySet<string>> {
  const powers = [...control, ...[...(departed ?? [])].flatMap(([, each]) => each ?? [])]
  return ground.ownAmong([...new Set(powers.flatMap(({ holder }) => (holder === null ? [] : [holder])))])
}

/** Returns the changes that no followed transaction has made. */
function foreign(balance: Balance, beside: Beside, { before, at, chainTime }: Ground): readonly PositionNews[] {
  return compare(before, balance, at, chainTime, beside).news.filter(({ tells }) => tells !== undefined)
}

/** Writes the same changes as the same text. What a power is worth may differ by the rewards of a block, and is no part of the change. */
function nameOf(news: readonly PositionNews[]): string {
  const texts = news.map(({ type, amount, tells }) =>
    JSON.stringify([type, tells, type === 'position.control_changed' ? null : String(amount)]),
  )
  return texts.sort().join()
}
