/** Version of the protocol. It rises when a member changes its meaning. */
export const VERSION = 1
/** Most bytes of a line: a transaction of the largest family, as hex within JSON, and what is asked of it. */
export const MAX_LINE = 1024 * 1024

/** Tasks that a question can name. */
export type Task = 'hello' | 'check' | 'payloads' | 'assemble' | 'signed' | 'explain' | 'webhook'

/** Kind of JSON value that a member of a question must have. */
type Kind = 'text' | 'number' | 'texts' | 'map' | 'any'

/** Members of an order: the request to a service, and its answer. */
const ORDER = {
  trust: 'text',
  protocol: 'text',
  network: 'text',
  action: 'text',
  request: 'text',
  craft: 'text',
  headers: 'map',
  sent: 'map',
  max_age: 'number',
  facts: 'any',
  replaces: 'text',
} as const satisfies Readonly<Record<string, Kind>>

const MEMBERS: Readonly<Record<Task, Readonly<Record<string, Kind>>>> = {
  hello: {},
  check: ORDER,
  payloads: ORDER,
  assemble: { ...ORDER, signature: 'any' },
  signed: { ...ORDER, signed_tx: 'text', chosen: 'texts' },
  explain: { trust: 'text', protocol: 'text', network: 'text', headers: 'map', transaction: 'text' },
  webhook: { headers: 'map', body: 'text', keys: 'texts' },
}
const REQUIRED: Readonly<Record<Task, readonly string[]>> = {
  hello: [],
  check: ['protocol', 'action', 'request', 'craft'],
  payloads: ['protocol', 'action', 'request', 'craft'],
  assemble: ['protocol', 'action', 'request', 'craft', 'signature'],
  signed: ['protocol', 'action', 'request', 'signed_tx'],
  explain: ['transaction', 'protocol'],
  webhook: ['headers', 'body', 'keys'],
}

/** A question, with its members as they were given. */
export interface Question {
  readonly id: string | number
  readonly task: Task
  readonly members: Readonly<Record<string, unknown>>
}

/** A question that cannot be answered for its own form. Its message is a sentence. */
export class AskedWrong extends Error {
  override name = 'AskedWrong'
  readonly id: string | number | null
  constructor(message: string, id: string | number | null = null) {
    super(message)
    this.id = id
  }
}

/** Reads a question from a line. Refuses an unknown member, since a misspelt bound would have no effect. @throws AskedWrong */
export function readQuestion(line: string): Question {
  const question = parsed(line)
  const { v, id, do: task, ...members } = question
  if (typeof id !== 'string' && typeof id !== 'number')
    throw new AskedWrong('id is missing; it must be a text or a number, and comes back with the answer.')
  if (v !== VERSION) throw new AskedWrong(`v is ${shown(v)}; this program speaks version ${VERSION}.`, id)
  if (typeof task !== 'string' || !Object.hasOwn(MEMBERS, task))
    throw new AskedWrong(`do is ${shown(task)}; it must be one of ${Object.keys(MEMBERS).join(', ')}.`, id)
  const kinds = MEMBERS[task as Task]
  for (const [name, value] of Object.entries(members)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined)
      throw new AskedWrong(`${task} has no member ${shown(name)}; it has ${Object.keys(kinds).join(', ') || 'none'}.`, id)
    if (!isOf(kind, value)) throw new AskedWrong(`${name} is ${shown(value)}; it must be ${WORDS[kind]}.`, id)
  }
  const missing = REQUIRED[task as Task].find((name) => !Object.hasOwn(members, name))
  if (missing !== undefined) throw new AskedWrong(`${task} needs ${missing}.`, id)
  if (Object.hasOwn(members, 'max_age') && !Object.hasOwn(members, 'sent'))
    throw new AskedWrong('max_age needs sent: without the headers that were sent nobody knows how old the answer is.', id)
  return { id, task: task as Task, members }
}

const WORDS: Readonly<Record<Kind, string>> = {
  text: 'a text',
  number: 'a whole number, 0 or more',
  texts: 'a list of texts',
  map: 'an object whose members are texts, lists of texts, or null',
  any: 'there',
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'number') return Number.isSafeInteger(value) && Number(value) >= 0
  if (kind === 'texts') return Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (kind === 'map')
    return isMap(value) && Object.values(value).every((each) => each === null || isOf('text', each) || isOf('texts', each))
  return value !== null
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (isMap(value)) return value
  } catch {
    // Said below.
  }
  throw new AskedWrong('The line is no JSON object.')
}

/** Shortens a value for a sentence. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
