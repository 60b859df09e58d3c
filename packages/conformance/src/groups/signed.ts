import { membersOf } from '@svc/contract'
import { termsOf } from '@svc/core/plugins'
import { check as compare, type Decoded } from '@svc/verify'
import { type CraftRejection, type CraftReview, type Intent, readInput, review, reviewSigned, type SignedReview } from '@svc/verify/intent'
import { type Check, shown } from '../check.ts'
import type { SignedForm } from '../family.ts'
import type { Subject } from '../subject.ts'
import { textual } from '../textual.ts'

type Terms = ReturnType<typeof termsOf>
type Body = Readonly<Record<string, unknown>>

/** An order, its craft, and what reads a signed transaction against both. */
interface Order {
  readonly action: string
  readonly crafted: Body
  /** Headers of the craft. */
  readonly stated: Readonly<Record<string, string>>
  readonly reviewed: CraftReview
  read(signed: string, input?: Body, chosen?: readonly string[]): Promise<SignedReview | CraftRejection>
}

/** Of the changed transactions that are refused one in so many is held against the order by the service too: it answers by the same check, over HTTP. */
const ASKED_OF = 8

/** A wallet that has no part in anything. */
const STRANGER = 9_999

/**
 * Tests the check of a signed transaction against the order: as crafted it is accepted, with the hash by which the chain will know it; the usual changes of wallets are
 * reported; and every other change is refused, whether signed anew by the wallet or with its former signature, as is each signature that the chain would not accept.
 */
export async function signed(subject: Subject, check: Check): Promise<void> {
  const { family, protocol, direct } = subject
  const { intent } = protocol
  // The group `intent` has said what is missing.
  if (!intent) return
  const { signed: form } = family
  if (!intent.family.signed || !form) {
    check.note('no driver of this family joins signed transactions')
    return
  }
  const terms = termsOf(protocol, direct.network)
  const inputs = new Map<string, Body>()
  for (const action of subject.actions) {
    const { body } = await subject.example(action)
    inputs.set(action, readInput(intent.actions[action]?.input ?? {}, textual(intent, action, body), terms.decimals))
  }
  for (const action of subject.actions) {
    const order = await ordered(subject, check, { intent, terms, action, input: inputs.get(action) ?? {} })
    if (order) await one(subject, check, form, order, inputs)
  }
}

async function ordered(
  subject: Subject,
  check: Check,
  { intent, terms, action, input }: { readonly intent: Intent; readonly terms: Terms; readonly action: string; readonly input: Body },
): Promise<Order | null> {
  const { body } = await subject.example(action)
  const answer = await subject.client.post(`/action/${action}`, body)
  const promised = intent.actions[action]
  if (!check.equal(answer.status, 200, `${action}: it is crafted`) || !promised) return null
  const headers = Object.fromEntries(answer.headers)
  const crafted = membersOf(JSON.parse(answer.text))
  const reviewed = review({ intent, action: promised, terms, input, answer: crafted, stated: headers })
  if ('mismatches' in reviewed) {
    check.fail(`${action}: the craft is what was asked for`, shown(reviewed.mismatches))
    return null
  }
  const shared = { intent, action: promised, terms, stated: headers, craft: reviewed }
  return {
    action,
    crafted,
    stated: headers,
    reviewed,
    read: (text, other = input, chosen = []) => reviewSigned({ ...shared, input: other, signed: text, chosen }),
  }
}

