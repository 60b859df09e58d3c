import type { AuditFilter } from './store.ts'

/** Fewest characters of a text that is looked up as the beginning of a wallet or hash: of eight hexadecimal ones there are four billion. */
const SHORTEST = 8
/** Most characters of a text that is looked up: longer than any hash or address. */
const LONGEST = 128
/** Most wallets or hashes with the same beginning; if there are more, the beginning counts as too short. */
const MOST = 20

/** Columns in which a value may be found by its beginning, since an index has them in order. */
export type Beginning = 'wallet' | 'txHash' | 'unsignedHash'

/** Reads from an index. @returns the first value from `from` on (or behind it, when `isBehind`) that is before `below`; null: there is none */
export type NextValue = (of: Beginning, from: string, isBehind: boolean, below: string) => Promise<string | null>

/**
 * Finds the one wallet or transaction that begins with a text and that the caller may see. Each candidate is found by an index, and the caller's access to it is checked
 * alone, so that nothing is revealed about others' records.
 *
 * @param sees whether the caller finds a record by a member
 * @returns null: it is the beginning of none, or of several
 */
export async function wholeOf(
  text: string,
  next: NextValue,
  sees: (member: Partial<AuditFilter>) => Promise<boolean>,
): Promise<Partial<AuditFilter> | null> {
  if (!/^[0-9A-Za-z]+$/.test(text) || text.length < SHORTEST || text.length > LONGEST) return null
  const filters = new Map<string, Partial<AuditFilter>>()
  for (const [of, forms] of Object.entries({ wallet: [text.toLowerCase()], txHash: casesOf(text), unsignedHash: casesOf(text) }) as [
    Beginning,
    readonly string[],
  ][])
    for (const form of forms) {
      // The last of the letters and digits in every order that a database has for text, bytes and those of ICU (tried with PostgreSQL 15, 2026-11-25).
      const below = form + 'z'.repeat(LONGEST)
      let value = await next(of, form, false, below)
      for (let count = 0; value !== null; value = await next(of, value, true, below)) {
        if (++count > MOST) return null
        const member = of === 'wallet' ? { wallet: value } : { transaction: value }
        // Some collations take letters of both cases together.
        if (value.startsWith(form) && (await sees(member))) filters.set(JSON.stringify(member), member)
        if (filters.size > 1) return null
      }
    }
  const [only] = filters.values()
  return only ?? null
}

/** Families write hashes in one case of letters or the other, or in an alphabet in which it counts. */
function casesOf(text: string): readonly string[] {
  return [...new Set([text, text.toLowerCase(), text.toUpperCase(), text.replace(/^0X/, '0x')])]
}
