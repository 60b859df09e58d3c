import { type CraftReview, explain, type Intent, Refused, review, reviewSigned, worded } from '@svc/verify/intent'
import { SvcError } from '../../errors.ts'
import { parseExact } from '../../json.ts'
import { bothLandByBytes } from '../../replaces.ts'
import { payloadsFor } from '../../signers/custody.ts'
import type { TrustDocument } from '../../trust.ts'
import { verifyWebhook, WebhookError } from '../../webhooks/index.ts'
import { isTrust, type Members } from '../files.ts'
import { type BoundIntent, bind } from '../intents.ts'
import { orderOf } from '../order.ts'
import { Mistake } from '../outcome.ts'
import { provenanceOf } from '../provenance.ts'
import { keysOf, moveOf, signatureOf, signOf } from './parts.ts'
import { AskedWrong, type Question, readQuestion, shown, type Task, VERSION } from './question.ts'

/** Codes of an answer that is not ok. */
type Code = 'MISMATCH' | 'NOT_AUTHENTIC' | 'SIGNATURE' | 'ASKED_WRONG' | 'INTERNAL'

/** A trust document by the name that questions give it. */
export interface PinnedTrust {
  readonly name: string
  readonly document: TrustDocument
  /** SHA-256 of its bytes, hex: what a ceremony compares. */
  readonly sha256: string
}

/** Intents and trust documents with which questions are answered. They are fixed at the start, so that a question cannot choose what is trusted. */
export interface Seat {
  /** Version of the program. */
  readonly version: string
  readonly trusts: readonly PinnedTrust[]
  /** Finds an intent by the name of its protocol. @throws Mistake */
  intent(protocol: string): Promise<Intent>
  /** Paths of the intents that are there. */
  readonly paths: readonly string[]
}

/** A check that came to a bad end: what was checked is not what was asked for. */
class Refusal extends Error {
  readonly code: Code
  readonly mismatches: readonly unknown[]
  constructor(code: Code, message: string, mismatches: readonly unknown[] = []) {
    super(message)
    this.code = code
    this.mismatches = mismatches
  }
}

const DO_NOT = 'Do not sign it.'

/** Answers one line of JSON with another. Never throws because of the line. */
export async function answerLine(line: string, seat: Seat): Promise<string> {
  let id: string | number | null = null
  try {
    const question = readQuestion(line)
    id = question.id
    return lineOf({ v: VERSION, id, ok: true, ...(await TASKS[question.task](question, seat)) })
  } catch (error) {
    const { code, mismatches = [] } = error instanceof Refusal ? error : { code: codeOf(error) }
    const sentence =
      code === 'INTERNAL' ? 'This should not have happened; nothing was checked.' : error instanceof Error ? error.message : String(error)
    return lineOf({ v: VERSION, id: (error instanceof AskedWrong ? error.id : null) ?? id, ok: false, code, sentence, mismatches })
  }
}

