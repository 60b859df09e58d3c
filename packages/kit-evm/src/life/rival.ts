import { itemsOf, type KitContext, malformedAnswer, membersOf } from '@svc/contract'
import { toQuantity } from 'ethers'
import { readQuantity } from '../answer.ts'
import type { EvmClient } from '../client.ts'
import { MOST_NONCE } from '../preflight.ts'
import type { EvmSettings } from '../settings.ts'
import { deedOf, type EvmFacts } from './bounds.ts'
import { transactionOf } from './signed.ts'

type Ctx = KitContext<EvmClient, EvmSettings>

/** Heights that are asked of in one wave: three waves find one of 41^3 = 68,921 blocks, more than `index_depth` looks back by default. */
const AT_ONCE = 40n
const MOST_WAVES = 3

/** A transaction that used the nonce of another one. */
export interface Rival {
  readonly hash: string
  /** True if the rival does the same as the transaction, by the bytes that the sender signed; null where the bytes of one are not known. */
  readonly same: boolean | null
}

/**
 * Finds the transaction that used a nonce. Finds the block in which the sender's count of transactions passed the nonce, by asking for the count at many heights at once,
 * and in that block the transaction with that sender and nonce. It is believed only by its signature, which is recovered here.
 *
 * @param after a height at which the nonce was free
 * @param until a height at which it was used
 * @returns its hash, and whether it does the same; null where the nodes no longer hold the states, where the block names none, or one that the sender has not signed
 */
export async function rivalOf(ctx: Ctx, facts: EvmFacts, after: bigint, until: bigint): Promise<Rival | null> {
  try {
    const height = await heightOfUse(ctx, facts, after, until)
    if (height === null) return null
    return await ctx.client.ask('eth_getBlockByNumber', [toQuantity(height), true], (answer) => {
      const { number, transactions } = membersOf(answer)
      if (readQuantity(number) !== height || !Array.isArray(transactions)) throw malformedAnswer(answer)
      return (
        itemsOf(transactions)
          .map((each) => provenRival(each, facts))
          .find((rival) => rival !== null) ?? null
      )
    })
  } catch {
    // That it was replaced is proven without its name.
    return null
  }
}

/** @returns the first height at which the nonce is used; null where so many waves do not tell it */
async function heightOfUse({ client }: Ctx, { sender, nonce }: EvmFacts, after: bigint, until: bigint): Promise<bigint | null> {
  let [free, used] = [after, until]
  for (let wave = 0; wave < MOST_WAVES && used - free > 1n; wave++) {
    const step = (used - free + AT_ONCE) / (AT_ONCE + 1n)
    const heights = Array.from({ length: Number((used - free - 1n) / step) }, (_, index) => free + step * BigInt(index + 1))
    const counts = await Promise.all(
      heights.map((height) => client.quantity('eth_getTransactionCount', [sender, toQuantity(height)], 0n, MOST_NONCE)),
    )
    const at = counts.findIndex((count) => count > nonce)
    free = heights[at < 0 ? heights.length - 1 : at - 1] ?? free
    used = heights[at] ?? used
  }
  return used - free === 1n ? used : null
}

/** @returns a transaction of that sender and nonce, its hash worked out from its members; null for any other, and for one of a type that is not read here */
function provenRival(answer: unknown, { sender, nonce, does }: EvmFacts): Rival | null {
  const it = membersOf(answer)
  if (String(it.from).toLowerCase() !== sender) return null
  try {
    const transaction = transactionOf(it)
    const isOfIt = transaction.from?.toLowerCase() === sender && BigInt(transaction.nonce) === nonce
    if (!isOfIt || transaction.hash === null) return null
    return { hash: transaction.hash, same: does === null ? null : deedOf(transaction) === does }
  } catch {
    return null
  }
}
