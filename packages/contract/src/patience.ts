/** Waits for a promise, whatever becomes of it, and no longer than so many milliseconds. */
export async function settledWithin(ended: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([ended.catch(() => undefined), patience]).finally(() => clearTimeout(timer))
}
