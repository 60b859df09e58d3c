import { startServer, temporaryFolder } from '@svc/testing/processes'
import type { Test } from 'tap'

/** A real service on a local chain, and what a test needs to use it as a program does. */
export async function startSandbox(t: Test) {
  const { file } = await startServer(t, await temporaryFolder(t), ['evm-three'])
  const address = (path: string) => `${file.baseUrl}/api/v1/${path}`
  const tokens = (await (await fetch(address('sandbox/tokens'))).json()) as {
    readonly operator_token: string
    readonly management_token: string
    readonly api_key: string
  }
  const headers = { authorization: `Bearer ${tokens.operator_token}`, 'x-api-key': tokens.api_key, 'content-type': 'application/json' }
  const { wallets } = (await (await fetch(address('sandbox'), { headers })).json()) as {
    readonly wallets: readonly { readonly family: string; readonly address: string }[]
  }
  const wallet = wallets.find(({ family }) => family === 'evm')
  if (!wallet) throw new Error('The sandbox has no EVM wallet.')
  const ask = async (path: string, body: object) => {
    const response = await fetch(address(path), { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Readonly<Record<string, unknown>>
  }
  const read = async (path: string) => {
    const response = await fetch(address(path), { headers: { 'x-api-key': tokens.api_key } })
    return (await response.json()) as Readonly<Record<string, unknown>>
  }
  return { baseUrl: file.baseUrl, tokens, wallet, ask, read }
}
