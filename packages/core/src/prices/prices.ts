import { EndpointError, malformedAnswer } from '@svc/contract'
import { settledWithin, type Upstream } from '@svc/contract/host'
import type { FastifyBaseLogger } from 'fastify'
import { createKeyStore, type Records } from '../plugins/network/key-store.ts'
import { type Price, readPrice } from '../plugins/price.ts'
import { askPrices, priceOf, type Quote } from './source.ts'

/** Time for which prices are held before the next request for them. */
const REFRESH_MS = 3_600_000
/** Time until the next attempt after a failure. */
const RETRY_MS = 60_000
/** Time until the next attempt when some prices were missing: sources count their requests. */
const PARTIAL_MS = 600_000
/** Time that the first answer waits for the first prices. */
const PATIENCE_MS = 5_000
const KEY = 'usd'

/** Prices in US dollars of the tokens that networks watch. */
export interface Prices {
  /** Announces a token. @returns asks for its last price; null without a source, or when none is younger than a day */
  watch(id: string): () => Promise<Price | null>
  /** Asks for the first time. What is watched later is asked for with the next hour's. */
  start(): void
  close(): void
}

/**
 * Makes the keeper of prices. It asks for all prices in one request, once an hour for all networks, and keeps them in the database for a start without the source. A price
 * that an endpoint lacks, or that cannot be right, is asked of the next one.
 *
 * @param source null: there are no prices
 */
export function createPrices(options: {
  readonly source: Upstream | null
  readonly records: Records
  readonly log: FastifyBaseLogger
  readonly now: () => Date
}): Prices {
  const { source, log, now } = options
  const store = createKeyStore(options.records, 'prices', log)
  const demand = new Set<string>()
  /** Ids of which the log already said that there is no price. */
  const notices = new Set<string>()
  let quotes: ReadonlyMap<string, Quote> = new Map()
  let dueAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let first: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  return {
    watch(id) {
      if (!source) return async () => null
      demand.add(id)
      return async () => {
        await first
        due()
        return current(id)
      }
    },
    start() {
      if (!source || demand.size === 0) return
      timer = setInterval(due, RETRY_MS)
      timer.unref()
      due()
      if (running) first = settledWithin(PATIENCE_MS, running)
    },
    close() {
      closed = true
      clearInterval(timer)
    },
  }

  function current(id: string): Price | null {
    const quote = quotes.get(id)
    const price = quote ? priceOf(quote, now()) : null
    if (price) notices.delete(id)
    else if (!notices.has(id)) {
      notices.add(id)
      const last = quote ? new Date(quote.at).toISOString() : 'never'
      log.warn({ price_id: id, last }, 'there is no price of this token that is younger than a day; tvl_usd is null')
    }
    return price
  }

  function due(): void {
    if (running || now().getTime() < dueAt) return
    running = update().finally(() => {
      running = undefined
    })
  }

  async function update(): Promise<void> {
    const at = now()
    const ids = [...demand].sort()
    const [latest] = await Promise.all([ask(ids, at), load()])
    quotes = new Map([...quotes, ...latest])
    const missing = ids.filter((id) => !latest.has(id))
    dueAt = at.getTime() + (latest.size === 0 ? RETRY_MS : missing.length > 0 ? PARTIAL_MS : REFRESH_MS)
    if (latest.size > 0 && missing.length > 0)
      log.warn({ missing }, 'the price source has no price for these ids; the last ones are held for a day')
    if (latest.size > 0) await store.put(KEY, Object.fromEntries([...quotes].filter(([id]) => demand.has(id))))
  }

  /** Asks one endpoint after another: each next one is asked for what the one before left out. */
  async function ask(ids: readonly string[], at: Date): Promise<ReadonlyMap<string, Quote>> {
    const answers = new Map<string, Quote>()
    if (!source) return answers
    const left = () => ids.filter((id) => !answers.has(id))
    try {
      await source.exchange(async (send) => {
        for (const [id, quote] of await askPrices(send, left(), at)) answers.set(id, quote)
        if (left().length > 0) throw new EndpointError('no answer', malformedAnswer().refusal, { partial: true })
      })
    } catch (error) {
      if (answers.size === 0 && !closed) log.warn({ err: error }, 'prices could not be read; the last ones are held for a day')
    }
    return answers
  }

  async function load(): Promise<void> {
    if (quotes.size > 0) return
    const record = await store.get(KEY)
    const entries = Object.entries((record ?? {}) as Record<string, Partial<Quote> | null>).flatMap(([id, quote]) => {
      const { text, at } = quote ?? {}
      const sound = typeof text === 'string' && readPrice(text) !== null && typeof at === 'number'
      return sound && demand.has(id) ? [[id, { text, at: Math.min(at, now().getTime()) }] as const] : []
    })
    quotes = new Map([...entries, ...quotes])
  }
}
