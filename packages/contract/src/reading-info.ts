import type { KitContext } from './family.ts'

// What every `info` needs whose members come from several sources.

/**
 * Returns a member of `info`, or undefined if its source failed: its last good value then stays, and the log says why.
 *
 * @param what could not be read, for the log: `the annual rate`
 */
export async function orLastGood<T>(
  { log, network }: Pick<KitContext<unknown>, 'log' | 'network'>,
  what: string,
  value: Promise<T>,
): Promise<T | undefined> {
  try {
    return await value
  } catch (error) {
    const text = `staking-info: ${what} could not be read; its last good value stays`
    log[isCutOff(error) ? 'debug' : 'warn']({ err: error, network: network.chainId }, text)
    return undefined
  }
}

/** Tells whether a reading was cut off, as by the end of the service, rather than refused: such a failure needs no attention. */
export function isCutOff(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/**
 * Compounds an annual rate whose rewards are staked again `timesAYear` times.
 *
 * @param ratePercent of a year, without compounding
 * @returns percent
 */
export function compounded(ratePercent: number, timesAYear: number): number {
  return 100 * ((1 + ratePercent / 100 / timesAYear) ** timesAYear - 1)
}

/** Rounds minutes up, ignoring the error of binary fractions: 1.1 × 250 gives 275, and not 276 for 275.00000000000006. */
export function wholeMinutes(minutes: number): number {
  return Math.ceil(Math.round(minutes * 1e6) / 1e6)
}
