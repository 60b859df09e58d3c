// Calls the service with openapi-fetch and the types that openapi-typescript has made, and prints what it has read.
import createClient from 'openapi-fetch'
import type { components, paths } from './svc.d.ts'

declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

const { SVC_URL = '', SVC_API_KEY = '', SVC_WALLET = '', SVC_STAKER = '', SVC_AMOUNT = '', SVC_TOO_FINE = '' } = process.env
const client = createClient<paths>({ baseUrl: SVC_URL, headers: { 'X-API-KEY': SVC_API_KEY } })
const delegate = (amount: string) => client.POST('/api/v1/evm-three/native/action/delegate', { body: { address: SVC_WALLET, amount } })

const craft = await delegate(SVC_AMOUNT)
const balance = await client.GET('/api/v1/evm-three/native/staking-balance/{address}', { params: { path: { address: SVC_STAKER } } })
const history = await client.GET('/api/v1/evm-one/vault-one/historic/{address}', { params: { path: { address: SVC_WALLET } } })
const refused = await delegate(SVC_TOO_FINE)
if (!craft.data || !balance.data || !history.data || !refused.error) throw new Error('an answer has another form than the document says')
const bytes: string = craft.data.serialized_tx_hex
const exact: string | null = balance.data.stake_activation_amount
const refusal: components['schemas']['Refusal'] = refused.error
const read = {
  bytes,
  balance: exact,
  created: String(history.data[0]?.createdAt),
  refusal: { status: refused.response.status, code: refusal.code, error: refusal.error },
}
console.log(JSON.stringify(read))
