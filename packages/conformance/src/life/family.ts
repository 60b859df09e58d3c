import type { Status } from '@svc/contract'
import type { Wallet } from '../wallet.ts'

/** A body of broadcast, and the hash by which the chain knows it. */
export interface Signed {
  readonly body: Readonly<Record<string, unknown>>
  readonly txHash: string
}

/** Means with which a scene acts: a fresh funded wallet, and its transaction of the plugin's first action. */
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

/** Scene of one transaction: what happens to it, and what is told of it. */
export interface Scene<W extends Wallet = Wallet> {
  /** Fate of the transaction, as the end of a sentence: `another transaction used its nonce`. */
  readonly name: string
  /** Way in which the service learns of the transaction, before `play`: it sends it itself, is told to follow it, or is merely asked about its hash. */
  readonly given: 'broadcast' | 'tracked' | 'hash'
  /** Returns what is played in place of the transaction of the stage: the same one in another form, say, that no craft of the plugin gives. */
  instead?(stage: Stage<W>): Promise<Signed>
  /** Before the service learns of it. */
  before?(stage: Stage<W>): Promise<void>
  play(stage: Stage<W>): Promise<void>
  /** States that a healthy service tells in the end, while its clock passes. There are several where it is by chance which of them. */
  readonly told: readonly Status[]
  /** Puts the chain back to what other scenes expect; also when the scene failed. */
  after?(stage: Stage<W>): Promise<void>
}

/** Turns the answer of a node that is well into that of one that is not, both in the words of the family's liar. */
export type Answering = (question: string, answer: string) => string

/**
 * Makes the answers of a node that has lost its peers: it takes the transaction, shows it as waiting, and passes it on to nobody. The call that hands it over has no answer of the
 * chain's: it comes with an empty text.
 */
export type Deaf = (signed: Signed) => Answering

/** Knowledge of a family about transactions that its nodes lose: one was taken, and no node has it any more. */
export interface Loss<W extends Wallet = Wallet> {
  /** Recognises the call that hands a transaction to a node, in its URL and body, one after the other. */
  readonly sends: RegExp
  /**
   * Tells whether nodes show what waits, so that it can be known that none holds a transaction: the service then sends it again by itself.
   *
   * @param network settings of the network
   */
  showsWaiting(network: Readonly<Record<string, unknown>>): boolean
  /** Crafts `another`, where `spoil` or `rival` send it, and keeps whatever is sent from now on out of blocks. */
  before(stage: Stage<W>): Promise<void>
  /**
   * Answers in a node's place that a transaction was taken, which goes no further: of a chain whose nodes answer when it is executed.
   *
   * @param asked body of the call
   * @default the chain answers
   */
  taken?(txHash: string, asked: string): { readonly type: string; readonly body: Uint8Array<ArrayBuffer> }
  /** Lets every node forget the transaction, if a node had it; whatever is sent from now on comes into a block. */
  drop(stage: Stage<W>): Promise<void>
  /** Makes the blocks so far final. @default they are */
  bury?(stage: Stage<W>): Promise<void>
  /** Makes it impossible that the transaction lands, which was dropped. */
  spoil(stage: Stage<W>): Promise<void>
  /** End of a transaction that was spoilt. */
  readonly end: Extract<Status, 'replaced' | 'expired'>
  /** A rival that waits: while it does the transaction is refused, and can land once the rival is gone. @default nothing of the kind */
  readonly rival?: {
    /** Sends the other transaction, which waits in the pools of all nodes. */
    waits(stage: Stage<W>): Promise<void>
    /** Lets every node forget it; whatever is sent from now on comes into a block. */
    gone(stage: Stage<W>): Promise<void>
  }
  /** A node that has lost its peers. @default it answers as `taken` does; without that the group `endpoints` notes that it was not tried */
  readonly deaf?: Deaf
  /** Puts the chain back to what other scenes expect; also when the scene failed. */
  after(stage: Stage<W>): Promise<void>
}

/** Knowledge of a family about the life of its transactions. */
export interface FamilyLife<W extends Wallet = Wallet> {
  /** One at least for each state that the family can reach on its local chain. */
  readonly scenes: readonly Scene<W>[]
  /** Hands a body of broadcast straight to the chain. @throws when it is refused */
  send(rpcUrl: string, body: Signed['body']): Promise<void>
  /** Tells whether a transaction is in a block of the chain, whatever came of it there. */
  has(rpcUrl: string, txHash: string): Promise<boolean>
  /** Turns the answer of a node that holds everything into that of a node that holds the present alone. The answer is in the words of the family's liar. */
  pruned: Answering
  /** The same of a node that keeps no index of transactions; or a sentence that says why there is none. @default the group `endpoints` notes that it was not tried */
  readonly unindexed?: Answering | string
  /** The same of a node that was restarted a moment ago; or a sentence that says why that is nothing of its own. @default the group `endpoints` notes that it was not tried */
  readonly restarted?: Answering | string
  /**
   * True if the nodes of the scenario keep what a transaction did. Where they do not, what it moved is null, and has to be; and its fee may be, where its
   * bytes do not tell it. @default true
   */
  readonly tellsOutcome?: boolean
  /**
   * False facts, by the names of lies, for the sake of which an only endpoint has `replaced` or `expired` told; and the bound of it. Where there is
   * another endpoint none of them is believed. @default none
   */
  readonly believed?: readonly { readonly lie: RegExp; readonly bound: string }[]
  /** Way in which nodes lose what they took; without it nothing is sent again in the group `life`. */
  readonly loss?: Loss<W>
}
