import { itemsOf } from '@svc/contract'
import type { Effects } from '@svc/verify'
import type { EvmCraft } from '@svc/verify/evm'
import { decodeRlp, encodeRlp, getAddress, Interface, keccak256, toBeHex, toQuantity } from 'ethers'
import type { Forgery, Theft } from '../../family.ts'

/** The nine fields of an unsigned EIP-155 transaction, in their order. @see https://eips.ethereum.org/EIPS/eip-155 (read 2026-11-21) */
const NAMES = ['nonce', 'gasPrice', 'gasLimit', 'to', 'value', 'data', 'chainId', 'eighth', 'ninth'] as const
type Fields = Readonly<Record<(typeof NAMES)[number], string>>

/** Somebody else's, with a well-formed checksum. */
const THIEF = '0x000000000000000000000000000000000000dEaD'
const WORD = 64
/** A gas price at which the least transaction, of 21,000 gas, costs 21 tokens: beyond any bound, within any wallet of a test. */
const FORTUNE = 10n ** 15n
const DRAINING = 'that empties the wallet'
const THIEF_WORD = THIEF.slice(2).toLowerCase().padStart(WORD, '0')
const WORD_MAX = (1n << 256n) - 1n

/** Place at which a mismatch must point for each field. */
const AT: Readonly<Partial<Record<keyof Fields, string>>> = {
  nonce: 'terms.nonce',
  gasPrice: 'terms.gasPrice',
  gasLimit: 'terms.gasLimit',
  to: 'calls[0].target',
  value: 'calls[0].value',
  chainId: 'chainId',
}

/** Makes each change of a single field of the bytes: once with the hash unchanged, once with the right hash and the payload unchanged. */
export function fieldForgeries(craft: EvmCraft): readonly Forgery<EvmCraft>[] {
  const fields = read(craft)
  return NAMES.flatMap((name) => {
    const field = name === 'to' ? THIEF.toLowerCase() : other(fields[name])
    const serialized_tx_hex = encodeRlp(Object.values({ ...fields, [name]: field }))
    const unsigned_tx_hash_hex = keccak256(serialized_tx_hex)
    return [
      { name: `${name} in the bytes`, unsigned: { ...craft, serialized_tx_hex } },
      { name: `${name} in the bytes and the hash`, unsigned: { ...craft, serialized_tx_hex, unsigned_tx_hash_hex } },
    ]
  })
}

/** Makes changed transactions whose bytes, hash and payload agree. */
export function forgeries(craft: EvmCraft, effects: Effects): readonly Forgery<EvmCraft>[] {
  const fields = read(craft)
  return [...fieldValues(fields), ...callData(fields, effects), ...formats(craft, fields)]
}

function fieldValues(fields: Fields): Forgery<EvmCraft>[] {
  const forged = (name: keyof Fields, what: string, field: string, theft?: Theft): Forgery<EvmCraft> => {
    const at = AT[name]
    return written({ name: `${name} ${what}`, ...(at ? { at } : {}), ...stealing(theft) }, { ...fields, [name]: field })
  }
  const numbers = (name: keyof Fields, ...changes: readonly (readonly [string, (value: bigint) => bigint])[]) =>
    changes.flatMap(([what, change]) => {
      const value = number(fields[name])
      const changed = change(value)
      // Chain 0 is another matter: a transaction that is valid on every chain, which is among the formats.
      const isOther = changed >= (name === 'chainId' ? 1n : 0n) && changed !== value
      const theft = name === 'value' ? 'amount' : what === DRAINING ? 'fee' : undefined
      return !isOther ? [] : [forged(name, what, integer(changed), theft)]
    })
  const more = ['+ 1', (value: bigint) => value + 1n] as const
  const less = ['- 1', (value: bigint) => value - 1n] as const
  return [
    forged('to', 'is somebody else', THIEF.toLowerCase(), 'validator'),
    forged('to', 'is the zero address', `0x${'00'.repeat(20)}`),
    forged('to', 'differs in its last bit', flipLast(fields.to)),
    ...numbers('value', more, less, ['doubled', (value) => value * 2n], ['is 1 token', () => 10n ** 18n], ['is nothing', () => 0n]),
    ...numbers('nonce', more, less),
    ...numbers('gasPrice', more, less, ['tenfold', (value) => value * 10n], [DRAINING, () => FORTUNE], ['is nothing', () => 0n]),
    ...numbers('gasLimit', more, less, ['doubled', (value) => value * 2n]),
    ...numbers('chainId', more, less, ['is 1', () => 1n]),
  ]
}

