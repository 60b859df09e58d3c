/**
 * The tables of the interface specification, written down once more by hand: paths, members, which of them are required, types and
 * limits. `tables.test.ts` compares the served document with them.
 */

import { WEBHOOKS } from './webhook-tables.ts'

/** A member's JSON type, with `?` behind it where it may be left out, and a limit where the specification names one. */
export type Members = Readonly<Record<string, string>>

/** An endpoint beyond those of every protocol. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Behind the prefix. */
  readonly path: string
  readonly body?: Members
  readonly query?: Members
  /** Members of the answer, or of an item when the answer is an array. */
  readonly answer: Members | readonly [Members]
}

/** What a protocol family says of crafts, prepare and broadcast. */
interface Shapes {
  readonly craft: Members
  readonly prepare: Members
  readonly prepared: Members
  readonly broadcast: Members
}

export interface Product {
  readonly prefix: string
  readonly shapes: Shapes
  readonly endpoints: readonly Endpoint[]
}

const COSMOS: Shapes = {
  craft: { unsigned_tx_hex: 'string', tx_auth_info_hex: 'string', unsigned_tx_hash_hex: 'string' },
  prepare: { tx_body_hex: 'string', tx_auth_info_hex: 'string', signature_hex: 'string' },
  prepared: { signed_tx_hex: 'string' },
  broadcast: { signed_tx_hex: 'string' },
}
const EVM: Shapes = {
  craft: { serialized_tx_hex: 'string', unsigned_tx_hash_hex: 'string', payload: 'object' },
  prepare: { serialized_tx_hex: 'string', r: 'string', s: 'string', v: 'number' },
  prepared: { signed_tx_hex: 'string' },
  broadcast: { signed_tx_hex: 'string' },
}
const SVM: Shapes = {
  craft: { unsigned_tx_hex: 'string' },
  prepare: { unsigned_tx_hex: 'string', signatures: 'array' },
  prepared: { signed_tx_hex: 'string' },
  broadcast: { signed_tx_hex: 'string' },
}
const MOVE: Shapes = {
  craft: { unsigned_tx_b64: 'string' },
  prepare: { unsigned_tx_b64: 'string', signatures: 'array' },
  prepared: { signed_tx_b64: 'string' },
  broadcast: { unsigned_tx_b64: 'string?', signatures: 'array?', signed_tx_b64: 'string?' },
}

/** `payload` of an EVM craft; `chainId` stands with the seven of the specification. */
export const PAYLOAD_MEMBERS: Members = Object.fromEntries(
  ['type', 'nonce', 'gasLimit', 'to', 'value', 'data', 'gasPrice', 'chainId'].map((name) => [name, 'string']),
)

const action = (name: string, { craft }: Shapes, body: Members): Endpoint => ({
  method: 'post',
  path: `/action/${name}`,
  body,
  answer: craft,
})
const read = (path: string, answer: Endpoint['answer'], query: Members = {}): Endpoint => ({ method: 'get', path, answer, query })

const HUB = [
  action('stake', COSMOS, { pubkey: 'string', amount: 'number' }),
  action('unstake', COSMOS, { pubkey: 'string', amount: 'number' }),
  action('claim-rewards', COSMOS, { pubkey: 'string' }),
]
const HISTORY: Members = { id: 'string', assets: 'string', shares: 'string', actionType: 'string', link: 'string', createdAt: 'number' }
const SLOT: Members = { withdrawId: 'number', withdrawalAmount: 'number', accRewardPerToken: 'number', withdrawEpoch: 'number' }

