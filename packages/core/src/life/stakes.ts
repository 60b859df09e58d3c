import { type Balance, formatAmount } from '@svc/contract'
import type { Redelegation, StakeShare } from '@svc/contract/control'
import { compareExits } from './exits.ts'
import type { KeptPosition, KeptShare } from './kept-position.ts'
import type { PositionNews } from './position-news.ts'
import { isPermitted } from './powers.ts'
import type { Promised } from './units.ts'

/** Base units by which two sums for the same act may differ, since the chain rounds each of its steps down to whole units. */
const ROUNDING = 10n
/**
 * Divisor of a share's worth: a fall by less than this part is no slash. The smallest slash of a chain with shares is a ten-thousandth (downtime on the Hub), and rounding takes
 * far less.
 */
const PART_OF_SLASH = 100_000n
/** Where all stake has left, nothing tells what a share is worth now, and a slash before that may have taken a part: a twentieth at most on the chains known, by their `slash_fraction_double_sign`. */
const PART_OF_LEFT = 10n
/** Decimal places of a percentage. */
const PLACES = 4

/** Facts that explain a change of stake that has no units. */
interface StakeGround {
  readonly promised: readonly Promised[]
  /** Moves between validators since the reading before, as the chain has recorded them. */
  readonly redelegations: readonly Redelegation[]
  /** By the chain's clock. */
  readonly chainTime: Date
}

/** Result of comparing stake without units with the reading before. */
interface StakesCompared {
  readonly news: readonly PositionNews[]
  /** Ids of the rows of transactions whose promises explain a fall in this reading, so that they explain no later one. */
  readonly used: readonly string[]
}

interface Fall {
  readonly validator: string
  left: bigint
  /** Base units of the fall that are not reported as a loss even if nothing explains them. */
  readonly unsure: bigint
}

/** Shares of a reading by validator; null where it has none, or is torn between two blocks. */
export function sharesOf({ parts, height }: Balance): ReadonlyMap<string, StakeShare> | null {
  const own = (parts ?? []).flatMap(({ validator, share }) => (share === undefined ? [] : [[validator, share] as const]))
  return height === undefined || own.length === 0 ? null : new Map(own)
}

/** Shares of a reading as they are kept. */
export function keptShares(balance: Balance): Pick<KeptPosition, 'stakes' | 'height'> {
  const shares = sharesOf(balance)
  if (shares === null || balance.height === undefined) return {}
  const texts = [...shares].map(([validator, share]): [string, KeptShare] => [
    validator,
    { own: share.own.toString(), tokens: share.tokens.toString(), shares: share.shares.toString() },
  ])
  return { stakes: Object.fromEntries(texts), height: balance.height.toString() }
}

/** Tells whether stake is less than its exits explain, so that the chain has to be asked whether it was moved. */
export function isShort(before: KeptPosition | null, balance: Balance, chainTime: Date): boolean {
  const shares = sharesOf(balance)
  return before !== null && shares !== null && flowsOf(before, balance, shares, { promised: [], chainTime }).falls.length > 0
}

/**
 * Compares stake that counts at once and has no units: what has left by an exit that nobody promised, whose exit was cancelled, what was moved, slashed, paid out, or is gone.
 *
 * @param shares as `sharesOf` tells them
 */
export function compareStakes(
  before: KeptPosition,
  balance: Balance,
  shares: ReadonlyMap<string, StakeShare>,
  ground: StakeGround,
): StakesCompared {
  const promises = ground.promised.map(({ id, amount }) => ({ id, amount, left: amount }))
  const { exits, falls, gains, cancellations, payments } = flowsOf(before, balance, shares, ground)
  const starts = exits.starts.flatMap((exit) => {
    const left = paidBy(promises, exit.amount)
    return left > ROUNDING ? [{ ...exit, amount: left }] : []
  })
  const moves = falls.flatMap((fall) => moveAway(fall, ground.redelegations, gains))
  for (const fall of falls) fall.left = paidBy(promises, fall.left)
  const news: readonly PositionNews[] = [
    ...exitNews('position.exit_started', starts, isPermitted('exit', before, balance) ? 'critical' : 'warning'),
    ...exitNews('position.exit_cancelled', cancellations, 'info'),
    ...payments.map(({ object, amount }): PositionNews => ({ type: 'position.withdrawn', object, amount })),
    ...moves.map(({ validator, to, amount }): PositionNews => {
      const severity = isPermitted('move', before, balance) ? 'critical' : 'info'
      return { type: 'position.moved', object: null, amount, tells: { severity, units: [], validator, to } }
    }),
    ...falls.flatMap(({ validator, left, unsure }): readonly PositionNews[] => {
      const tells = { severity: 'critical', units: [], cause: 'gone', holder: null, validator } as const
      return left > ROUNDING + unsure ? [{ type: 'position.lost', object: null, amount: left, tells }] : []
    }),
    ...slashNews(before, shares, exits.slashes),
  ]
  return { news, used: promises.flatMap(({ id, amount, left }) => (left < amount ? [id] : [])) }
}

