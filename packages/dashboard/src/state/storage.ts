/** Remembers a text in the tab (`session`) or in the browser (`local`); null forgets it. A browser that keeps nothing is no fault. */
export function remember(where: 'session' | 'local', name: string, text: string | null): void {
  try {
    const storage = where === 'session' ? sessionStorage : localStorage
    if (text === null) storage.removeItem(name)
    else storage.setItem(name, text)
  } catch {
    // Storage is refused or full: it lasts as long as the page, then.
  }
}

/** Returns what was remembered; null when nothing was. */
export function recall(where: 'session' | 'local', name: string): string | null {
  try {
    return (where === 'session' ? sessionStorage : localStorage).getItem(name)
  } catch {
    return null
  }
}
