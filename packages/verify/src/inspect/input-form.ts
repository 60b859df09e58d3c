import { parseExact } from '../intent/json.ts'
import { isRecord } from '../mismatch.ts'
import type { ReadableFamily } from './families.ts'
import { isTrust, type TrustDocument } from './trust.ts'

/** Members of an object, each of an unknown type. */
export type Members = Readonly<Record<string, unknown>>

/** Transaction that was handed over, with everything that came along. */
export interface GivenTransaction {
  readonly kind: 'transaction'
  /** Transaction in hex or base64. */
  readonly text: string
  /** Kind of the input, in a few words: `the answer to a craft request`. */
  readonly what: string
  /** Object that contained the transaction, when there was one. */
  readonly answer: Members | null
  /** The body of the request, when it came along. */
  readonly request: Members | null
  /** Headers that came along, with their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Input that was handed over: nothing, a trust document, a transaction, or neither. */
export type InspectorInput =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'trust'; readonly document: TrustDocument }
  | { readonly kind: 'unreadable'; readonly why: string }
  | GivenTransaction

/** The most that is read, in characters: hex of 1 MiB, beyond which no chain takes a transaction, and as much around it. */
const MOST = 4 * 1024 * 1024

/** Families as far as they put a transaction and its signatures together. */
type Joiners = readonly Pick<ReadableFamily, 'inspected'>[]

/**
 * Recognises a pasted text: a transaction in hex, base64 or JSON in any of the service's forms, an answer with its headers as `curl -i` prints it, or a trust document.
 *
 * @param families by which a transaction is found whose signatures lie beside it; without them it is the unsigned one
 */
export function readGiven(text: string, families: Joiners = []): InspectorInput {
  const content = text.replace(/^\uFEFF/, '').trim()
  if (content === '') return { kind: 'nothing' }
  if (content.length > MOST) return unreadable(`This has ${content.length} characters; no chain takes a transaction that large.`)
  const { headers, body } = httpOf(content)
  if (/^[[{"]/.test(body)) return fromJson(body, headers, families)
  return transaction(compact(body), { what: 'bytes as text', headers })
}

/** Removes blanks and line ends from a text, and the quotes around it. */
function compact(text: string): string {
  return text.replace(/\s+/g, '').replace(/^(['"`])(.*)\1$/, '$2')
}

function fromJson(text: string, headers: Readonly<Record<string, string>>, families: Joiners): InspectorInput {
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return unreadable(
      'This begins as JSON does, and is none, or has a member twice in one object: a bracket, a quote or a part of it may be missing, or one member too many.',
    )
  }
  if (Array.isArray(value)) {
    if (value.length !== 1) return unreadable(`This is a list of ${value.length}; one transaction is read at a time.`)
    ;[value] = value
  }
  if (typeof value === 'string') return transaction(compact(value), { what: 'bytes as text', headers })
  if (!isRecord(value)) return unreadable('This JSON is neither an object nor a text.')
  if (isTrust(value)) return { kind: 'trust', document: value }
  return fromObject(value, { headers, request: null, depth: 0 }, families)
}

/** Members under which an answer lies when it is a part of something larger, with a request beside it. */
const AROUND = ['response', 'answer', 'craft', 'body', 'data', 'result'] as const
const BESIDE = ['request', 'input'] as const
const DEEPEST = 3

/** What stands around an object, from outside in. */
interface Around {
  readonly headers: Readonly<Record<string, string>>
  readonly request: Members | null
  readonly depth: number
}

function fromObject(value: Members, { headers, request, depth }: Around, families: Joiners): InspectorInput {
  const allHeaders = { ...headers, ...headersIn(value.headers) }
  const form = FORMS.find(({ member }) => typeof value[member] === 'string')
  if (form) {
    const signed = families.map(({ inspected }) => inspected.joined?.(value) ?? null).find((each) => each !== null)
    if (signed && 'why' in signed) return unreadable(signed.why)
    const text = signed?.text ?? String(value[form.member])
    return transaction(compact(text), { what: signed?.what ?? form.what, answer: value, headers: allHeaders, request })
  }
  const beside = BESIDE.map((name) => value[name]).find(isRecord) ?? request
  const inner = AROUND.flatMap((name): readonly { readonly name: string; readonly given: InspectorInput }[] => {
    const each = value[name]
    if (isRecord(each) && depth < DEEPEST) {
      const part = fromObject(each, { headers: allHeaders, request: beside, depth: depth + 1 }, families)
      return part.kind === 'transaction' ? [{ name, given: part }] : []
    }
    if (typeof each !== 'string' || name === 'data') return []
    return [{ name, given: transaction(compact(each), { what: 'bytes as text', headers: allHeaders, request: beside }) }]
  })
  const [first, second] = inner
  if (first && second)
    return unreadable(
      `This JSON has something to read in ${first.name} and in ${second.name}: which of them would be signed, it does not say.`,
    )
  if (first) return first.given
  const names = FORMS.map(({ member }) => member).join(', ')
  return unreadable(`This JSON has ${Object.keys(value).slice(0, 8).join(', ') || 'no member'}; a transaction would be in one of ${names}.`)
}

/** Members in which objects contain a transaction, the signed ones first, with a phrase for the object. */
export const FORMS = [
  { member: 'signed_tx_hex', what: 'a signed transaction of the service' },
  { member: 'signed_tx_b64', what: 'a signed transaction of the service' },
  { member: 'serialized_tx_hex', what: 'the answer to a craft request' },
  { member: 'unsigned_tx_hex', what: 'the answer to a craft request' },
  { member: 'unsigned_tx_b64', what: 'the answer to a craft request' },
  { member: 'tx_body_hex', what: 'the body of a prepare request' },
  { member: 'bytes', what: 'a transaction with its signatures' },
  { member: 'transaction', what: 'the body of an inspect request' },
] as const

/** Reads an answer as `curl -i` and browsers' tools print it. @see https://www.rfc-editor.org/rfc/rfc9112#section-2.1 (read 2026-11-22) */
function httpOf(text: string): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  if (!/^HTTP\/[\d.]+ \d{3}/.test(text)) return { headers: {}, body: text }
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/)
  const lines = head.split(/\r?\n/).slice(1)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const key = name.toLowerCase()
    // A field that stands twice is one with both values (RFC 9110, 5.3), which is no account number any more.
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${value}` : value
  }
  return { headers, body: rest.join('\n\n').trim() }
}

function headersIn(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), String(each)]))
}

function transaction(
  text: string,
  more: Partial<Omit<GivenTransaction, 'kind' | 'text'>> & Pick<GivenTransaction, 'what'>,
): InspectorInput {
  if (text === '') return { kind: 'nothing' }
  const digits = text.replace(/^0x/i, '')
  if (digits === '') return unreadable('This is 0x without a digit after it.')
  if (/^[0-9a-f]+$/i.test(digits) && digits.length % 2 === 1)
    return unreadable(`These are ${digits.length} hex digits, and bytes have two each: one is missing or too many.`)
  const foreign = /[^0-9A-Za-z+/=]/u.exec(text)?.[0]
  if (foreign !== undefined) return unreadable(`This has the character ${JSON.stringify(foreign)}, which is neither of hex nor of base64.`)
  return { kind: 'transaction', answer: null, request: null, headers: {}, ...more, text: /^0x/i.test(text) ? `0x${digits}` : text }
}

function unreadable(why: string): InspectorInput {
  return { kind: 'unreadable', why }
}
