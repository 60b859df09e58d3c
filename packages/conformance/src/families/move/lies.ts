import type { Liar, Lie } from '../../family.ts'
import { edit, type Field, valueAt } from '../shared/protobuf.ts'
import { type FalseMessage, messageLies } from '../shared/protobuf-lies.ts'

const HEAD = 'the head'
const STATE = 'system state'
const POSITION = 'a position'
const TERMS = 'terms of a transaction'
const VERDICT = 'a verdict'

/** Statements that an endpoint of a Sui network can have believed. */
const believed: Liar['believed'] = {
  [HEAD]: 'of the network that is configured, no older than max_checkpoint_age; the epoch that of the system state, or one less',
  [STATE]: 'amounts up to the supply, commission up to 100 percent; rewards and rates that are wrong, positions below 2^128 MIST',
  [POSITION]: 'of the type and owner that were asked for, to the byte, each once; positions below 2^128 MIST',
  [TERMS]: 'a gas price up to gas_price_maximum, a budget up to what staking can need; the chain refuses a transaction with other versions',
  [VERDICT]: 'a refusal in the statuses of gRPC that speak of the question; it costs nothing but another try',
}

/** Known facts of the answer of a method. Paths are numbers of fields, as in its description. @see https://github.com/MystenLabs/sui-apis/tree/main/proto/sui/rpc/v2 (read 2026-11-22) */
interface Method {
  readonly about: string
  /** Facts that must be recognised, whatever they are. */
  readonly never?: RegExp
  /** Greatest number that can stand at a path. */
  readonly most?: readonly (readonly [RegExp, bigint])[]
  /** Items of lists that there cannot be two of. */
  readonly once?: RegExp
  /** True if the method may refuse: otherwise an error is no answer. */
  readonly refuses?: true
}

const MOST_EPOCH = (1n << 32n) - 1n
/** The year 9999. @see https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp (read 2026-11-22) */
const LAST_SECOND = 253_402_300_799n
/** MIST that there are. @see https://docs.sui.io/concepts/tokenomics (read 2026-11-22) */
const SUPPLY = 10n ** 19n
/** Way to the gas payment of a simulated transaction. */
const GAS = [1, 2, 6]
/** MIST for a unit of computation: gas_price_maximum. */
const MOST_PRICE = 3000n
/** A budget at that price, with as many coins as the tests pay with. */
const MOST_BUDGET = 1_000_000_000n

const METHODS: Readonly<Record<string, Method>> = {
  GetServiceInfo: {
    about: HEAD,
    never: /^1$|^5$|^$/,
    most: [
      [/^3$/, MOST_EPOCH],
      [/^5\.1$/, LAST_SECOND],
    ],
  },
  GetEpoch: {
    about: STATE,
    never: /^$|^1$|^1\.3$|^1\.3\.4$|^1\.3\.6$/,
    most: [
      [/^1\.1$|^1\.3\.2$/, MOST_EPOCH],
      [/^1\.8$|^1\.3\.7$/, 100_000n],
      [/^1\.3\.6\.1$/, 30n * 86_400_000n],
      [/^1\.3\.13$/, LAST_SECOND * 1000n + 999n],
      [/^1\.3\.4\.2\.26$/, 10_000n],
      [/^1\.3\.4\.2\.32\.[458]$/, SUPPLY],
    ],
  },
  ListOwnedObjects: { about: POSITION, never: /^1\.[256](\.|$)/, once: /^1$/ },
  BatchGetObjects: { about: POSITION, never: /^1$|^1\.1$/ },
  SimulateTransaction: {
    about: TERMS,
    // Payment and versions are what the run took.
    never: /^$|^1$|^1\.2$|^1\.2\.6$|^1\.2\.6\.1\.[123]$|^1\.2\.6\.2$|^1\.2\.7\.[126]$/,
    most: [
      [/^1\.2\.6\.3$/, MOST_PRICE],
      [/^1\.2\.6\.4$/, MOST_BUDGET],
    ],
    refuses: true,
  },
  ExecuteTransaction: { about: VERDICT, never: /^$|^1$|^1\.1$/, refuses: true },
  GetTransaction: { about: VERDICT, never: /^1\.1$/ },
}

/** Frames of gRPC-web. @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md (read 2026-11-22) */
const DATA = 0x00
const TRAILERS = 0x80
const HEADER = 5

/** Statuses: numbers and words, and whether they are about the question. @see https://grpc.io/docs/guides/status-codes (read 2026-11-22) */
const STATUSES: readonly (readonly [number, string, verdict: boolean])[] = [
  [1, 'the call was cancelled', false],
  [2, 'unknown', false],
  [3, `invalid object id 0x${'1'.repeat(64)}`, true],
  [4, 'deadline exceeded', false],
  [5, `Object 0x${'1'.repeat(64)} not found`, true],
  [5, 'Not Found', false],
  [6, 'transaction 4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S exists', true],
  [7, 'permission denied', false],
  [8, 'rate limit exceeded', false],
  [9, 'object version unavailable for consumption', true],
  [10, 'transaction was aborted, 0x5', true],
  [11, 'requested epoch 7 is not there', true],
  [12, 'unimplemented', false],
  [13, 'internal', false],
  [14, 'the node has a bad day', false],
  [15, 'data loss', false],
  [16, 'unauthenticated', false],
  [99, 'a status that there is not', false],
]

