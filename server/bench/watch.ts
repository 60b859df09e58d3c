// What it costs to watch 10,000 wallets of a network: what is read in a day, by the service itself with its time made to pass, and how many upstream calls
// that is for each installed protocol.
import { membersOf } from '@svc/contract'
import { PROBE_MS, SWEPT_AT_ONCE } from '@svc/core'
import type { Sandbox } from '@svc/sandbox'
import { table } from './measure.ts'
import { quietBook, readingsOf } from './readings.ts'
import { stageSubjects } from './subjects.ts'
import { ACTIVE, type Day, ELSEWHERE, passDay, WALLETS } from './watch-day.ts'

/** Cost that a day may have by the reference of the life after broadcast, section 5.2, for 10,000 addresses; by label. */
const REFERENCE: Readonly<Record<string, number>> = {
  'hub-one': 5_000,
  'hub-two': 16_000,
  'evm-vault': 1_500,
  'evm-two': 600,
  'evm-three': 4_300,
  'evm-three-liquid': 4_300,
  'svm-native': 100,
  'svm-liquid': 1,
  'move-native': 400,
}

/**
 * Calls that the reference names `+ stream` where it says a number of calls: a list of the chain's events, whose cost follows from how many there are and
 * not from how many wallets are watched. Nobody publishes how many stakes Sui sees in a day: 20,000 is assumed, one in four seconds, in pages of 1,000,
 * which nodes have at most; a round reads up to three days of them.
 */
const STREAMS: Readonly<Record<string, { readonly aDay: number; readonly days: number; readonly page: number }>> = {
  'move-native': { aDay: 20_000, days: 3, page: 1_000 },
}

/** Most requests of a day, in those of a day in which nobody asked who has power over the positions. */
const MOST_OF_POWERS = 1.5
/** Wallets that are asked about in one request, at least, where that is more: what a watch costs without powers may be next to nothing. */
const WALLETS_A_REQUEST = 100
/** Requests besides, in each lot of digests: of its last wallets, and of what it reads once. */
const A_LOT = 3
/** Watched for the powers over them alone, so that there is no day without; a wallet has two accounts there. */
const POWERS_ALONE = ['svm-liquid']

/** Most calls of a day, in those of a day without searches, what customers cause included. Where endpoints push what changes, they do, and are asked whether they are well. */
const MOST_OF_SEARCHES = 1.5
/** Questions of a day whether an endpoint that pushes is well. */
const PROBES = 86_400_000 / PROBE_MS

/** Blocks on top of one before it is final, on every local chain, and some more. */
const FINAL_BLOCKS = 70
/** Most calls of a day, in those of a day without books. What moved wallets cause is not counted. */
const MOST_OF_BOOKS = 1.5
/**
 * The same where a wallet takes calls of its own that nothing joins, and all of them together are watched in a few hundred: on Solana the search of its accounts and the transactions of each; on Sui its
 * objects, the transactions that name it, and what the chain's code says of their rewards.
 */
const MOST_OF_DEAR_BOOKS: Readonly<Record<string, number>> = { 'svm-native': 2.25, 'svm-liquid': 2.25, 'move-native': 5 }

const HEAD = [
  ...[
    'network',
    'a position',
    'a condition',
    'digests',
    'swept',
    'conditions',
    'searches',
    'watching',
    'reference',
    '',
    '+ stream',
    'when due',
  ],
  ...['requests', 'without powers', '', 'found within', 'times', 'unpushed', '', 'a book', 'of a lot', 'books', 'times', ''],
]

/** Time within which what has changed elsewhere is found, by how often a day it is looked for; null: when its turn comes. */
function within(aDay: number | null): string {
  if (aDay === null) return 'its turn'
  const seconds = 86_400 / aDay
  return seconds < 120 ? `${seconds} s` : seconds < 7_200 ? `${seconds / 60} min` : `${seconds / 3_600} h`
}

/** Returns the address of the sandbox's first wallet on a chain, of which nothing is staged. */
function walletOn({ wallets }: Sandbox, chain: string): string {
  const { address, addresses } = membersOf(wallets[chain.split(':')[0] ?? '']?.[0])
  return String(address ?? membersOf(addresses)[chain])
}

const hours = (ms: number) => `${(ms / 3_600_000).toFixed(1)} hours`

