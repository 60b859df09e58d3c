import { itemsOf, membersOf } from '@svc/contract'
import type { Liar } from '../../family.ts'
import { isNear } from '../../lies/near.ts'
import { type Change, FORMS, jsonRpcLiar, type Leaf } from '../json-rpc/lies.ts'

const WORD = 64
const DAY = 86_400

/** Selectors of Multicall3: `getCurrentBlockTimestamp()` and `aggregate3(...)`. @see https://www.multicall3.com (read 2026-11-22) */
const HEAD_TIME = '0x0f28c97d'
const AGGREGATE = '0x82ad56cb'

const STATE = "a contract's state"
const HEAD = 'the head'
const LOGS = 'logs'

/** Statements that an endpoint of an EVM chain can have believed. */
const believed: Liar['believed'] = {
  nonce: 'an account that sent fewer than 2^53 transactions; another nonce makes a transaction that waits or is refused',
  'gas limit': 'from 21,000 to what a block holds; with the price no more than max_fee',
  'gas price': 'above zero; with the limit no more than max_fee',
  balance: 'a wallet that holds less is refused, one that holds more is refused by the chain',
  [HEAD]: 'of the chain that is configured and no older than max_block_age',
  [STATE]: 'amounts in the bytes stay those of the request, positions below 2^128 base units',
  [LOGS]: 'what they lead to is asked of the contract',
  code: 'whether there is a contract; a wallet that every endpoint says is one is refused',
}

/** Numbers at the ends of what numbers are held in. */
const NUMBERS: readonly (readonly [string, bigint])[] = [
  ['is 0', 0n],
  ['is 2^53', 1n << 53n],
  ['is 2^64 - 1', (1n << 64n) - 1n],
  ['is 2^255', 1n << 255n],
  ['is 2^256 - 1', (1n << 256n) - 1n],
]

/** No numbers, whatever the method. */
const NO_QUANTITY: readonly Change[] = [
  ...FORMS,
  ['is a JSON number', 7],
  ['is a decimal text', '1700000000'],
  ['is negative', '-0x1'],
  ['is 0x', '0x'],
  ['is no hex', '0xzz'],
  ['is empty', ''],
  ['is 2^256', `0x1${'0'.repeat(WORD)}`],
]

/** Numbers at the ends that are believed, by method; what is not named must be recognised. */
const QUANTITIES: Readonly<Record<string, (value: bigint) => string | undefined>> = {
  eth_chainId: () => undefined,
  eth_getTransactionCount: (value) => (value < 1n << 53n ? 'nonce' : undefined),
  eth_estimateGas: (value) => (value >= 21_000n && value < 1n << 53n ? 'gas limit' : undefined),
  eth_gasPrice: (value) => (value > 0n && value < 1n << 64n ? 'gas price' : undefined),
  eth_getBalance: () => 'balance',
}

function leaf({ method, params, path, value, now }: Leaf): readonly Change[] {
  if (typeof value !== 'string' || !value.startsWith('0x'))
    return FORMS.filter(([, form]) => form !== value).map(([what, form]) => [what, form, HEAD] as const)
  if (method === 'eth_call')
    return dataOf(params) === HEAD_TIME ? headTimes(value, now, word) : words(value, dataOf(params).startsWith(AGGREGATE))
  if (method === 'eth_getCode') return [...forms(value), ['is 0x', '0x', 'code'], ['is that of a contract', '0x6000', 'code']]
  if (method === 'eth_sendRawTransaction')
    return [...forms(value), ['is another hash', `${value.slice(0, -1)}${value.endsWith('0') ? 1 : 0}`]]
  if (/hash|root|bloom|extraData|miner|topics|data|address|input|mixHash|nonce/i.test(path)) return forms(value).map(believedOf(method))
  return quantities(method, params, path, value, now)
}

function quantities(method: string, params: unknown, path: string, value: string, now: Date): Change[] {
  const about = QUANTITIES[method] ?? (() => believedWord(method))
  const own = BigInt(value)
  const near: Change[] =
    method === 'eth_chainId' ? [['is another chain', quantity(own + 1n)]] : [['+ 1', quantity(own + 1n), about(own + 1n)]]
  const latest = method === 'eth_getBlockByNumber' && itemsOf(params)[0] === 'latest' && path === 'result.timestamp'
  if (latest) return [...NO_QUANTITY, ...headTimes(value, now, quantity)]
  return [
    ...NO_QUANTITY,
    ...near,
    ...NUMBERS.filter(([, number]) => number !== own).map(([what, number]) => [what, quantity(number), about(number)] as const),
  ]
}

