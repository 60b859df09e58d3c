import { membersOf } from '@svc/contract'
import type { Liar } from '../../family.ts'
import { isNear } from '../../lies/near.ts'
import { type Change, FORMS, jsonRpcLiar, type Leaf } from '../json-rpc/lies.ts'
import { readFields, textBytes, writeFields } from '../shared/protobuf.ts'
import { type FalseMessage, messageLies, textLies, type Value } from '../shared/protobuf-lies.ts'

const DAY_MS = 86_400_000

const HEAD = 'the head'
const VERDICT = 'a verdict'
const PRICE = 'gas price'
const POWERS = 'powers'

/** Statements that an endpoint of a Cosmos chain can have believed. */
const believed: Liar['believed'] = {
  [HEAD]: 'of the chain that is configured, not catching up, no older than max_block_age',
  account: 'number and sequence up to 2^48; the chain refuses what is signed with others',
  balance: 'a wallet that holds less is refused, one that holds more is refused by the chain',
  'gas used': 'from 1 to gas_used_maximum, and 36,000 for each denomination of the rewards, and what the community pool takes',
  pool: 'coins below 2^128 base units, in 65,536 bytes at most; each byte gives a transaction 33 gas, within max_fee',
  [PRICE]: 'from gas_price_minimum to what max_fee pays for; above gas_price_ceiling times the minimum only where no endpoint says less',
  delegation: 'amounts in the bytes stay those of the request, positions below 2^128 base units',
  unbonding: 'of that address, times within the calendar, positions below 2^128 base units',
  rewards: 'positions below 2^128 base units',
  validator: 'whether a stake is refused; rates from 0 to 1',
  parameters: 'at most a year, at least one entry',
  [POWERS]: 'that the chain serves no such query: the balance has no control then, and no change of it is told',
  [VERDICT]: 'a refusal in the words of the chain; it costs nothing but another try',
}

/** Known facts of the answer to a query. Paths are numbers of fields, as in its description. @see https://buf.build/cosmos/cosmos-sdk (read 2026-11-22) */
interface Query {
  /** Name in `believed` of what the numbers of the answer are about. */
  readonly about: string
  /** Tells whether a number might be the chain's. @default any that is not negative and has 78 digits at most */
  might?(path: string, value: bigint, own: Value): boolean
  /** Facts that are believed whatever they are: that something is not there, for one. */
  readonly any?: RegExp
  /** Facts that must be recognised whatever they are, besides texts that are not numbers. */
  readonly never?: RegExp
  /** Items of lists that there cannot be two of. */
  readonly once?: RegExp
}

/** Last second of the year 9999. @see https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp (read 2026-11-22) */
const LAST_SECOND = 253_402_300_799n
const YEAR = 31_536_000n
const ONE = 10n ** 18n
/** Gas that staking never takes where rewards are in the chain's own token: gas_used_maximum, and 36,000 for that. */
const MOST_GAS = 536_000n
/** Query for the price of a unit of gas, on any chain of the family. */
const PRICE_QUERY = /[Gg]asPrice|BaseFee$/
/** Queries for who has power over a delegation. */
const POWERS_QUERY = /DelegatorWithdrawAddress$|GranterGrants$/
/** Base units for a unit of gas, at most: more than max_fee pays for, on the chain of this family where that is highest, for the 100,000 gas that every action takes. */
const MOST_PRICE = 1
const MOST_UNITS = 1n << 128n

const QUERIES: readonly (readonly [RegExp, Query])[] = [
  [/AccountInfo$/, { about: 'account', might: (_, value) => value <= 1n << 48n, any: /^1\.2/ }],
  [/bank.*Balance/, { about: 'balance', might: (_, value) => value < MOST_UNITS }],
  // Its events say which rewards it paid: gas for others is added, in denominations that the chain shows elsewhere.
  [/Simulate$/, { about: 'gas used', might: (_, value) => value > 0n && value <= MOST_GAS, any: /^2/ }],
  [/[Gg]asPrice/, { about: PRICE, might: (_, value, own) => isPrice(value, own) }],
  [/staking.*Query\/Delegation$/, { about: 'delegation', might: (_, value) => value < MOST_UNITS }],
  [
    /UnbondingDelegation$/,
    {
      about: 'unbonding',
      might(path, value) {
        if (path === '1.3.2.1') return BigInt.asIntN(64, value) >= 0n && value <= LAST_SECOND
        if (path === '1.3.2.2') return BigInt.asIntN(32, value) >= 0n && BigInt.asIntN(32, value) < 1_000_000_000n
        return value < MOST_UNITS
      },
      any: /^1\.3$|^1\.3\.2$/,
      once: /^1\.3$/,
    },
  ],
  [/DelegationTotalRewards$/, { about: 'rewards', might: (_, value) => value < MOST_UNITS * ONE, any: /^$|^1$|^1\.1$|^1\.2$|^1\.2\.1$/ }],
  [/CommunityPool$/, { about: 'pool', might: (_, value) => value < MOST_UNITS * ONE, any: /^$|^1$|^1\.1$/, once: /^1$/ }],
  [
    /ValidatorOutstandingRewards$/,
    { about: 'rewards', might: (_, value) => value < MOST_UNITS * ONE, any: /^$|^1$|^1\.1$|^1\.1\.1$/, once: /^1\.1$/ },
  ],
  [/staking.*Query\/Validator$/, { about: 'validator', might: (path, value) => path !== '1.10.1.1' || value <= ONE, never: /^1\.1$/ }],
  [
    /staking.*Query\/Params$/,
    {
      about: 'parameters',
      might(path, value) {
        if (path === '1.1.1') return BigInt.asIntN(64, value) >= 0n && BigInt.asIntN(64, value) <= YEAR
        return path !== '1.3' || BigInt.asUintN(32, value) > 0n
      },
    },
  ],
]

