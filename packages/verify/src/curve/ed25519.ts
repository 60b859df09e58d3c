import { verifiesHere } from './edwards.ts'

/**
 * Tells whether an Ed25519 signature over a message was made by a key. Uses the runtime's own Ed25519 where it has one (Node 20, browsers since 2025), else computes it
 * here: in older browsers, and on every page on plain http.
 *
 * @param key 32 bytes
 */
export async function verifies(key: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  if (key.length !== 32 || signature.length !== 64) return false
  // Undefined on plain http, whatever its type says.
  const subtle: typeof globalThis.crypto.subtle | undefined = globalThis.crypto?.subtle
  if (subtle === undefined) return verifiesHere(key, signature, message)
  try {
    const imported = await subtle.importKey('raw', Uint8Array.from(key), 'Ed25519', false, ['verify'])
    return await subtle.verify('Ed25519', imported, Uint8Array.from(signature), Uint8Array.from(message))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return verifiesHere(key, signature, message)
    throw error
  }
}
