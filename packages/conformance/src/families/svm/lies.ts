import { exactNumber, itemsOf, membersOf } from '@svc/contract'
import type { Liar } from '../../family.ts'
import { isNear } from '../../lies/near.ts'
import { type Change, FORMS, jsonRpcLiar, type Leaf } from '../json-rpc/lies.ts'
import { base58, keyOf } from '../shared/base58.ts'
import { bytesLies, INTEGERS, withInteger } from '../shared/bytes-lies.ts'

const HEAD = 'the head'
const ACCOUNT = 'an account'
const ACCOUNTS = 'accounts'
const VERDICT = 'a verdict'
const BLOCK_HASH = 'block hash'
const RENT = 'rent'
const UNITS = 'compute units'
const PRICE = 'priority price'
const VOTES = 'vote account'
const MINIMUM = 'least delegation'

/** Statements that an endpoint of a Solana cluster can have believed. */
const believed: Liar['believed'] = {
  [HEAD]: 'of the cluster that is configured and no older than max_block_age',
  [ACCOUNT]: 'amounts in the bytes stay those of the request, or are of 64 bits and go to the wallet; positions below 2^128 lamports',
  [ACCOUNTS]: 'those that were looked for, each once; positions below 2^128 lamports',
  [BLOCK_HASH]: '32 bytes; the chain refuses a transaction with another one',
  [RENT]: 'from 1 to 6,960 lamports for each byte and 128 more',
  [UNITS]: 'up to five times what the action reckons with; with the price no more than max_fee and fee_ceiling',
  [PRICE]: 'unit_price_max; with the units no more than max_fee and fee_ceiling',
  [VERDICT]: 'a refusal in the forms of a node; it costs nothing but another try',
  [VOTES]: 'whether a stake is refused; commission from 0 to 100 percent',
  [MINIMUM]: 'from 1 to 10 SOL',
}

const MOST_U64 = (1n << 64n) - 1n
const SYSVARS = 'Sysvar1111111111111111111111111111111111111'
/** The clock: an address, and where its time stands. @see https://docs.anza.xyz/runtime/sysvars (read 2026-11-22) */
const CLOCK = { address: 'SysvarC1ock11111111111111111111111111111111', time: 32, bytes: 40 } as const
/** @see https://docs.rs/solana-rent/latest/solana_rent/ (read 2026-11-22) */
const RENT_OF = { overhead: 128n, most: 6960n } as const
/** Compute units of a transaction. @see https://solana.com/docs/core/fees (read 2026-11-22) */
const MOST_UNITS = 1_400_000n
/** Form of an address, which most texts of its letters have that stand for a byte less. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const LEAST = { most: 10_000_000_000n } as const

/** Integers that are believed, by method and the last word of their place; what is not named is of an account. */
const NUMBERS: Readonly<Record<string, (value: bigint, params: unknown, path: string) => string | undefined>> = {
  getMinimumBalanceForRentExemption: (value, params) => {
    const bytes = RENT_OF.overhead + BigInt(Number(itemsOf(params)[0]))
    return value >= bytes && value <= bytes * RENT_OF.most ? RENT : undefined
  },
  simulateTransaction: (value, _params, path) => (!path.endsWith('unitsConsumed') || value <= MOST_UNITS ? UNITS : undefined),
  getRecentPrioritizationFees: () => PRICE,
  getStakeMinimumDelegation: (value) => (value <= LEAST.most ? MINIMUM : undefined),
  getVoteAccounts: (value, _params, path) =>
    !/commission/i.test(path) || value <= (path.endsWith('Bps') ? 10_000n : 100n) ? VOTES : undefined,
  getLatestBlockhash: () => BLOCK_HASH,
  getAccountInfo: () => HEAD,
  getProgramAccounts: () => ACCOUNTS,
  getMultipleAccounts: () => ACCOUNT,
}

function leaf(member: Leaf): readonly Change[] {
  const { method, path, value } = member
  const others = FORMS.filter(([, form]) => form !== value).map(([what, form]) => [what, form, aboutForm(member, form)] as const)
  if (path.endsWith('.data[0]')) return [...others, ...dataLies(member, String(value))]
  if (isInteger(value)) return [...others, ...integers(member, BigInt(typeof value === 'number' ? value : value.rawJSON))]
  if (typeof value === 'boolean') return [...others, ['is the contrary', !value]]
  if (typeof value !== 'string') return [...others, ...verdicts(method, path)]
  return [...others, ...texts(member, value)]
}

