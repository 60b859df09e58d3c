import { membersOf } from '@svc/contract'

/** Makes one JSON-RPC call to a node. @throws TypeError with the node's words */
export async function rpc(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = membersOf(await response.json())
  if (error !== undefined) throw new TypeError(`${method}: ${membersOf(error).message}`)
  return result
}
