import createClient from 'openapi-fetch'
import type { components, paths } from './generated/api.js'

// A client as somebody writes it who has nothing but the document: it is compiled and never run. Leaving an operation out, or keeping one that
// is gone, does not compile, and neither do the mistakes at the end, which `@ts-expect-error` holds to that.

type Method = 'get' | 'post' | 'patch' | 'delete' | 'put'
type Operation = {
  [Path in keyof paths & string]: {
    [Name in keyof paths[Path] & Method]: paths[Path][Name] extends undefined ? never : `${Name} ${Path}`
  }[keyof paths[Path] & Method]
}[keyof paths & string]

const client = createClient<paths>({ baseUrl: 'https://staking.example', headers: { 'X-API-KEY': 'svc_…' } })
const address = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const wallet = 'F8x8CNs5TicJNwLKr6ehoi5sMA9jt7PmQXF9urQk1gGM'
const account = 'EdkXeF7xvCnBQGnZSW4BKDWTohpQ2Hs6h5qgJf3hjmCh'
const pubkey = '034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff'
const ulid = '01JD4Z0V9T6E6N1S2XKQ3B7W8R'
const bytes = '00'
/** More digits than a double has: amounts can be sent as text. */
const exact = '1000.000000000000000001'

export const uses = {
  'get /api/v1/health': () => client.GET('/api/v1/health'),
  'get /api/v1/public-key': () => client.GET('/api/v1/public-key'),
  'get /api/v1/public-keys': () => client.GET('/api/v1/public-keys'),
  'get /.well-known/jwks.json': () => client.GET('/.well-known/jwks.json'),
  'post /api/v1/apikeys': () =>
    client.POST('/api/v1/apikeys', {
      body: { name: 'backend', description: 'Signs the nightly payouts.', expirationDate: '2099-12-31T00:00:00.000Z' },
    }),
  'get /api/v1/apikeys': () => client.GET('/api/v1/apikeys', { params: { query: { limit: 7, after: ulid } } }),
  'get /api/v1/apikeys/{ulid}': () => client.GET('/api/v1/apikeys/{ulid}', { params: { path: { ulid } } }),
  'patch /api/v1/apikeys/{ulid}': () =>
    client.PATCH('/api/v1/apikeys/{ulid}', {
      params: { path: { ulid } },
      body: { name: 'backend', description: 'Signs the nightly payouts.', active: true },
    }),
  'delete /api/v1/apikeys/{ulid}': () => client.DELETE('/api/v1/apikeys/{ulid}', { params: { path: { ulid } } }),
  'get /api/v1/session': () => client.GET('/api/v1/session'),
  'post /api/v1/webhooks': () =>
    client.POST('/api/v1/webhooks', {
      body: { url: 'https://example.org/hooks', events: ['transaction.*'], rewards_threshold: { 'evm-three': '1.5' } },
    }),
  'get /api/v1/webhooks': () => client.GET('/api/v1/webhooks', { params: { query: { account: 'acme' } } }),
  'get /api/v1/webhooks/{ulid}': () => client.GET('/api/v1/webhooks/{ulid}', { params: { path: { ulid } } }),
  'patch /api/v1/webhooks/{ulid}': () =>
    client.PATCH('/api/v1/webhooks/{ulid}', { params: { path: { ulid } }, body: { events: null, enabled: true } }),
  'delete /api/v1/webhooks/{ulid}': () => client.DELETE('/api/v1/webhooks/{ulid}', { params: { path: { ulid } } }),
  'post /api/v1/webhooks/{ulid}/rotate': () =>
    client.POST('/api/v1/webhooks/{ulid}/rotate', { params: { path: { ulid }, query: { overlap_hours: 48 } } }),
  'post /api/v1/webhooks/{ulid}/test': () => client.POST('/api/v1/webhooks/{ulid}/test', { params: { path: { ulid } } }),
  'get /api/v1/webhooks/{ulid}/deliveries': () =>
    client.GET('/api/v1/webhooks/{ulid}/deliveries', { params: { path: { ulid }, query: { state: 'dead' } } }),
  'post /api/v1/webhooks/{ulid}/deliveries/{id}/resend': () =>
    client.POST('/api/v1/webhooks/{ulid}/deliveries/{id}/resend', { params: { path: { ulid, id: ulid } } }),
  'post /api/v1/webhooks/{ulid}/replay': () =>
    client.POST('/api/v1/webhooks/{ulid}/replay', { params: { path: { ulid } }, body: { from: '2026-11-01', delivered: true } }),
  'get /api/v1/alarms': () => client.GET('/api/v1/alarms'),
  'post /api/v1/events/{id}/dismiss': () =>
    client.POST('/api/v1/events/{id}/dismiss', { params: { path: { id: 'msg_01JD4Z0V9T6E6N1S2XKQ3B7W8V' } } }),
  'get /api/v1/events': () => client.GET('/api/v1/events', { params: { query: { type: 'transaction.final', after: '1234' } } }),
  'get /api/v1/audit': () =>
    client.GET('/api/v1/audit', {
      params: { query: { account: 'acme', outcome: 'refused', q: 'validator 12', limit: 50, collapse: true } },
    }),
  'get /api/v1/audit/export': () => client.GET('/api/v1/audit/export', { params: { query: { format: 'csv', from: '2026-11-01' } } }),
  'get /api/v1/statements': () => client.GET('/api/v1/statements', { params: { query: { format: 'json', limit: 10 } } }),
  'get /api/v1/positions': () =>
    client.GET('/api/v1/positions', { params: { query: { state: 'unexplained', wallet: '0x19E7', limit: 10 } } }),
  'get /api/v1/positions/{protocol}/{network}/{address}': () =>
    client.GET('/api/v1/positions/{protocol}/{network}/{address}', {
      params: { path: { protocol: 'evm-three', network: '143', address }, query: { days: 30 } },
    }),
  'get /api/v1/transactions': () => client.GET('/api/v1/transactions', { params: { query: { status: 'open', q: 'validator 12' } } }),
  'get /api/v1/transactions/{tx_hash}': () =>
    client.GET('/api/v1/transactions/{tx_hash}', { params: { path: { tx_hash: bytes }, query: { protocol: 'evm-three' } } }),
  'get /api/v1/watch': () => client.GET('/api/v1/watch', { params: { query: { protocol: 'evm-three', after: ulid } } }),
  'put /api/v1/watch/{protocol}/{address}': () =>
    client.PUT('/api/v1/watch/{protocol}/{address}', {
      params: { path: { protocol: 'evm-three', address }, header: { 'x-network': '143' } },
    }),
  'delete /api/v1/watch/{protocol}/{address}': () =>
    client.DELETE('/api/v1/watch/{protocol}/{address}', { params: { path: { protocol: 'evm-three', address } } }),
  'get /api/v1/announcements': () => client.GET('/api/v1/announcements', { params: { query: { account: 'acme', after: ulid } } }),
  'put /api/v1/announcements/{protocol}/{address}/{aspect}': () =>
    client.PUT('/api/v1/announcements/{protocol}/{address}/{aspect}', {
      params: { path: { protocol: 'evm-three', address, aspect: 'wallet_code' }, header: { 'x-network': '143' } },
      body: { holder: address, hours: 48 },
    }),
  'delete /api/v1/announcements/{protocol}/{address}/{aspect}': () =>
    client.DELETE('/api/v1/announcements/{protocol}/{address}/{aspect}', {
      params: { path: { protocol: 'evm-three', address, aspect: 'wallet_code' } },
    }),
  'get /api/v1/own-addresses': () => client.GET('/api/v1/own-addresses', { params: { query: { account: 'acme' } } }),
  'put /api/v1/own-addresses/{protocol}/{address}': () =>
    client.PUT('/api/v1/own-addresses/{protocol}/{address}', {
      params: { path: { protocol: 'evm-three', address }, header: { 'x-network': '143' } },
    }),
  'delete /api/v1/own-addresses/{protocol}/{address}': () =>
    client.DELETE('/api/v1/own-addresses/{protocol}/{address}', { params: { path: { protocol: 'evm-three', address } } }),
  'get /api/v1/overview': () => client.GET('/api/v1/overview', { params: { query: { window: '24h' } } }),
  'get /api/v1/protocols': () => client.GET('/api/v1/protocols', { params: { query: { account: 'acme' } } }),
  'get /api/v1/hub-one/native/networks': () => client.GET('/api/v1/hub-one/native/networks'),
  'get /api/v1/hub-one/native/staking-info': () => client.GET('/api/v1/hub-one/native/staking-info'),
  'get /api/v1/hub-one/native/staking-balance/{address}': () =>
    client.GET('/api/v1/hub-one/native/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/hub-one/native/action/stake': () => client.POST('/api/v1/hub-one/native/action/stake', { body: { pubkey, amount: exact } }),
  'post /api/v1/hub-one/native/action/unstake': () =>
    client.POST('/api/v1/hub-one/native/action/unstake', { body: { pubkey, amount: 25.5 } }),
  'post /api/v1/hub-one/native/action/claim-rewards': () =>
    client.POST('/api/v1/hub-one/native/action/claim-rewards', { body: { pubkey } }),
  'post /api/v1/hub-one/native/action/prepare': () =>
    client.POST('/api/v1/hub-one/native/action/prepare', { body: { tx_body_hex: bytes, tx_auth_info_hex: bytes, signature_hex: bytes } }),
  'post /api/v1/hub-one/native/action/inspect': () =>
    client.POST('/api/v1/hub-one/native/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/hub-one/native/action/broadcast': () =>
    client.POST('/api/v1/hub-one/native/action/broadcast', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/hub-one/native/rewards/{address}': () =>
    client.GET('/api/v1/hub-one/native/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/hub-one/native/operations/{address}': () =>
    client.GET('/api/v1/hub-one/native/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/hub-one/native/alarms': () => client.GET('/api/v1/hub-one/native/alarms'),
  'get /api/v1/hub-one/native/transaction/{tx_hash}': () =>
    client.GET('/api/v1/hub-one/native/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/hub-one/native/transaction/track': () =>
    client.POST('/api/v1/hub-one/native/transaction/track', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/hub-two/native/networks': () => client.GET('/api/v1/hub-two/native/networks'),
  'get /api/v1/hub-two/native/staking-info': () => client.GET('/api/v1/hub-two/native/staking-info'),
  'get /api/v1/hub-two/native/staking-balance/{address}': () =>
    client.GET('/api/v1/hub-two/native/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/hub-two/native/action/stake': () => client.POST('/api/v1/hub-two/native/action/stake', { body: { pubkey, amount: exact } }),
  'post /api/v1/hub-two/native/action/unstake': () =>
    client.POST('/api/v1/hub-two/native/action/unstake', { body: { pubkey, amount: 25.5 } }),
  'post /api/v1/hub-two/native/action/claim-rewards': () =>
    client.POST('/api/v1/hub-two/native/action/claim-rewards', { body: { pubkey } }),
  'post /api/v1/hub-two/native/action/prepare': () =>
    client.POST('/api/v1/hub-two/native/action/prepare', { body: { tx_body_hex: bytes, tx_auth_info_hex: bytes, signature_hex: bytes } }),
  'post /api/v1/hub-two/native/action/inspect': () =>
    client.POST('/api/v1/hub-two/native/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/hub-two/native/action/broadcast': () =>
    client.POST('/api/v1/hub-two/native/action/broadcast', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/hub-two/native/rewards/{address}': () =>
    client.GET('/api/v1/hub-two/native/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/hub-two/native/operations/{address}': () =>
    client.GET('/api/v1/hub-two/native/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/hub-two/native/alarms': () => client.GET('/api/v1/hub-two/native/alarms'),
  'get /api/v1/hub-two/native/transaction/{tx_hash}': () =>
    client.GET('/api/v1/hub-two/native/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/hub-two/native/transaction/track': () =>
    client.POST('/api/v1/hub-two/native/transaction/track', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-one/vault-one/networks': () => client.GET('/api/v1/evm-one/vault-one/networks'),
  'get /api/v1/evm-one/vault-one/staking-info': () => client.GET('/api/v1/evm-one/vault-one/staking-info'),
  'get /api/v1/evm-one/vault-one/staking-balance/{address}': () =>
    client.GET('/api/v1/evm-one/vault-one/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/evm-one/vault-one/action/stake': () =>
    client.POST('/api/v1/evm-one/vault-one/action/stake', { body: { address, amount: exact } }),
  'post /api/v1/evm-one/vault-one/action/unstake': () =>
    client.POST('/api/v1/evm-one/vault-one/action/unstake', { body: { address, amount: 25.5 } }),
  'post /api/v1/evm-one/vault-one/action/withdraw': () => client.POST('/api/v1/evm-one/vault-one/action/withdraw', { body: { address } }),
  'post /api/v1/evm-one/vault-one/action/prepare': () =>
    client.POST('/api/v1/evm-one/vault-one/action/prepare', { body: { serialized_tx_hex: bytes, r: bytes, s: bytes, v: 28 } }),
  'post /api/v1/evm-one/vault-one/action/inspect': () =>
    client.POST('/api/v1/evm-one/vault-one/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/evm-one/vault-one/action/broadcast': () =>
    client.POST('/api/v1/evm-one/vault-one/action/broadcast', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-one/vault-one/rewards/{address}': () =>
    client.GET('/api/v1/evm-one/vault-one/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/evm-one/vault-one/operations/{address}': () =>
    client.GET('/api/v1/evm-one/vault-one/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/evm-one/vault-one/alarms': () => client.GET('/api/v1/evm-one/vault-one/alarms'),
  'get /api/v1/evm-one/vault-one/transaction/{tx_hash}': () =>
    client.GET('/api/v1/evm-one/vault-one/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'get /api/v1/evm-one/vault-one/transaction/{tx_hash}/signed': () =>
    client.GET('/api/v1/evm-one/vault-one/transaction/{tx_hash}/signed', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/evm-one/vault-one/transaction/track': () =>
    client.POST('/api/v1/evm-one/vault-one/transaction/track', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-one/vault-one/historic/{address}': () =>
    client.GET('/api/v1/evm-one/vault-one/historic/{address}', { params: { path: { address } } }),
  'get /api/v1/evm-one/vault-one/vault': () => client.GET('/api/v1/evm-one/vault-one/vault'),
  'get /api/v1/evm-one/vault-one/stats/{address}': () =>
    client.GET('/api/v1/evm-one/vault-one/stats/{address}', { params: { path: { address }, query: { days: 7 } } }),
  'get /api/v1/evm-two/native/networks': () => client.GET('/api/v1/evm-two/native/networks'),
  'get /api/v1/evm-two/native/staking-info': () => client.GET('/api/v1/evm-two/native/staking-info'),
  'get /api/v1/evm-two/native/staking-balance/{address}': () =>
    client.GET('/api/v1/evm-two/native/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/evm-two/native/action/delegate': () =>
    client.POST('/api/v1/evm-two/native/action/delegate', { body: { address, amount: exact } }),
  'post /api/v1/evm-two/native/action/undelegate': () => client.POST('/api/v1/evm-two/native/action/undelegate', { body: { address } }),
  'post /api/v1/evm-two/native/action/withdraw': () => client.POST('/api/v1/evm-two/native/action/withdraw', { body: { address } }),
  'post /api/v1/evm-two/native/action/claim-rewards': () =>
    client.POST('/api/v1/evm-two/native/action/claim-rewards', { body: { address } }),
  'post /api/v1/evm-two/native/action/compound-rewards': () =>
    client.POST('/api/v1/evm-two/native/action/compound-rewards', { body: { address } }),
  'post /api/v1/evm-two/native/action/prepare': () =>
    client.POST('/api/v1/evm-two/native/action/prepare', { body: { serialized_tx_hex: bytes, r: bytes, s: bytes, v: 28 } }),
  'post /api/v1/evm-two/native/action/inspect': () =>
    client.POST('/api/v1/evm-two/native/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/evm-two/native/action/broadcast': () =>
    client.POST('/api/v1/evm-two/native/action/broadcast', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-two/native/rewards/{address}': () =>
    client.GET('/api/v1/evm-two/native/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/evm-two/native/operations/{address}': () =>
    client.GET('/api/v1/evm-two/native/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/evm-two/native/alarms': () => client.GET('/api/v1/evm-two/native/alarms'),
  'get /api/v1/evm-two/native/transaction/{tx_hash}': () =>
    client.GET('/api/v1/evm-two/native/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'get /api/v1/evm-two/native/transaction/{tx_hash}/signed': () =>
    client.GET('/api/v1/evm-two/native/transaction/{tx_hash}/signed', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/evm-two/native/transaction/track': () =>
    client.POST('/api/v1/evm-two/native/transaction/track', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-three/native/networks': () => client.GET('/api/v1/evm-three/native/networks'),
  'get /api/v1/evm-three/native/staking-info': () => client.GET('/api/v1/evm-three/native/staking-info'),
  'get /api/v1/evm-three/native/staking-balance/{address}': () =>
    client.GET('/api/v1/evm-three/native/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/evm-three/native/action/delegate': () =>
    client.POST('/api/v1/evm-three/native/action/delegate', { body: { address, amount: 25.5 } }),
  'post /api/v1/evm-three/native/action/undelegate': () =>
    client.POST('/api/v1/evm-three/native/action/undelegate', { body: { address, amount: exact, withdrawId: 8 } }),
  'post /api/v1/evm-three/native/action/withdraw': () =>
    client.POST('/api/v1/evm-three/native/action/withdraw', { body: { address, withdrawId: 7 } }),
  'post /api/v1/evm-three/native/action/claim-rewards': () =>
    client.POST('/api/v1/evm-three/native/action/claim-rewards', { body: { address } }),
  'post /api/v1/evm-three/native/action/compound': () => client.POST('/api/v1/evm-three/native/action/compound', { body: { address } }),
  'post /api/v1/evm-three/native/action/prepare': () =>
    client.POST('/api/v1/evm-three/native/action/prepare', { body: { serialized_tx_hex: bytes, r: bytes, s: bytes, v: 27 } }),
  'post /api/v1/evm-three/native/action/inspect': () =>
    client.POST('/api/v1/evm-three/native/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/evm-three/native/action/broadcast': () =>
    client.POST('/api/v1/evm-three/native/action/broadcast', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-three/native/rewards/{address}': () =>
    client.GET('/api/v1/evm-three/native/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/evm-three/native/operations/{address}': () =>
    client.GET('/api/v1/evm-three/native/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/evm-three/native/alarms': () => client.GET('/api/v1/evm-three/native/alarms'),
  'get /api/v1/evm-three/native/transaction/{tx_hash}': () =>
    client.GET('/api/v1/evm-three/native/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'get /api/v1/evm-three/native/transaction/{tx_hash}/signed': () =>
    client.GET('/api/v1/evm-three/native/transaction/{tx_hash}/signed', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/evm-three/native/transaction/track': () =>
    client.POST('/api/v1/evm-three/native/transaction/track', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-three/native/withdrawals/{address}': () =>
    client.GET('/api/v1/evm-three/native/withdrawals/{address}', {
      params: { path: { address }, query: { startWithdrawId: 7, endWithdrawId: 7 } },
    }),
  'get /api/v1/evm-three/native/withdrawal/{address}/{withdrawId}': () =>
    client.GET('/api/v1/evm-three/native/withdrawal/{address}/{withdrawId}', { params: { path: { address, withdrawId: 7 } } }),
  'get /api/v1/evm-three/liquid-a/networks': () => client.GET('/api/v1/evm-three/liquid-a/networks'),
  'get /api/v1/evm-three/liquid-a/staking-info': () => client.GET('/api/v1/evm-three/liquid-a/staking-info'),
  'get /api/v1/evm-three/liquid-a/staking-balance/{address}': () =>
    client.GET('/api/v1/evm-three/liquid-a/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/evm-three/liquid-a/action/delegate': () =>
    client.POST('/api/v1/evm-three/liquid-a/action/delegate', { body: { address, amount: 25.5 } }),
  'post /api/v1/evm-three/liquid-a/action/undelegate': () =>
    client.POST('/api/v1/evm-three/liquid-a/action/undelegate', { body: { address, amount: exact } }),
  'post /api/v1/evm-three/liquid-a/action/withdraw': () =>
    client.POST('/api/v1/evm-three/liquid-a/action/withdraw', { body: { address, request_id: 1 } }),
  'post /api/v1/evm-three/liquid-a/action/prepare': () =>
    client.POST('/api/v1/evm-three/liquid-a/action/prepare', { body: { serialized_tx_hex: bytes, r: bytes, s: bytes, v: 28 } }),
  'post /api/v1/evm-three/liquid-a/action/inspect': () =>
    client.POST('/api/v1/evm-three/liquid-a/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/evm-three/liquid-a/action/broadcast': () =>
    client.POST('/api/v1/evm-three/liquid-a/action/broadcast', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-three/liquid-a/rewards/{address}': () =>
    client.GET('/api/v1/evm-three/liquid-a/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/evm-three/liquid-a/operations/{address}': () =>
    client.GET('/api/v1/evm-three/liquid-a/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/evm-three/liquid-a/alarms': () => client.GET('/api/v1/evm-three/liquid-a/alarms'),
  'get /api/v1/evm-three/liquid-a/transaction/{tx_hash}': () =>
    client.GET('/api/v1/evm-three/liquid-a/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'get /api/v1/evm-three/liquid-a/transaction/{tx_hash}/signed': () =>
    client.GET('/api/v1/evm-three/liquid-a/transaction/{tx_hash}/signed', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/evm-three/liquid-a/transaction/track': () =>
    client.POST('/api/v1/evm-three/liquid-a/transaction/track', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/evm-three/liquid-a/withdrawal/{address}': () =>
    client.GET('/api/v1/evm-three/liquid-a/withdrawal/{address}', { params: { path: { address } } }),
  'get /api/v1/svm-one/native/networks': () => client.GET('/api/v1/svm-one/native/networks'),
  'get /api/v1/svm-one/native/staking-info': () => client.GET('/api/v1/svm-one/native/staking-info'),
  'get /api/v1/svm-one/native/staking-balance/{address}': () =>
    client.GET('/api/v1/svm-one/native/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/svm-one/native/action/create-nonce-account': () =>
    client.POST('/api/v1/svm-one/native/action/create-nonce-account', { body: { wallet_address: wallet } }),
  'post /api/v1/svm-one/native/action/stake': () =>
    client.POST('/api/v1/svm-one/native/action/stake', {
      body: { wallet_address: wallet, nonce_account_address: account, amount: 25.5, sign: true },
    }),
  'post /api/v1/svm-one/native/action/unstake': () =>
    client.POST('/api/v1/svm-one/native/action/unstake', {
      body: { wallet_address: wallet, stake_account_address: account, nonce_account_address: account },
    }),
  'post /api/v1/svm-one/native/action/withdraw': () =>
    client.POST('/api/v1/svm-one/native/action/withdraw', {
      body: { wallet_address: wallet, stake_account_address: account, nonce_account_address: account, amount: exact },
    }),
  'post /api/v1/svm-one/native/action/close-nonce-account': () =>
    client.POST('/api/v1/svm-one/native/action/close-nonce-account', { body: { wallet_address: wallet, account_address: account } }),
  'post /api/v1/svm-one/native/action/prepare': () =>
    client.POST('/api/v1/svm-one/native/action/prepare', { body: { unsigned_tx_hex: bytes, signatures: [bytes] } }),
  'post /api/v1/svm-one/native/action/inspect': () =>
    client.POST('/api/v1/svm-one/native/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/svm-one/native/action/broadcast': () =>
    client.POST('/api/v1/svm-one/native/action/broadcast', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/svm-one/native/rewards/{address}': () =>
    client.GET('/api/v1/svm-one/native/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/svm-one/native/operations/{address}': () =>
    client.GET('/api/v1/svm-one/native/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/svm-one/native/alarms': () => client.GET('/api/v1/svm-one/native/alarms'),
  'get /api/v1/svm-one/native/transaction/{tx_hash}': () =>
    client.GET('/api/v1/svm-one/native/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/svm-one/native/transaction/track': () =>
    client.POST('/api/v1/svm-one/native/transaction/track', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/svm-one/liquid-b/networks': () => client.GET('/api/v1/svm-one/liquid-b/networks'),
  'get /api/v1/svm-one/liquid-b/staking-info': () => client.GET('/api/v1/svm-one/liquid-b/staking-info'),
  'get /api/v1/svm-one/liquid-b/staking-balance/{address}': () =>
    client.GET('/api/v1/svm-one/liquid-b/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/svm-one/liquid-b/action/stake': () =>
    client.POST('/api/v1/svm-one/liquid-b/action/stake', { body: { wallet_address: wallet, amount: 25.5 } }),
  'post /api/v1/svm-one/liquid-b/action/unstake': () =>
    client.POST('/api/v1/svm-one/liquid-b/action/unstake', { body: { wallet_address: wallet, amount: exact } }),
  'post /api/v1/svm-one/liquid-b/action/prepare': () =>
    client.POST('/api/v1/svm-one/liquid-b/action/prepare', { body: { unsigned_tx_hex: bytes, signatures: [bytes] } }),
  'post /api/v1/svm-one/liquid-b/action/inspect': () =>
    client.POST('/api/v1/svm-one/liquid-b/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/svm-one/liquid-b/action/broadcast': () =>
    client.POST('/api/v1/svm-one/liquid-b/action/broadcast', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/svm-one/liquid-b/rewards/{address}': () =>
    client.GET('/api/v1/svm-one/liquid-b/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/svm-one/liquid-b/operations/{address}': () =>
    client.GET('/api/v1/svm-one/liquid-b/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/svm-one/liquid-b/alarms': () => client.GET('/api/v1/svm-one/liquid-b/alarms'),
  'get /api/v1/svm-one/liquid-b/transaction/{tx_hash}': () =>
    client.GET('/api/v1/svm-one/liquid-b/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/svm-one/liquid-b/transaction/track': () =>
    client.POST('/api/v1/svm-one/liquid-b/transaction/track', { body: { signed_tx_hex: bytes } }),
  'get /api/v1/move-one/native/networks': () => client.GET('/api/v1/move-one/native/networks'),
  'get /api/v1/move-one/native/staking-info': () => client.GET('/api/v1/move-one/native/staking-info'),
  'get /api/v1/move-one/native/staking-balance/{address}': () =>
    client.GET('/api/v1/move-one/native/staking-balance/{address}', { params: { path: { address } } }),
  'post /api/v1/move-one/native/action/stake': () =>
    client.POST('/api/v1/move-one/native/action/stake', { body: { wallet_address: wallet, amount: 25.5 } }),
  'post /api/v1/move-one/native/action/unstake': () =>
    client.POST('/api/v1/move-one/native/action/unstake', { body: { wallet_address: wallet, staked_sui_object_id: wallet } }),
  'post /api/v1/move-one/native/action/prepare': () =>
    client.POST('/api/v1/move-one/native/action/prepare', { body: { unsigned_tx_b64: bytes, signatures: [bytes] } }),
  'post /api/v1/move-one/native/action/inspect': () =>
    client.POST('/api/v1/move-one/native/action/inspect', { body: { transaction: bytes } }),
  'post /api/v1/move-one/native/action/broadcast': () =>
    client.POST('/api/v1/move-one/native/action/broadcast', { body: { signed_tx_b64: bytes } }),
  'get /api/v1/move-one/native/rewards/{address}': () =>
    client.GET('/api/v1/move-one/native/rewards/{address}', { params: { path: { address }, query: { interval: 'month' } } }),
  'get /api/v1/move-one/native/operations/{address}': () =>
    client.GET('/api/v1/move-one/native/operations/{address}', { params: { path: { address }, query: { limit: 10 } } }),
  'get /api/v1/move-one/native/alarms': () => client.GET('/api/v1/move-one/native/alarms'),
  'get /api/v1/move-one/native/transaction/{tx_hash}': () =>
    client.GET('/api/v1/move-one/native/transaction/{tx_hash}', { params: { path: { tx_hash: bytes } } }),
  'post /api/v1/move-one/native/transaction/track': () =>
    client.POST('/api/v1/move-one/native/transaction/track', { body: { signed_tx_b64: bytes } }),
} satisfies Record<Operation, () => Promise<unknown>>

/** One transaction from craft to hash, each answer with a type of its own name. */
export async function stake(sign: (hash: string) => { r: string; s: string; v: number }): Promise<string> {
  const P = '/api/v1/evm-three/native'
  const crafted = await client.POST(`${P}/action/delegate`, {
    body: { address, amount: exact },
    params: { header: { 'x-network': '143' } },
  })
  if (crafted.error) return explain(crafted.error)
  const unsigned: components['schemas']['EvmUnsignedTransaction'] = crafted.data
  const prepared = await client.POST(`${P}/action/prepare`, {
    body: { serialized_tx_hex: unsigned.serialized_tx_hex, ...sign(unsigned.unsigned_tx_hash_hex) },
  })
  if (prepared.error) return explain(prepared.error)
  const sent = await client.POST(`${P}/action/broadcast`, { body: prepared.data })
  return sent.error ? explain(sent.error) : sent.data.tx_hash
}

function explain({ code, error, tx_hash }: components['schemas']['Error']): string {
  if (code === 'INSUFFICIENT_BALANCE') return 'Fund the address.'
  // @ts-expect-error no such word is ever answered
  if (code === 'NO_SUCH_CODE') return ''
  return `${error} ${tx_hash ?? ''}`
}

export const mistakes = [
  // @ts-expect-error an amount is a number or a text
  () => client.POST('/api/v1/evm-three/native/action/delegate', { body: { address, amount: true } }),
  // @ts-expect-error the amount is missing
  () => client.POST('/api/v1/evm-three/native/action/delegate', { body: { address } }),
  // @ts-expect-error a number is no text where no amount stands
  () => client.POST('/api/v1/evm-three/native/action/withdraw', { body: { address, withdrawId: '7' } }),
  // @ts-expect-error there is no such action
  () => client.POST('/api/v1/evm-three/native/action/stake', { body: { address, amount: 1 } }),
]
