import { celestia } from './cosmos/celestia.ts'
import type { RealNode } from './node.ts'

/** Every node that `pnpm real` knows, in the order in which they are told. */
export const nodes: readonly RealNode[] = [celestia]
