/** Account ids: https://nomicon.io/DataStructures/Account (read 2026-11-23). */
const NAMED = /^(?=.{2,64}$)[a-z0-9]+(?:[-_][a-z0-9]+)*(?:\.[a-z0-9]+(?:[-_][a-z0-9]+)*)*$/
/** An id that is an Ed25519 key in hex. */
const IMPLICIT = /^[0-9a-f]{64}$/

/** Tells whether a text is an account id, of whatever kind. */
export function isAccount(text: string): boolean {
  return NAMED.test(text)
}

/** Tells whether an account id is the hex of its first key. */
export function isImplicit(account: string): boolean {
  return IMPLICIT.test(account)
}
