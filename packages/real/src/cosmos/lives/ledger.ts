import { until } from '../../programs.ts'
import type { Report } from '../../report.ts'
import type { Service } from '../../service.ts'
import { readBooks } from '../books.ts'
import type { Player } from '../player.ts'

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

/** Time in which the last reading of a book is there and explained, in seconds: where the node's index was late, it is tried again after one minute, two and four. */
const READ_SECONDS = 600
/** Decimal places of the tokens of these chains. */
const DECIMALS = 6

/**
 * Compares the books of wallets that acted with the node's: each reading with the state at its height, the entries with both ends, and what came to the wallet and left it, fees among it,
 * with its coins at both ends.
 *
 * @param reasons for which an interval may be open on this chain
 */
export async function ledgerHolds(
  report: Report,
  { chain, validator }: Player,
  { service, names, reasons }: { readonly service: Service; readonly names: readonly string[]; readonly reasons: readonly string[] },
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
  let intervalCount = 0
  for (const name of names) {
    const { address } = chain.wallet(name)
    let state = ''
    const intervals = await until(`the book of ${name}`, READ_SECONDS, async () => {
      const { body } = await service.ask('GET', `${path}/rewards/${address}?interval=epoch`)
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
    for (const { closing, complete, reasons: open } of intervals) {
      const { staked, rewards, exits } = await at(address, closing.height)
      const [said, found] = [
        [sumOf(closing, 'delegated'), sumOf(closing, 'rewards'), sumOf(closing, 'exit')],
        [staked, rewards, exits.reduce((sum, { amount }) => sum + amount, 0n)],
      ].map((amounts) => amounts.join(' '))
      readings.note(said === found, () => `${name} at ${closing.height}: the book has ${said}, the node ${found}`)
      whole.note(complete || open.every((reason) => reasons.includes(reason)), () => `${name} at ${closing.height}: ${open.join(', ')}`)
    }
    const [first, last] = [intervals[0]?.opening, intervals.at(-1)?.closing]
    if (first === undefined || last === undefined) continue
    const entries = await entriesOf(service, path, address)
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
    const paid = entries.reduce(
      (sum, { from, to, amount_base }) =>
        sum + (to === 'wallet' ? BigInt(amount_base) : 0n) - (from === 'wallet' ? BigInt(amount_base) : 0n),
      0n,
    )
    const fees = await feesOf(service, address, [first.height, last.height])
    const [before, after] = [await at(address, first.height), await at(address, last.height)]
    money.note(
      after.coins - before.coins === paid - fees,
      () => `${name}: coins changed by ${after.coins - before.coins}, the book says ${paid} and fees of ${fees}`,
    )
  }
  report.say(`${names.length} books with ${intervalCount} intervals`)
  for (const tally of [readings, laws, whole]) tally.close()
  if (money.count() > 0) money.close()
}

/** Places outside of a position. */
const OUTSIDE = ['wallet', 'chain', 'others', 'unknown']

function exactly({ buckets }: Reading, key: string): bigint {
  return BigInt(buckets.find(({ bucket }) => bucket === key)?.amount_base ?? '0')
}

function sumOf({ buckets }: Reading, name: string): bigint {
  return buckets.reduce((sum, { bucket, amount_base }) => (bucket.split(':')[0] === name ? sum + BigInt(amount_base) : sum), 0n)
}

async function entriesOf(service: Service, path: string, address: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (let after = ''; ; ) {
    const { body } = await service.ask('GET', `${path}/operations/${address}?limit=1000${after}`)
    entries.push(...(body.entries as readonly Entry[]))
    if (body.next === null) return entries
    after = `&after=${body.next}`
  }
}

/** Sums the fees of a wallet's transactions after one height and up to another. */
async function feesOf(service: Service, address: string, [after, until]: readonly [number, number]): Promise<bigint> {
  let sum = 0n
  for (let before = ''; ; ) {
    const { body } = await service.ask('GET', `/api/v1/transactions?wallet=${address}&limit=200${before}`)
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
