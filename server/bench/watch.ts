// What it costs to watch 10,000 wallets of a network: what is read in a day, by the service itself with its time made to pass, and how many upstream calls
// that is for each installed protocol.
import { table } from './measure.ts'
import { readingsOf } from './readings.ts'
import { stageSubjects } from './subjects.ts'
import { ACTIVE, ELSEWHERE, passDay, WALLETS } from './watch-day.ts'

/** What a day may cost by the reference of the life after broadcast, section 5.2, for 10,000 addresses; by label. */
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

/** Where we hold ourselves to another bound than the reference, and why. */
const OURS: Readonly<Record<string, { readonly most: number; readonly why: string }>> = {
  'move-native': {
    most: 1_000,
    why: 'the reference knows of new positions by a stream of events, and reads known objects, 50 a call; of the latter nothing would be told, so that wallets are listed one by one',
  },
}

const HEAD = ['network', 'a position', 'a condition', 'digests', 'swept', 'conditions', 'watching', 'reference', 'ours', '', 'when due']

/** Readings of a day, and the calls that they are. */
export async function benchWatch(): Promise<string> {
  const [plain, compared] = [await passDay(false), await passDay(true)]
  const { sandbox, subjects } = await stageSubjects()
  try {
    const rows: (string | number)[][] = []
    for (const subject of subjects) {
      const { position, condition, conditions, digests, tellable } = await readingsOf(subject, compared.digests)
      const day = digests === null ? plain : compared
      const swept = tellable ? day.swept * position : 0
      const watching = (digests ?? 0) + swept + conditions
      const reference = REFERENCE[subject.label]
      const most = OURS[subject.label]?.most ?? reference
      const judged = most === undefined ? '-' : watching <= most ? 'held' : 'EXCEEDED'
      const own = OURS[subject.label]?.most ?? ''
      rows.push([
        subject.label,
        position,
        condition ?? '-',
        digests ?? '-',
        swept,
        conditions,
        watching,
        reference ?? '-',
        own,
        judged,
        day.due * position,
      ])
    }
    const percent = (share: number) => `${share * 100} in a hundred`
    const notes = [
      `a day of ${WALLETS.toLocaleString('en')} wallets: ${percent(ACTIVE)} have a final transaction and a change that comes by itself, and ${percent(ELSEWHERE)} change elsewhere.`,
      `With digests ${compared.digests.length} lots of them, ${compared.due} positions because something was due or had changed, ${compared.swept} besides (life.rereads_per_day).`,
      `Without ${plain.due} positions because something was due, ${plain.swept} besides (life.sweeps_per_day): each wallet in ${Math.round(WALLETS / plain.swept)} days.`,
      'Watching is digests, sweeps and conditions, and is held against the reference; what is read when due is caused by what customers do, and grows with that.',
      ...Object.entries(OURS).map(([label, { most, why }]) => `${label}: ${most} instead of ${REFERENCE[label]}, since ${why}.`),
      `The service took ${plain.seconds.toFixed(1)} and ${compared.seconds.toFixed(1)} s of processor for these days, all else included.`,
    ]
    return `${table(`Upstream calls in a day, to watch ${WALLETS.toLocaleString('en')} wallets`, HEAD, rows)}\n${notes.join('\n')}`
  } finally {
    await sandbox.close()
  }
}