/** Names what is believed all the same of a value that is of no form that it could have. */
function aboutForm({ method, params, path, value }: Leaf, form: unknown): string | undefined {
  // An account that there is not, or one with three bytes of data.
  if (method === 'getMultipleAccounts' && /^result\.value\[\d+\]$/.test(path))
    return form === null && membersOf(value).owner !== SYSVARS ? ACCOUNT : undefined
  if (path.endsWith('.data[0]')) return form === 'none' && !isBound(method, params) ? ACCOUNT : undefined
  // What cannot be read of these is gone without.
  if (method === 'getStakeMinimumDelegation') return MINIMUM
  // The node need not say it.
  if (path.endsWith('unitsConsumed') && form === null) return UNITS
  if (path.endsWith('Bps') && form === null) return VOTES
  // A name of an error that nobody knows.
  return method === 'simulateTransaction' && path === 'result.value.err' && form === 'none' ? VERDICT : undefined
}

function integers({ method, params, path }: Leaf, own: bigint): readonly Change[] {
  const about = (value: bigint) => (value >= 0n && value <= MOST_U64 ? (NUMBERS[method]?.(value, params, path) ?? undefined) : undefined)
  const values = [...INTEGERS, ['is 2^64', 1n << 64n], ['is negative', -1n], ['is -2^63', -(1n << 63n)], ['+ 1', own + 1n]] as const
  return [
    ['is a text', String(own)],
    ...values.filter(([, value]) => value !== own).map(([what, value]) => [what, exactNumber(String(value)), about(value)] as const),
  ]
}

/** Keys, hashes, signatures and names. */
function texts({ method, path }: Leaf, own: string): readonly Change[] {
  const key = keyOf(own)
  const other = key && base58(Buffer.from(key.map((byte, index) => (index === 31 ? byte ^ 1 : byte))))
  const changes = [
    ['is empty', ''],
    ['lacks its last letter', own.slice(0, -1)],
    ['goes on', `${own}1`],
    ['is no base58', `${own.slice(0, -1)}0`],
    ['is another one', other ?? own.slice(0, -1) + (own.endsWith('2') ? '3' : '2')],
  ] as const
  // With a letter less it may still be 32 bytes. Identifiers of a position are looked at by their form alone.
  const might = (text: string) => (path.endsWith('.pubkey') ? ADDRESS.test(text) : keyOf(text) !== null)
  return changes.map(([what, text]) => [what, text, might(text) ? aboutKey(method, path, own) : undefined] as const)
}

function aboutKey(method: string, path: string, own: string): string | undefined {
  if (method === 'getLatestBlockhash') return BLOCK_HASH
  if (method === 'getVoteAccounts') return VOTES
  if (method === 'getProgramAccounts') return path.endsWith('.pubkey') ? ACCOUNTS : undefined
  // An account that is not what it should be is refused, unless it is one that there is on every cluster.
  return method === 'getMultipleAccounts' && own !== SYSVARS ? ACCOUNT : undefined
}

/** Data of an account, in base64. */
function dataLies({ method, params, now }: Leaf, own: string): readonly Change[] {
  const data = Buffer.from(own, 'base64')
  const written = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const isClock = isOfClock(params)
  const fixed = isClock ? [{ offset: CLOCK.time, length: 8 }] : filtered(params)
  const isFixed = (at: number | null) =>
    at === null ? isClock || fixed.length > 0 : fixed.some(({ offset, length }) => at < offset + length && at + 8 > offset)
  const about = isClock ? HEAD : method === 'getProgramAccounts' ? ACCOUNTS : ACCOUNT
  return [
    ['is no base64', '?'],
    ...[base58(data.subarray(0, 64)), own.slice(0, Math.floor(own.length / 2))].map(
      (text) =>
        [
          `is ${text.slice(0, 8)} and ${text.length - 8} letters more`,
          text,
          isBase64(text) && !isBound(method, params) ? ACCOUNT : undefined,
        ] as const,
    ),
    ...(isClock ? headTimes(data, now) : []),
    ...bytesLies(data)
      .filter(({ at }) => !(isClock && isFixed(at) && at !== null))
      .map(({ what, at, make }) => [what, () => written(make()), isFixed(at) ? undefined : about] as const),
  ]
}

