import type { Arguments } from './arguments.ts'
import type { Value } from './values.ts'
import type { World } from './world.ts'

/** A Move function as the node runs it. */
export interface MoveFunction {
  /** Number of arguments that the function takes, without the transaction's context. */
  readonly parameters: number
  /** True takes one type argument, which is SUI's. */
  readonly generic?: boolean
  /** True for a function for any type, whose one type argument is that of its value; absent, the one type argument must be SUI. */
  readonly anyType?: boolean
  /** True for a function of the package only: a simulation without checks can call it. */
  readonly private?: boolean
  run(world: World, args: Arguments): readonly Value[]
}
