import { isDeepStrictEqual } from 'node:util'
import { type CraftOptions, createClient, MismatchError, SignatureError, VerifiedTransaction } from '@svc/client'
import { exactNumber } from '@svc/contract'
import type { PinnedTerms } from '@svc/core/plugins'
import { formatUnits, type Intent, parseUnits, readInput, type Shape } from '@svc/verify/intent'
import type { SeatedCaller, Verdict } from '../caller.ts'
import type { Check } from '../check.ts'
import type { Theft } from '../family.ts'
import { forger } from '../forged.ts'
import type { Subject } from '../subject.ts'
import { textual } from '../textual.ts'
import { openThief, type Thief, type Trick } from './thief.ts'

/** A trick with its name. */
interface Attack {
  readonly name: string
  readonly theft: Theft | undefined
  readonly trick: Trick
}

/** Thefts that need no knowledge of a family, so that they are tried on each. */
const ALWAYS: readonly Theft[] = ['replay', 'customer']

const SENTENCE = /^[A-Z].*[^.]\.$/s

/**
 * Tests a service that belongs to a thief: its kit crafts what the thief wants, its own check accepts everything, and its answers are signed with its own keys. The client
 * of a caller, and every other caller that the options name, refuses such a transaction with a sentence, unless it is within the bound of a reported fact, and accepts the
 * honest one.
 */
export async function owned(subject: Subject, check: Check, intent: Intent, terms: PinnedTerms): Promise<void> {
  const thief = await openThief(subject, intent, terms)
  const others: (SeatedCaller & { readonly name: string })[] = []
  const tally = new Map<Theft | 'others', number>()
  let accepted = 0
  try {
    for (const caller of subject.options.callers ?? []) {
      const { craft, close } = await caller.sit(thief.seat)
      others.push({ name: caller.name, craft, close })
    }
    const { trust, apiKey, fetch } = thief.seat
    const client = createClient({ trust, apiKey, fetch, protocols: { it: intent }, retries: 0 })
    for (const action of subject.actions) {
      if (!Object.hasOwn(intent.actions, action)) continue
      const body = textual(intent, action, (await subject.example(action)).body)
      const attempt = (options?: CraftOptions) => client.it.craft(action, body, options).catch((error: unknown) => error)
      const transaction = await attempt()
      if (!(transaction instanceof VerifiedTransaction)) {
        check.fail(`${action}: the client takes the honest one of a service that a thief owns`, transaction)
        continue
      }
      const exchange = thief.exchange()
      const honest = await Promise.all(others.map(({ craft }) => craft(action, body, exchange)))
      for (const [index, verdict] of honest.entries())
        check.ok(
          verdict.taken && SENTENCE.test(verdict.sentence),
          `${action}: ${others[index]?.name} takes the honest one with a sentence`,
          verdict,
        )

      const facts = factsOf(intent, action, terms, body, transaction)
      const attacks: readonly Attack[] = [
        ...(await forged(subject, action)),
        { name: "yesterday's answer", theft: 'replay', trick: { replay: exchange } },
        ...(await elsewhere(subject, thief, intent, action, transaction)),
      ]
      for (const { name, theft, trick } of attacks) {
        await thief.during(trick, async () => {
          const outcome = await attempt()
          const record = thief.exchange()
          const isTold = outcome instanceof VerifiedTransaction && !isDeepStrictEqual(outcome.assumed, transaction.assumed)
          // What is within the bound of a fact is told, and refused where the caller knows the fact himself.
          const rejection = isTold ? await attempt({ facts }) : outcome
          const isRefused =
            theft === 'replay' ? rejection instanceof SignatureError : rejection instanceof MismatchError && rejection.mismatches.length > 0
          const isSafe = check.ok(isRefused, `${action}: the client refuses ${name} of a service that a thief owns`, rejection)
          if (!isSafe) accepted++
          for (const [index, { name: caller, craft }] of others.entries()) {
            const verdict = await craft(action, body, record)
            if (
              !check.ok(
                withstood(verdict, honest[index], intent),
                `${action}: ${caller} refuses ${name} with a sentence, or tells it`,
                verdict,
              )
            )
              accepted++
          }
        })
        tally.set(theft ?? 'others', (tally.get(theft ?? 'others') ?? 0) + 1)
      }
      check.tried(attacks.length, `attacks on a client by ${action}`)
    }
  } finally {
    for (const { close } of others) await close()
    await thief.close()
  }
  for (const theft of [...(subject.family.thefts ?? []), ...ALWAYS]) check.ok(tally.has(theft), `a theft of the kind ${theft} was tried`)
  const kinds = [...tally].map(([theft, count]) => `${theft} ${count}`).join(', ')
  const all = [...tally.values()].reduce((sum, count) => sum + count, 0)
  check.equal(accepted, 0, 'no caller accepts anything')
  check.note(`${accepted} of ${all} thefts accepted by ${['the client', ...others.map(({ name }) => name)].join(', ')}: ${kinds}`)
}

