import type { Mismatch } from '@svc/verify'
import { type CraftReview, type Intent, Refused, review, reviewSigned, worded } from '@svc/verify/intent'
import type { TrustDocument } from '../trust.ts'
import type { VerifyAsked } from './arguments.ts'
import { type Members, readHeaders, readJson, readMembers, readTransaction, readTrust } from './files.ts'
import { type BoundIntent, bind, type IntentFinder } from './intents.ts'
import { orderOf } from './order.ts'
import { bewareOf, Mistake, type Outcome } from './outcome.ts'
import { provenance } from './provenance.ts'

/** A craft that was checked, and what is printed of it. */
interface CheckedCraft {
  readonly reviewed: CraftReview
  readonly lines: readonly string[]
}

/** Order of whoever asks, by an intent and pinned terms. */
interface Order {
  readonly bound: BoundIntent
  readonly action: Intent['actions'][string]
  readonly input: Members
  readonly stated: Readonly<Record<string, string>>
}

/** Checks a craft, a signed transaction, or both, against the request. @throws Mistake, SetupError */
export async function verifyFiles(options: VerifyAsked, folder: string, find: IntentFinder): Promise<Outcome> {
  const trust = await readTrust(folder, options.trust)
  const bound = bind(await find(options.protocol), trust, options.network)
  const { intent } = bound
  const action = Object.hasOwn(intent.actions, options.action) ? intent.actions[options.action] : undefined
  if (action === undefined)
    throw new Mistake(`${intent.path} has no action ${options.action}; it has ${Object.keys(intent.actions).join(', ')}.`)
  const input = inputOf(bound, options, await readMembers(folder, options.request))
  const order: Order = { bound, action, input, stated: await readHeaders(folder, options.headers) }
  const craft = options.craft === undefined ? null : await checkCraft(order, { ...options, craft: options.craft }, folder, trust)
  if (craft !== null && 'code' in craft) return craft
  if (options.signed !== undefined) return checkSigned(order, { ...options, signed: options.signed }, craft)
  return { code: 0, lines: craft === null ? [] : [craft.reviewed.sentence, ...bewareOf(craft.reviewed), ...craft.lines], errors: [] }
}

async function checkCraft(
  { bound: { intent, terms }, action, input, stated }: Order,
  options: VerifyAsked & { readonly craft: string },
  folder: string,
  trust: TrustDocument,
): Promise<CheckedCraft | Outcome> {
  const answer = await readJson(folder, options.craft)
  const came = await provenance(options, folder, trust, intent.path)
  if (!came.ok)
    return { code: 1, lines: [], errors: ["This is not the service's answer of now to this request. Do not sign it.", came.reason] }
  const reviewed = review({ intent, action, terms, input, answer, stated })
  const wrong = 'mismatches' in reviewed ? null : await intent.family.signing?.proven?.(answer)
  const mismatches = 'mismatches' in reviewed ? reviewed.mismatches : wrong ? [wrong] : []
  if ('mismatches' in reviewed || mismatches.length > 0)
    return { code: 1, lines: [], errors: ['This is not what was asked for. Do not sign it.', ...linesOf(mismatches, terms, intent)] }
  const assumed = reviewed.assumed.map(({ fact, value, bound, cost }) => {
    const worst = cost === undefined ? '' : `. At worst it costs ${cost}`
    return `On the service's word: ${fact} is ${value}; ${bound}${worst}.`
  })
  return { reviewed, lines: [...assumed, ...came.lines] }
}

/** Checks what came back from whoever signed. @returns the sentence of its bytes, and what the signer has changed of the craft */
async function checkSigned(
  { bound: { intent, terms }, action, input, stated }: Order,
  { signed, chosen }: VerifyAsked & { readonly signed: string },
  craft: CheckedCraft | null,
): Promise<Outcome> {
  const text = (await readTransaction(signed)).trim()
  const judged = await reviewSigned({ intent, action, terms, input, stated, signed: text, chosen, craft: craft?.reviewed })
  if ('mismatches' in judged)
    return { code: 1, lines: [], errors: ['This is not what was asked for. Do not send it.', ...linesOf(judged.mismatches, terms, intent)] }
  const changed = judged.changed.map(
    ({ path, expected, found: now }) =>
      `Whoever signed has changed ${path.replace(/^terms\./, '')}: it was crafted with ${expected} and is ${now}.`,
  )
  const unknown = craft === null ? ['Without --craft nothing says what whoever signed has changed of it.'] : []
  return {
    code: 0,
    lines: [judged.sentence, ...bewareOf(judged), ...changed, ...unknown, `Transaction hash: ${judged.txHash}`],
    errors: [],
  }
}

function linesOf(mismatches: readonly Mismatch[], terms: BoundIntent['terms'], intent: BoundIntent['intent']): readonly string[] {
  return mismatches
    .map((each) => worded(each, terms, intent))
    .map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`)
}

function inputOf({ intent, terms }: BoundIntent, { action, request }: VerifyAsked, body: Members): Members {
  try {
    return orderOf(intent, action, body, terms.decimals)
  } catch (error) {
    if (!Refused.is(error)) throw error
    const { path, expected, found: actual } = error.mismatch
    throw new Mistake(`${request} is no body of ${action}: ${path.replace(/^input\./, '')} should be ${expected} and is ${actual}.`)
  }
}
