import { membersOf } from '@svc/contract'
import { recording } from '@svc/testing/recordings'

/** Answers each method with a recorded answer: status, content type and body, with the id that was asked. @param names of recordings by method, or a body made of them */
export function recordedNode(names: Readonly<Record<string, string | ((params: readonly unknown[]) => unknown)>>): {
  readonly fetch: typeof fetch
  readonly asked: readonly string[]
} {
  const asked: string[] = []
  const answer = (async (_url: unknown, init: RequestInit) => {
    const { id, method, params } = JSON.parse(String(init.body)) as { id: unknown; method: string; params: readonly unknown[] }
    asked.push(method)
    const named = names[method]
    if (named === undefined) throw new Error(`${method} must not be asked`)
    if (typeof named === 'function') return new Response(JSON.stringify({ jsonrpc: '2.0', id, result: named(params) }))
    const { status, contentType = '', body } = recording('solana', named).response
    const text = typeof body === 'object' ? JSON.stringify({ ...membersOf(body), id }) : String(body)
    return new Response(text, { status, headers: { 'content-type': contentType } })
  }) as typeof fetch
  return { fetch: answer, asked }
}

/** The result of a recorded answer. */
export function resultOf(name: string): unknown {
  return membersOf(recording('solana', name).response.body).result
}

/** The parameters of a recorded question. */
export function paramsOf(name: string): readonly unknown[] {
  const { params } = membersOf(recording('solana', name).request.body)
  return Array.isArray(params) ? params : []
}

/** Settings of the cluster that was recorded, whose clock stood still since. */
export const RECORDED = { genesis_hash: String(resultOf('genesis-hash')), max_block_age: 0 }
