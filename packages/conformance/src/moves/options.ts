import type { WalletLife } from '../wallet-life.ts'

/** An action of the wallet's own. */
export interface MovesAct {
  /** Completes the sentence: the wallet … @example leaves with the dust */
  readonly name: string
  readonly action: string
  /** Members of the body besides the signer. @throws where there is nothing to act on just then */
  body(life: WalletLife): Promise<Readonly<Record<string, unknown>>>
}

/** Something that the chain, or a stranger, does by itself. */
export interface MovesEvent {
  /** Completes the sentence: then … @example the rent falls */
  readonly name: string
  /** @throws where the chain refuses it just then, which changes nothing */
  run(life: WalletLife): Promise<unknown>
  /** It may make of a transaction that is signed already something else than its bytes promise: then a difference is right, and is told. @default false */
  readonly differs?: boolean
}

/** A wallet's lines in the engine's own books, in base units. */
export interface EngineBook {
  /** Holdings by asset, as moves name it. */
  readonly holds: Readonly<Record<string, bigint>>
  /** A sum that grows by what a transaction stakes. */
  readonly staked: bigint
  /** A sum that grows by what a transaction frees; null where the engine fixes no amount that a record could tell, so that none may be told. */
  readonly freed: bigint | null
}

/** Random lives of wallets, each of whose transactions has to be told as the engine has it in its books. */
export interface MovesTest {
  /** Everything that a wallet does by itself. */
  readonly acts: readonly MovesAct[]
  /** Everything that happens to it: time, price, rent, fees, strangers. */
  readonly events: readonly MovesEvent[]
  /** Reads the wallet's lines past the kit and the plugin. */
  book(life: WalletLife): Promise<EngineBook>
  /** Reads the fee of a transaction, in base units, past the kit and the plugin. */
  fee(life: WalletLife, txHash: string): Promise<bigint>
  /** Operations of the chain's control port that no event uses, each with the reason. @default none */
  readonly unused?: Readonly<Record<string, string>>
}
