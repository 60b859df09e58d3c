/** Writes a JSON-RPC result in the form of the family's liar. */
export function result(value: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', result: value })
}

/** Writes a JSON-RPC error in the form of the family's liar. */
export function refusal(code: number, message: string, data?: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) } })
}
