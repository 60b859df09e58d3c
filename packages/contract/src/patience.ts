import { setDeadline } from './deadline.ts'

/** Waits for a promise, whatever becomes of it, and no longer than so many milliseconds. */
export async function settledWithin(ended: Promise<unknown>, milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const patience = setDeadline(milliseconds, resolve)
    const end = () => {
      patience.clear()
      resolve()
    }
    ended.then(end, end)
  })
}