export const PRODUCTS: Readonly<Record<string, Product>> = {
  'hub-one': { prefix: '/api/v1/hub-one/native', shapes: COSMOS, endpoints: HUB },
  'hub-two': { prefix: '/api/v1/hub-two/native', shapes: COSMOS, endpoints: HUB },
  'evm-vault': {
    prefix: '/api/v1/evm-one/vault-one',
    shapes: EVM,
    endpoints: [
      action('stake', EVM, { address: 'string', amount: 'number' }),
      action('unstake', EVM, { address: 'string', amount: 'number' }),
      action('withdraw', EVM, { address: 'string' }),
      read('/historic/{address}', [HISTORY]),
      read('/vault', { vaultAddress: 'string', apy: 'number|null' }),
      read('/stats/{address}', [{ time: 'number', balance: 'number', apy: 'number', rewards: 'number' }], { days: 'number? default 7' }),
    ],
  },
  'evm-two': {
    prefix: '/api/v1/evm-two/native',
    shapes: EVM,
    endpoints: [
      action('delegate', EVM, { address: 'string', amount: 'number' }),
      action('undelegate', EVM, { address: 'string' }),
      action('withdraw', EVM, { address: 'string' }),
      action('claim-rewards', EVM, { address: 'string' }),
      action('compound-rewards', EVM, { address: 'string' }),
    ],
  },
  'evm-three': {
    prefix: '/api/v1/evm-three/native',
    shapes: EVM,
    endpoints: [
      action('delegate', EVM, { address: 'string', amount: 'number' }),
      action('undelegate', EVM, { address: 'string', amount: 'number', withdrawId: 'number 0-255' }),
      action('withdraw', EVM, { address: 'string', withdrawId: 'number 0-255' }),
      action('claim-rewards', EVM, { address: 'string' }),
      action('compound', EVM, { address: 'string' }),
      read(
        '/withdrawals/{address}',
        {
          validatorId: 'number',
          delegator: 'string',
          startWithdrawId: 'number',
          endWithdrawId: 'number',
          validRequests: 'array',
          errors: 'array',
        },
        { startWithdrawId: 'number? 0-255 default 0', endWithdrawId: 'number? 0-255 default 255' },
      ),
      read('/withdrawal/{address}/{withdrawId}', SLOT),
    ],
  },
  'evm-three-liquid': {
    prefix: '/api/v1/evm-three/liquid-a',
    shapes: EVM,
    endpoints: [
      action('delegate', EVM, { address: 'string', amount: 'number 100-' }),
      action('undelegate', EVM, { address: 'string', amount: 'number' }),
      action('withdraw', EVM, { address: 'string', request_id: 'number' }),
      read('/withdrawal/{address}', [{ request_id: 'number', assets: 'number', withdrawable_time: 'number' }]),
    ],
  },
  'svm-native': {
    prefix: '/api/v1/svm-one/native',
    shapes: SVM,
    endpoints: [
      action('create-nonce-account', SVM, { wallet_address: 'string' }),
      action('stake', SVM, {
        wallet_address: 'string',
        nonce_account_address: 'string?',
        amount: 'number 1-',
        sign: 'boolean? default true',
      }),
      action('unstake', SVM, { wallet_address: 'string', stake_account_address: 'string', nonce_account_address: 'string?' }),
      action('withdraw', SVM, {
        wallet_address: 'string',
        stake_account_address: 'string',
        nonce_account_address: 'string?',
        amount: 'number? 1-',
      }),
    ],
  },
  'svm-liquid': {
    prefix: '/api/v1/svm-one/liquid-b',
    shapes: SVM,
    endpoints: [
      action('stake', SVM, { wallet_address: 'string', amount: 'number 0.003-' }),
      action('unstake', SVM, { wallet_address: 'string', amount: 'number' }),
    ],
  },
  'move-native': {
    prefix: '/api/v1/move-one/native',
    shapes: MOVE,
    endpoints: [
      action('stake', MOVE, { wallet_address: 'string', amount: 'number 1-' }),
      action('unstake', MOVE, { wallet_address: 'string', staked_sui_object_id: 'string' }),
    ],
  },
}

/** Endpoints outside the protocols, and the public key with them, which the specification asks to be found somewhere. */
export const SERVICE = [
  'get /api/v1/health',
  'get /api/v1/public-key',
  'post /api/v1/apikeys',
  'get /api/v1/apikeys',
  'get /api/v1/apikeys/{ulid}',
  'patch /api/v1/apikeys/{ulid}',
  'delete /api/v1/apikeys/{ulid}',
]

const nullable = (type: string, ...names: string[]): Members => Object.fromEntries(names.map((name) => [name, `${type}|null`]))

export const NETWORK_MEMBERS: Members = { name: 'string', type: 'string', chain_id: 'string', is_default: 'boolean' }

export const INFO_MEMBERS: Members = {
  ...nullable('number', 'stake_activation_max_time', 'stake_deactivation_max_time', 'withdrawal_max_time', 'staking_reward_fee'),
  ...nullable('number', 'withdrawal_fee', 'staking_apr', 'staking_apy', 'max_slashing_percentage'),
  ...nullable('string', 'min_stake_amount', 'max_stake_amount'),
  ...nullable('number', 'users', 'tvl_usd', 'tvl_token'),
}

/** Members of ours, beside those of the specification: what lies with a former validator, and that a request is about one. */
export const OURS: Members = {
  by_validator: 'array?',
  control: 'array?',
  validator: 'string?',
  validatorId: 'number?',
  poolId: 'string?',
  vault: 'string?',
  withdraw_address: 'string?',
}

