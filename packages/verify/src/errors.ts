/** Unseen characters, or those that turn the direction of the text: control, format and private characters, halves of letters, and breaks of lines and paragraphs. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * Escapes a text that a stranger may have written, so that it stays one line and shows all it holds: invisible characters are written as their numbers. Every message,
 * sentence and mismatch of this package passes through this function.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/**
 * Error for unsigned bytes that cannot be read as exactly one canonical transaction, or for a method text that is no signature. The message is a sentence that names what
 * was read and what would be right. Recognise it by `DecodeError.is`.
 */
export class DecodeError extends Error {
  /** Tells whether an error is a DecodeError, including one from a second copy of this package, as an intent may bring. */
  static is(error: unknown): error is DecodeError {
    return error instanceof Error && 'code' in error && error.code === 'DECODE_FAILED'
  }

  readonly code = 'DECODE_FAILED'

  constructor(message: string) {
    super(printable(message))
    this.name = 'DecodeError'
  }
}

/** Error for arguments that do not fit their method. The message names the argument, its value and what would be right. */
export class EncodeError extends Error {
  readonly code = 'ENCODE_FAILED'

  constructor(message: string) {
    super(printable(message))
    this.name = 'EncodeError'
  }
}

/** Formats a value for a message. Never throws, and the result does not grow with the input, since messages go to logs and to people. @returns at most about 100 characters */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'bigint') return clipped(value.toString())
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function quoted(text: string): string {
  return JSON.stringify(clipped(text))
}

function clipped(text: string): string {
  return text.length > 96 ? `${text.slice(0, 64)}… (${text.length} characters)` : text
}
