import type { Arguments } from './arguments.ts'
import type { Value } from './values.ts'
import type { World } from './world.ts'

/** A Move function as the node runs it. */
export interface MoveFunction {
  /** How many arguments it takes, without the transaction's context. */
  readonly parameters: number
  /** True takes one type argument, which is SUI's. */
  readonly generic?: boolean
  /** What the one type argument of a function for any type must be; absent, SUI. */
  readonly anyType?: boolean
  /** True for a function of the package only: a simulation without checks can call it. */
  readonly private?: boolean
  run(world: World, args: Arguments): readonly Value[]
}