/** A head that is of another day, or of no day at all. */
function headTimes(value: string, now: Date, write: (number: bigint) => string): readonly Change[] {
  const seconds = BigInt(Math.floor(now.getTime() / 1000))
  return [
    ['is ten days old', write(seconds - 10n * BigInt(DAY))],
    ['is of 1970', write(0n)],
    ['is after the last day that a clock knows', write(1n << 64n)],
    ['is a second later', write(BigInt(value) + 1n), HEAD],
    ...forms(value),
  ]
}

/** The words of an answer to a call, whatever they mean to the contract. @param gathered whether it holds the answers of several calls */
function words(value: string, gathered: boolean): Change[] {
  const digits = value.slice(2)
  const list: readonly string[] = digits.length % WORD === 0 ? (digits.match(/.{64}/g) ?? []) : []
  const withWord = (index: number, number: bigint) => () => `0x${list.with(index, hex(number)).join('')}`
  return [
    ...forms(value),
    ['is nothing', '0x'],
    ['lacks its last word', value.slice(0, -WORD)],
    ...(gathered ? cut(list) : []),
    ['has its last word twice', value + value.slice(-WORD), STATE],
    ...list.flatMap((each, index) => {
      const own = BigInt(`0x${each}`)
      const changes = [...NUMBERS, ['+ 1', own + 1n], ['is the word before', index > 0 ? BigInt(`0x${list[index - 1]}`) : own]] as const
      return changes
        .filter(([, number]) => number !== own && number < 1n << 256n)
        .map(([what, number]) => [`word ${index} ${what}`, withWord(index, number), STATE] as const)
    }),
  ]
}

/** Lists forms that are no bytes. */
function forms(value: string): Change[] {
  return [...FORMS, ['has half a byte less', value.slice(0, -1)], ['is no hex', `${value.slice(0, -2)}zz`], ['is empty', '']]
}

/** Most of a block and of a log is of no use to anybody; what is must hold all the same. */
function believedOf(method: string): (change: Change) => Change {
  return ([what, value]) => (method === 'eth_getLogs' ? [what, value] : [what, value, HEAD])
}

function believedWord(method: string): string {
  return method === 'eth_getLogs' ? LOGS : HEAD
}

/** Each answer among those of `(bool success, bytes returnData)[]` with a byte less than its contract gives, where it gives any. */
function cut(list: readonly string[]): Change[] {
  const at = (index: number) => Number(BigInt(`0x${list[index] ?? '0'}`))
  return Array.from({ length: at(1) }, (_, call) => 2 + at(2 + call) / 32 + 2)
    .filter((length) => at(length) > 0)
    .map(
      (length, call) =>
        [`answer ${call} lacks its last byte`, () => `0x${list.with(length, hex(BigInt(at(length) - 1))).join('')}`] as const,
    )
}

function dataOf(params: unknown): string {
  return String(membersOf(itemsOf(params)[0]).data ?? '')
}

function quantity(number: bigint): string {
  return `0x${number.toString(16)}`
}

function word(number: bigint): string {
  return `0x${hex(number)}`
}

function hex(number: bigint): string {
  return number.toString(16).padStart(WORD, '0')
}

/** Liar for an endpoint of an EVM chain: it makes the facts of answers false. */
export const liar: Liar = jsonRpcLiar({
  believed,
  // The price may be a quarter apart, of which the lower one is taken, and the limit two in a hundred; what is paid at most follows from both.
  apart: (path, right, value) =>
    /^(?:maxFee|terms\.gasLimit)$/.test(path) ? isNear(right, value, 2n) : path === 'terms.gasPrice' && isNear(right, value, 27n),
  leaf,
  dearer: (method, _params, result, factor) => (method === 'eth_gasPrice' ? quantity(BigInt(String(result)) * factor) : result),
  // The same log twice is known by its block and place; one that is left out leaves no trace.
  list: (method) => (method === 'eth_getLogs' ? { missing: LOGS } : { missing: HEAD, doubled: HEAD }),
  label(method, params) {
    if (method === 'eth_sendRawTransaction') return method
    if (method !== 'eth_call' && method !== 'eth_estimateGas') return undefined
    const data = dataOf(params)
    if (data === HEAD_TIME) return "the head's time by eth_call"
    return data.startsWith(AGGREGATE) ? `eth_call of ${Number(`0x${data.slice(74, 138)}`)} calls` : `${method} of ${data.slice(0, 10)}`
  },
})
