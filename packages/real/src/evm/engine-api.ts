import { createHmac } from 'node:crypto'

/** A block as the Engine API carries it; the members that are read here. */
interface Payload {
  readonly blockHash: string
  readonly parentHash: string
  readonly blockNumber: string
  readonly timestamp: string
  readonly transactions: readonly string[]
}

/** A block with the requests that it makes of the consensus layer, as `engine_getPayloadV5` gives it. */
export interface BuiltBlock {
  readonly executionPayload: Payload
  readonly executionRequests?: readonly string[]
}

/** The port on which a node hears its consensus client. */
export interface EngineApi {
  /** @throws Error with the node's words, where it refuses */
  call(method: string, params: readonly unknown[]): Promise<unknown>
}

/**
 * Binds the Engine API of a node.
 *
 * @param secret 32 bytes that the node shares with its consensus client, in hex
 * @see https://github.com/ethereum/execution-apis/blob/main/src/engine/authentication.md (HS256, claim `iat` within 60 s; read 2026-11-24)
 */
export function engineApi(url: string, secret: string): EngineApi {
  return {
    async call(method, params) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token(secret)}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const body = (await answer.json()) as { readonly result?: unknown; readonly error?: unknown }
      if (body.error !== undefined) throw new Error(`${method}: ${JSON.stringify(body.error)}`)
      return body.result
    },
  }
}

function token(secret: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iat: Math.floor(Date.now() / 1_000) })}`
  return `${text}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('base64url')}`
}
