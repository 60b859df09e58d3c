/** A body of an action. */
export type Body = Readonly<Record<string, unknown>>

/** A body with some members changed, and what that makes of it. */
export type BodyChange = readonly [name: string, members: Body]

/** Applies each of the changes to a body by itself. @returns one body a change, with its name */
export function changed(body: Body, changes: readonly BodyChange[]): readonly { readonly name: string; readonly body: Body }[] {
  return changes.map(([name, members]) => ({ name, body: { ...body, ...members } }))
}

/** Flips one bit in the middle of a hex text. */
export function flipped(hex: string): string {
  const at = Math.floor(hex.length / 2)
  return hex.slice(0, at) + (Number.parseInt(hex.charAt(at), 16) ^ 1).toString(16) + hex.slice(at + 1)
}

type Message = Readonly<Record<string, unknown>>

/** Answers of JSON-RPC that no client can work with, which a family adds. */
export interface JsonRpcFaults {
  /** Values that are not results of the methods that staking calls, in addition to those that are of no family. */
  readonly noResults: readonly unknown[]
  /** Errors with which its nodes fail, in place of a result. */
  readonly errors: readonly object[]
}

/** Values that are a result of hardly any method, whatever the family. */
const NO_RESULTS: readonly unknown[] = [null, true, 7, '', '0x', 'OK', [], {}]

/** Makes JSON that no JSON-RPC client can work with, from a good answer, a single one or a batch. @see https://www.jsonrpc.org/specification (read 2026-11-22) */
export function garbleJsonRpc(answer: string, { noResults, errors }: JsonRpcFaults): readonly string[] {
  const good = JSON.parse(answer) as Message | Message[]
  const each = (change: (message: Message) => unknown) => JSON.stringify(Array.isArray(good) ? good.map(change) : change(good))
  return [
    'null',
    '[]',
    '{}',
    '"rate limited"',
    '{"message":"no Route matched with those values"}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}',
    each(({ jsonrpc, result }) => ({ jsonrpc, id: 'another', result })),
    each(({ jsonrpc, id }) => ({ jsonrpc, id })),
    ...[null, 'failed', ...errors].map((error) => each(({ jsonrpc, id }) => ({ jsonrpc, id, error }))),
    each(() => null),
    ...(Array.isArray(good) && good.length > 1 ? [JSON.stringify(good.slice(1))] : []),
    ...[...NO_RESULTS, ...noResults].map((result) => each((message) => ({ ...message, result }))),
  ]
}
