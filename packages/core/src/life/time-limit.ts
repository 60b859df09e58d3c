import { answerWithin } from '@svc/contract/host'

/** Gives the same answer, or an error when it takes longer. Unlike `answerWithin`, it keeps no process from ending. @throws Error */
export function answerInTime<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  return answerWithin(milliseconds, answer, () => new Error(`no answer within ${milliseconds} ms`), { holds: false })
}