export const BALANCE_MEMBERS: Members = {
  staked_amount: 'number',
  ...nullable('number', 'stake_activation_amount', 'stake_deactivation_amount', 'stake_withdrawing_amount', 'stake_rewards_amount'),
  staking_objects: 'array|null',
}

export const OBJECT_MEMBERS: Members = {
  id: 'string',
  type: 'string',
  status: 'string',
  ...nullable('number', 'amount', 'rewards_amount', 'activation_epoch', 'withdrawable_epoch'),
  ...nullable('string', 'validator_address', 'withdrawable_at'),
}

export const OBJECT_STATES = ['activating', 'active', 'deactivating', 'withdrawable', 'unknown']
export const OBJECT_TYPES = ['delegation', 'withdrawal_request']

const INSPECTED: Members = {
  sentence: 'string',
  known: 'boolean',
  form: 'string',
  calls: 'array',
  moves: 'array',
  signers: 'array',
  max_fee: 'string',
  hash: 'string|null',
  tx_hash: 'string|null',
  validity: 'string',
  notes: 'array',
  order: 'object|null',
}

const FOLLOWED: Members = {
  id: 'string',
  account: 'string',
  protocol: 'string',
  chain_id: 'string',
  tx_hash: 'string',
  status: 'string',
  finality: 'string',
  certainty: 'string',
  network: 'string',
  moves: 'array|null',
  object_ids: 'array|null',
  origin: 'string',
  first_seen: 'string',
  request_id: 'string',
  ...nullable('object', 'block', 'fee', 'error', 'valid_until'),
  ...nullable('array', 'promised', 'differences'),
  ...nullable('boolean', 'replaced_by_same'),
  ...nullable('string', 'replaced_by', 'checked_at', 'accepted_at', 'ended_at', 'next_look_at', 'wallet', 'sentence'),
  ...nullable('string', 'unsigned_hash', 'identity'),
  ...nullable('number', 'looked_at'),
}

const ANNOUNCEMENT: Members = {
  id: 'string',
  account: 'string',
  protocol: 'string',
  network: 'string',
  address: 'string',
  aspect: 'string',
  holder: 'string',
  until: 'string',
  created_at: 'string',
  used_at: 'string|null',
}
const OWN_ADDRESS: Members = { account: 'string', protocol: 'string', network: 'string', address: 'string', created_at: 'string' }
const WATCHED: Members = {
  id: 'string',
  protocol: 'string',
  network: 'string',
  address: 'string',
  origin: 'string',
  created_at: 'string',
  ...nullable('string', 'read_at', 'next_read_at'),
}

/** Where a transaction stands. */
const REWARDS = {
  address: 'string',
  network: 'string',
  interval: 'string',
  opened_at: 'string|null',
  intervals: 'array',
  totals: 'array',
  complete: 'boolean',
} as const
const POSITION = {
  id: 'string',
  account: 'string',
  protocol: 'string',
  network: 'string',
  network_id: 'string',
  symbol: 'string|null',
  address: 'string',
  state: 'string',
  read_at: 'string|null',
  staked: 'string|null',
  activating: 'string|null',
  unclaimed: 'string|null',
  next_due: 'object|null',
  earned_30d: 'string|null',
  earned_days: 'number',
  rate_percent: 'string|null',
  slashed_30d: 'boolean',
  book: 'object|null',
  days: 'array',
  buckets: 'array',
} as const
const OPERATIONS = { address: 'string', network: 'string', entries: 'array', next: 'string|null' } as const
const STATUS: Members = {
  tx_hash: 'string',
  status: 'string',
  finality: 'string',
  certainty: 'string',
  network: 'string',
  moves: 'array|null',
  object_ids: 'array|null',
  checked_at: 'string',
  ...nullable('object', 'block', 'fee', 'error', 'valid_until'),
  ...nullable('boolean', 'replaced_by_same'),
  ...nullable('string', 'replaced_by', 'first_seen'),
  ...nullable('number', 'looked_at'),
}
/** What broadcast takes, all of which may be left out, and a hash. */
function trackedBy({ broadcast }: Shapes): Members {
  const optional = Object.entries(broadcast).map(([name, type]) => [name, type.endsWith('?') ? type : `${type}?`])
  return { ...Object.fromEntries(optional), tx_hash: 'string?' }
}

