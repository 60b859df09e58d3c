import { type Context, MOST_UNITS } from '@svc/contract'
import { type Book, type BookReading, type Bucket, bucketName, type Earnings, type Flows, type Mark } from '@svc/contract/book'
import type { AnyKit, ClientOf, Protocol } from '@svc/contract/host'
import { badGateway } from '../base/codes.ts'

/** Reads the data for the books of wallets on one network, through the failover or at one endpoint. */
export interface BookSource {
  /** @param before the last reading of the book. @throws 502, 503, 504 */
  reading(wallet: string, before?: BookReading): Promise<BookReading>
  /** @throws 502, 503, 504 */
  holds(mark: Mark): Promise<boolean>
  /** Reads the flows between two readings; null: the plugin tells none. */
  readonly flows: ((wallet: string, from: BookReading, to: BookReading) => Promise<Flows>) | null
  /** Reads the earnings between two readings; null: the plugin tells none. */
  readonly earned: ((wallet: string, from: BookReading, to: BookReading, flows: Flows) => Promise<Earnings>) | null
}

/** Sources from which the host reads the books of one network, with the account's settings. */
export interface BookLooks {
  readonly buckets: readonly Bucket[]
  /** Source that reads through the failover. */
  readonly usual: BookSource
  /** Returns a source for each endpoint by itself, in the order of the config. They are asked where the usual source leaves something unexplained. */
  witnesses(): readonly BookSource[]
}

/**
 * Binds the readings that a plugin declares for its book to a network.
 *
 * @param witness a client of each endpoint by itself, made when first asked for
 * @returns null where it declares none
 */
export function bookLooksOf<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  ctx: Context<ClientOf<K>, Net>,
  witness: () => readonly ClientOf<K>[],
): BookLooks | null {
  const { book } = protocol
  if (!book) return null
  return {
    buckets: book.buckets,
    usual: sourceOf(book, ctx),
    // A memo of its own: what one endpoint has told is no evidence for another.
    witnesses: () => witness().map((client) => sourceOf(book, { ...ctx, client, memo: {} })),
  }
}

function sourceOf<Ctx>(book: Book<Ctx>, ctx: Ctx): BookSource {
  const { flows, earned } = book
  return {
    async reading(wallet, before) {
      const reading = await book.reading(ctx, wallet, before)
      refuseImpossible(book.buckets, reading)
      return reading
    },
    holds: async (mark) => (book.holds ? book.holds(ctx, mark) : true),
    flows: flows ? (wallet, from, to) => flows(ctx, wallet, from, to) : null,
    earned: earned ? (wallet, from, to, list) => earned(ctx, wallet, from, to, list) : null,
  }
}

/** Largest amount of an asset that anybody can make up: chains count in integers of 256 bits. */
const MOST_OF_ANY = (1n << 256n) - 1n

/** Refuses a reading that no book can have. @throws 502 UPSTREAM_ERROR for an amount that no position has, TypeError for a bucket that was not declared */
function refuseImpossible(buckets: readonly Bucket[], { amounts }: BookReading): void {
  for (const [key, amount] of Object.entries(amounts)) {
    const bucket = buckets.find(({ name }) => name === bucketName(key))
    if (!bucket) throw new TypeError(`the book has no bucket ${bucketName(key)}`)
    if (bucket.asset === null && key === bucket.name) throw new TypeError(`an amount of ${key} names no asset`)
    if (amount < 0n || amount > (bucket.asset === null ? MOST_OF_ANY : MOST_UNITS))
      throw badGateway('UPSTREAM_ERROR', `The chain's node gave a position that cannot be (${key}: ${amount}); try again.`)
  }
}
