import type { Player } from './player.ts'

/** A wallet in the middle of its life, at random. */
export interface WalletLife {
  readonly player: Player
  /** The chain itself, past the service. */
  readonly rpcUrl: string
  /** An operation of the chain's control port. @returns the state after it. @throws when it is refused */
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
  /** A whole number from 0 up to, and without, another one; the same ones in each run. */
  random(below: number): number
}
