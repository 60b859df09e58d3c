import { evmThreeLiquidSubject, evmThreeSubject, evmTwoSubject, evmVaultSubject } from './evm.ts'
import { hubOneSubject, hubTwoSubject } from './hub.ts'
import type { Subject } from './subject.ts'

export { evmThreeSubject } from './evm.ts'
export type { Craft, Hand, Request, Subject } from './subject.ts'

/** In the order of their rows. */
export const subjects: readonly Subject[] = [
  evmThreeSubject,
  evmThreeLiquidSubject,
  evmTwoSubject,
  evmVaultSubject,
  hubOneSubject,
  hubTwoSubject,
]