/**
 * A refusal in a sentence; or, of what is within the bound of a fact, an answer that tells it where the honest one told something else. What the chain
 * dictates is another one in every transaction, and tells nothing.
 */
function withstood(verdict: Verdict, honest: Verdict | undefined, { family }: Intent): boolean {
  if (!verdict.taken) return SENTENCE.test(verdict.refusal)
  const dictated = (family.dictated ?? []).map(({ fact }) => new RegExp(`^(\\{"fact":"${fact}"|"On the service's word: ${fact} is )`))
  const assumptionsOf = ({ assumed }: { readonly assumed: readonly unknown[] }) =>
    assumed.map((each) => JSON.stringify(each)).filter((each) => !dictated.some((pattern) => pattern.test(each)))
  return honest?.taken === true && !isDeepStrictEqual(assumptionsOf(verdict), assumptionsOf(honest))
}

/** The attacks of the family on an action. */
async function forged({ family, captured }: Subject, action: string): Promise<readonly Attack[]> {
  const { unsigned, effects } = await captured(action)
  const forge = forger(family, effects)
  return family
    .forgeries(unsigned, effects)
    .filter(({ attack }) => attack)
    .map(({ name, theft }) => ({ name, theft, trick: { forge: (crafted) => forge(crafted, name) ?? crafted } }))
}

/**
 * Returns what the thief's service wrote for another customer, of an action that needs no setting up. Where the bytes name nobody, the transaction is of
 * twice the amount: of the same amount it would be the caller's own.
 */
async function elsewhere(
  subject: Subject,
  thief: Thief,
  intent: Intent,
  action: string,
  own: VerifiedTransaction,
): Promise<readonly Attack[]> {
  const { options, protocol } = subject
  const example = options.examples[action]
  if (!example || example.setup) return []
  const player = await subject.player()
  const body = own.decoded.signers ? player.body(example.body) : doubled(intent, action, player.body(example.body), protocol.kit.decimals)
  if (!body) return []
  const answer = await thief.client.post(`/action/${action}`, body)
  if (answer.status !== 200) throw new TypeError(`${action} for another customer answers ${answer.status} ${answer.text}`)
  return [{ name: "another customer's transaction", theft: 'customer', trick: { instead: thief.assembled() } }]
}

/** The body with its amount twice; null when it has none. */
function doubled(intent: Intent, action: string, body: Readonly<Record<string, unknown>>, decimals: number) {
  const input: Shape = intent.actions[action]?.input ?? {}
  const [name, shape] = Object.entries(input).find(([, { kind }]) => kind === 'amount') ?? []
  const units = name === undefined ? null : parseUnits(String(textual(intent, action, body)[name]), shape?.decimals ?? decimals)
  return name === undefined || units === null
    ? null
    : { ...body, [name]: exactNumber(formatUnits(2n * units, shape?.decimals ?? decimals)) }
}

/** Returns what a caller with a node would know of the honest transaction. */
function factsOf(
  intent: Intent,
  action: string,
  terms: PinnedTerms,
  body: Readonly<Record<string, unknown>>,
  { decoded }: VerifiedTransaction,
) {
  const promised = intent.actions[action]
  const read = promised?.factsOf?.(decoded, terms, readInput(promised.input, body, terms.decimals))
  return read?.facts ?? {}
}