/** Writes JSON in one line for every reader of lines: some take the separators of Unicode for an end, which JSON lets stand as they are. */
function lineOf(answer: object): string {
  return JSON.stringify(answer).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function codeOf(error: unknown): Code {
  if (error instanceof AskedWrong || error instanceof Mistake || SvcError.is(error) || Refused.is(error)) return 'ASKED_WRONG'
  return Object(error).name === 'DecodeError' ? 'ASKED_WRONG' : 'INTERNAL'
}

const TASKS: Readonly<Record<Task, (question: Question, seat: Seat) => Promise<object> | object>> = {
  hello: (_question, { version, trusts, paths }) => ({
    version,
    protocols: paths,
    trust: trusts.map(({ name, sha256, document }) => ({ name, sha256, account: document.account })),
    do: Object.keys(TASKS),
  }),
  async check(question, seat) {
    const order = await orderBy(question, seat)
    const { reviewed, request, authentic } = await crafted(order)
    return { ...said(order.bound, reviewed), authentic, sign: signOf(request) }
  },
  async payloads(question, seat) {
    const order = await orderBy(question, seat)
    const { reviewed, request, authentic, answer } = await crafted(order)
    return { ...said(order.bound, reviewed), authentic, sign: signOf(request), payloads: payloadsFor({ ...request, answer }) }
  },
  async assemble(question, seat) {
    const order = await orderBy(question, seat)
    const { reviewed, request, authentic, answer } = await crafted(order)
    try {
      const { body, expected, txHash } = await order.signing.prepare(answer, request, signatureOf(question.members.signature, answer))
      return { ...said(order.bound, reviewed), authentic, sign: signOf(request), prepare: body, signed: expected, tx_hash: txHash }
    } catch (error) {
      if (!Refused.is(error)) throw error
      const { path, expected, found: actual } = error.mismatch
      throw new Refusal('SIGNATURE', `The signature is not of this transaction: ${path} should be ${expected} and is ${actual}.`, [
        error.mismatch,
      ])
    }
  },
  async signed(question, seat) {
    const order = await orderBy(question, seat)
    const { intent, terms } = order.bound
    const own = order.hasCraft ? await crafted(order) : null
    const judged = await reviewSigned({
      ...{ intent, terms, action: order.action, input: order.input, stated: order.headers, craft: own?.reviewed },
      signed: textOf(question, 'signed_tx'),
      chosen: (question.members.chosen ?? []) as readonly string[],
    })
    if ('mismatches' in judged)
      throw refusalOf(order.bound, judged.mismatches, 'What was signed is not what was asked for. Do not send it.')
    return {
      ...said(order.bound, judged),
      authentic: own?.authentic ?? false,
      signed: judged.body,
      tx_hash: judged.txHash,
      changed: judged.changed,
    }
  },
  async explain(question, seat) {
    const bound = await boundBy(question, seat)
    const explained = await explain(bound.intent, bound.terms, textOf(question, 'transaction'), headersOf(question, 'headers'))
    const { known: isKnown, form, signers, txHash, validity, notes } = explained
    const { sentence, warnings, moves } = said(bound, { ...explained, assumed: [] })
    return { sentence, warnings, moves, known: isKnown, form, signers, tx_hash: txHash, validity, notes }
  },
  async webhook(question) {
    const check = { headers: headersOf(question, 'headers'), body: textOf(question, 'body'), keys: keysOf(question) }
    try {
      const { id, sentAt } = await verifyWebhook(check)
      return { event: id, sent_at: sentAt.toISOString(), content: jsonOf(question, 'body') }
    } catch (error) {
      throw error instanceof WebhookError ? new Refusal('NOT_AUTHENTIC', `${error.message} Do not use it.`) : error
    }
  },
}

/** Request to a service, as far as a question states it. */
interface Order {
  readonly question: Question
  readonly trust: TrustDocument
  readonly bound: BoundIntent
  readonly action: Intent['actions'][string]
  readonly signing: NonNullable<Intent['family']['signing']>
  readonly input: Members
  readonly headers: Readonly<Record<string, string>>
  readonly hasCraft: boolean
}

async function orderBy(question: Question, seat: Seat): Promise<Order> {
  const { id } = question
  const trust = trustOf(question, seat)
  const bound = await boundBy(question, seat)
  const { intent } = bound
  const name = textOf(question, 'action')
  const action = Object.hasOwn(intent.actions, name) ? intent.actions[name] : undefined
  const { signing } = intent.family
  if (!action || !signing)
    throw new AskedWrong(`${intent.path} has no action ${shown(name)}; it has ${Object.keys(intent.actions).join(', ')}.`, id)
  const input = readOrder(bound, name, jsonOf(question, 'request'))
  return {
    question,
    trust,
    bound,
    action,
    signing,
    input,
    headers: headersOf(question, 'headers'),
    hasCraft: question.members.craft !== undefined,
  }
}

function readOrder({ intent, terms }: BoundIntent, action: string, body: unknown): Members {
  return ofBody(action, () => orderOf(intent, action, Object(body) as Members, terms.decimals))
}

/** @throws Mistake where the body of a request is what is wrong */
function ofBody<T>(action: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!Refused.is(error)) throw error
    const { path, expected, found: actual } = error.mismatch
    throw new Mistake(`request is no body of ${action}: ${path.replace(/^input\./, '')} should be ${expected} and is ${actual}.`)
  }
}

async function boundBy(question: Question, seat: Seat): Promise<BoundIntent> {
  const network = question.members.network === undefined ? undefined : textOf(question, 'network')
  return bind(await seat.intent(textOf(question, 'protocol')), trustOf(question, seat), network)
}

function trustOf(question: Question, { trusts }: Seat): TrustDocument {
  const { trust: name } = question.members
  const names = trusts.map((each) => each.name).join(', ')
  const pinned = name === undefined && trusts.length === 1 ? trusts[0] : trusts.find((each) => each.name === name)
  if (pinned === undefined || !isTrust(pinned.document as never))
    throw new AskedWrong(`trust is ${shown(name)}; it must be one of those that the program was started with: ${names}.`, question.id)
  return pinned.document
}

