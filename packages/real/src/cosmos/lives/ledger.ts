import { createHash } from 'node:crypto'
import { until } from '../../programs.ts'
import type { Report } from '../../report.ts'
import type { Service } from '../../service.ts'
import { readBooks, readCoins } from '../books.ts'
import type { Extra } from '../genesis.ts'
import { deposit } from '../messages.ts'
import type { Player } from '../player.ts'
import { createSender } from '../sender.ts'
import { randomLife } from './random.ts'

/** An amount of a bucket at one height. */
interface BucketAmount {
  readonly bucket: string
  readonly amount_base: string
}

interface Reading {
  readonly height: number
  readonly buckets: readonly BucketAmount[]
}

interface Interval {
  readonly opening: Reading
  readonly closing: Reading
  readonly complete: boolean
  readonly reasons: readonly string[]
}

interface Entry {
  readonly kind: string
  readonly asset: string
  readonly amount_base: string
  readonly from: string
  readonly to: string
}

/** A transaction as the service followed it. */
interface Followed {
  readonly block: { readonly height: number } | null
  readonly fee: { readonly amount: string } | null
}

/** Wallets whose books are compared. */
export const BOOK_WALLETS = Array.from({ length: 12 }, (_, index) => `book-${index}`)
/** Whoever pays their validator's delegators in other denominations than the chain's own. */
export const PATRON = 'patron'

/** In how many other denominations the validator pays, one after the other; where nothing is known of what moved, in none. */
const COUNTS = [0, 1, 20] as const
const NONE = [0] as const
/** Base units of a payment in a denomination: so much that a stake of some tokens gets whole ones, and no two the same. */
const PAYMENT = 1_000_000_000_007n
/** Payments in each number of denominations, with actions between them. */
const ROUNDS = 2
/** Gas of a payment in 20 denominations, with room. */
const GAS = 4_000_000n
/** Percent of the gas limit used at least: every transaction has room for each denomination that the validator holds for anybody, and need not get them. */
const LEAST_USED = 30

/** Other denominations, every other one as IBC names them. */
const FOREIGN = Array.from({ length: Math.max(...COUNTS) }, (_, index) =>
  index % 2 === 0
    ? `ibc/${createHash('sha256').update(`book ${index}`).digest('hex').toUpperCase()}`
    : `factory/patron_${index}/u.tia-${index}`,
)

/** Amount that the patron has of each, to be given in genesis. */
export const PATRONAGE: Extra = Object.fromEntries(FOREIGN.map((denom) => [denom, PAYMENT * 1_000n]))

/**
 * Has wallets act at random while their validator pays in none, one and twenty other denominations.
 *
 * @param player whose validator nobody else of the run stakes with
 * @returns in how many it paid in the end
 */
export async function paidLife(
  report: Report,
  player: Player,
  { names, actions, seed }: { readonly names: readonly string[]; readonly actions: number; readonly seed: string },
): Promise<number> {
  const { chain, validator } = player
  const sender = createSender(chain)
  const patron = chain.wallet(PATRON)
  const counts = chain.family.keepsResults ? COUNTS : NONE
  const share = Math.ceil(actions / (counts.length * ROUNDS))
  for (const count of counts)
    for (let round = 1; round <= ROUNDS; round++) {
      const coins = Object.fromEntries(FOREIGN.slice(0, count).map((denom, index) => [denom, PAYMENT * BigInt(index + 1)]))
      if (count > 0) await sender.land(patron, [deposit(patron.address, validator, coins)], { gasLimit: GAS })
      await randomLife(report.within(`${count} denominations`), player, {
        names,
        actions: share,
        seed: `${seed} ${count} ${round}`,
        least: LEAST_USED,
      })
    }
  return Math.max(...counts)
}

/** Time in which the last reading of a book is there and explained, in seconds: where the node's index was late, it is tried again after one minute, two and four. */
const READ_SECONDS = 600
/** Decimal places of the tokens of these chains. */
const DECIMALS = 6

