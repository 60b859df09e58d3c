import type { Check } from '../check.ts'
import type { Subject } from '../subject.ts'
import { balance } from './balance.ts'
import { bodies } from './bodies.ts'
import { budget } from './budget.ts'
import { declaration } from './declaration.ts'
import { info } from './info.ts'
import { journeys } from './journeys.ts'
import { networks } from './networks.ts'
import { policy } from './policy.ts'
import { resilience } from './resilience.ts'
import { state } from './state.ts'
import { tamper } from './tamper.ts'

/** Looks at one side of a plugin and writes down what it finds. */
export type Group = (subject: Subject, check: Check) => Promise<void>

/** Every group, in the order in which they run. */
export const groups = {
  declaration,
  networks,
  info,
  balance,
  bodies,
  journeys,
  state,
  tamper,
  policy,
  resilience,
  budget,
} as const satisfies Readonly<Record<string, Group>>

export type GroupName = keyof typeof groups
