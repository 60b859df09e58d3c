import { tokens } from '../intent/sentence.ts'
import type { Move } from '../intent/types.ts'
import { farAboveUsual } from '../intent/usual-fee.ts'
import type { Call } from '../types.ts'
import { differenceOf } from './agreement.ts'
import type { Finding } from './finding.ts'
import { withoutFollowers } from './fit.ts'
import { type PartyReading, questions } from './parties.ts'

/** From the worst to the least. */
const LEVELS = ['bad', 'ask', 'odd'] as const

/** Subject of the search for unusual parts. */
interface Looked extends PartyReading {
  readonly calls: readonly Call[]
  readonly moves: readonly Move[]
  /** True if the effects of the protocol's action were compared with agreed terms, so that differences are reported there. */
  readonly compared: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly now: Date
}

/** Lists all unusual features of a transaction, the worst first. */
export function unusualIn(context: Looked): readonly Finding[] {
  const findings = [
    ...signatures(context),
    ...strangeCalls(context),
    ...strangeParts(context),
    ...questions(context),
    ...fee(context),
    ...age(context),
  ]
  return LEVELS.flatMap((worst) => findings.filter(({ level }) => level === worst))
}

function* signatures({ reading: { explanation } }: Looked): Generator<Finding> {
  for (const { address, signature } of explanation.signers) {
    if (signature === 'wrong')
      yield {
        level: 'bad',
        title: 'A signature is wrong',
        why: `The signature of ${address} is not over these bytes, or by another key: the chain refuses the transaction.`,
      }
  }
}

function* strangeCalls({ reading: { inspected, network }, known, calls }: Looked): Generator<Finding> {
  for (const [i, call] of calls.entries()) {
    const where = calls.length === 1 ? 'The call' : `Call ${i + 1} of ${calls.length}`
    if (call.method === '') {
      const amount = tokens(call.value, network.terms)
      yield {
        level: 'bad',
        title: `${where} is a plain transfer`,
        why: `It sends ${amount} to ${call.target}. Staking calls a contract; a transfer gives the amount away.`,
      }
    } else if (call.method.startsWith('unknown')) {
      const risk = inspected.risk?.(call) ?? null
      yield risk
        ? { level: 'bad', title: `${where} is: ${risk.name}`, why: `${risk.why} It is no part of staking with any protocol here.` }
        : {
            level: 'bad',
            title: `${where} is not known`,
            why: `No protocol here knows ${call.method} on ${call.target}: what it does cannot be told from the bytes.`,
          }
    }
  }
  if (known === null && calls.length > 1)
    yield {
      level: 'bad',
      title: `It does ${calls.length} things`,
      why: 'One transaction does all of them or none. None of the protocols here makes such a transaction.',
    }
}

/** Lists the parts that no request to the protocol explains. Where terms were agreed, these parts stand with the comparison. */
function* strangeParts({ known: interpretation, compared, reading }: Looked): Generator<Finding> {
  if (interpretation === null || compared) return
  const { fit, protocol } = interpretation
  for (const each of withoutFollowers(fit.mismatches)) {
    const difference = differenceOf(each, reading.network.terms, protocol)
    const { title } = difference
    yield {
      level: 'bad',
      title: /^Call \d/.test(title) ? title : `Unusual: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
      why: `Of all requests to ${protocol.path} none leads to exactly this transaction. The nearest is ${fit.action}, and this is what it does not explain.`,
      difference,
    }
  }
}

/** In hundredths of what moves, from where a fee is worth a look: a choice of this project. */
const PART = 100n

function* fee({ reading: { network, explanation }, calls, moves, known }: Looked): Generator<Finding> {
  const { maxFee } = (known?.explained ?? explanation).decoded
  if (calls.length === 0) return
  const { terms, name, usualFee } = network
  const feeText = `at most ${tokens(maxFee, terms)}`
  const own = known?.protocol.usualFee
  const high = farAboveUsual(
    maxFee,
    own ?? usualFee,
    own === undefined ? `Staking on ${name}` : `An action of ${known?.protocol.path}`,
    terms,
  )
  if (high !== null) {
    yield { level: 'bad', title: 'The fee is far above usual', why: high }
    return
  }
  const most = moves.reduce((sum, { asset, amount }) => (asset === 'native' && amount !== null && amount > sum ? amount : sum), 0n)
  if (most > 0n && maxFee * PART > most)
    yield {
      level: 'odd',
      title: 'The fee is more than a hundredth of what moves',
      why: `It is ${feeText}, and what moves is ${tokens(most, terms)}.`,
    }
}

/** How old an answer may be that is to be signed, in seconds, where the family says nothing: a choice of this project. */
const FRESH_S = 600

function* age({ headers, now, reading: { inspected, validity } }: Looked): Generator<Finding> {
  const createdAt = madeAt(headers)
  if (createdAt === null) return
  const seconds = Math.round((now.getTime() - createdAt.getTime()) / 1000)
  if (seconds < (inspected.freshSeconds ?? FRESH_S)) return
  yield {
    level: 'odd',
    title: `The answer was made ${agoText(seconds)} ago`,
    why: `Its headers say ${createdAt.toISOString().replace(/\.\d+Z$/, 'Z')}. What was asked for may have been done since, or asked for anew; the transaction is ${validity}.`,
  }
}

/** Tells when an answer was signed, or else sent, by its headers. @see https://www.rfc-editor.org/rfc/rfc9421#section-2.3 (read 2026-11-22) */
function madeAt({ 'signature-input': signed, date }: Readonly<Record<string, string>>): Date | null {
  const [, created] = /;created=(\d{1,12})/.exec(signed ?? '') ?? []
  const createdAt = created === undefined ? new Date(date ?? '') : new Date(Number(created) * 1000)
  return Number.isNaN(createdAt.getTime()) ? null : createdAt
}

function agoText(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? ['second', 1]
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
