/**
 * Whether a signature is by a key over a message, by the runtime's own Ed25519: Node 20, and browsers since 2025.
 *
 * @param key 32 bytes
 */
export async function verifies(key: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  if (key.length !== 32 || signature.length !== 64) return false
  const { subtle } = globalThis.crypto
  const imported = await subtle.importKey('raw', Uint8Array.from(key), 'Ed25519', false, ['verify'])
  return subtle.verify('Ed25519', imported, Uint8Array.from(signature), Uint8Array.from(message))
}
