import type { ExampleExchange } from '@svc/contract/host'
import { errorBody } from '../http/errors.ts'
import { webhookExamples } from './webhook-examples.ts'

const record = {
  ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R',
  name: 'backend',
  description: 'Signs the nightly payouts.',
  expirationDate: '2099-12-31T00:00:00.000Z',
  active: true,
  createdAt: '2026-11-22T00:00:00.000Z',
  lastUsedAt: null,
  prefix: 'svc_01JD4Z0V',
}
/** The form of a value. Its tag is no server's, so that it opens nothing anywhere. */
const VALUE = 'svc_01JD4Z0V9T6E6N1S2XKQ3B7W8R_exampleexampleexampleexampleexampleexampleexampleex'
const { name, description, expirationDate } = record
const wrongDate = errorBody(
  400,
  'INVALID_EXPIRATION_DATE',
  'expirationDate "tomorrow" cannot be used; it must be an ISO-8601 instant in the future.',
)
const up = { status: 'up' }
const following = { status: 'up', due_age_seconds: 0 }
const down = { status: 'down', message: 'The database does not answer.' }

/** Examples that the document shows of the service's own operations, by method and path. */
export const serviceExamples: Readonly<Record<string, ExampleExchange>> = {
  'post /api/v1/apikeys': {
    request: { name, description, expirationDate },
    response: { ...record, key: VALUE },
    refusals: { 400: wrongDate },
  },
  'get /api/v1/apikeys': { response: [record] },
  'get /api/v1/apikeys/{ulid}': { response: record },
  'patch /api/v1/apikeys/{ulid}': {
    request: { name, description, active: true },
    response: [record],
    refusals: { 400: errorBody(400, 'INVALID_NAME', 'The name "" cannot be used; it must be one line of 1 to 200 characters.') },
  },
  'put /api/v1/announcements/{protocol}/{address}/{aspect}': {
    request: { holder: '0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec', hours: 48 },
  },
  'delete /api/v1/announcements/{protocol}/{address}/{aspect}': {
    refusals: {
      404: errorBody(
        404,
        'NOT_ANNOUNCED',
        'No change of wallet_code over 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A is announced; GET /announcements lists what is.',
      ),
    },
  },
  'delete /api/v1/own-addresses/{protocol}/{address}': {
    refusals: {
      404: errorBody(
        404,
        'NOT_OWN',
        '0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec is no own address that was added here; GET /own-addresses lists those.',
      ),
    },
  },
  'get /api/v1/protocols': {
    response: [
      {
        protocol: 'evm-three',
        path: '/api/v1/evm-three/native',
        title: 'Monad',
        summary: 'Monad. Native delegation, with numbered withdrawal slots.',
        version: '1.0.0',
        family: 'evm',
        symbol: 'MON',
        signer: 'address',
        term_descriptions: { validator_id: "Number of the operator's validator." },
        networks: [
          {
            network: '143',
            name: 'mainnet',
            caip2: 'eip155:143',
            default: true,
            terms: { chainId: '143', caip2: 'eip155:143', decimals: 18, symbol: 'MON', max_fee: '0.5', validator_id: 12 },
            staking_info: null,
            staking_info_age_seconds: null,
            staked_with: [
              {
                ...{ kind: 'validator', id: '12', state: 'active', reason: null, commission_percent: 10 },
                terms: [{ kind: 'fee', name: 'commission', value: '12.5', effective_epoch: 1208, accepted: true }],
              },
            ],
            staked_with_age_seconds: 120,
            staked_with_interval_seconds: 300,
          },
        ],
        actions: [
          {
            name: 'claim-rewards',
            path: '/api/v1/evm-three/native/action/claim-rewards',
            summary: 'Claim the rewards',
            input: [{ name: 'address', required: true, type: 'string', amount: false, description: 'Who signs.' }],
          },
        ],
      },
    ],
  },
  'get /api/v1/session': {
    response: {
      kind: 'account',
      account: { id: 'acme', name: 'Acme' },
      token: { ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8S', name: 'admin', prefix: 'svcm_01JD4Z0V9T6E6N', expires: null },
      accounts: [{ id: 'acme', name: 'Acme', keys: 3, max_keys: 1000 }],
      version: '1.0.0',
      sandbox: false,
    },
  },
  ...webhookExamples,
  'get /api/v1/health': {
    response: { status: 'ok', info: { database: up, following }, error: {}, details: { database: up, following } },
  },
}

/** A health report of a service whose database does not answer. */
export const unhealthy = { status: 'error', info: {}, error: { database: down }, details: { database: down } }
