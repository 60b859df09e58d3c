import { digitsOf, sha256 } from '@svc/verify/bytes'

/** The saved file: its name, and the SHA-256 of its bytes in hex. */
export interface SavedFile {
  readonly name: string
  readonly digest: string
}

const NAME = 'inspector.html'

/**
 * Fetches the Inspector as one file, has the browser save it, and works out its SHA-256 here: plain http has no WebCrypto.
 *
 * @throws Error with a sentence
 */
export async function saveOfflineFile(base: string): Promise<SavedFile> {
  const response = await fetch(new URL(NAME, base), { credentials: 'omit' }).catch(() => null)
  if (!response) throw new Error('The service cannot be reached; `svc inspector > inspector.html` prints the same file.')
  if (!response.ok) throw new Error(`The service answered ${response.status}; \`svc inspector > inspector.html\` prints the same file.`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const address = URL.createObjectURL(new Blob([bytes], { type: 'text/html' }))
  const link = document.createElement('a')
  link.href = address
  link.download = NAME
  link.click()
  // The browser has begun to read it by then; a moment is enough, as it is in memory.
  window.setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
  return { name: NAME, digest: digitsOf(sha256(bytes)) }
}

/** Time for which the file is kept for the browser to save, in milliseconds: a choice of this project. */
const KEPT_MS = 60_000
