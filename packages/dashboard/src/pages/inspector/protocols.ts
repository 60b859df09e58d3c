import { evmThree } from '@svc/intent-evm-three'
import { evmThreeLiquid } from '@svc/intent-evm-three-liquid'
import { evmTwo } from '@svc/intent-evm-two'
import { evmVault } from '@svc/intent-evm-vault'
import { hubOne, hubTwo } from '@svc/intent-hub'
import { moveNative } from '@svc/intent-move-native'
import { svmLiquid } from '@svc/intent-svm-liquid'
import { svmNative } from '@svc/intent-svm-native'
import type { InspectedProtocol } from '@svc/verify/inspect'

/** Every protocol whose transactions the Inspector puts into words. */
export const protocols: readonly InspectedProtocol[] = [
  { title: 'Native staking on Monad', intent: evmThree },
  { title: 'Liquid staking on Monad', intent: evmThreeLiquid },
  { title: 'Native staking on Pharos', intent: evmTwo },
  { title: 'A staking vault on Ethereum', intent: evmVault },
  { title: 'Native staking on the Cosmos Hub', intent: hubOne },
  { title: 'Native staking on Celestia', intent: hubTwo },
  { title: 'Native staking on Sui', intent: moveNative },
  { title: 'A stake pool on Solana', intent: svmLiquid },
  { title: 'Native staking on Solana', intent: svmNative },
]
