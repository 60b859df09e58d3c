import type { Check } from '../check.ts'
import type { Subject } from '../subject.ts'

/** Looks at one side of a plugin and writes down what it finds. */
export type Group = (subject: Subject, check: Check) => Promise<void>
