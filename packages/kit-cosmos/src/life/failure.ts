import type { Sighting } from '@svc/contract'
import type { Result } from './found.ts'

/** Codes of the SDK that are worth a word of their own. @see https://github.com/cosmos/cosmos-sdk/blob/main/types/errors/errors.go (read 2026-11-21) */
const SDK: Readonly<Record<number, readonly [code: string, sentence: string]>> = {
  5: ['INSUFFICIENT_FUNDS', 'The account did not hold what the transaction needed when it was executed.'],
  11: ['OUT_OF_GAS', 'It took more gas than its limit.'],
  13: ['INSUFFICIENT_FEE', 'Its fee was below what the network took when it was executed.'],
  32: ['WRONG_SEQUENCE', 'Its sequence was not the next one of its account when it was executed.'],
}

/** Longest part of the chain's words that is repeated. */
const MOST_WORDS = 300

/** Why a transaction failed: a word of its own, or codespace and code, and the chain's words. */
export function failureOf({ code, codespace, log }: Pick<Result, 'code' | 'codespace' | 'log'>): NonNullable<Sighting['error']> {
  const known = codespace === 'sdk' ? SDK[code] : undefined
  const named = `${(codespace || 'sdk')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, 40)}_${code}`
  const words = /failed to execute message; message index: \d+: (.*)$/s.exec(log)?.[1] ?? log
  const said = words === '' ? 'The chain gave no reason.' : `The chain said: ${words.slice(0, MOST_WORDS)}.`
  return { code: known?.[0] ?? named, reason: known ? `${known[1]} ${said}` : said }
}
