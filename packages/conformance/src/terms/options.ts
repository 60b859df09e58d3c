import type { World } from '../world.ts'

/** Something that others do with a product, without any of its customers. */
export interface TermChange {
  /** What happens, as the end of a sentence: `its owner becomes somebody else`. */
  readonly name: string
  play(world: Pick<World, 'operate' | 'advance'>): Promise<unknown>
  /** Events that it is told by, in any order: the type and the name of the term, as in `protocol.fee_changed commission`, with `ahead` after it where the event names the epoch from which it counts. Empty: it is ordinary, and nothing is told. */
  readonly told: readonly string[]
}

/** Test of what is told of a product's terms. For a plugin whose condition has `terms`. */
export interface TermsTest {
  /** Terms that are read in the scenario, by kind and name, in any order: `power owner`. */
  readonly reads: readonly string[]
  /** Played one after another on the one chain. The first is one that is told. */
  readonly changes: readonly TermChange[]
}