/** Readings of a day, and the calls that they are. */
export async function benchWatch(): Promise<string> {
  const [plain, compared] = [await passDay(false), await passDay(true)]
  if (plain.alarms + compared.alarms > 0) process.exitCode = 1
  const { sandbox, subjects } = await stageSubjects()
  try {
    const rows: (string | number)[][] = []
    const days: { readonly day: Day; readonly calls: number }[] = []
    for (const subject of subjects) {
      const { position, condition, aDay, digests: round, rounds, search, pages, tellable } = await readingsOf(subject, compared.digests)
      const digests = round && { calls: round.calls * rounds, requests: round.requests * rounds, ofPowers: round.ofPowers * rounds }
      const day = digests === null ? plain : compared
      const sweeps = tellable ? day.swept : 0
      const [swept, conditions] = [sweeps * position.calls, (condition?.calls ?? 0) * aDay]
      const { calls = 0, aDay: often = 0, whilePushed = null } = search ?? {}
      const unpushed = calls * often
      const searches = whilePushed === null ? unpushed : calls * whilePushed + PROBES
      const unsearched = (digests?.calls ?? 0) + swept + conditions
      const watching = unsearched + searches
      const caused = day.due * position.calls
      const timesOf = (count: number) => (unsearched + count + caused) / (unsearched + caused)
      const times = timesOf(searches)
      const isOften = times > MOST_OF_SEARCHES
      const sum = (kind: 'requests' | 'ofPowers') =>
        (digests?.[kind] ?? 0) + sweeps * position[kind] + (condition?.[kind] ?? 0) * aDay + (search?.[kind] ?? 0) * (whilePushed ?? often)
      const [requests, without] = [sum('requests'), sum('requests') - sum('ofPowers')]
      const isAlone = POWERS_ALONE.includes(subject.label)
      const most = ((WALLETS * (isAlone ? 2 : 1)) / WALLETS_A_REQUEST + compared.digests.length * A_LOT) * rounds
      const isDear = (isAlone ? (digests?.requests ?? 0) : sum('ofPowers')) > most && (isAlone || requests > without * MOST_OF_POWERS)
      if (isDear || isOften) process.exitCode = 1
      const reference = REFERENCE[subject.label]
      const judged = reference === undefined ? '-' : watching <= reference ? 'held' : 'EXCEEDED'
      const stream = STREAMS[subject.label]
      const streamed = stream ? Math.max(pages, Math.ceil((stream.aDay * stream.days) / stream.page)) : pages
      rows.push([
        subject.label,
        position.calls,
        condition?.calls ?? '-',
        digests?.calls ?? '-',
        swept,
        conditions,
        search === null ? '-' : searches,
        watching,
        reference ?? '-',
        judged,
        streamed === 0 ? '' : streamed,
        caused,
        requests,
        isAlone ? '-' : without,
        isDear ? 'TOO DEAR' : 'held',
        whilePushed === null ? within(search?.aDay ?? (digests === null ? null : rounds)) : 'seconds',
        search === null ? '-' : times.toFixed(2),
        whilePushed === null ? '-' : timesOf(unpushed).toFixed(2),
        isOften ? 'TOO OFTEN' : 'held',
      ])
      days.push({ day, calls: watching + caused })
    }
    // Last, since time passes on the chains, for their other protocols too.
    for (const [index, subject] of subjects.entries()) {
      const { day, calls } = days[index] ?? { day: plain, calls: 0 }
      const pass = async (count: number) => {
        await sandbox.operate(subject.chain, 'advance', { seconds: count * 86_400 })
        await sandbox.operate(subject.chain, 'mine', { blocks: FINAL_BLOCKS }).catch(() => ({}))
      }
      const book = await quietBook(subject, walletOn(sandbox, subject.chain), pass)
      const each = book === null ? 0 : book.more + (book.alone - book.more) / SWEPT_AT_ONCE
      const books = Math.ceil(each * day.quietBooks)
      const times = (calls + books) / calls
      const isMuch = times > (MOST_OF_DEAR_BOOKS[subject.label] ?? MOST_OF_BOOKS)
      if (isMuch) process.exitCode = 1
      rows[index]?.push(
        ...(book === null
          ? ['-', '-', '-', '-', '']
          : [book.alone, each.toFixed(1), books, times.toFixed(2), isMuch ? 'TOO MANY' : 'held']),
      )
    }
    const percent = (share: number) => `${share * 100} in a hundred`
    const notes = [
      `a day of ${WALLETS.toLocaleString('en')} wallets: ${percent(ACTIVE)} have a final transaction and a change that comes by itself, and ${percent(ELSEWHERE)} change elsewhere.`,
      `With digests ${compared.digests.length} lots of them, ${compared.due} positions because something was due or had changed, ${compared.swept} besides (life.rereads_per_day).`,
      `Without ${plain.due} positions because something was due, ${plain.swept} besides (life.sweeps_per_day): each wallet in ${Math.round(WALLETS / plain.swept)} days.`,
      'Watching is digests, sweeps, conditions and searches, and is held against the reference; what is read when due is caused by what customers do, and grows with that.',
      ...Object.entries(STREAMS).map(
        ([label, { aDay, days, page }]) =>
          `${label}: its reference is so many calls and a stream of events, which costs the same for one wallet as for all: with ${aDay.toLocaleString('en')} of them a day, which is assumed, ${days} days in pages of ${page.toLocaleString('en')}.`,
      ),
      `Requests are what goes over the wire, a batch of calls once. Those that ask for powers over positions alone may make a day ${MOST_OF_POWERS} times as dear, or be one for ${WALLETS_A_REQUEST} wallets a round, or this ends with 1; ${POWERS_ALONE.join()} is watched for them alone, two accounts of each wallet.`,
      `Searches may make a day ${MOST_OF_SEARCHES} times as dear, what is read when due included, or this ends with 1. They name wallets, and what they find is read when due.`,
      `Where endpoints push what changes, searches are rarer and an endpoint is asked ${PROBES} times a day whether it is well, which is counted here; unpushed is what a day costs while none does.`,
      `With one round a day what changed elsewhere was read ${hours(compared.lateMs)} later at most; without digests and searches, when its turn comes.`,
      `Of ${plain.alarms + compared.alarms} alarms nothing but ordinary life was the cause; one is enough to end this with 1.`,
      `Books are read of ${compared.quietBooks} wallets of which nothing has moved with digests, and of ${plain.quietBooks} without; they may make a day ${MOST_OF_BOOKS} times as dear, ${Object.entries(
        MOST_OF_DEAR_BOOKS,
      )
        .map(([label, most]) => `${label} ${most}`)
        .join(
          ', ',
        )}, or this ends with 1. Those of ${plain.movedBooks} that have moved are caused by customers. Logs of a contract are read once for all of them, and are not counted here.`,
      `The service took ${plain.seconds.toFixed(1)} and ${compared.seconds.toFixed(1)} s of processor for these days, all else included.`,
    ]
    return `${table(`Upstream calls in a day, to watch ${WALLETS.toLocaleString('en')} wallets`, HEAD, rows)}\n${notes.join('\n')}`
  } finally {
    await sandbox.close()
  }
}
