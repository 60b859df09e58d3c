import { celestia } from './cosmos/celestia.ts'
import { hub } from './cosmos/hub.ts'
import { geth } from './evm/node.ts'
import type { RealNode } from './node.ts'
import { solana } from './svm/node.ts'

/** Every node that `pnpm real` knows, in the order in which they are told. */
export const nodes: readonly RealNode[] = [hub, celestia, geth, solana]