/** Refusals of the application: code, words, and what of `believed` they are. @see https://github.com/cosmos/cosmos-sdk/blob/main/types/errors/errors.go (read 2026-11-22) */
const REFUSALS: readonly (readonly [number, string])[] = [
  [1, 'internal'],
  [1, 'rpc error: code = Unavailable desc = the node has a bad day'],
  [6, 'unknown query path: unknown request'],
  [18, 'codespace sdk code 18: invalid request: failed to load state at height 7; version does not exist (latest height: 0)'],
  [18, 'failed to load state at height 7; version mismatch on immutable IAVL tree; version does not exist'],
  [22, 'rpc error: code = NotFound desc = nothing is there: key not found'],
  [38, 'rpc error: code = Internal desc = runtime error: invalid memory address'],
  [18, 'baseapp is not ready; please wait for first block: invalid height'],
  [11, 'rpc error: code = ResourceExhausted desc = too many requests'],
  [1, 'rpc error: code = Unimplemented desc = unknown service'],
  [2, 'rpc error: code = Unknown desc = failed to execute message; message index: 0: validator does not exist: unknown request'],
  [111_222, 'panic'],
]

/** Error of a node that did not look, or could not; the rest are verdicts of a simulation. */
const REFUSED_BY_RUN = /code = (Unknown|NotFound) /
/** Error that says of a price that there is none on this chain: then the price of the settings is taken. */
const NOT_SERVED = /unknown query path|Unimplemented/

function leaf(member: Leaf): readonly Change[] {
  const { method, params, path, value, now } = member
  const others = FORMS.filter(([, form]) => form !== value)
  if (method === 'abci_query' && path === 'result.response.value')
    return [
      ...others.map(([what, form]) => [what, form, form === null ? aboutNothing(member) : undefined] as const),
      ...answers(queryOf(params), String(value ?? '')),
    ]
  if (method === 'status') return status(path, value, now)
  if (path.endsWith('.hash') && typeof value === 'string')
    return [...others, ['is another hash', `${value.slice(0, -1)}${value.endsWith('0') ? 1 : 0}`]]
  if (typeof value === 'number') {
    const verdict = method === 'abci_query' ? undefined : VERDICT
    return [...others, ['is negative', -1], ['is 2^53', 2 ** 53], ['is 1', value + 1, verdict], ['is a text', String(value)]]
  }
  return typeof value === 'string' ? [...others, ...textLies(value)] : others
}

/** Lists the lies in what a node says of itself. */
function status(path: string, value: unknown, now: Date): readonly Change[] {
  const others = FORMS.filter(([, form]) => form !== value)
  if (path === 'result.node_info.network')
    return [...others, ['is another chain', 'another-1'], ['is empty', ''], ['goes on', `${String(value)}1`]]
  if (path !== 'result.sync_info.latest_block_time') return others
  const at = (ms: number) => new Date(ms).toISOString()
  return [
    ...others,
    ['is ten days old', at(now.getTime() - 10 * DAY_MS)],
    ['is of 1970', at(0)],
    ['is of no day', '2026-13-41T00:00:00Z'],
    ['is empty', ''],
    ['is a second later', at(Date.parse(String(value)) + 1000), HEAD],
    ['is of tomorrow', at(now.getTime() + DAY_MS), HEAD],
  ]
}

