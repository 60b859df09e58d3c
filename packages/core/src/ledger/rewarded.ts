import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import type { NewEvent } from '../webhooks/events.ts'
import { wants, webhookOf } from '../webhooks/webhook-row.ts'
import type { BookRow } from './books.ts'
import { amountText, type BookUnits } from './entry-wire.ts'
import { addendOf, earnedIn, type Sum } from './intervals.ts'
import type { Base, NewLine } from './lines.ts'
import { isWhole } from './read.ts'

const { sql } = core()
const TYPE = 'position.rewarded'
/** Most lines that an event names, since the size of its body has a limit. */
const MOST_REPLACED = 50
/** Most other assets that an event names, for the same reason: the name of one has up to 400 characters. */
const MOST_OTHERS = 20

/** Makes the event of what a line shows to have been earned since the line that it begins with. @returns none: it shows nothing earned, or no receiver has named the event */
export function* rewardedEvents(
  _database: WorkDatabase,
  book: BookRow,
  base: Base,
  { reading, entries, complete, reasons }: NewLine,
  units: BookUnits,
): Work<readonly NewEvent[]> {
  const { account, protocol, wallet, id, lines } = book
  const sums = entries.map(addendOf)
  const earned = earnedIn({ sums })
  const others = othersIn(sums)
  if (earned === 0n && others.length === 0) return []
  const rows = yield* ask(sql`select * from svc_webhooks where account = ${account} and status <> 'disabled' order by ulid`)
  if (!rows.map(webhookOf).some((webhook) => wants(webhook, { type: TYPE, protocol }))) return []
  const replaced = Array.from({ length: lines - base.n - 1 }, (_, index) => `${id}-${base.n + 1 + index}`)
  return [
    {
      account,
      type: TYPE,
      subject: `${units.caip2} ${wallet}`,
      transition: `${protocol} line ${id}-${lines}`,
      time: reading.mark.time,
      protocol,
      data: {
        network: units.caip2,
        protocol,
        wallet,
        rewards: { amount: amountText(earned, 'native', units), unit: units.symbol },
        others: others.slice(0, MOST_OTHERS),
        others_in_all: others.length,
        from: base.reading.mark.time.toISOString(),
        to: reading.mark.time.toISOString(),
        complete: isWhole({ isComplete: complete, reasons }),
        reasons,
        line: `${id}-${lines}`,
        replaces: replaced.slice(0, MOST_REPLACED),
      },
    },
  ]
}

/** Lists what was paid in other assets than the native one: one reward of each in a line. */
function othersIn(sums: readonly Sum[]): readonly { readonly asset: string; readonly amount_base: string }[] {
  return sums.flatMap(({ kind, asset, amount }) =>
    kind === 'reward' && asset !== 'native' ? [{ asset, amount_base: String(amount) }] : [],
  )
}