/** Checks the craft of an order. @throws Refusal */
async function crafted(order: Order) {
  const { question, bound, action, signing, input, headers } = order
  const { intent, terms } = bound
  const { authentic, remarks } = await authenticity(order)
  const answer = jsonOf(question, 'craft')
  const { facts } = question.members
  const pinned = facts === undefined ? {} : { facts: Object(facts) as Readonly<Record<string, unknown>> }
  const reviewed = review({ intent, action, terms, input, answer, stated: headers, ...pinned })
  if ('mismatches' in reviewed) throw refusalOf(bound, reviewed.mismatches, `This is not what was asked for. ${DO_NOT}`)
  const wrong = await signing.proven?.(answer)
  if (wrong) throw refusalOf(bound, [wrong], `The transaction cannot land. ${DO_NOT}`)
  const isReplacing = question.members.replaces !== undefined
  const both = isReplacing ? bothLandByBytes(intent, jsonOf(question, 'replaces'), terms, headers, reviewed.decoded) : null
  if (both) throw refusalOf(bound, [both], `This one and the one that it replaces could both land. ${DO_NOT}`)
  const request = ofBody(textOf(question, 'action'), () => signing.request(answer, input, terms, headers))
  return { reviewed: { ...reviewed, warnings: [...reviewed.warnings, ...remarks] }, answer, authentic, request }
}

/** Provenance of a craft: whether it was looked at, and what is to be said of it besides. */
interface Authenticity {
  readonly authentic: boolean
  readonly remarks: readonly string[]
}

/** Verifies that a craft is the service's answer to the request, where the headers that were sent are there. @throws Refusal where it is not */
async function authenticity({ question, trust, bound: { intent }, headers }: Order): Promise<Authenticity> {
  if (question.members.sent === undefined) return { authentic: false, remarks: [] }
  const maxAge = question.members.max_age as number | undefined
  const came = await provenanceOf({
    ...{ trust, path: intent.path, action: textOf(question, 'action'), headers, sent: headersOf(question, 'sent'), maxAge },
    request: bytesOf(textOf(question, 'request')),
    craft: bytesOf(textOf(question, 'craft')),
  })
  if (!came.ok) throw new Refusal('NOT_AUTHENTIC', `This is not the service's answer of now to this request. ${DO_NOT} ${came.reason}`)
  return { authentic: true, remarks: came.lines.slice(1) }
}

function refusalOf({ intent, terms }: BoundIntent, mismatches: CraftMismatches, sentence: string): Refusal {
  return new Refusal(
    'MISMATCH',
    sentence,
    mismatches.map((each) => worded(each, terms, intent)),
  )
}
type CraftMismatches = Extract<ReturnType<typeof review>, { mismatches: unknown }>['mismatches']

function said(
  { terms }: BoundIntent,
  { sentence, warnings, assumed, moves }: Pick<CraftReview, 'sentence' | 'warnings' | 'assumed' | 'moves'>,
) {
  return { sentence, warnings, assumed, moves: moves.map((move) => moveOf(move, terms.decimals)) }
}

function textOf({ members, id }: Question, name: string): string {
  const value = members[name]
  if (typeof value === 'string') return value
  throw new AskedWrong(`${name} is missing.`, id)
}

/** Parses JSON that travelled as text, with numbers that a double cannot hold as text. @throws AskedWrong */
function jsonOf(question: Question, name: string): unknown {
  const content = textOf(question, name)
  try {
    return parseExact(content)
  } catch {
    throw new AskedWrong(`${name} is not JSON, or has a member twice in one object, of which every reader takes another.`, question.id)
  }
}

/**
 * Reads headers as a library of HTTP has them: null is one that is not there, and several values of one name are one, between commas.
 *
 * @throws AskedWrong
 * @see https://www.rfc-editor.org/rfc/rfc9110 section 5.3 (read 2026-11-29)
 */
function headersOf({ members, id }: Question, name: 'headers' | 'sent'): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [header, values] of Object.entries((members[name] ?? {}) as Readonly<Record<string, string | readonly string[] | null>>)) {
    if (values === null) continue
    const key = header.toLowerCase()
    if (Object.hasOwn(headers, key)) throw new AskedWrong(`${name} has the header ${key} twice.`, id)
    headers[key] = typeof values === 'string' ? values : values.join(', ')
  }
  return headers
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
