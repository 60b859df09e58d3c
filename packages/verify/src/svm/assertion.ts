import { bytesOf } from '../bytes/hex.ts'
import type { Call } from '../types.ts'
import { LIGHTHOUSE } from './addresses.ts'

// Instructions of Lighthouse by their first byte, and its levels of logging by the second: programs/lighthouse/src/instruction.rs and types of
// https://github.com/Jac0xb/lighthouse (read 2026-11-28). Phantom adds 6 on the fee payer and 10 on token accounts, before and after the instructions of others.
/** From AssertAccountData to AssertSysvarClock: they read accounts. Those below write, and those above call other programs. */
const [FIRST_ASSERTION, LAST_ASSERTION] = [2, 15]
/** EncodedNoop and FailedEncodedNoop, which log through another program. */
const LOGGED_ELSEWHERE = [3, 6]

/** Tells whether a call is an assertion of Lighthouse, which reads accounts and can only make a transaction fail. */
export function isAssertion({ target, args: { data } }: Pick<Call, 'target' | 'args'>): boolean {
  const [tag, level] = (target === LIGHTHOUSE && typeof data === 'string' && bytesOf(data)) || []
  if (tag === undefined || level === undefined) return false
  return tag >= FIRST_ASSERTION && tag <= LAST_ASSERTION && !LOGGED_ELSEWHERE.includes(level)
}
