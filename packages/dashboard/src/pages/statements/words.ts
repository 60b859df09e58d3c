import { decimalText } from '../../text/decimal.ts'
import { plural } from '../positions/history.ts'
import type { Proof, Sheet } from './sheet.ts'

/** Verdict in words. */
interface ProofText {
  readonly words: string
  readonly look: 'ok' | 'warn' | 'bad'
}

/** Says whether a statement adds up; and where it does not, or what is not known, with the amount. */
export function proofText(
  { verdict, rest, bucket }: Proof,
  { places, kinds, days }: Pick<Sheet, 'places' | 'kinds' | 'days'>,
  symbol: string,
): ProofText {
  switch (verdict) {
    case 'adds':
      return { words: 'Adds up in every part: opening + entries − closing = 0.', look: 'ok' }
    case 'incomplete': {
      const missing = days.all - days.read
      const why =
        missing === 0
          ? 'something in it is not known whole'
          : `${plural(missing, 'day')} ${missing === 1 ? 'is' : 'are'} within one line: what happened in each is not known`
      return { words: `Adds up, but ${why}.`, look: 'warn' }
    }
    case 'unexplained': {
      const units = kinds.find(({ kind }) => kind === 'unexplained')?.units ?? 0n
      return {
        words: `${decimalText(units, places)} ${symbol} has no explanation: it is its own line, and in no other. All else adds up.`,
        look: 'bad',
      }
    }
    case 'differs':
      return {
        words: `Does not add up${bucket === null ? '' : ` in ${bucket}`}: opening + entries − closing = ${decimalText(rest, places)}. Use none of these figures, and tell your operator.`,
        look: 'bad',
      }
  }
}
