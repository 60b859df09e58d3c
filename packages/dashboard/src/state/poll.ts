import { phase } from './session.ts'

/** A reading that is repeated. */
interface Poll {
  /** Reads now, and gives up a reading that is under way: what it would bring is of before. */
  again(): void
}

/**
 * Reads after each sign-in, and every so many milliseconds while the tab is seen; one that is under way is waited for, or a slow service would never be heard. What cannot
 * be read is asked again: the page says elsewhere that the service is away.
 *
 * @param read what it brings is taken unless the signal is aborted
 * @param forget called when the reader has signed out: another reader may not see what this one could
 */
export function poll(ms: number, read: (signal: AbortSignal) => Promise<void>, forget: () => void): Poll {
  let current: AbortController | null = null
  const ask = async () => {
    if (current !== null || phase.peek() !== 'in' || document.hidden) return
    const mine = new AbortController()
    current = mine
    await read(mine.signal).catch(() => undefined)
    if (current === mine) current = null
  }
  const again = () => {
    current?.abort()
    current = null
    void ask()
  }
  window.setInterval(() => void ask(), ms)
  document.addEventListener('visibilitychange', again)
  phase.subscribe((now) => {
    if (now === 'in') again()
    if (now === 'out') forget()
  })
  return { again }
}
