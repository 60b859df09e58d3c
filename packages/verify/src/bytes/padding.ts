/** Bytes per block of SHA-256 and of RIPEMD-160. */
export const BLOCK = 64

/**
 * Pads a message to whole blocks: the message, a bit 1, zeros, and the message's length in bits in the last eight bytes. SHA-256 and RIPEMD-160 differ only in the byte
 * order of that length.
 */
export function padded(message: Uint8Array, littleEndian: boolean): DataView {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK)
  blocks.set(message)
  blocks[message.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setBigUint64(blocks.length - 8, BigInt(message.length) * 8n, littleEndian)
  return view
}