function callData(fields: Fields, effects: Effects): Forgery<EvmCraft>[] {
  const forged = (name: string, data: string, at?: string, attack = false, theft?: Theft): Forgery<EvmCraft>[] =>
    // What cannot be cut from short call data is not cut.
    data === fields.data || !/^0x([0-9a-f]{2})*$/.test(data)
      ? []
      : [written({ name, ...(at ? { at } : {}), attack, ...stealing(theft) }, { ...fields, data })]
  const digits = fields.data.slice(2)
  const [selector, args] = [digits.slice(0, 8), digits.slice(8)]
  const words = args.match(/.{64}/g) ?? []
  const withWord = (index: number, word: string) =>
    `0x${selector}${words.map((each, at) => (at === index ? word : each)).join('')}${args.slice(words.length * WORD)}`
  return [
    ...words.flatMap((word, index) => {
      const value = BigInt(`0x${word}`)
      const swapped = words.map((each, at) => (at === index ? (words[index + 1] ?? each) : at === index + 1 ? word : each)).join('')
      return [
        ...forged(
          `word ${index} + 1`,
          withWord(index, hex(value === WORD_MAX ? 0n : value + 1n)),
          undefined,
          true,
          theftOf(effects, index),
        ),
        ...forged(`word ${index} - 1`, withWord(index, hex(value === 0n ? WORD_MAX : value - 1n))),
        ...forged(`word ${index} with its highest bit set`, withWord(index, hex(value | (1n << 255n)))),
        ...forged(
          `word ${index} is somebody else's address`,
          withWord(index, THIEF_WORD),
          undefined,
          false,
          theftOf(effects, index) === 'recipient' ? 'recipient' : undefined,
        ),
        ...(index + 1 < words.length ? forged(`words ${index} and ${index + 1} swapped`, `0x${selector}${swapped}`) : []),
      ]
    }),
    ...Array.from({ length: digits.length / 2 }, (_, at) =>
      [0x01, 0x80].flatMap((bit) => forged(`byte ${at} of the data with the bit ${bit} turned`, turned(fields.data, at, bit))),
    ).flat(),
    ...forged('another method', `0xa9059cbb${args}`, 'calls[0].method', true, 'call'),
    ...forged('an approval of all there is', `0x095ea7b3${THIEF_WORD}${hex(WORD_MAX)}`, 'calls[0].method', true, 'call'),
    ...forged('a transfer instead of a call', '0x', 'calls[0].method'),
    ...forged('data: a zero byte appended', `${fields.data}00`),
    ...forged('data: a word appended', `${fields.data}${'00'.repeat(32)}`),
    ...forged('data: the call appended once more', `${fields.data}${digits}`, undefined, true, 'call'),
    ...forged('data: the last byte cut', fields.data.slice(0, -2)),
    ...(words.length > 0 ? forged('data: the last word cut', fields.data.slice(0, -WORD)) : []),
    ...forged('data: only three bytes', `0x${digits.slice(0, 6)}`),
    ...lists(fields, effects),
  ]
}

/** Every theft is an attack. */
function stealing(theft: Theft | undefined): Pick<Forgery, 'attack' | 'theft'> {
  return theft ? { attack: true, theft } : {}
}

