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

/** A call that went wrong inside: what CometBFT calls an internal error, with the reason beside it. */
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

/**
 * Reads the `params` of a call, an object or an array.
 *
 * @throws RpcError -32602
 */
export function readParams(kinds: ArgumentKinds, params: unknown): Arguments {
  const names = Object.keys(kinds)
  if (Array.isArray(params)) {
    if (params.length !== names.length) throw invalid(`expected ${names.length} parameters (${names.join(' ')}), got ${params.length}`)
    return toArguments(kinds, new Map(names.map((name, index) => [name, params[index]])), bytesFromText)
  }
  if (params !== undefined && params !== null && typeof params !== 'object')
    throw invalid('unknown type for JSON params. Expected map or array')
  return toArguments(kinds, new Map(Object.entries(params ?? {})), bytesFromText)
}

/**
 * Reads the query of a GET: text in quotes, bytes as `0x` and hex or as quoted text, numbers with or without quotes.
 *
 * @throws RpcError -32602
 */
export function readUrl(kinds: ArgumentKinds, search: URLSearchParams): Arguments {
  const values = new Map([...search].map(([name, value]) => [name, /^".*"$/.test(value) ? value.slice(1, -1) : value]))
  return toArguments(kinds, values, (_, value) => {
    if (/^0x([0-9a-f]{2})*$/i.test(value)) return Buffer.from(value.slice(2), 'hex')
    return Buffer.from(value)
  })
}

type ReadBytes = (kind: ArgumentKind, value: string) => Uint8Array

function toArguments(kinds: ArgumentKinds, values: ReadonlyMap<string, unknown>, readBytes: ReadBytes): Arguments {
  const given = (name: string) => {
    const value = values.get(name)
    return value === undefined || value === null || value === '' ? undefined : value
  }
  return {
    text(name) {
      const value = given(name) ?? ''
      if (typeof value !== 'string') throw invalid(`${name} is ${show(value)}: it must be text`)
      return value
    },
    bytes(name) {
      const value = given(name) ?? ''
      if (typeof value !== 'string') throw invalid(`${name} is ${show(value)}: it must be text`)
      return readBytes(present(kinds[name], `a kind of ${name}`), value)
    },
    integer(name) {
      const value = given(name)
      if (value === undefined) return undefined
      if (!/^\d{1,18}$/.test(String(value))) throw invalid(`${name} is ${show(value)}: it must be an integer`)
      return BigInt(String(value))
    },
  }
}

function bytesFromText(kind: ArgumentKind, value: string): Uint8Array {
  if (kind === 'hex' ? /^([0-9a-f]{2})*$/i.test(value) : /^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    return Buffer.from(value, kind === 'hex' ? 'hex' : 'base64')
  }
  throw invalid(`${show(value)} is not ${kind}`)
}

function invalid(what: string): RpcError {
  return new RpcError(-32602, 'Invalid params', `error converting json params to arguments: ${what}`)
}