/**
 * Compares the books of wallets that acted with the node's: each reading with the state at its height, the entries with both ends, and what came to the wallet and left it, fees among it,
 * with its coins at both ends.
 *
 * @param reasons for which an interval may be open on this chain
 * @param account of the service that has followed them
 * @param most in how many other denominations rewards came
 */
export async function ledgerHolds(
  report: Report,
  { chain, validator }: Player,
  {
    service,
    names,
    reasons,
    account,
    most,
  }: {
    readonly service: Service
    readonly names: readonly string[]
    readonly reasons: readonly string[]
    readonly account: string
    readonly most: number
  },
): Promise<void> {
  const { denom, plugin } = chain.family
  const [{ rpc }] = chain.nodes
  const path = `/api/v1/${plugin.replace('@svc/plugin-', '')}/native`
  const at = (address: string, height: number) => readBooks(rpc, denom, validator, address, BigInt(height))
  const readings = report.tally('each reading of a book is the state of the node at its height')
  const laws = report.tally('for each bucket, closing less opening is the sum of the entries')
  const whole = report.tally(
    reasons.length === 0 ? 'every interval is explained' : `every interval is explained, or open for ${reasons.join(' or ')}`,
  )
  const money = report.tally('what came to the wallet and left it, and the fees, are what its coins have changed by')
  const coins = report.tally('of each other denomination what was claimed is what the wallet has')
  let intervalCount = 0
  let largest = 0
  for (const name of names) {
    const { address } = chain.wallet(name)
    let state = ''
    const intervals = await until(`the book of ${name}`, READ_SECONDS, async () => {
      const { body } = await service.ask('GET', `${path}/rewards/${address}?interval=epoch`, { account })
      const list = body.intervals as readonly Interval[]
      const last = list.at(-1)
      if (last === undefined) return false
      const now = await readBooks(rpc, denom, validator, address)
      state = JSON.stringify({ last, staked: String(now.staked), height: String(now.height) })
      // What stays open is one line for a day, so that its last reading is older than the books.
      if (reasons.length > 0 && list.some(({ complete }) => !complete)) return list
      return sumOf(last.closing, 'delegated') === now.staked && list
    }).catch(() => null)
    report.check(`the book of ${name} has come to the state of the node`, intervals !== null, state)
    if (intervals === null) continue
    intervalCount += intervals.length
    const denoms = new Set<string>()
    for (const { closing, complete, reasons: open } of intervals) {
      const { staked, rewards, exits, others } = await at(address, closing.height)
      const owed = [...others].map(([name, amount]) => `${foreignKey(name)} ${amount}`)
      for (const each of others.keys()) denoms.add(each)
      largest = Math.max(largest, others.size)
      const [said, found] = [
        [sumOf(closing, 'delegated'), sumOf(closing, 'rewards'), sumOf(closing, 'exit'), ...foreignIn(closing)],
        [staked, rewards, exits.reduce((sum, { amount }) => sum + amount, 0n), ...owed.toSorted()],
      ].map((amounts) => amounts.join(' '))
      readings.note(said === found, () => `${name} at ${closing.height}: the book has ${said}, the node ${found}`)
      whole.note(complete || open.every((reason) => reasons.includes(reason)), () => `${name} at ${closing.height}: ${open.join(', ')}`)
    }
    const [first, last] = [intervals[0]?.opening, intervals.at(-1)?.closing]
    if (first === undefined || last === undefined) continue
    const entries = await entriesOf(service, path, address, account)
    for (const key of new Set(
      [...first.buckets, ...last.buckets].map(({ bucket }) => bucket).concat(entries.flatMap(({ from, to }) => [from, to])),
    ))
      if (!OUTSIDE.includes(key)) {
        const change = exactly(last, key) - exactly(first, key)
        const moved = entries.reduce(
          (sum, { from, to, amount_base }) => sum + (to === key ? BigInt(amount_base) : 0n) - (from === key ? BigInt(amount_base) : 0n),
          0n,
        )
        laws.note(change === moved, () => `${name} ${key}: changed by ${change}, its entries by ${moved}`)
      }
    // What an open interval holds is not all that has moved.
    if (intervals.some(({ complete }) => !complete)) continue
    const paidIn = (asset: string) =>
      entries
        .filter((entry) => entry.asset === asset)
        .reduce(
          (sum, { from, to, amount_base }) =>
            sum + (to === 'wallet' ? BigInt(amount_base) : 0n) - (from === 'wallet' ? BigInt(amount_base) : 0n),
          0n,
        )
    const net = paidIn('native')
    for (const each of denoms) {
      const balances = await Promise.all([first, last].map(({ height }) => readCoins(rpc, address, each, BigInt(height))))
      const [before = 0n, after = 0n] = balances
      const asset = foreignKey(each).slice(FOREIGN_BUCKET.length + 1)
      coins.note(after - before === paidIn(asset), () => `${name} ${each}: changed by ${after - before}, the book says ${paidIn(asset)}`)
    }
    const fees = await feesOf(service, address, [first.height, last.height], account)
    const [before, after] = [await at(address, first.height), await at(address, last.height)]
    money.note(
      after.coins - before.coins === net - fees,
      () => `${name}: coins changed by ${after.coins - before.coins}, the book says ${net} and fees of ${fees}`,
    )
  }
  report.check(`a reading has rewards in ${most} other denominations, and none in more`, largest === most, largest)
  report.say(`${names.length} books with ${intervalCount} intervals`)
  for (const tally of [readings, laws, whole]) tally.close()
  for (const tally of [money, coins]) if (tally.count() > 0) tally.close()
}