/** Of ours, marked `x-beyond-specification` in the document; members as in the tables. */
export const BEYOND: readonly (Endpoint & { readonly prefix: string })[] = [
  {
    prefix: '/api/v1/svm-one/native',
    ...action('close-nonce-account', SVM, { wallet_address: 'string', account_address: 'string', nonce_account_address: 'string?' }),
  },
  { prefix: '/api/v1', ...read('/public-keys', { keys: 'array' }) },
  {
    prefix: '/api/v1',
    method: 'get',
    path: '/protocols',
    answer: [
      {
        protocol: 'string',
        path: 'string',
        title: 'string',
        summary: 'string',
        version: 'string',
        family: 'string',
        symbol: 'string|null',
        signer: 'string',
        term_descriptions: 'object',
        networks: 'array',
        actions: 'array',
      },
    ],
  },
  {
    prefix: '/api/v1',
    ...read('/session', {
      kind: 'string',
      account: 'object|null',
      token: 'object',
      accounts: 'array',
      version: 'string',
      sandbox: 'boolean',
    }),
  },
  { prefix: '/api/v1', ...read('/audit', { records: 'array', next: 'string|null' }) },
  {
    prefix: '/api/v1',
    ...read('/statements', { entries: 'array', totals: 'array', complete: 'boolean', next: 'string|null' }),
  },
  { prefix: '/api/v1', ...read('/positions', { positions: 'array', totals: 'array', counts: 'object', next: 'string|null' }) },
  {
    prefix: '/api/v1',
    ...read('/positions/{protocol}/{network}/{address}', POSITION),
  },
  { prefix: '/api/v1', ...read('/transactions', { transactions: 'array', next: 'string|null' }) },
  { prefix: '/api/v1', ...read('/transactions/{tx_hash}', { ...FOLLOWED, differences: 'array|null', history: 'array', steps: 'array' }) },
  { prefix: '/api/v1', ...read('/watch', { watches: 'array', next: 'string|null' }) },
  { prefix: '/api/v1', method: 'put', path: '/watch/{protocol}/{address}', answer: WATCHED },
  { prefix: '/api/v1', method: 'delete', path: '/watch/{protocol}/{address}', answer: {} },
  { prefix: '/api/v1', ...read('/announcements', { announcements: 'array', next: 'string|null' }) },
  {
    prefix: '/api/v1',
    method: 'put',
    path: '/announcements/{protocol}/{address}/{aspect}',
    answer: ANNOUNCEMENT,
    body: { holder: 'string', hours: 'number?' },
  },
  { prefix: '/api/v1', method: 'delete', path: '/announcements/{protocol}/{address}/{aspect}', answer: {} },
  { prefix: '/api/v1', ...read('/own-addresses', { own_addresses: 'array', next: 'string|null' }) },
  { prefix: '/api/v1', method: 'put', path: '/own-addresses/{protocol}/{address}', answer: OWN_ADDRESS },
  { prefix: '/api/v1', method: 'delete', path: '/own-addresses/{protocol}/{address}', answer: {} },
  // A file has no members.
  { prefix: '/api/v1', ...read('/audit/export', {}) },
  {
    prefix: '/api/v1',
    ...read('/overview', {
      window: 'string',
      from: 'string',
      to: 'string',
      bucket_seconds: 'number',
      series: 'array',
      totals: 'object',
      latency_ms: 'object|null',
      refusals: 'array',
      crafts: 'array',
      alarms: 'array',
      keys: 'object',
      service: 'object|null',
    }),
  },
  ...WEBHOOKS,
  { prefix: '', ...read('/.well-known/jwks.json', { keys: 'array' }) },
  ...Object.values(PRODUCTS).map(({ prefix }) => ({
    prefix,
    method: 'post' as const,
    path: '/action/inspect',
    body: { transaction: 'string', expect: 'object?' } as const,
    answer: INSPECTED,
  })),
  ...Object.values(PRODUCTS).flatMap(({ prefix, shapes }) => [
    { prefix, ...read('/rewards/{address}', REWARDS) },
    { prefix, ...read('/operations/{address}', OPERATIONS) },
    { prefix, ...read('/alarms', { alarms: 'array', more: 'boolean' }) },
    { prefix, ...read('/transaction/{tx_hash}', STATUS) },
    ...(shapes === EVM ? [{ prefix, ...read('/transaction/{tx_hash}/signed', EVM.prepared) }] : []),
    { prefix, method: 'post' as const, path: '/transaction/track', body: trackedBy(shapes), answer: STATUS },
  ]),
]
