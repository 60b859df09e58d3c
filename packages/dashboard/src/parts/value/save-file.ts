/** Gives the browser a file to keep. */
export function saveFile(parts: readonly (Blob | string)[], type: string, name: string): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has it by then; a minute is what a slow one needs to ask where to.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