function isOfClock(params: unknown): boolean {
  return itemsOf(params)[0] === CLOCK.address
}

function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text
}

/** Tells whether the size of data is known beforehand. */
function isBound(method: string, params: unknown): boolean {
  return isOfClock(params) || method === 'getProgramAccounts'
}

/** A clock of another day, or of no day at all. */
function headTimes(data: Buffer, now: Date): readonly Change[] {
  const seconds = BigInt(Math.floor(now.getTime() / 1000))
  const at = (what: string, time: bigint, about?: string): Change => [
    what,
    () => withInteger(data, CLOCK.time, time).toString('base64'),
    about,
  ]
  return [
    at('is ten days old', seconds - 864_000n),
    at('is of 1970', 0n),
    at('is before 1970', -1n),
    at('is before there were days', -(1n << 63n)),
    at('is a second later', data.readBigInt64LE(CLOCK.time) + 1n, HEAD),
  ]
}

/** Bytes that accounts were looked for by. @see https://solana.com/docs/rpc/http/getprogramaccounts (read 2026-11-22) */
function filtered(params: unknown): readonly { readonly offset: number; readonly length: number }[] {
  const { filters, dataSlice } = membersOf(itemsOf(params)[1])
  const first = Number(membersOf(dataSlice).offset ?? 0)
  return itemsOf(filters).flatMap((filter) => {
    const { memcmp } = membersOf(filter)
    const { offset, bytes } = membersOf(memcmp)
    return memcmp ? [{ offset: Number(offset) - first, length: keyOf(String(bytes))?.length ?? 1 }] : []
  })
}

/** Errors within a result, as nodes write them, and as they do not. @see https://docs.rs/solana-transaction-error/latest/solana_transaction_error/ (read 2026-11-22) */
function verdicts(method: string, path: string): readonly Change[] {
  if (method !== 'simulateTransaction' || path !== 'result.value.err') return []
  return [
    ['is AccountNotFound', 'AccountNotFound', VERDICT],
    ['is BlockhashNotFound', 'BlockhashNotFound', VERDICT],
    ['is an error of an instruction', { InstructionError: [0, { Custom: 1 }] }, VERDICT],
    ['is an error of an instruction by name', { InstructionError: [2, 'InvalidAccountData'] }, VERDICT],
    ['is an error of an instruction that there is not', { InstructionError: [99, { Custom: 2 ** 32 }] }, VERDICT],
    ['is an error of no instruction', { InstructionError: 'Custom' }],
    ['is two errors', { InstructionError: [0, 'Custom'], AccountNotFound: {} }],
    ['is a number', 7],
    ['is empty', ''],
  ]
}

function isInteger(value: unknown): value is number | { readonly rawJSON: string } {
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'object' && value !== null && 'rawJSON' in value
}

/** Liar for an endpoint of a Solana cluster: it makes the facts of answers false. */
export const liar: Liar = jsonRpcLiar({
  believed,
  // Units of a simulation may be two in a hundred apart, of which the higher number is taken; what is paid at most follows from it.
  apart: (path, right, value) => /^(?:maxFee|terms\.unitLimit)$/.test(path) && isNear(right, value, 2n),
  leaf,
  // Where nobody has paid for priority, one millionth of a lamport is the price.
  dearer: (method, _params, result, factor) =>
    method === 'getRecentPrioritizationFees'
      ? itemsOf(result).map((each) => ({
          ...membersOf(each),
          prioritizationFee: Math.max(1, Number(membersOf(each).prioritizationFee)) * Number(factor),
        }))
      : result,
  list(method, path) {
    if (method === 'getProgramAccounts') return path === 'result.value' ? { missing: ACCOUNTS } : {}
    if (method === 'getRecentPrioritizationFees') return { missing: PRICE, doubled: PRICE }
    if (method === 'getVoteAccounts') return { missing: VOTES, doubled: VOTES }
    return {}
  },
  absent: (given) => aboutForm(given, null),
  // A stake account with a key of its own has another one each time, and so has what is asked about it: a simulation is known by its length.
  sameness(method, params) {
    if (method === 'simulateTransaction') return String(itemsOf(params)[0]).length
    return method === 'getRecentPrioritizationFees' ? null : params
  },
  label(method, params) {
    if (method === 'simulateTransaction' || method === 'getRecentPrioritizationFees' || method === 'sendTransaction') return method
    return isOfClock(params) ? "the chain's clock" : undefined
  },
})
