import { isDeepStrictEqual } from 'node:util'
import { termsOf } from '@svc/core/plugins'
import { check as compare, type Mismatch } from '@svc/verify'
import { type CraftReview, type Intent, parseUnits, readInput, review } from '@svc/verify/intent'
import { type Check, shown } from '../check.ts'
import type { Subject } from '../subject.ts'
import { textual } from '../textual.ts'
import { dear } from './dear.ts'
import { inspected } from './inspected.ts'
import { owned } from './owned.ts'

/**
 * Tests the check in the caller's own process: the intent alone, with the pinned terms, accepts the service's crafts, puts them into a sentence, and refuses every forgery
 * of a service whose own check is switched off.
 */
export async function intent(subject: Subject, check: Check): Promise<void> {
  const { protocol, direct } = subject
  const { intent } = protocol
  if (!intent) {
    check.fail('the plugin declares its intent, without which no caller can check what it crafts')
    return
  }
  check.equal(intent.path, protocol.prefix, 'the intent is of the same path')
  check.equal(Object.keys(intent.actions).sort(), [...subject.actions].sort(), 'and of the same actions')
  const terms = termsOf(protocol, direct.network)
  check.equal(JSON.parse(JSON.stringify(terms)), terms, 'its terms are plain data')
  for (const action of subject.actions) await one(subject, check, intent, terms, action)
  // A family of an author's own may have none that signs for it.
  if (intent.family.signing) {
    await owned(subject, check, intent, terms)
    await dear(subject, check, intent, terms)
  } else check.note('no client signs for this family yet')
}

type Terms = ReturnType<typeof termsOf>

async function one(subject: Subject, check: Check, intent: Intent, terms: Terms, action: string): Promise<void> {
  const promised = intent.actions[action]
  const declared = subject.protocol.actions[action]
  if (!promised || !declared) return
  check.equal(Object.keys(promised.input).sort(), Object.keys(declared.body).sort(), `${action}: the members of the body are the same`)
  const { body } = await subject.example(action)
  const answer = await subject.client.post(`/action/${action}`, body)
  if (!check.equal(answer.status, 200, `${action}: it is crafted`)) return

  const input = readInput(promised.input, textual(intent, action, body), terms.decimals)
  const headers = Object.fromEntries(answer.headers)
  const read = (unsigned: unknown) => review({ intent, action: promised, terms, input, answer: unsigned, stated: headers })
  const crafted: unknown = JSON.parse(answer.text)
  const honest = read(crafted)
  if ('mismatches' in honest) {
    check.fail(`${action}: the caller's own check takes what the service crafts`, shown(honest.mismatches))
    return
  }
  said(check, action, honest, terms)
  if (intent.family.explain) await inspected(subject, check, action, crafted, honest)

  const { family } = subject
  const forged = [...family.fields(crafted), ...family.forgeries(crafted, honest.effects)]
  let dictated = 0
  for (const { name, unsigned } of forged) {
    const reading = read(unsigned)
    if ('mismatches' in reading) check.ok(reading.mismatches.length > 0, `${action}: the caller refuses: ${name}`)
    else if (differsInTerms(reading, honest)) dictated++
    else check.fail(`${action}: the caller refuses: ${name}`, reading.sentence)
  }
  check.tried(forged.length - dictated, `forgeries of ${action} by a service that checks nothing`)
}

/** Tells whether the only difference is in what the chain dictates, such as a nonce, or in a fact that was taken within its bound and is told. */
function differsInTerms(candidate: CraftReview, honest: CraftReview): boolean {
  const bounds = { chainId: candidate.decoded.chainId ?? '', maxFee: candidate.decoded.maxFee, terms: honest.decoded.terms }
  const mismatches: readonly Mismatch[] = compare(candidate.decoded, honest.effects, bounds)
  return mismatches.every(({ path }) => path.startsWith('terms.')) || !isDeepStrictEqual(candidate.assumed, honest.assumed)
}

/** The sentence is one, of what the bytes say, with whole amounts. */
function said(check: Check, action: string, { sentence, known: facts, assumed, decoded }: CraftReview, terms: Terms): void {
  check.note(`${action}: ${sentence}`)
  for (const { fact, value, bound } of assumed) check.note(`${action} takes on the service's word ${fact} ${value}: ${bound}`)
  check.ok(facts, `${action}: every call is one that the protocol knows`, sentence)
  check.ok(
    /^[A-Z].*[^.]\.$/s.test(sentence) && !/undefined|null|\[object|NaN/.test(sentence),
    `${action}: it is said in one sentence`,
    sentence,
  )
  check.ok(sentence.includes(terms.caip2), `${action}: the sentence names the chain`, sentence)
  const [, fee = ''] = / fee at most ([\d.]+) /.exec(sentence) ?? []
  check.equal(parseUnits(fee, terms.decimals), decoded.maxFee, `${action}: the sentence says the fee at most, to the last unit`)
}
