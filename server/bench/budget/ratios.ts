import type { Case } from './cases.ts'

/** CPU of one request, in multiples of what bare Fastify takes in the same run for the same bytes. */
export interface Multiples {
  /** Of the whole process, without the operations with keys; absent where it is not measured. */
  readonly unsigned?: number
  /** Of the whole process as it is deployed. */
  readonly signed: number
  /** Of the thread that runs JavaScript, as it is deployed. */
  readonly main: number
}

/** What a kind of request is to cost one day. A craft's main thread is told in microseconds, since no ratio was ever set for it. */
interface Goal {
  readonly unsigned?: number
  readonly signed?: number
  readonly mainMicroseconds?: number
}

/** What a request is held to, and what it is to come to. */
interface Standing {
  readonly budget: Multiples
  readonly goal: Goal
}

/** A budget is this much above what was measured. */
const MARGIN = 1.3

function above({ unsigned, signed, main }: Multiples): Multiples {
  return { ...(unsigned === undefined ? {} : { unsigned: unsigned * MARGIN }), signed: signed * MARGIN, main: main * MARGIN }
}

/** Most of a craft's main thread, in microseconds. */
const CRAFT: Goal = { mainMicroseconds: 400 }

/**
 * Requests that are measured where none are chosen, by label: those with a goal of their own, and a craft of each family. What each was measured at is the highest median of five rounds of the
 * runs of 2026-11-29, on two cores beside other work (load 6 to 30).
 */
const BY_NAME: Readonly<Record<string, Standing>> = {
  'evm-three delegate': { budget: above({ unsigned: 19.4, signed: 31.8, main: 19.1 }), goal: { unsigned: 6, signed: 16, ...CRAFT } },
  'evm-three networks': { budget: above({ unsigned: 11.4, signed: 11.2, main: 10.1 }), goal: { unsigned: 2, signed: 3 } },
  'hub-one stake': { budget: above({ signed: 43.6, main: 25.9 }), goal: CRAFT },
  'svm-native stake': { budget: above({ signed: 78.1, main: 56.6 }), goal: CRAFT },
  'move-native stake': { budget: above({ signed: 82.1, main: 62.2 }), goal: CRAFT },
}

/**
 * The same of every other request, by kind: guards against what makes one twice as dear, drawn above what was measured on two cores with sixty other processes at work (2026-11-25).
 * A thread is held to what its process is held to.
 */
const BY_KIND: Readonly<Record<Case['kind'], Standing>> = {
  craft: { budget: { unsigned: 60, signed: 80, main: 80 }, goal: CRAFT },
  prepare: { budget: { signed: 80, main: 80 }, goal: {} },
  broadcast: { budget: { signed: 80, main: 80 }, goal: {} },
  // The same route for all protocols.
  networks: { budget: above({ unsigned: 11.4, signed: 11.2, main: 10.1 }), goal: { unsigned: 2, signed: 3 } },
  read: { budget: { signed: 90, main: 90 }, goal: {} },
}

/** Packages of the protocols whose requests are measured where none are chosen. */
export const GATED = [...new Set(Object.keys(BY_NAME).map((label) => `@svc/plugin-${label.split(' ')[0]}`))]

/** Tells whether a request is measured where none are chosen. */
export function isGated({ label }: Pick<Case, 'label'>): boolean {
  return Object.hasOwn(BY_NAME, label)
}

/** Returns what a request is held to, and its goal. */
export function standingOf({ label, kind }: Pick<Case, 'label' | 'kind'>): Standing {
  return BY_NAME[label] ?? BY_KIND[kind]
}