/** The message of an answer, in base64. */
function answers(query: Query | undefined, base64: string): readonly Change[] {
  const message = Buffer.from(base64, 'base64')
  return [
    ['is no base64', '?'],
    ['lacks its last letter', base64.slice(0, -1)],
    ['is hex', message.toString('hex')],
    ...messageLies(message).map(
      ({ what, make, ...fact }) => [what, () => Buffer.from(make()).toString('base64'), query && aboutOf(query, fact)] as const,
    ),
  ]
}

function aboutOf(query: Query, { path, value, own, doubled }: Omit<FalseMessage, 'what' | 'make'>): string | undefined {
  const { about, might = () => true, any, never, once } = query
  if (never?.test(path) || (doubled && once?.test(path))) return undefined
  if (any?.test(path)) return about
  if (typeof own === 'string' && !/^\d+$/.test(own)) return undefined
  // What is left out of a message is 0, or no; what is of another form may be read as a number.
  if (value === null) return typeof own === 'bigint' ? about : undefined
  const number = typeof value === 'bigint' ? value : typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : null
  return number !== null && might(path, number, own) ? about : undefined
}

/** Names what is believed when there is no message at all, which is how an empty one is written. */
function aboutNothing({ method, params, path, value }: Leaf): string | undefined {
  const query = method === 'abci_query' && path === 'result.response.value' ? queryOf(params) : undefined
  return query && aboutOf(query, { path: '', value: null, own: Buffer.from(String(value), 'base64') })
}

/** A price is a text of an integer, times 10^18, or a double, here by its bits. */
function isPrice(value: bigint, own: Value): boolean {
  const bits = Buffer.alloc(8)
  bits.writeBigUInt64LE(BigInt.asUintN(64, value))
  const price = typeof own === 'bigint' ? bits.readDoubleLE() : Number(value) / 1e18
  return price >= 0 && price <= MOST_PRICE
}

/** The answer to a query for the price, with the price so many times as high: a text of digits, or a double, at whatever depth. */
function raised(message: Uint8Array, factor: bigint): Uint8Array {
  return writeFields(
    readFields(message).map((field) => {
      const { value } = field
      if (typeof value !== 'bigint') {
        const text = Buffer.from(value).toString('latin1')
        if (/^\d+$/.test(text)) return { ...field, value: textBytes(String(BigInt(text) * factor)) }
        // The name of a denomination is a text, and no message.
        return /^[ -~]*$/.test(text) ? field : { ...field, value: raised(value, factor) }
      }
      if (field.width !== 8) return field
      const bits = Buffer.alloc(8)
      bits.writeBigUInt64LE(value)
      bits.writeDoubleLE(bits.readDoubleLE() * Number(factor))
      return { ...field, value: bits.readBigUInt64LE() }
    }),
  )
}

function pathOf(params: unknown): string {
  return String(membersOf(params).path)
}

function queryOf(params: unknown): Query | undefined {
  return QUERIES.find(([form]) => form.test(pathOf(params)))?.[1]
}

/** Liar for an endpoint of a Cosmos chain: it makes the facts of answers false. */
export const liar: Liar = jsonRpcLiar({
  believed,
  // The gas of a simulation may be two in a hundred apart, of which the higher number is taken; what is paid at most follows from it.
  apart: (path, right, value) => /^(?:maxFee|terms\.gasLimit)$/.test(path) && isNear(right, value, 2n),
  leaf,
  dearer(method, params, result, factor) {
    const response = membersOf(membersOf(result).response)
    if (method !== 'abci_query' || !PRICE_QUERY.test(pathOf(params)) || typeof response.value !== 'string') return result
    const value = Buffer.from(raised(Buffer.from(response.value, 'base64'), factor)).toString('base64')
    return { ...membersOf(result), response: { ...response, value } }
  },
  list: () => ({}),
  absent: aboutNothing,
  label(method, params) {
    if (method === 'abci_query') return pathOf(params).replace(/^.*\.(\w+)\.v\w+\./, '$1 ')
    return method === 'status' ? undefined : method
  },
  whole(method, params, result) {
    if (method !== 'abci_query') return []
    const path = pathOf(params)
    return REFUSALS.map(([code, log]) => [
      `is refused with code ${code}, ${log}`,
      { ...membersOf(result), response: { code, log, codespace: 'sdk', value: null, height: '7' } },
      refusalOf(path, code, log),
    ])
  },
})

function refusalOf(path: string, code: number, log: string): string | undefined {
  if (/Simulate$/.test(path)) return REFUSED_BY_RUN.test(log) ? VERDICT : undefined
  if (/[Gg]asPrice/.test(path)) return NOT_SERVED.test(log) ? PRICE : undefined
  if (POWERS_QUERY.test(path)) return NOT_SERVED.test(log) ? POWERS : undefined
  return code === 22 ? VERDICT : undefined
}
