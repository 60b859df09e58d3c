import type { Status } from '@svc/contract'
import type { Wallet } from '../wallet.ts'

/** A body of broadcast, and the hash by which the chain knows it. */
export interface Signed {
  readonly body: Readonly<Record<string, unknown>>
  readonly txHash: string
}

/** What a scene acts with: a fresh funded wallet, and its transaction of the plugin's first action. */
export interface Stage<W extends Wallet = Wallet> extends Signed {
  /** The chain itself, past the service. */
  readonly rpcUrl: string
  readonly wallet: W
  /**
   * Another transaction of the wallet for the same action, crafted before the first was sent, with a base unit more or less: of the two only one can
   * land where they need the same nonce, sequence or objects. The same one each time; made before the service learns of the first.
   */
  another(): Promise<Signed>
  /** An operation of the chain's control port, such as `mine`, `advance`, `hold`. @returns the state after it. @throws when it is refused */
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
  /** Hands a transaction straight to the chain. @throws when it is refused */
  send(signed: Signed): Promise<void>
  /** Waits until it is in a block, whatever came of it there. @throws when it is in none in time */
  placed(signed: Signed): Promise<void>
}

/** What happens to one transaction, and what is told of it. */
export interface Scene<W extends Wallet = Wallet> {
  /** What became of it, as the end of a sentence: `another transaction used its nonce`. */
  readonly name: string
  /** How the service learns of it, before `play`: it sends it itself, is told to follow it, or is merely asked about its hash. */
  readonly given: 'broadcast' | 'tracked' | 'hash'
  /** What is played in place of the transaction of the stage: the same one in another form, say, that no craft of the plugin gives. */
  instead?(stage: Stage<W>): Promise<Signed>
  /** Before the service learns of it. */
  before?(stage: Stage<W>): Promise<void>
  play(stage: Stage<W>): Promise<void>
  /** What a healthy service tells in the end, while its clock passes. Several where it is by chance which of them. */
  readonly told: readonly Status[]
  /** Puts the chain back to what other scenes expect; also when the scene failed. */
  after?(stage: Stage<W>): Promise<void>
}

/** What a family knows of the life of its transactions. */
export interface FamilyLife<W extends Wallet = Wallet> {
  /** One at least for each state that the family can reach on its local chain. */
  readonly scenes: readonly Scene<W>[]
  /** Hands a body of broadcast straight to the chain. @throws when it is refused */
  send(rpcUrl: string, body: Signed['body']): Promise<void>
  /** Whether a transaction is in a block of the chain, whatever came of it there. */
  has(rpcUrl: string, txHash: string): Promise<boolean>
  /** How a node that holds the present alone answers a question, from how one answers that holds everything. In the words of the family's liar. */
  pruned(question: string, answer: string): string
  /**
   * False facts, by the names of lies, for the sake of which an only endpoint has `replaced` or `expired` told; and the bound of it. Where there is
   * another endpoint none of them is believed. @default none
   */
  readonly believed?: readonly { readonly lie: RegExp; readonly bound: string }[]
}