/** Places outside of a position. */
const OUTSIDE = ['wallet', 'chain', 'others', 'unknown']

/** Bucket of other denominations than the chain's own. */
const FOREIGN_BUCKET = 'foreign'

/** Key of a denomination in a book. */
function foreignKey(denom: string): string {
  const [, hash] = /^ibc\/([0-9A-F]{64})$/.exec(denom) ?? []
  return `${FOREIGN_BUCKET}:${hash === undefined ? `denom:${encodeURIComponent(denom).replaceAll('_', '%5F')}` : `ics20:${hash}`}`
}

/** Lists the other denominations of a reading with their amounts. */
function foreignIn({ buckets }: Reading): readonly string[] {
  const own = buckets.filter(({ bucket }) => bucket.split(':')[0] === FOREIGN_BUCKET)
  return own.map(({ bucket, amount_base }) => `${bucket} ${amount_base}`).toSorted()
}

function exactly({ buckets }: Reading, key: string): bigint {
  return BigInt(buckets.find(({ bucket }) => bucket === key)?.amount_base ?? '0')
}

function sumOf({ buckets }: Reading, name: string): bigint {
  return buckets.reduce((sum, { bucket, amount_base }) => (bucket.split(':')[0] === name ? sum + BigInt(amount_base) : sum), 0n)
}

async function entriesOf(service: Service, path: string, address: string, account: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (let after = ''; ; ) {
    const { body } = await service.ask('GET', `${path}/operations/${address}?limit=1000${after}`, { account })
    entries.push(...(body.entries as readonly Entry[]))
    if (body.next === null) return entries
    after = `&after=${body.next}`
  }
}

/** Sums the fees of a wallet's transactions after one height and up to another. */
async function feesOf(service: Service, address: string, [after, until]: readonly [number, number], account: string): Promise<bigint> {
  let sum = 0n
  for (let before = ''; ; ) {
    const { body } = await service.ask('GET', `/api/v1/transactions?wallet=${address}&limit=200${before}`, { account })
    for (const { block, fee } of body.transactions as readonly Followed[])
      if (block !== null && fee !== null && block.height > after && block.height <= until) sum += unitsOf(fee.amount)
    if (body.next === null) return sum
    before = `&before=${body.next}`
  }
}

function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}