async function one(
  subject: Subject,
  check: Check,
  form: SignedForm,
  { action, crafted, stated, reviewed, read }: Order,
  inputs: ReadonlyMap<string, Body>,
): Promise<void> {
  const { family, client } = subject
  const { player } = await subject.example(action)
  const prepare = await family.sign(crafted, player.wallet)
  const honest = form.join(prepare)
  if (!check.ok(honest !== null, `${action}: it can be joined`) || honest === null) return
  const judged = await read(honest)
  if ('mismatches' in judged) {
    check.fail(`${action}: signed as it was crafted, it is what was asked for`, shown(judged.mismatches))
    return
  }
  const inspects = async (name: string, text: string, outcome: SignedReview | CraftRejection) =>
    check.equal(
      await matches(subject, text, { action, crafted, stated }),
      !('mismatches' in outcome),
      `${action}: inspect says the same: ${name}`,
    )
  await inspects('as it was crafted', honest, judged)
  check.equal(judged.changed, [], `${action}: nothing was changed`)
  check.equal(judged.sentence, reviewed.sentence, `${action}: the sentence is that of the craft`)
  const prepared = await client.post('/action/prepare', prepare)
  check.equal(prepared.json, judged.body, `${action}: it is what prepare answers, and the body of a broadcast`)

  for (const { name, unsigned, signed: expected = 'refused' } of [
    ...(family.additions?.(crafted) ?? []),
    ...(form.envelopes?.(crafted) ?? []),
  ]) {
    const text = form.join(await family.sign(unsigned, player.wallet))
    if (text === null) continue
    const verdict = await read(text)
    await inspects(name, text, verdict)
    const outcome = outcomeOf(verdict)
    // Where the service has signed along, no change survives.
    const isBound = reviewed.decoded.terms.signed !== undefined
    const right = isBound && unsigned !== crafted ? 'refused' : expected
    const isRight = right === 'either' ? outcome !== 'same' : outcome === right
    check.ok(isRight, `${action}: with ${name} it is ${right}`, outcome)
  }

  let turn = 0
  const refuses = async (name: string, text: string | null, input?: Body) => {
    if (text === null || (text === honest && input === undefined)) return 0
    const outcome = await read(text, input)
    check.ok(
      'mismatches' in outcome && outcome.mismatches.length > 0,
      `${action}: refused: ${name}`,
      'sentence' in outcome && outcome.sentence,
    )
    if (input === undefined && turn++ % ASKED_OF === 0) await inspects(name, text, outcome)
    return 1
  }
  // Where the bytes and what goes with them say different things, the bytes alone are signed.
  const refusesOrTells = async (name: string, text: string) => {
    const outcome = await read(text)
    const names = 'mismatches' in outcome ? null : outcome.changed.map(({ path }) => path.replace('terms.', ''))
    const isRight = names === null || (names.length > 0 && names.every((each) => Object.hasOwn(form.chosen, each)))
    check.ok(isRight, `${action}: refused, or what the wallet may choose: ${name}`, 'sentence' in outcome && outcome.sentence)
    return 1
  }
  const signatures = Object.fromEntries(Object.entries(prepare).filter(([name]) => !Object.hasOwn(crafted, name)))
  let [count, chosen] = [0, 0]
  for (const { name, unsigned } of [...family.fields(crafted), ...family.forgeries(crafted, reviewed.effects)]) {
    const anew = await signedAnew(subject, unsigned, player.wallet)
    if (anew === null) continue
    const text = joinedBy(form, anew)
    const terms = changedTerms(subject, unsigned, reviewed)
    if (terms === null && text !== null && text !== honest) count += await refusesOrTells(`${name}, signed anew`, text)
    else if (mayBe(form, reviewed.decoded, terms)) chosen++
    else count += await refuses(`${name}, signed anew`, text)
    if (text !== honest) count += await refuses(`${name}, with the signature of the craft`, joinedBy(form, { ...anew, ...signatures }))
  }
  check.tried(count, `changed transactions of ${action}, signed (${chosen} changes were the wallet’s to make)`)

  let bad = await refuses('signed by somebody else', joinedBy(form, await family.sign(crafted, family.wallet(STRANGER))))
  for (const { name, body } of family.badPrepares(prepare)) bad += await refuses(name, joinedBy(form, body))
  for (const [name, text] of form.attacks(honest)) bad += await refuses(name, text)
  for (const [other, input] of inputs) if (other !== action) bad += await refusedAs(subject, check, { action, other, honest, input })
  check.tried(bad, `signatures and forms that no chain takes, of ${action}`)
}

/** Asks the service whether a signed transaction is what an order asked for. What it cannot read is not. */
async function matches(
  subject: Subject,
  transaction: string,
  { action, crafted, stated }: Pick<Order, 'action' | 'crafted' | 'stated'>,
): Promise<boolean> {
  const { body } = await subject.example(action)
  const number = stated['x-account-number']
  const expect = { action, body, craft: crafted, ...(number === undefined ? {} : { account_number: number }) }
  const { status, json } = await subject.client.post('/action/inspect', { transaction, expect })
  return status === 200 && membersOf(membersOf(json).order).matches === true
}

/** The signed transaction of one action is none of another one. */
async function refusedAs(
  { protocol, direct }: Subject,
  check: Check,
  { action, other, honest, input }: { readonly action: string; readonly other: string; readonly honest: string; readonly input: Body },
): Promise<number> {
  const { intent } = protocol
  const promised = intent?.actions[other]
  if (!intent || !promised) return 0
  const outcome = await reviewSigned({ intent, action: promised, terms: termsOf(protocol, direct.network), input, signed: honest })
  check.ok('mismatches' in outcome, `${action}: refused: asked for as ${other}`)
  return 1
}

function outcomeOf(judged: SignedReview | CraftRejection): 'same' | 'told' | 'refused' {
  if ('mismatches' in judged) return 'refused'
  return judged.changed.length === 0 ? 'same' : 'told'
}

/** Some forgeries are of a form over which nothing can be signed. */
async function signedAnew({ family }: Subject, unsigned: unknown, wallet: unknown): Promise<Body | null> {
  try {
    return await family.sign(unsigned, wallet)
  } catch {
    return null
  }
}

function joinedBy(form: SignedForm, body: Body): string | null {
  try {
    return form.join(body)
  } catch {
    return null
  }
}

/** Terms that differ, as the kit reads them; null where the kit finds anything else that differs, or cannot read it. */
function changedTerms({ kit, direct }: Subject, unsigned: unknown, { decoded, effects }: CraftReview): Decoded['terms'] | null {
  try {
    const now = kit.decode(membersOf(unsigned), effects, direct.network, decoded.terms)
    const bounds = { chainId: now.chainId ?? direct.network.chainId, maxFee: now.maxFee }
    return compare(now, effects, bounds).length === 0 && now.chainId === decoded.chainId ? now.terms : null
  } catch {
    return null
  }
}

/** Tells whether whoever signs may choose all that differs. What is above `max_fee` is refused all the same, and is not counted among the changes that must be. */
function mayBe({ chosen }: SignedForm, { terms }: Decoded, now: Decoded['terms'] | null): boolean {
  if (now === null) return false
  const names = [...new Set([...Object.keys(terms), ...Object.keys(now)])]
  return names.every((name) => {
    const [before, after] = [terms[name], now[name]]
    if (before === after) return true
    // A fee of nothing lands nowhere.
    if (after === 0n) return false
    const rule = Object.hasOwn(chosen, name) ? chosen[name] : undefined
    if (rule === 'any') return true
    if (typeof before !== 'bigint' || typeof after !== 'bigint' || rule === undefined) return false
    return rule === 'more' ? after > before : after * 2n >= before
  })
}
