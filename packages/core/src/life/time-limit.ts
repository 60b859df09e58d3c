import { answerWithin } from '@svc/contract'

/** The same answer, or an error when it takes longer; it keeps no process from ending. @throws Error */
export function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  return answerWithin(milliseconds, answer, () => new Error(`no answer within ${milliseconds} ms`), { holds: false })
}
