import { bytesLies, INTEGERS } from './bytes-lies.ts'
import { type Field, readFields, textBytes, writeFields } from './protobuf.ts'

// Messages are taken apart without their descriptions, so that whatever is asked can be lied about.
// https://protobuf.dev/programming-guides/encoding (read 2026-11-22)

/** Value of a field: null where there is nothing, more than one thing, or something of another form. */
export type Value = bigint | string | Uint8Array | null

/** A message with one fact made false. */
export interface FalseMessage {
  /** False fact, in a few words: `1.3 is 2^53`. */
  readonly what: string
  /** Numbers of the fields on the way to the fact; empty for the message as a whole. */
  readonly path: string
  /** Value that stands there now, and the one that stood there before. */
  readonly value: Value
  readonly own: Value
  /** Offset within bytes at which an integer is another one. */
  readonly at?: number | null
  /** It is there twice. */
  readonly doubled?: true
  make(): Uint8Array
}

/** Fields of one number that are looked at one by one. */
const REPEATED_MOST = 4
/** Highest number of a field that is put into a message. */
const MOST_NUMBER = 40
/** Deepest message within messages. */
const DEEPEST = 8
/** Texts that stand for integers: as Cosmos writes amounts, and Sui some numbers. */
const DIGITS = /^\d{1,78}$/

/** Makes false versions of a message, with one fact false in each. */
export function messageLies(message: Uint8Array): readonly FalseMessage[] {
  return inMessage(message, [], (changed) => changed)
}

type Put = (changed: Uint8Array) => Uint8Array

/** @param path what leads to the message */
function inMessage(message: Uint8Array, path: readonly number[], setter: Put): FalseMessage[] {
  const fields = readFields(message)
  const whole = (what: string, make: () => Uint8Array): FalseMessage => ({
    what: `${nameOf(path)} ${what}`,
    path: path.join('.'),
    value: null,
    own: message,
    make: () => setter(make()),
  })
  const present = new Set(fields.map(({ number }) => number))
  const absent = Array.from({ length: Math.min(MOST_NUMBER, Math.max(0, ...present)) }, (_, index) => index + 1).filter(
    (number) => !present.has(number),
  )
  const counts = new Map<number, number>()
  const lies = fields.flatMap((field, index) => {
    const times = (counts.get(field.number) ?? 0) + 1
    counts.set(field.number, times)
    return times > REPEATED_MOST
      ? []
      : inField(field, [...path, field.number], times, (instead) => setter(writeFields(fields.toSpliced(index, 1, ...instead))))
  })
  return [
    whole('is empty', () => new Uint8Array()),
    ...(message.length > 0 ? [whole('lacks its last byte', () => message.subarray(0, -1))] : []),
    whole('ends in a byte of nothing', () => Buffer.concat([message, Uint8Array.of(0xff)])),
    ...lies,
    // A field of the value that is left out means 0, or no.
    ...absent.map((number) => ({
      ...whole(`has a 1 in field ${number}`, () => writeFields([...fields, { number, value: 1n }].sort((a, b) => a.number - b.number))),
      path: [...path, number].join('.'),
      value: 1n,
      own: null,
    })),
  ]
}

/** @param setter writes the message with other fields in place of this one */
function inField(field: Field, path: readonly number[], times: number, setter: (instead: readonly Field[]) => Uint8Array): FalseMessage[] {
  const { number, value } = field
  const name = `${nameOf(path)}${times > 1 ? ` (the ${times}th)` : ''}`
  const own = typeof value === 'bigint' ? value : (textOf(value) ?? value)
  const instead = (what: string, now: Value, make: () => readonly Field[], at?: number | null): FalseMessage => ({
    what: `${name} ${what}`,
    path: path.join('.'),
    value: now,
    own,
    ...(at === undefined ? {} : { at }),
    make: () => setter(make()),
  })
  const common = [
    instead('is missing', null, () => []),
    { ...instead('is there twice', null, () => [field, field]), doubled: true as const },
    instead('is of another type', null, () => [typeof value === 'bigint' ? { number, value: textBytes('none') } : { number, value: 7n }]),
  ]
  if (typeof value === 'bigint') {
    const integers = [...INTEGERS, ['is 2^32 - 1', (1n << 32n) - 1n], ['+ 1', value + 1n]] as const
    return [
      ...common,
      ...integers.filter(([, each]) => each !== value).map(([what, each]) => instead(what, each, () => [{ ...field, value: each }])),
    ]
  }
  const bytes = (changed: Uint8Array): readonly Field[] => [{ number, value: changed }]
  if (typeof own === 'string')
    return [
      ...common,
      ...textLies(own).map(([what, text]) => instead(what, text, () => bytes(textBytes(text)))),
      instead('is no text', null, () => bytes(Uint8Array.of(0xff, 0xfe))),
    ]
  if (path.length < DEEPEST && isMessage(value)) return [...common, ...inMessage(value, path, (changed) => setter(bytes(changed)))]
  return [...common, ...bytesLies(value).map(({ what, at, make }) => instead(what, null, () => bytes(make()), at))]
}

/** Makes other texts in place of one. */
export function textLies(own: string): readonly (readonly [string, string])[] {
  const integers: readonly (readonly [string, string])[] = [
    ...INTEGERS.map(([what, integer]) => [what, String(integer)] as const),
    ['+ 1', DIGITS.test(own) ? String(BigInt(own) + 1n) : ''],
    ['is 2^256 - 1', String((1n << 256n) - 1n)],
    ['is of 90 digits', '9'.repeat(90)],
    ['is negative', `-${own}`],
    ['is a fraction', `${own}.5`],
  ]
  const texts: readonly (readonly [string, string])[] = [
    ['is empty', ''],
    ['is a word', 'none'],
    ['lacks its last letter', own.slice(0, -1)],
    ['is another one', own.slice(0, -1) + (own.endsWith('q') ? 'p' : 'q')],
    ['goes on', `${own}q`],
  ]
  return [...(DIGITS.test(own) ? integers : []), ...texts].filter(([, text]) => text !== own)
}

/** A text that somebody could read; null for bytes that are none. */
function textOf(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes).toString('latin1')
  return /^[\x20-\x7e]+$/.test(text) ? text : null
}

function isMessage(bytes: Uint8Array): boolean {
  try {
    return bytes.length > 0 && Buffer.from(writeFields(readFields(bytes))).equals(bytes)
  } catch {
    return false
  }
}

function nameOf(path: readonly number[]): string {
  return path.length === 0 ? 'the message' : path.join('.')
}
