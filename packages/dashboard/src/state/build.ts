/**
 * Asks the service whether it serves another build of this page by now: its start names other scripts than the one that runs here. A service that cannot be reached, or a
 * proxy that answers in its place, says nothing: false.
 */
export async function isAnotherBuild(): Promise<boolean> {
  const running = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src')
  try {
    const response = await fetch(document.baseURI, { cache: 'no-store', credentials: 'omit' })
    const html = await response.text()
    return response.ok && /<script [^>]*type="module"/.test(html) && !(running && html.includes(running))
  } catch {
    return false
  }
}
