import { cleaned, membersOf, SENTENCE, word } from '../data.ts'
import { type BoundProtocol, named, protocolArgument } from '../protocols.ts'
import { list, object, text } from '../schema.ts'
import { defineTool, type Tool } from '../tool.ts'
import { answered } from './read.ts'

/** Most intervals of a book that are shown, the latest ones: two months of days. */
const MOST_INTERVALS = 62
/** Most sums of an interval that are shown, those of the native token first: there are fewer kinds of entries, and anybody can pay rewards in more assets. */
const MOST_SUMS = 40

/** Makes the tool that reads what a wallet earned by its book. @param bound protocols that it may be asked about */
export function rewardsTool(bound: readonly BoundProtocol[]): Tool {
  return defineTool<{
    readonly protocol: string
    readonly address: string
    readonly interval?: string
    readonly from?: string
    readonly to?: string
  }>({
    name: 'staking_rewards',
    title: 'Rewards, and how they add up',
    description:
      'What the position of a watched wallet earned, with everything else that moved it. `complete` false: something is unexplained, or left out. Sums are by asset: of another than `native` in its base units alone, never to be added to it; `rate_percent` is of the native one.',
    readOnly: true,
    idempotent: true,
    openWorld: true,
    input: object(
      {
        protocol: protocolArgument(bound),
        address: text('The address.'),
        interval: { type: 'string', enum: ['day', 'month', 'epoch'] },
        from: text('A day in UTC, 2026-11-01.', 40),
        to: text('Before.', 40),
      },
      ['interval', 'from', 'to'],
    ),
    output: object({
      ...answered,
      symbol: text('Of the amounts.'),
      opened_at: { type: ['string', 'null'], description: 'Of the book; null: the wallet is not watched.' },
      complete: { type: 'boolean' },
      totals: { type: 'array' },
      totals_in_all: { type: 'integer', description: `Of which ${MOST_SUMS} at most are shown.` },
      intervals: { type: 'array', items: { type: 'object' } },
      intervals_in_all: { type: 'integer', description: `Of which the last ${MOST_INTERVALS} are shown.` },
    }),
    async run({ protocol, address, interval = 'month', from, to }, { signal }) {
      const { calls, terms } = named(bound, protocol)
      const range = Object.entries({ from, to }).flatMap(([name, day]) =>
        day === undefined ? [] : [`&${name}=${encodeURIComponent(day)}`],
      )
      const path = `/rewards/${encodeURIComponent(address)}?interval=${interval}${range.join('')}`
      const { opened_at, complete, totals, intervals } = membersOf(await calls.read(path, { signal }))
      const all = listOf(intervals)
      return {
        origin: 'service',
        protocol,
        network: terms.caip2,
        symbol: terms.symbol,
        opened_at: textOrNull(opened_at),
        complete: complete === true,
        totals: sumsOf(totals),
        totals_in_all: listOf(totals).length,
        intervals: all.slice(-MOST_INTERVALS).map(intervalOf),
        intervals_in_all: all.length,
      }
    },
  })
}

/** Makes the tool that lists the open alarms of the account: changes of positions that came from elsewhere. @param bound protocols that it may be asked about */
export function alarmsTool(bound: readonly BoundProtocol[]): Tool {
  return defineTool<{ readonly protocol: string }>({
    name: 'staking_alarms',
    title: 'Alarms',
    description: 'Changes of the account’s positions that came from elsewhere. Look before a stake, and show the person each sentence.',
    readOnly: true,
    idempotent: true,
    openWorld: true,
    input: object({ protocol: protocolArgument(bound) }),
    output: object({
      ...answered,
      alarms: list({ type: 'object' }, 'Critical ones before warnings, each with its `sentence`.'),
      more: { type: 'boolean' },
    }),
    async run({ protocol }, { signal }) {
      const { calls, terms } = named(bound, protocol)
      const { alarms, more } = membersOf(await calls.read('/alarms', { signal }))
      return { origin: 'service', protocol, network: terms.caip2, alarms: listOf(alarms).map(alarmOf), more: more === true }
    },
  })
}

function alarmOf(event: unknown) {
  const { id, type, severity, sentence, created_at } = membersOf(event)
  const plainWord = (value: unknown) => word(typeof value === 'string' ? value : null) ?? 'unreadable'
  return {
    id: plainWord(id),
    type: plainWord(type),
    severity: plainWord(severity),
    sentence: cleaned(String(sentence), SENTENCE),
    created_at: plainWord(created_at),
  }
}

function intervalOf(interval: unknown) {
  const { opening, closing, sums, rate_percent, complete, reasons } = membersOf(interval)
  return {
    from: textOrNull(membersOf(opening).time),
    to: textOrNull(membersOf(closing).time),
    sums: sumsOf(sums),
    sums_in_all: listOf(sums).length,
    rate_percent: textOrNull(rate_percent),
    complete: complete === true,
    reasons: listOf(reasons).map((reason) => cleaned(String(reason))),
  }
}

function sumsOf(sums: unknown) {
  const isNative = (sum: unknown) => membersOf(sum).asset === 'native'
  const all = listOf(sums)
  return [...all.filter(isNative), ...all.filter((sum) => !isNative(sum))].slice(0, MOST_SUMS).map((sum) => {
    const { kind, asset, amount, amount_base } = membersOf(sum)
    return { kind: cleaned(String(kind)), asset: cleaned(String(asset)), amount: textOrNull(amount), units: cleaned(String(amount_base)) }
  })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? cleaned(value) : null
}
