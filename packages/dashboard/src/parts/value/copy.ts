/**
 * Puts text on the clipboard. Plain http has no Clipboard API, but for this machine's own addresses; there the old command does it.
 *
 * @param near within what is not inert, such as an open dialog: what is to be copied is selected there for a moment
 * @returns whether it is there
 */
export async function copyText(text: string, near: Element): Promise<boolean> {
  try {
    // Undefined on plain http, whatever its type says.
    const clipboard: Clipboard | undefined = navigator.clipboard
    if (clipboard) {
      await clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused by the reader or a policy: the command may still do it.
  }
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'hidden-visually'
  const { activeElement } = document
  near.after(area)
  try {
    area.select()
    return document.execCommand('copy')
  } finally {
    area.remove()
    if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  }
}
