import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import type { NewEvent } from '../webhooks/events.ts'
import { wants, webhookOf } from '../webhooks/webhook-row.ts'
import type { BookRow } from './books.ts'
import { amountText, type BookUnits } from './entry-wire.ts'
import { addendOf, earnedIn } from './intervals.ts'
import type { Base, NewLine } from './lines.ts'

const { sql } = core()
const TYPE = 'position.rewarded'
/** Most lines that an event names, since the size of its body has a limit. */
const MOST_REPLACED = 50

/** Makes the event of what a line shows to have been earned since the line that it begins with. @returns none: it shows nothing earned, or no receiver has named the event */
export function* rewardedEvents(
  _database: WorkDatabase,
  book: BookRow,
  base: Base,
  { reading, entries, complete, reasons }: NewLine,
  units: BookUnits,
): Work<readonly NewEvent[]> {
  const { account, protocol, wallet, id, lines } = book
  const earned = earnedIn({ sums: entries.map(addendOf) })
  if (earned === 0n) return []
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
        from: base.reading.mark.time.toISOString(),
        to: reading.mark.time.toISOString(),
        complete,
        reasons,
        line: `${id}-${lines}`,
        replaces: replaced.slice(0, MOST_REPLACED),
      },
    },
  ]
}
