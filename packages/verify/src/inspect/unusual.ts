import { parseUnits } from '../intent/amounts.ts'
import { tokens } from '../intent/sentence.ts'
import type { Move } from '../intent/types.ts'
import type { Call } from '../types.ts'
import { type Difference, differenceOf } from './agreement.ts'
import type { FamilyReading } from './families.ts'
import { withoutFollowers } from './fit.ts'
import type { ProtocolReading } from './protocols.ts'
import { riskOf } from './risky.ts'

/** Something that a staking transaction does not have as a rule. */
export interface Finding {
  /** `bad`: nobody should sign it without knowing why it is there. `odd`: worth a look. */
  readonly level: 'bad' | 'odd'
  readonly title: string
  /** The rule's reason, a sentence or two. */
  readonly why: string
  /** What would be usual, and what is there. */
  readonly difference?: Difference
}

/** What is looked at. */
export interface Looked {
  readonly reading: FamilyReading
  /** By the protocol that knows it best; null when none does. */
  readonly known: ProtocolReading | null
  readonly calls: readonly Call[]
  readonly moves: readonly Move[]
  /** Whether what the protocol's action does was compared with agreed terms: then differences stand there. */
  readonly compared: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly now: Date
}

/** All that is unusual, the worst first. */
export function unusualIn(looked: Looked): readonly Finding[] {
  const found = [...signatures(looked), ...strangeCalls(looked), ...strangeParts(looked), ...fee(looked), ...age(looked)]
  return [...found.filter(({ level }) => level === 'bad'), ...found.filter(({ level }) => level === 'odd')]
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

function* strangeCalls({ reading: { family, network }, known, calls }: Looked): Generator<Finding> {
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
      const risk = riskOf(family, call)
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

/** What no request to the protocol explains. Where terms were agreed, these stand with them. */
function* strangeParts({ known, compared, reading }: Looked): Generator<Finding> {
  if (known === null || compared) return
  const { fit, protocol } = known
  for (const each of withoutFollowers(fit.mismatches)) {
    const difference = differenceOf(each, reading.network.terms)
    const { title } = difference
    yield {
      level: 'bad',
      title: /^Call \d/.test(title) ? title : `Unusual: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
      why: `Of all requests to ${protocol.intent.path} none leads to exactly this transaction. The nearest is ${fit.action}, and this is what it does not explain.`,
      difference,
    }
  }
}

/** In hundredths of what moves, from where a fee is worth a look: a choice of this project. */
const PART = 100n

function* fee({ reading: { network }, calls, moves, known }: Looked): Generator<Finding> {
  const maxFee = known?.explained.decoded.maxFee
  if (maxFee === undefined || calls.length === 0) return
  const { terms, highFee } = network
  const said = `at most ${tokens(maxFee, terms)}`
  const high = parseUnits(highFee, terms.decimals) ?? 0n
  if (maxFee > high) {
    yield {
      level: 'bad',
      title: 'The fee is far above usual',
      why: `It is ${said}. Staking on ${network.name} costs a tenth of ${highFee} ${terms.symbol} and less, also when the chain is busy.`,
    }
    return
  }
  const most = moves.reduce((sum, { asset, amount }) => (asset === 'native' && amount !== null && amount > sum ? amount : sum), 0n)
  if (most > 0n && maxFee * PART > most)
    yield {
      level: 'odd',
      title: 'The fee is more than a hundredth of what moves',
      why: `It is ${said}, and what moves is ${tokens(most, terms)}.`,
    }
}

/** How old an answer may be that is to be signed, in seconds: Solana's block hashes live about a minute; elsewhere a choice of this project. */
const OLD_S = { svm: 60, other: 600 } as const

function* age({ headers, now, reading: { family, validity } }: Looked): Generator<Finding> {
  const made = madeAt(headers)
  if (made === null) return
  const seconds = Math.round((now.getTime() - made.getTime()) / 1000)
  if (seconds < (family === 'svm' ? OLD_S.svm : OLD_S.other)) return
  yield {
    level: 'odd',
    title: `The answer was made ${agoText(seconds)} ago`,
    why: `Its headers say ${made.toISOString().replace(/\.\d+Z$/, 'Z')}. What was asked for may have been done since, or asked for anew; the transaction is ${validity}.`,
  }
}

/** When an answer was signed, or else sent, by its headers. @see https://www.rfc-editor.org/rfc/rfc9421#section-2.3 (read 2026-11-22) */
function madeAt({ 'signature-input': signed, date }: Readonly<Record<string, string>>): Date | null {
  const [, created] = /;created=(\d{1,12})/.exec(signed ?? '') ?? []
  const made = created === undefined ? new Date(date ?? '') : new Date(Number(created) * 1000)
  return Number.isNaN(made.getTime()) ? null : made
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
