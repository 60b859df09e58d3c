import type { Case } from './cases.ts'

/** The most that a request may cost, as multiples of what bare Fastify takes for the same bytes. */
interface Budget {
  /** Without the operations with keys; absent where it is not measured. */
  readonly unsigned?: number
  readonly signed: number
}

/**
 * What holds for requests of a kind, and for some by name: guards against what makes one twice as dear, drawn above what was measured on two cores with sixty
 * other processes at work (2026-11-25), where a round differs from the next by half. The goals are 6 and 16 for a craft on evm-three, and 2 and 3 for
 * networks: tighten these where a calm machine shows that less is needed.
 */
const BY_KIND: Readonly<Record<Case['kind'], Budget>> = {
  craft: { unsigned: 60, signed: 80 },
  prepare: { signed: 80 },
  broadcast: { signed: 80 },
  networks: { unsigned: 8, signed: 11 },
  read: { signed: 90 },
}
const BY_NAME: Readonly<Record<string, Budget>> = { 'evm-three delegate': { unsigned: 20, signed: 36 } }

/** What a request is held to. */
export function budgetOf({ label, kind }: Case): Budget {
  return BY_NAME[label] ?? BY_KIND[kind]
}
