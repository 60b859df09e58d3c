/** Code that says what a `SandboxError` is about. */
export type SandboxErrorCode =
  /** A step, amount, address, fault or option that is not one. The sentence says what would be right. */
  | 'INVALID_INPUT'
  /** Well formed, and not something that this chain does. */
  | 'NOT_SUPPORTED'
  /** No such chain, operation or wallet. The sentence names those that there are. */
  | 'NOT_FOUND'
  /** The chain's engine is not installed for this platform. */
  | 'ENGINE_MISSING'
  /** The engine ended, or said nothing, before it listened. */
  | 'ENGINE_FAILED'
  /** Another program listens on the port that was asked for. */
  | 'PORT_BUSY'
  /** The chain answered a call with an error; `data` is what came with it, such as revert data. */
  | 'RPC_ERROR'

/** Error of the sandbox when it cannot do something: `message` is a sentence for a person, `code` a word for programs. */
export class SandboxError extends Error {
  readonly code: SandboxErrorCode
  /** Hex data of a JSON-RPC error, where there was any. */
  readonly data: string | undefined

  constructor(code: SandboxErrorCode, message: string, options: { data?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SandboxError'
    this.code = code
    this.data = options.data
  }
}

/** Tells whether a thrown value is a `SandboxError`, including one from another copy of this package, as an engine may have. */
export function isSandboxError(error: unknown): error is SandboxError {
  return error instanceof Error && error.name === 'SandboxError'
}
