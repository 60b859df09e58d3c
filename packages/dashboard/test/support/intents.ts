import * as evmThree from '@svc/intent-evm-three'
import * as evmThreeLiquid from '@svc/intent-evm-three-liquid'
import * as evmTwo from '@svc/intent-evm-two'
import * as evmVault from '@svc/intent-evm-vault'
import * as hub from '@svc/intent-hub'
import * as moveNative from '@svc/intent-move-native'
import * as svmLiquid from '@svc/intent-svm-liquid'
import * as svmNative from '@svc/intent-svm-native'
import { inspectedCosmos } from '@svc/verify/cosmos/inspected'
import { inspectedEvm } from '@svc/verify/evm/inspected'
import type { Family, Intent } from '@svc/verify/intent'
import { inspectedMove } from '@svc/verify/move/inspected'
import { inspectedSvm } from '@svc/verify/svm/inspected'

/** Intents of the service's own plugins, as their packages export them: what the page loads as scripts. */
export const protocols: readonly Intent[] = [
  evmThree.evmThree,
  evmThreeLiquid.evmThreeLiquid,
  evmTwo.evmTwo,
  evmVault.evmVault,
  hub.hubOne,
  hub.hubTwo,
  moveNative.moveNative,
  svmLiquid.svmLiquid,
  svmNative.svmNative,
]

/** Families that their scripts bring along. */
export const families: readonly Family[] = [inspectedEvm, inspectedSvm, inspectedMove, inspectedCosmos]
