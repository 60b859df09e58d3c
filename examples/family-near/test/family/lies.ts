import { type Change, FORMS, jsonRpcLiar, type Leaf } from '@svc/conformance/json-rpc'
import { membersOf } from '@svc/contract'

const HEAD = 'the head'
const KEY = 'a key'
const BLOCK_HASH = 'block hash'
const ACCOUNT = 'an account'
const PRICE = 'the price of gas'
const POSITION = 'a position'
const VALIDATORS = 'the validators'
const VERDICT = 'a verdict'

/** What an endpoint of NEAR can have believed. */
const believed = {
  [HEAD]: 'of the chain that is configured, not syncing, no older than max_block_age',
  [KEY]: 'a nonce below a million times the height that goes with it; the chain refuses one that is not above the last',
  [BLOCK_HASH]: '32 bytes; the chain refuses a transaction with one that it does not know',
  [ACCOUNT]: 'whether the account covers what is asked for; it costs nothing but another try',
  [PRICE]: 'from 0.0001 to 0.002 NEAR a TGas',
  [POSITION]: 'below 2^128 yocto; the amounts of a craft stay those of the request',
  [VALIDATORS]: 'each once; whether stake is refused',
  [VERDICT]: 'a refusal in the words of a node; it costs nothing but another try',
}

/** Whom a number or a text is about, by the kind of the query, or the method, and where it stands. */
function aboutOf(method: string, params: unknown, path: string): string | undefined {
  const { request_type } = membersOf(params)
  const [kind, name] = [method === 'query' ? String(request_type) : method, path.replace(/^result\./, '')]
  if (kind === 'view_access_key') return name === 'block_hash' ? BLOCK_HASH : KEY
  if (kind === 'view_account') return ACCOUNT
  if (kind === 'gas_price') return PRICE
  return kind === 'validators' ? VALIDATORS : undefined
}

function leaf({ method, params, path, value, now }: Leaf): readonly Change[] {
  const others = FORMS.filter(([, form]) => form !== value)
  const about = aboutOf(method, params, path)
  if (typeof value === 'boolean') return [...others, ['is the contrary', !value]]
  if (typeof value === 'number') return [...others, ...numbers(value, about, path)]
  if (typeof value !== 'string') return others
  if (path.endsWith('latest_block_time')) return [...others, ...times(now)]
  return [...others, ...(/^\d{2,}$/.test(value) ? amounts(value, about) : texts(value, path, about))]
}

function numbers(own: number, about: string | undefined, path: string): readonly Change[] {
  // A nonce is believed as far as the chain takes it.
  const most = path.endsWith('nonce') ? about : undefined
  return [
    ['is a text', String(own)],
    ['is negative', -1],
    ['is 0', 0, path.endsWith('nonce') ? about : undefined],
    ['+ 1', own + 1, about],
    ['is beyond what JSON holds', 2 ** 60],
    ['is 2^52', 2 ** 52, path.endsWith('nonce') ? undefined : (most ?? about)],
  ]
}

function amounts(own: string, about: string | undefined): readonly Change[] {
  return [
    ['is a number', Number(own)],
    ['is negative', `-${own}`],
    ['is a fraction in words', `${own}.5`],
    ['has a zero before it', `0${own}`],
    ['is 2^140', String(1n << 140n)],
    ['is 0', '0', about === PRICE ? undefined : about],
    ['+ 1', String(BigInt(own) + 1n), about],
  ]
}

function texts(own: string, path: string, about: string | undefined): readonly Change[] {
  const isHash = path.endsWith('hash')
  const turned = own.slice(0, -1) + (own.endsWith('2') ? '3' : '2')
  return [
    ['is empty', ''],
    ['goes on', `${own}1`, isHash ? undefined : about],
    ['is no base58', `${own.slice(0, -1)}0`, isHash ? undefined : about],
    ['is another one', turned, isHash || about === VALIDATORS ? about : undefined],
  ]
}

function times(now: Date): readonly Change[] {
  const at = (what: string, ms: number, about?: string): Change => [what, new Date(ms).toISOString(), about]
  return [
    at('is ten days old', now.getTime() - 864_000_000),
    at('is of 1970', 0),
    ['is a local time', '2026-11-24 10:00:00'],
    ['is a day alone', '2026-11-24'],
    at('is of tomorrow', now.getTime() + 86_400_000, HEAD),
  ]
}

/** What a contract answers is JSON in a list of bytes: each of its members made false. */
function views(params: unknown, result: unknown): readonly Change[] {
  const { result: bytes } = membersOf(result)
  if (!Array.isArray(bytes)) return []
  const { method_name } = membersOf(params)
  const written = (value: unknown) => ({ ...membersOf(result), result: [...Buffer.from(JSON.stringify(value))] })
  const value: unknown = JSON.parse(Buffer.from(bytes as number[]).toString())
  if (typeof value === 'boolean')
    return [
      [`${method_name} is the contrary`, written(!value), VERDICT],
      [`${method_name} is a text`, written('false')],
    ]
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value).flatMap(([name, own]): Change[] => {
    const put = (what: string, changed: unknown, about?: string): Change => [
      `${name} ${what}`,
      written({ ...value, [name]: changed }),
      about,
    ]
    const { [name]: _, ...without } = value as Record<string, unknown>
    return [
      [`${name} is missing`, written(without)],
      ...FORMS.filter(([, form]) => form !== own).map(([what, form]) => put(what, form)),
      ...(typeof own === 'boolean' ? [put('is the contrary', !own, POSITION)] : []),
      ...(/^\d+$/.test(String(own)) && typeof own === 'string'
        ? [
            put('is a number', Number(own)),
            put('is negative', '-1'),
            put('is 2^140', String(1n << 140n)),
            put('is 0', '0', POSITION),
            put('+ 1', String(BigInt(own) + 1n), POSITION),
          ]
        : []),
      ...(name === 'account_id' ? [put('is another one', 'thief.near')] : []),
    ]
  })
  return [...members, ['says that the contract failed', { error: 'wasm execution failed with error: HostError(GuestPanic)', logs: [] }]]
}

/** How an endpoint of NEAR lies. */
export const liar = jsonRpcLiar({
  believed,
  leaf,
  list: (method) => (method === 'validators' ? { missing: VALIDATORS } : {}),
  label(method, params) {
    const { request_type, method_name } = membersOf(params)
    return method === 'query' ? String(request_type === 'call_function' ? method_name : request_type) : method
  },
  whole(method, params, result) {
    const { request_type } = membersOf(params)
    if (method !== 'query') return []
    if (request_type === 'call_function') return views(params, result)
    if (request_type !== 'view_access_key') return []
    const { block_hash, block_height } = membersOf(result)
    const none = { block_hash, block_height, error: 'access key ed25519:1 does not exist while viewing', logs: [] }
    return [
      ['says that there is no such key', none, VERDICT],
      ['says that it failed', { ...none, error: 'storage error' }],
      ['says both', { ...membersOf(result), error: none.error }],
    ]
  },
})