/** Computes where stake went from and to, validator by validator, by its shares and its exits. */
function flowsOf(
  before: KeptPosition,
  balance: Balance,
  shares: ReadonlyMap<string, StakeShare>,
  { promised, chainTime }: Pick<StakeGround, 'promised' | 'chainTime'>,
) {
  const { stakes } = before
  const isLookedAt = (validator: string) => shares.has(validator) && (stakes === undefined || stakes[validator] !== undefined)
  const exits = compareExits(before, balance, isLookedAt, chainTime)
  const sumAt = (list: readonly { readonly validator: string; readonly amount: bigint }[], validator: string) =>
    list.reduce((sum, each) => (each.validator === validator ? sum + each.amount : sum), 0n)
  const restakes = promised.reduce((sum, { staked = 0n }) => sum + staked, 0n)
  const cancellations = [...exits.cancellations]
  const payments: typeof cancellations = []
  const falls: Fall[] = []
  const gains = new Map<string, bigint>()
  for (const [validator, share] of shares) {
    const was = stakes?.[validator]
    const rate = share.shares > 0n ? share : was && shareFrom(was)
    let rest = was === undefined ? 0n : worth(share.own, rate) - worth(BigInt(was.own), rate)
    rest += sumAt(exits.starts, validator) - sumAt(exits.cancellations, validator)
    for (const exit of exits.ends.filter((each) => each.validator === validator)) {
      // The chain tells nothing of an exit that is past; stake that has grown by just as much is the exit that was cancelled, unless it was promised.
      const free = rest > restakes ? rest - restakes : 0n
      const isBack = exit.amount > 0n && isNear(free, exit.amount)
      if (isBack) rest -= exit.amount
      ;(isBack ? cancellations : payments).push(exit)
    }
    const unsure = was !== undefined && share.shares === 0n ? worth(BigInt(was.own), rate) / PART_OF_LEFT : 0n
    if (was !== undefined && rest < -ROUNDING) falls.push({ validator, left: -rest, unsure })
    if (rest > ROUNDING) gains.set(validator, rest)
  }
  return { exits, falls, gains, cancellations, payments }
}

/** Takes from a fall what was moved to other validators: by the chain's record, or, where it keeps none, by what another one of the wallet's has gained. */
function moveAway(fall: Fall, redelegations: readonly Redelegation[], gains: Map<string, bigint>) {
  const own = redelegations.filter(({ from }) => from === fall.validator)
  const away = own.reduce((sum, { amount }) => sum + amount, 0n)
  const amount = away < fall.left && !isNear(away, fall.left) ? away : fall.left
  const moves = away === 0n ? [] : [{ validator: fall.validator, to: [...new Set(own.map(({ to }) => to))], amount }]
  if (away > 0n) fall.left -= amount
  for (const { to, amount: arrived } of own) gains.set(to, (gains.get(to) ?? 0n) - arrived)
  for (const [validator, gain] of gains) {
    const part = lesser(gain, fall.left)
    if (part <= ROUNDING || validator === fall.validator) continue
    fall.left -= part
    gains.set(validator, gain - part)
    moves.push({ validator: fall.validator, to: [validator], amount: part })
  }
  return moves
}

/** Takes an amount from promises to pay out. @returns what no promise explains */
function paidBy(promises: readonly { left: bigint }[], amount: bigint): bigint {
  let left = amount
  for (const promise of promises) {
    const part = lesser(promise.left, left)
    promise.left -= part
    left -= part
  }
  return left
}

function exitNews(
  type: 'position.exit_started' | 'position.exit_cancelled',
  exits: readonly { readonly id: string; readonly amount: bigint; readonly object: NonNullable<PositionNews['object']> }[],
  severity: 'critical' | 'warning' | 'info',
): readonly PositionNews[] {
  const [first, ...others] = exits
  if (first === undefined) return []
  const ends = exits.flatMap(({ object }) => object.withdrawableAt?.getTime() ?? [])
  const undoUntil = type === 'position.exit_started' && ends.length > 0 ? new Date(Math.min(...ends)) : null
  return [
    {
      type,
      object: others.length === 0 ? first.object : null,
      amount: exits.reduce((sum, { amount }) => sum + amount, 0n),
      tells: { severity, units: exits.map(({ id }) => id), ...(undoUntil === null ? {} : { undoUntil }) },
    },
  ]
}

/** Lists one loss for each validator whose shares are worth less than they were, or whose exits are less by a slash. */
function slashNews(
  { stakes }: KeptPosition,
  shares: ReadonlyMap<string, StakeShare>,
  slashes: ReadonlyMap<string, { readonly loss: bigint; readonly had: bigint }>,
): readonly PositionNews[] {
  return [...shares].flatMap(([validator, now]): readonly PositionNews[] => {
    const before = stakes?.[validator]
    if (before === undefined) return []
    const was = shareFrom(before)
    const { loss, had } = slashes.get(validator) ?? { loss: 0n, had: 0n }
    const own = lesser(was.own, now.own)
    const isRated = was.shares > 0n && now.shares > 0n
    const [less, whole] = isRated ? [was.tokens * now.shares - now.tokens * was.shares, was.tokens * now.shares] : [loss, had]
    if (less <= 0n || less * PART_OF_SLASH < whole || (!isRated && loss <= ROUNDING)) return []
    const amount = loss + (isRated ? worth(own, was) - worth(own, now) : 0n)
    const percent = formatAmount((less * 2n * 100n * 10n ** BigInt(PLACES) + whole) / (2n * whole), PLACES)
    return [{ type: 'position.slashed', object: null, amount, tells: { severity: 'warning', units: [], validator, percent } }]
  })
}

function shareFrom({ own, tokens, shares }: KeptShare): StakeShare {
  return { own: BigInt(own), tokens: BigInt(tokens), shares: BigInt(shares) }
}

/** Computes the worth of shares at a rate, in base units. */
function worth(own: bigint, rate: Pick<StakeShare, 'tokens' | 'shares'> | undefined): bigint {
  return rate === undefined || rate.shares === 0n ? 0n : (own * rate.tokens) / rate.shares
}

function isNear(a: bigint, b: bigint): boolean {
  return (a < b ? b - a : a - b) <= ROUNDING
}

function lesser(a: bigint, b: bigint): bigint {
  const isFirst = a < b
  return isFirst ? a : b
}
