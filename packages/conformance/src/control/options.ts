import type { Player } from '../player.ts'
import type { Position } from '../position.ts'

/** What a change is played with: a wallet with a position, its transactions past the service, and somebody else. */
export interface ForeignStage {
  /** The chain itself, past the service. */
  readonly rpcUrl: string
  /** The wallet, whose key has come into other hands, or who acts with another program. */
  readonly player: Player
  /** Somebody else, with funds. */
  readonly stranger: Player
  /** The position as the service showed it before the change. */
  readonly position: Position
  /** The same wallet with the service that watches it: what it does here is followed. */
  readonly followed: Player
  /** Has the service watch another wallet for the same account, and waits for its first reading. */
  watch(address: string): Promise<void>
  /** An operation of the chain's control port. @throws when it is refused */
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
}

/** A change of a position that no transaction of the service makes. */
export interface ForeignChange {
  /** What happens, as the end of a sentence: `its withdrawer becomes somebody else`. */
  readonly name: string
  /** Brings the position into the state from which it is changed, before the service reads it first. @default the one that `begin` leaves */
  before?(stage: ForeignStage): Promise<void>
  play(stage: ForeignStage): Promise<void>
  /** Events that it is told by, in any order: the type, and the aspect or the cause where it has one, as in `position.control_changed withdrawer`. Empty: nothing is told. */
  readonly told: readonly string[]
  /** true: the plugin's search for changes from elsewhere finds it, so that it is told soon where the chain offers that search. @default it is found by the day's round */
  readonly soon?: true
  /** true: it belongs to a position's ordinary life, so that no event of it may be an alarm. It is played more often than the others. */
  readonly ordinary?: true
  /** Events by which what comes of it by itself is told within the month after it, as `told`. @default none */
  readonly later?: readonly string[]
}

/** A lie of one endpoint about who has power over a position, or what it holds. */
export interface PowerLie {
  /** What the endpoint says, as the end of a sentence. */
  readonly name: string
  /** Makes the answer false. @param question and answer in the words of the family's liar */
  readonly answer: (question: string, answer: string) => string
}

/** Test of what is told of changes that come from elsewhere. For a plugin whose balance has `control`. */
export interface ControlTest {
  /** Brings a fresh, funded wallet to a position that earns. @param random draws a whole number below another one: amounts, and how many units there are */
  begin(player: Player, random: (below: number) => number): Promise<void>
  readonly changes: readonly ForeignChange[]
  /** Told by one of two endpoints, in turn; nothing may come of them. */
  readonly lies: readonly PowerLie[]
  /** true: the chain's clock goes on with the service's, so that what ends at a time does. @default the chain stands still between transactions, and its epochs with it */
  readonly ticks?: boolean
}
