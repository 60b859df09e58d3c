import { short } from './short.ts'

/** A transaction's sentence in its parts. */
interface Parts {
  /** Deed of the transaction: `Delegate 100 MON to validator 12`. */
  readonly deed: string
  /** The chain, as CAIP-2 or as the protocol names it; null where the sentence does not say. */
  readonly place: string | null
  /** The fee at most, with its unit: `0.0281962 MON`. */
  readonly fee: string | null
  /** Until when it can be sent. */
  readonly validity: string | null
}

/** Begins what the sentence says of the fee. @see packages/verify/src/intent/sentence.ts */
const FEE = '; fee at most '

/** Takes a sentence apart. Texts out of the bytes stand before the last mention of the fee, so they cannot pass for it. */
export function partsOf(sentence: string): Parts {
  const cut = sentence.lastIndexOf(FEE)
  const head = cut < 0 ? sentence.replace(/\.$/, '') : sentence.slice(0, cut)
  const tail = cut < 0 ? '' : sentence.slice(cut + FEE.length)
  const [, fee = null, validity = null] = /^([^;]*)(?:; (.*?))?\.?$/.exec(tail) ?? []
  const [, deed = head, place = null] = /^(.*) on ([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,64})$/.exec(head) ?? []
  return { deed, place, fee: fee || null, validity }
}

/** Writes a deed with its addresses and hashes in short: for a list, where the whole stands one step away. */
export function inShort(deed: string): string {
  return deed.replace(/[0-9a-zA-Z_:-]{24,}/g, (long) => short(long, long.startsWith('0x') ? 6 : 8, 4))
}

/**
 * Writes a deed for a list that has columns for amount and network: without the contract, which is the same in every row of a protocol, and without the amount.
 *
 * @param amount as the deed has it, with its unit: `25.5 MON`; null: it stands in no column
 */
export function inBrief(deed: string, amount: string | null): string {
  const bare = deed.replace(/ through 0x[0-9a-fA-F]{40}\b/g, '').replace(/\bthe (vault|pool) [0-9a-zA-Z]{32,}/g, 'the $1')
  return inShort(amount === null ? bare : bare.replace(` ${amount} `, ' '))
}
