import { present, show } from '@svc/sandbox'

/** A JSON-RPC refusal. */
export class RpcError extends Error {
  readonly code: number
  readonly data: string

  constructor(code: number, message: string, data: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

/** A fault of the node itself, which ends the request with HTTP 500 whatever else was in it. */
export class Panic extends Error {}

/** Makes CometBFT's internal error, for a call that failed inside, with the reason beside it. */
export function internal(data: string): RpcError {
  return new RpcError(-32603, 'Internal error', data)
}

/** Kinds of arguments. Bytes come as base64 or, for `abci_query`, in hex. */
type ArgumentKind = 'text' | 'base64' | 'hex' | 'integer' | 'flag'

/** Names and kinds of a method's arguments, in order. */
export type ArgumentKinds = Readonly<Record<string, ArgumentKind>>

/** Arguments as a method takes them: what is absent is empty, zero or false. */
export interface Arguments {
  text(name: string): string
  bytes(name: string): Uint8Array
  /** Undefined when absent. */
  integer(name: string): bigint | undefined
}

/** Reads the `params` of a call, an object or an array, and refuses others in CometBFT's words (rpc/jsonrpc/server/http_json_handler.go 0.38). @throws RpcError -32602 */
export function readParams(kinds: ArgumentKinds, params: unknown): Arguments {
  const names = Object.keys(kinds)
  if (Array.isArray(params)) {
    if (params.length !== names.length) {
      const listing = params.map((each) => `[${Buffer.from(JSON.stringify(each)).join(' ')}]`).join(' ')
      throw invalid(`expected ${names.length} parameters ([${names.join(' ')}]), got ${params.length} ([${listing}])`)
    }
    return toArguments(kinds, new Map(names.map((name, index) => [name, params[index]])), fromJson)
  }
  if (params !== undefined && params !== null && typeof params !== 'object') {
    const why = `json: cannot unmarshal ${typeof params} into Go value of type []json.RawMessage`
    throw invalid(`unknown type for JSON params: ${why}. Expected map or array`)
  }
  return toArguments(kinds, new Map(Object.entries(params ?? {})), fromJson)
}

/** Reads the arguments in the query of a GET: text in quotes, bytes as `0x` and hex or as quoted text, numbers with or without quotes. @throws RpcError -32602 */
export function readUrl(kinds: ArgumentKinds, search: URLSearchParams): Arguments {
  const values = new Map([...search].map(([name, value]) => [name, /^".*"$/.test(value) ? value.slice(1, -1) : value]))
  return toArguments(kinds, values, {
    bytes(_, value) {
      if (/^0x([0-9a-f]{2})*$/i.test(value)) return Buffer.from(value.slice(2), 'hex')
      return Buffer.from(value)
    },
    integer(value) {
      if (value === '') return undefined
      if (typeof value === 'string' && WHOLE.test(value)) return BigInt(value)
      throw invalid(`invalid 64-bit integer encoding ${JSON.stringify(String(value))}, expected string`, 'http')
    },
  })
}

/** Form in which values come: as JSON, or in the address of a GET. */
interface Reading {
  bytes(kind: ArgumentKind, value: string): Uint8Array
  integer(value: unknown): bigint | undefined
}

const WHOLE = /^-?\d{1,18}$/

function toArguments(kinds: ArgumentKinds, values: ReadonlyMap<string, unknown>, reading: Reading): Arguments {
  const argumentOf = (name: string) => values.get(name) ?? undefined
  const text = (name: string) => {
    const value = argumentOf(name) ?? ''
    if (typeof value !== 'string') throw invalid(`${name} is ${show(value)}: it must be text`)
    return value
  }
  return {
    text,
    bytes: (name) => reading.bytes(present(kinds[name], `a kind of ${name}`), text(name)),
    integer(name) {
      const value = argumentOf(name)
      return value === undefined ? undefined : reading.integer(value)
    },
  }
}

const fromJson: Reading = {
  bytes(kind, value) {
    if (kind === 'hex') return fromHex(value)
    const end = /[^A-Za-z0-9+/=]/.exec(value)
    if (end !== null || value.length % 4 !== 0)
      throw invalid(`illegal base64 data at input byte ${end?.index ?? value.length - (value.length % 4)}`)
    return Buffer.from(value, 'base64')
  },
  // A whole number of 64 bits is text in Amino's JSON, and its inside is read as JSON again.
  integer(value) {
    if (typeof value !== 'string')
      throw invalid(`invalid 64-bit integer encoding ${JSON.stringify(JSON.stringify(value))}, expected string`)
    if (WHOLE.test(value)) return BigInt(value)
    if (value === '') throw invalid('unexpected end of JSON input')
    throw invalid(`invalid character '${value.replace(/^-?\d*/, '')[0] ?? value[0]}' looking for beginning of value`)
  },
}

function fromHex(value: string): Uint8Array {
  const wrong = /[^0-9a-f]/i.exec(value)?.[0]
  if (wrong !== undefined) {
    const point = present(wrong.codePointAt(0), 'a character').toString(16).toUpperCase().padStart(4, '0')
    throw invalid(`encoding/hex: invalid byte: U+${point} '${wrong}'`)
  }
  if (value.length % 2 === 1) throw invalid('encoding/hex: odd length hex string')
  return Buffer.from(value, 'hex')
}

function invalid(what: string, from: 'json' | 'http' = 'json'): RpcError {
  return new RpcError(-32602, 'Invalid params', `error converting ${from} params to arguments: ${what}`)
}
