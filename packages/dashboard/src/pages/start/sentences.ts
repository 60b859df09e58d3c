import { ServiceError, SvcError } from '@svc/client'
import { ApiFailure } from '../../api/failure.ts'
import { isAbort } from '../../state/resource.ts'

/** What went wrong, in a sentence, and the code to look up. */
export interface Fault {
  readonly sentence: string
  readonly code: string | null
}

/** Any error of a step as a sentence; null where the reader is told already, since the session ended or a token is asked for. */
export function faultOf(error: unknown): Fault | null {
  if (isAbort(error) || (error instanceof ApiFailure && error.kind === 'unauthorized')) return null
  if (ServiceError.is(error) && error instanceof ServiceError) {
    const later = error.retryAfter === null ? '' : ` Try again in ${error.retryAfter} s.`
    return { sentence: error.sentence + later, code: error.code }
  }
  if (SvcError.is(error)) return { sentence: error.message, code: null }
  if (error instanceof ApiFailure) return { sentence: error.message, code: error.code }
  return { sentence: `This page has a fault: ${error instanceof Error ? error.message : String(error)}`, code: null }
}
