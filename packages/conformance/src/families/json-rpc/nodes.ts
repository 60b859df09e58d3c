/** A result, in the words of the family's liar. */
export function result(value: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', result: value })
}

/** An error, in the words of the family's liar. */
export function refusal(code: number, message: string, data?: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) } })
}
