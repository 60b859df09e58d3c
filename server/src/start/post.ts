import type { Claim, ToPrimary, ToWorker, Verdict } from './messages.ts'

/** Channel of messages between a worker and its primary. */
export interface Post {
  /** Resolves when it was handed over, or when there is nobody any more who would take it. */
  tell(message: ToPrimary): Promise<void>
  claim(claim: Claim): Promise<Verdict>
  /** Hears each time when the primary wants to know what was counted. */
  onCount(listener: () => void): void
}

/** Makes the worker's end of the channel that the primary opened. */
export function createPost(): Post {
  const verdicts: ((verdict: Verdict) => void)[] = []
  let count = () => {}
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'verdict') verdicts.shift()?.(message.verdict)
    if (message.kind === 'count') count()
  })
  const tell = (message: ToPrimary) =>
    new Promise<void>((done) => {
      if (process.connected && process.send) process.send(message, () => done())
      else done()
    })
  return {
    tell,
    claim: (claim) =>
      new Promise((done) => {
        verdicts.push(done)
        void tell({ kind: 'claim', claim })
      }),
    onCount(listener) {
      count = listener
    },
  }
}