/** Liar for an endpoint of a Sui network, by gRPC-web, one call a request: it makes the facts of answers false. */
export const liar: Liar = {
  believed,
  questions: ({ path, body }) => [`${path} ${body}`],
  answers: (_call, answer) => [answer],
  answer: (_call, answers) => (answers[0] ?? []).join(''),
  dearer(question, answer, factor) {
    const whole = Buffer.from(answer, 'latin1')
    if (!question.includes('/SimulateTransaction ')) return answer
    const frames = framesOf(whole).map(({ flag, payload }) => {
      if (flag !== DATA || valueAt(payload, GAS) === undefined) return frame(flag, payload)
      // Price and budget of the gas payment, which grow together.
      const fields = (all: readonly Field[]) =>
        all.map((field) =>
          [3, 4].includes(field.number) && typeof field.value === 'bigint' ? { ...field, value: field.value * factor } : field,
        )
      return frame(flag, edit(payload, GAS, fields))
    })
    return Buffer.concat(frames).toString('latin1')
  },
  lies(question, answer, now) {
    const name = /\/(\w+) /.exec(question)?.[1] ?? question
    const method = METHODS[name]
    const frames = framesOf(Buffer.from(answer, 'latin1'))
    // A list comes in several messages.
    const messages = frames.flatMap(({ flag, payload }) => (flag === DATA ? [payload] : []))
    const [message] = messages
    const trailers = frames.find(({ flag }) => flag === TRAILERS)?.payload ?? Buffer.from('grpc-status: 0\r\n')
    const lie = (what: string, make: () => readonly Uint8Array[], about?: string): Lie => ({
      name: `${name} ${what}`,
      answers: () => [Buffer.concat(make()).toString('latin1')],
      believed: about,
    })
    const end = frame(TRAILERS, trailers)
    const statuses = STATUSES.map(([code, words, verdict]) =>
      lie(`answers ${code}, ${words}`, () => [status(code, words)], verdict && method?.refuses ? VERDICT : undefined),
    )
    if (!message) return statuses
    const data = frame(DATA, message)
    const whole = Buffer.from(answer, 'latin1')
    return [
      ...statuses,
      { name: `${name} is left out`, answers: () => [] },
      lie('is answered twice', () => [data, data, end]),
      lie('has no message', () => [end]),
      lie('has no end', () => [data]),
      lie('is cut in its message', () => [whole.subarray(0, Math.floor((HEADER + message.length) / 2))]),
      lie('is cut in its end', () => [whole.subarray(0, -4)]),
      lie('fails after its message', () => [data, status(13, 'internal')]),
      lie('says that its message is longer', () => [sized(data, message.length + 7), end]),
      lie('says that its message is shorter', () => [sized(data, Math.max(0, message.length - 1)), end]),
      lie('is JSON', () => [Buffer.from('{"error":"rate limited"}')]),
      lie('ends in a status that is no number', () => [data, frame(TRAILERS, Buffer.from('grpc-status: many\r\n'))]),
      ...(name === 'GetServiceInfo'
        ? heads(message, now).map(([what, make, about]) => lie(what, () => [frame(DATA, make()), end], about))
        : []),
      ...messages.flatMap((payload, place) =>
        messageLies(payload).map((fact) => {
          const others = (list: readonly Buffer[]) => list.map((each) => frame(DATA, each))
          const make = () => [...others(messages.slice(0, place)), frame(DATA, fact.make()), ...others(messages.slice(place + 1)), end]
          return lie(messages.length > 1 ? `message ${place + 1}: ${fact.what}` : fact.what, make, aboutOf(method, fact, now))
        }),
      ),
    ]
  },
}

function aboutOf(method: Method | undefined, { path, value, doubled }: FalseMessage, now: Date): string | undefined {
  if (!method || (doubled && method.once?.test(path))) return undefined
  const { about, never, most = [] } = method
  if (never?.test(path)) return undefined
  if (about === HEAD && path === '5.1') return typeof value === 'bigint' && isRecent(value, now) ? about : undefined
  const limit = most.find(([form]) => form.test(path))?.[1]
  if (typeof value === 'bigint' && limit !== undefined && BigInt.asUintN(64, value) > limit) return undefined
  return about
}

function isRecent(seconds: bigint, now: Date): boolean {
  return seconds > BigInt(Math.floor(now.getTime() / 1000)) - 900n && seconds <= LAST_SECOND
}

/** Heads of another day, or of no day at all: field 5 holds seconds, and parts of one. */
function heads(message: Uint8Array, now: Date): readonly (readonly [string, () => Uint8Array, string | undefined])[] {
  const seconds = BigInt(Math.floor(now.getTime() / 1000))
  const at = (what: string, time: bigint, about?: string) =>
    [what, () => edit(message, [5], () => [{ number: 1, value: BigInt.asUintN(64, time) }]), about] as const
  return [
    at('is ten days old', seconds - 864_000n),
    at('is of 1970', 0n),
    at('is before 1970', -1n),
    at('is after the last day that a clock knows', LAST_SECOND + 1n),
    at('is of tomorrow', seconds + 86_400n, HEAD),
  ]
}

interface Frame {
  readonly flag: number
  readonly payload: Buffer
}

function framesOf(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const length = bytes.readUInt32BE(at + 1)
    frames.push({ flag: bytes.readUInt8(at), payload: bytes.subarray(at + HEADER, at + HEADER + length) })
    at += HEADER + length
  }
  return frames
}

function frame(flag: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(HEADER)
  head.writeUInt8(flag)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

function sized(data: Buffer, length: number): Buffer {
  const changed = Buffer.from(data)
  changed.writeUInt32BE(length, 1)
  return changed
}

function status(code: number, words: string): Buffer {
  return frame(TRAILERS, Buffer.from(`grpc-status: ${code}\r\ngrpc-message: ${encodeURIComponent(words)}\r\n`))
}
