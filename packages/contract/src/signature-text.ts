/** Longest text of a signature that is looked at, in characters: a serialized one of 98 bytes as hexadecimal has 198, with a prefix. */
const MOST_TEXT = 300

/**
 * Reads a signature in every encoding that signers use: hexadecimal with or without `0x`, base64 of either alphabet with or without padding, and HashiCorp Vault's
 * `vault:v1:` before base64. A text of hexadecimal digits is never read as base64: the odds that some ninety letters of base64 are all hexadecimal digits are one in 10^50.
 * Whether the bytes are right is checked against the key.
 *
 * @returns the bytes; null: the text is neither, or longer than any signature
 * @see https://developer.hashicorp.com/vault/api-docs/secret/transit#sign-data (read 2026-11-28)
 */
export function signatureBytes(text: string): Buffer | null {
  if (text.length > MOST_TEXT) return null
  const digits = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(text)?.[1]
  if (digits !== undefined) return Buffer.from(digits, 'hex')
  const letters = /^(?:vault:v\d{1,9}:)?([A-Za-z0-9+/_-]+)={0,2}$/.exec(text)?.[1]
  // One letter more than whole bytes are no bytes.
  return letters === undefined || letters.length % 4 === 1 ? null : Buffer.from(letters, 'base64')
}
