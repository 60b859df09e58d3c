import { membersOf } from '@svc/contract'
import { callsOf } from '@svc/contract/host'

/**
 * Makes a `fetch` to an endpoint that serves all but one call, which it answers as a gateway does: with the error of JSON-RPC for an unknown method, or with gRPC's. Other
 * calls of the same batch are answered as usual.
 *
 * @see https://www.jsonrpc.org/specification (error object) and https://grpc.io/docs/guides/status-codes (read 2026-11-28)
 */
export function without(call: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const body = await request.clone().text()
    if (!callsOf(request.url, body).includes(call)) return send(request)
    const question: unknown = request.headers.get('content-type')?.startsWith('application/grpc') ? null : JSON.parse(body)
    if (question === null)
      return new Response(null, {
        headers: { 'content-type': 'application/grpc-web+proto', 'grpc-status': '12', 'grpc-message': 'unimplemented' },
      })
    const refusal = (each: unknown) => ({ jsonrpc: '2.0', id: membersOf(each).id, error: { code: -32_601, message: 'Method not found' } })
    if (!Array.isArray(question)) return Response.json(refusal(question))
    const isMissing = (each: unknown) => callsOf(request.url, JSON.stringify(each)).includes(call)
    const served = question.filter((each) => !isMissing(each))
    const refusals = question.filter(isMissing).map((each) => JSON.stringify(refusal(each)))
    if (served.length === 0) return answered(refusals)
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const response = await send(request.url, { method: 'POST', headers, body: JSON.stringify(served) })
    // As it came, digit by digit. What is no list of answers is passed on: then it is not this call that is missing.
    const [, answers] = /^\s*\[(.*)\]\s*$/s.exec(await response.clone().text()) ?? []
    return answers === undefined ? response : answered([answers, ...refusals])
  }
}

function answered(messages: readonly string[]): Response {
  return new Response(`[${messages.join(',')}]`, { headers: { 'content-type': 'application/json' } })
}
