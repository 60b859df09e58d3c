import { bytesOfText } from '../bytes/text.ts'
import type { Acts } from '../intent/types.ts'
import type { Call, Effects } from '../types.ts'
import { ASSOCIATED_TOKEN, COMPUTE_BUDGET, LIGHTHOUSE, MEMOS } from './addresses.ts'
import { isAssertion } from './assertion.ts'
import { readCalls } from './decode.ts'
import { ADVANCE_METHOD } from './layout.ts'
import { MAX_BYTES, readTransaction } from './message.ts'

/**
 * Reads the instructions of a transaction that somebody is about to send, whoever has signed it and whoever pays the fee. The compute budget may be set by any instruction,
 * since wallets place it where they like.
 *
 * @throws DecodeError when it is no legacy transaction, or an instruction does not have exactly the form of its layout
 */
export function actsSvm(text: string, programs: Effects['layouts']): Acts {
  const { decoded, created } = readCalls(readTransaction(bytesOfText(text, MAX_BYTES)), programs, true)
  const { signed: _, ...terms } = decoded.terms
  const signers = decoded.signers ?? []
  return {
    // The chain demands the signature of an account that is made, which may be there or not yet.
    decoded: created.length === 0 ? { ...decoded, terms } : { ...decoded, terms: { ...terms, signed: created.join(',') } },
    signers,
    harmless: (call) => isHarmless(call, signers),
  }
}

/**
 * Tells whether an instruction may go with any transaction. The compute budget is the fee; a note moves nothing; the advance of a nonce account, which its
 * authority has to sign, keeps the transaction valid; an assertion can only make it fail; and a token account of somebody who signs is his own.
 */
function isHarmless({ target, method, args }: Call, signers: readonly string[]): boolean {
  if (target === COMPUTE_BUDGET || MEMOS.includes(target)) return true
  if (method === ADVANCE_METHOD) return signers.includes(String(args.authority))
  if (target === LIGHTHOUSE) return isAssertion({ target, args })
  return target === ASSOCIATED_TOKEN && typeof args.owner === 'string' && signers.includes(args.owner)
}
