import { evmThreeLiquidSubject, evmThreeSubject, evmTwoSubject, evmVaultSubject } from './evm.ts'
import { hubOneSubject, hubTwoSubject } from './hub.ts'
import { moveNativeSubject } from './move.ts'
import type { Subject } from './subject.ts'
import { svmLiquidSubject, svmNativeSubject } from './svm.ts'

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
  svmNativeSubject,
  svmLiquidSubject,
  moveNativeSubject,
]
