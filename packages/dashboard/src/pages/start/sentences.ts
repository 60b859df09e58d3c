import { ApiFailure } from '../../api/failure.ts'
import { Far, Late } from '../../realm/port.ts'
import { isAbort } from '../../state/abort.ts'
import { MaybeSent } from './maybe-sent.ts'

/** Sentence on what went wrong, and the code to look up. */
export interface Fault {
  readonly sentence: string
  readonly code: string | null
}

/** Says what an answer to a broadcast does not decide, whatever it says. */
function sent({ txHash }: Far | MaybeSent): string {
  return txHash === null ? '' : ` The transaction ${txHash} may have been sent: look it up before anything is sent or signed again.`
}

/** Returns the hash of a transaction that left and of which no answer is known to be true; null for every other error. */
export function sentHash(error: unknown): string | null {
  return error instanceof Far || error instanceof MaybeSent ? error.txHash : null
}

/** Puts any error of a step into a sentence; null where the reader is told already, since the session ended or a token is asked for. */
export function faultOf(error: unknown): Fault | null {
  if (isAbort(error) || (error instanceof ApiFailure && error.kind === 'unauthorized')) return null
  if (error instanceof Far) {
    if (error.refusal === null) return { sentence: error.message, code: null }
    const { sentence, code, retryAfter } = error.refusal
    const later = retryAfter === null ? '' : ` Try again in ${retryAfter} s.`
    return { sentence: sentence + later + sent(error), code }
  }
  if (error instanceof MaybeSent) return { sentence: (faultOf(error.cause)?.sentence ?? error.message) + sent(error), code: null }
  if (error instanceof Late) return { sentence: `The intent of this protocol gave no answer. ${error.message}`, code: null }
  if (error instanceof ApiFailure) return { sentence: error.message, code: error.code }
  return { sentence: `This page has a fault: ${error instanceof Error ? error.message : String(error)}`, code: null }
}