/** Names the theft behind a changed word of the arguments, by the parameter that it is: lists of parameters that fit into a word each only. */
function theftOf({ calls: [call] }: Effects, index: number): Theft | undefined {
  const [, list = ''] = /\((.*)\)$/.exec(call?.method ?? '') ?? []
  if (/[[()]|bytes|string/.test(list)) return undefined
  const [type = '', name = ''] = list.split(',')[index]?.trim().split(' ') ?? []
  if (/validator/i.test(name)) return 'validator'
  return type === 'address' ? 'recipient' : /amount|shares|assets|value/i.test(name) ? 'amount' : undefined
}

/** Forges lists among the arguments, of calls for example: an item more, an item less, two in another order. */
function lists(fields: Fields, effects: Effects): Forgery<EvmCraft>[] {
  const method = effects.calls[0]?.method
  if (!method) return []
  const abi = new Interface([`function ${method}`])
  const fragment = abi.getFunction(fields.data.slice(0, 10))
  if (!fragment) return []
  const args: unknown[] = abi.decodeFunctionData(fragment, fields.data).toArray(true)
  return args.flatMap((arg, index) => {
    if (fragment.inputs[index]?.baseType !== 'array') return []
    const items = itemsOf(arg)
    const changed: [string, unknown[]][] = []
    if (items.length > 0) changed.push(['an item appended', [...items, items.at(-1)]], ['an item removed', items.slice(1)])
    if (items.length > 1) changed.push(['its items turned round', [...items].reverse()])
    return changed.flatMap(([what, list]) => {
      const data = abi.encodeFunctionData(
        fragment,
        args.map((each, at) => (at === index ? list : each)),
      )
      return data === fields.data
        ? []
        : [written({ name: `argument ${index}: ${what}`, at: 'calls[0].args', ...stealing('call') }, { ...fields, data })]
    })
  })
}

/** Other forms of bytes, the hash always that of the bytes: a reader that is lenient would take them. */
function formats(craft: EvmCraft, fields: Fields): Forgery<EvmCraft>[] {
  const list = Object.values(fields)
  const forged = (name: string, serialized_tx_hex: string): Forgery<EvmCraft> => ({
    name: `format: ${name}`,
    unsigned: { ...craft, serialized_tx_hex, unsigned_tx_hash_hex: keccak256(serialized_tx_hex) },
    at: 'bytes',
  })
  const replaced = (name: keyof Fields, field: string) => encodeRlp(Object.values({ ...fields, [name]: field }))
  return [
    forged('a tenth field', encodeRlp([...list, '0x'])),
    forged('a tenth field with bytes', encodeRlp([...list, '0x01'])),
    forged('eight fields', encodeRlp(list.slice(0, 8))),
    forged('six fields, valid on any chain', encodeRlp(list.slice(0, 6))),
    forged('an eighth field that is not empty', replaced('eighth', '0x01')),
    forged('a ninth field that is not empty', replaced('ninth', '0x01')),
    forged('a nonce with a leading zero', replaced('nonce', `0x00${fields.nonce.slice(2) || '01'}`)),
    forged('a value with a leading zero', replaced('value', `0x00${fields.value.slice(2) || '01'}`)),
    forged('a contract creation', replaced('to', '0x')),
    forged('a recipient of 21 bytes', replaced('to', `${fields.to}00`)),
    forged('a byte behind the list', `${encodeRlp(list)}00`),
    forged('the last byte cut', encodeRlp(list).slice(0, -2)),
    forged('a list around the list', encodeRlp([list])),
    forged('a list as a field', encodeRlp([...list.slice(0, 5), [fields.data], ...list.slice(6)])),
    forged('type 1 in front', `0x01${encodeRlp(list).slice(2)}`),
    forged('type 2 in front', `0x02${encodeRlp(list).slice(2)}`),
  ]
}

function read(craft: EvmCraft): Fields {
  const list = itemsOf(decodeRlp(craft.serialized_tx_hex))
  // One member for each of the names.
  return Object.fromEntries(NAMES.map((name, index) => [name, String(list[index] ?? '0x')])) as Fields
}

/** Written when it is asked for: there are hundreds, of which an attack takes one. */
function written(forgery: Omit<Forgery<EvmCraft>, 'unsigned'>, fields: Fields): Forgery<EvmCraft> {
  let craft: EvmCraft | undefined
  return {
    ...forgery,
    get unsigned() {
      craft ??= write(fields)
      return craft
    },
  }
}

function write(fields: Fields): EvmCraft {
  const serialized_tx_hex = encodeRlp(Object.values(fields))
  const quantity = (name: keyof Fields) => toQuantity(number(fields[name]))
  return {
    serialized_tx_hex,
    unsigned_tx_hash_hex: keccak256(serialized_tx_hex),
    payload: {
      type: '0x0',
      nonce: quantity('nonce'),
      gasLimit: quantity('gasLimit'),
      to: getAddress(fields.to),
      value: quantity('value'),
      data: fields.data,
      gasPrice: quantity('gasPrice'),
      chainId: quantity('chainId'),
    },
  }
}

function number(field: string): bigint {
  return field === '0x' ? 0n : BigInt(field)
}

/** An integer as RLP has it: without leading zeros, nothing at all for zero. */
function integer(value: bigint): string {
  return value === 0n ? '0x' : toBeHex(value)
}

/** Another canonical field of about the same length. */
function other(field: string): string {
  return field === '0x' ? '0x01' : flipLast(field)
}

function flipLast(field: string): string {
  return turned(field, field.length / 2 - 2, 0x02)
}

/** The hex text with one bit pattern of one byte turned. */
function turned(text: string, at: number, bits: number): string {
  const start = 2 + 2 * at
  const byte = Number.parseInt(text.slice(start, start + 2), 16) ^ bits
  return text.slice(0, start) + byte.toString(16).padStart(2, '0') + text.slice(start + 2)
}

function hex(value: bigint): string {
  return value.toString(16).padStart(WORD, '0')
}
