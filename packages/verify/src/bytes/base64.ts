/** The standard alphabet: RFC 4648, section 4 (read 2026-11-21). */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const FORM = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Decodes a base64 text in the one canonical form: standard alphabet, padded, unused bits zero. @returns null when the text has any other form */
export function bytesOfBase64(text: string): Uint8Array | null {
  if (!FORM.test(text)) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let at = 0
  let group = 0
  for (let i = 0; i < text.length - padding; i++) {
    group = ((group << 6) | ALPHABET.indexOf(text.charAt(i))) & 0xffffff
    // 6, 12, 18 and 24 bits are there; each time 8 of them are new, they are a byte.
    if (i % 4 !== 0) bytes[at++] = (group >> (6 - 2 * (i % 4))) & 0xff
  }
  const unused = padding * 2
  return (group & ((1 << unused) - 1)) === 0 ? bytes : null
}

/** Encodes bytes in base64, in the form that `bytesOfBase64` reads. */
export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
