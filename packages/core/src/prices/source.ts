import { malformedAnswer, membersOf } from '@svc/contract'
import { literalOf, parseJson } from '@svc/contract/host'
import { type Price, readPrice } from '../plugins/price.ts'

/** A price as it is kept: its decimal text, and the time to which it applies, in milliseconds since 1970. */
export interface Quote {
  readonly text: string
  readonly at: number
}

/** Longest time for which a price is valid. */
const LONGEST_MS = 24 * 3_600_000
/** Longest time that a source's clock may be ahead of ours. */
const AHEAD_MS = 3_600_000

/**
 * Asks one service for the prices of tokens in US dollars, all in one request.
 *
 * @param send reaches the service; `/simple/price` is appended to its address
 * @returns those that can be prices; what is missing, of another form, out of bounds or more than a day old is left out
 * @throws EndpointError when the answer is none, or has no price at all; what `send` throws
 * @see https://docs.coingecko.com/v3.0.1/reference/simple-price (read 2026-11-22)
 */
export async function askPrices(send: typeof fetch, ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Quote>> {
  const list = ids.map(encodeURIComponent).join(',')
  const query = `ids=${list}&vs_currencies=usd&include_last_updated_at=true&precision=full`
  const response = await send(`http://upstream.invalid/simple/price?${query}`, { headers: { accept: 'application/json' } })
  const text = await response.text()
  if (!response.ok) throw malformedAnswer(response.status)
  const answer = objectOf(text)
  const quotes = new Map<string, Quote>()
  for (const id of ids) {
    const quote = Object.hasOwn(answer, id) ? quoteOf(answer[id], now.getTime()) : null
    if (quote) quotes.set(id, quote)
  }
  if (quotes.size === 0) throw malformedAnswer(text.slice(0, 200))
  return quotes
}

/** Converts a quote to a price; null for a quote that is too old, or is no price. */
export function priceOf(quote: Quote, now: Date): Price | null {
  const price = readPrice(quote.text)
  return price === null || now.getTime() - quote.at > LONGEST_MS ? null : { ...price, at: new Date(quote.at) }
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw malformedAnswer(error)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformedAnswer(text.slice(0, 200))
  return membersOf(value)
}

function quoteOf(entry: unknown, now: number): Quote | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null
  const text = literalOf(entry, 'usd')
  if (text === undefined || readPrice(text) === null) return null
  const { last_updated_at: seconds } = membersOf(entry)
  // Services that follow the form may leave it out.
  if (seconds === undefined || seconds === null) return { text, at: now }
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds)) return null
  const at = seconds * 1000
  return now - at > LONGEST_MS || at - now > AHEAD_MS ? null : { text, at: Math.min(at, now) }
}
