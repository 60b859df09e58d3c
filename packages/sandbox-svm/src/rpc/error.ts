/** Error that a node answers instead of a result. @see agave rpc-client-api, custom_error.rs */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

/** Makes the refusal of parameters that the method does not take, code -32602 of JSON-RPC. */
export function invalidParams(message: string): RpcError {
  return new RpcError(-32602, message)
}
