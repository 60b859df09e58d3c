import type { Sighting } from '@svc/contract'
import { readableWords } from '../words.ts'
import type { Result } from './transaction-lookup.ts'

/** Codes of the SDK that are worth a word of their own. @see https://github.com/cosmos/cosmos-sdk/blob/main/types/errors/errors.go (read 2026-11-21) */
const SDK: Readonly<Record<number, readonly [code: string, sentence: string]>> = {
  5: ['INSUFFICIENT_FUNDS', 'The account did not hold what the transaction needed when it was executed.'],
  11: ['OUT_OF_GAS', 'It took more gas than its limit.'],
  13: ['INSUFFICIENT_FEE', 'Its fee was below what the network took when it was executed.'],
  18: ['INVALID_REQUEST', 'A module of the chain refused what it asks for.'],
  32: ['WRONG_SEQUENCE', 'Its sequence was not the next one of its account when it was executed.'],
}

/** The code space of errors that no module has registered. @see https://github.com/cosmos/cosmos-sdk/blob/main/errors/abci.go (read 2026-11-24) */
const UNREGISTERED = 'undefined'

type Failed = Pick<Result, 'code' | 'codespace' | 'log'>

/** Returns the reason of a transaction's failure: a word of its own, or code space and code, with the chain's words. */
export function failureOf(result: Failed): NonNullable<Sighting['error']> {
  const meaning = knownOf(result)
  const words = saidOf(result)
  return { code: meaning?.[0] ?? nameOf(result), reason: meaning ? `${meaning[1]} ${words}` : words }
}

/** Returns the reason why the checks of a block refused a transaction in it, and says that it can still land. */
export function refusalOf(result: Failed, height: bigint): NonNullable<Sighting['error']> {
  return {
    code: knownOf(result)?.[0] ?? nameOf(result),
    reason: `Block ${height} holds it, but refused it before execution: no fee was charged and its sequence was not used, so the same bytes can still land. ${saidOf(result)}`,
  }
}

function knownOf({ code, codespace }: Failed) {
  return codespace === 'sdk' ? SDK[code] : undefined
}

function nameOf({ code, codespace }: Failed): string {
  if (codespace === UNREGISTERED) return `CHAIN_ERROR_${code}`
  return `${(codespace || 'sdk')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, 40)}_${code}`
}

function saidOf({ log }: Failed): string {
  const words = readableWords(/failed to execute message; message index: \d+: (.*)$/s.exec(log)?.[1] ?? log)
  return words === '' ? 'The chain gave no reason.' : `The chain said: ${words}.`
}
