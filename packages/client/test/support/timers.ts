/** Lets what is waited for pass at once. @returns how long each wait would have been, in milliseconds; NaN for one of no length */
export function mockTimers(t: { teardown(done: () => void): void }): readonly number[] {
  const waits: number[] = []
  const real = globalThis.setTimeout
  globalThis.setTimeout = ((done: () => void, ms = Number.NaN) => {
    waits.push(ms)
    return real(done, 0)
  }) as typeof setTimeout
  t.teardown(() => {
    globalThis.setTimeout = real
  })
  return waits
}
