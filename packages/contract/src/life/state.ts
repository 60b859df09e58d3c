import type { Move } from '@svc/verify/intent'
import type { Static } from 'typebox'
import type { KitContext, NetworkBase, Wire } from '../family.ts'

/**
 * State of a transaction.
 *
 * - `unknown`: nobody asked knows the hash. This is absence of evidence, and no proof of anything.
 * - `pending`: it can still land: a node holds it, or it was accepted here and its validity is not over.
 * - `included`: in a block that can still be reorganised, executed without failure.
 * - `final`: in a block that cannot be.
 * - `failed`: in a block, where its execution failed and its fee was charged; `finality` says whether that can still change.
 * - `replaced`: another transaction has used what it needs (nonce, sequence, object), and it can never land.
 * - `expired`: its validity has ended, and it can never land.
 *
 * On the strength of the last three a caller signs anew, so each wants a proof; whoever is in doubt says `pending`.
 */
export type Status = 'unknown' | 'pending' | 'included' | 'final' | 'failed' | 'replaced' | 'expired'

/**
 * Names what ends a transaction: another transaction with its `nonce` or `sequence`; the `block_height` after which its block hash is too old; another
 * value in its `nonce_account`; another version of one of its `object_versions`; the end of an `epoch`; a `time`. A family whose transactions end
 * otherwise names it in a word of its own, in lower case with underscores.
 */
type ValidityKind = 'nonce' | 'sequence' | 'block_height' | 'nonce_account' | 'object_versions' | 'epoch' | 'time' | (string & {})

/** One of the ends of a transaction's validity. */
export interface Validity {
  readonly kind: ValidityKind
  /** End in the words of the kind: the nonce, the last height, `address=value`, `id@version` joined by commas, an instant in ISO 8601. null: the bytes do not state it. */
  readonly value: string | null
  /** Time of the end, estimated from the chain's pace, never a promise. null: only another transaction ends it, or it is not known. */
  readonly estimatedAt: Date | null
}

/** End of the time in which a transaction can land. */
export interface ValidUntil extends Validity {
  /** The other end of a transaction that has two: it cannot land any more as soon as either is reached. */
  readonly also?: Validity
}

/** Small facts by name, stored unchanged: decimal numbers, hashes, ids. */
export type Facts = Readonly<Record<string, string>>

/** Bounds of a transaction's life, read from its signed bytes without asking the chain. */
export interface Bounds {
  /** Canonical address of the wallet that signs and pays. */
  readonly wallet: string
  readonly validUntil: ValidUntil
  /** Facts that the family's `look` needs from the bytes: sender, nonce, sequence, block hash, objects with their versions. */
  readonly facts: Facts
}

/** Transaction that is looked up, with the facts known about it before the chain is asked. */
export interface Subject {
  /** Hash in its canonical form. */
  readonly txHash: string
  /** Canonical address of the signer; null, or absent, where neither the bounds nor the question name it. */
  readonly wallet?: string | null
  /** Bounds read from the bytes; null where only the hash is known, so that much cannot be decided, and is left open. */
  readonly bounds: Bounds | null
  /** Facts that the previous look has kept; null at the first look. */
  readonly keep: Facts | null
  /** Time at which the service saw the transaction first; null for a hash that it was merely asked about. */
  readonly firstSeen: Date | null
  /** True when an endpoint has accepted the transaction from our own broadcast. */
  readonly accepted: boolean
  /** Moves that the transaction's bytes promise; null or left out: not known, and a success is compared with nothing. */
  readonly promised?: readonly Move[] | null
}

/** Reason why a transaction failed: a stable word and a sentence. */
export interface Failure {
  readonly code: string
  readonly reason: string
  /** Data that the chain gave in place of words, for the protocol's `explain`; the host passes it to nobody else. */
  readonly data?: string
}

/** State of a transaction as the chain shows it at one moment. `Receipt` is the family's record of its effects, for the plugin's `moved`. */
export interface Sighting<Receipt = unknown> {
  readonly status: Status
  /** Finality of the transaction's place in a block. */
  readonly finality: 'none' | 'included' | 'final'
  /** Certainty of the state. `likely`: it rests on our own record alone, or on what a node's newest block says. */
  readonly certainty: 'proven' | 'likely'
  readonly block: { readonly height: bigint | null; readonly hash: string | null; readonly time: Date | null } | null
  /** Fee paid, in base units of the native token; null until the transaction is in a block. */
  readonly fee: bigint | null
  /** Chain's record of the transaction's effects; null until it is in a block. */
  readonly receipt: Receipt | null
  /** Reason of the failure, or of what keeps a pending transaction from landing: a stable word and a sentence. `reason` says so where the chain keeps none. */
  readonly error: Failure | null
  /** Hash of the transaction that replaced this one, where it was found. */
  readonly replacedBy: string | null
  /**
   * True if the replacing transaction does the same, by its own signed bytes: the same calls or messages, whatever fee they pay. Left out, or null, where the family or the
   * node cannot tell. Only that transaction's own state says whether it succeeded.
   */
  readonly replacedBySame?: boolean | null
  /** End of validity as in the bounds, or more exact where the chain was needed to tell. */
  readonly validUntil: ValidUntil | null
  /** Height of the head of the node that answered; null where the family has no such height. */
  readonly lookedAt: bigint | null
  /**
   * First height that the node that answered still keeps: its silence about a block below that height means nothing. Left out where the node does not say, null where it is
   * not known.
   */
  readonly holdsFrom?: bigint | null
  /** Facts for the next look that make a negative provable later, such as the nonce and the height at the first sight. */
  readonly keep: Facts
  /**
   * False: the transaction can still land, and this node has it neither in a block nor waiting, and would show it if it had. Null: it is in no block of the node, and the
   * node does not show waiting transactions, so that nobody can know whether it has received this one. Left out where neither is known.
   */
  readonly held?: boolean | null
  /** True: this look has searched only a part of the blocks or pages, and the next one continues soon. */
  readonly unfinished?: boolean
}

/** Functions of a chain family that follow a transaction after its broadcast. */
export interface Life<Client, W extends Wire, Settings = unknown, Receipt = unknown> {
  /** Returns a hash in the form in which `names` gives it. @throws 400 TX_HASH_INVALID */
  hash(text: string): string
  /**
   * True where a hash alone does not find a transaction on the chain, because nodes keep transactions by account. The signer then has to be given as `wallet` with the
   * hash; without both, `look` answers `unknown`.
   */
  readonly byWallet?: true
  /** Reads the bounds from signed bytes that `names` has accepted. */
  bounds(body: Static<W['broadcast']>, network: NetworkBase & Settings): Bounds
  /** Returns the time until which a transaction that was just crafted can land. @param terms as `assemble` noted them */
  validUntil(
    unsigned: Static<W['unsigned']>,
    network: NetworkBase & Settings,
    terms: Readonly<Record<string, string | bigint>>,
    now: Date,
  ): ValidUntil
  /**
   * Tells the state of a transaction, in no more than two waves, and a third one where the record of a success does not hold what it moved.
   *
   * A negative (`replaced`, `expired`) is told only when this node could have known better: its first height is not above the one at which the
   * transaction was seen first, its head is past the height in question, what could have overtaken it was read before the transaction itself,
   * and the transaction once more after that. It is then confirmed by the host at every other endpoint, and a while later.
   *
   * @throws 502, 503, 504 when no endpoint could tell: never `unknown` instead
   */
  look(ctx: KitContext<Client, Settings>, subject: Subject): Promise<Sighting<Receipt>>
  /**
   * Reads the signed bytes of a transaction that somebody else has sent, by its hash, as broadcast takes them; only where the hash is one of the bytes, so that nobody can
   * give others in their place.
   *
   * @default the family has no such bytes, or no such hash
   * @throws 503 TRANSACTION_UNSEEN where no endpoint shows the transaction; 400 for one whose bytes this family does not read; 502, 503, 504
   */
  signed?(ctx: KitContext<Client, Settings>, txHash: string): Promise<Static<W['broadcast']>>
  /**
   * Names of the facts in `keep` that record how far the look at one node has come, such as the last block searched. They hold for that node alone: a node that is asked to
   * confirm a negative gets only its own, so that it is searched in full.
   *
   * @default none
   */
  readonly progress?: readonly string[]
  /**
   * Returns the usual time that a transaction waits for its block, in milliseconds: the host asks again by itself after this time.
   *
   * @default 2,000
   */
  inclusionMs?(network: NetworkBase & Settings): number
}

/** Move that a transaction made. */
export interface MadeMove extends Move {
  /** Sentence on why the chain no longer tells the amount; only where the amount is null. */
  readonly reason?: string
}

/**
 * Moves that a transaction made, read from the chain's own record of it. No promise and no parameter of today enters them: an amount of that moment that the chain does not
 * tell is null, with its reason.
 */
export interface Moved {
  /** Moves in the kinds and assets of the transaction's sentence. */
  readonly moves: readonly MadeMove[]
  /** Ids of the objects that the transaction made (a stake account, a withdrawal slot, a ticket), as the actions and the balance of the protocol name them. */
  readonly objectIds: readonly string[]
  /**
   * Kinds of moves whose amount the chain's arithmetic may make one base unit smaller than promised, never larger: as where an amount becomes shares and these an amount
   * again.
   *
   * @default none: any difference is told
   */
  readonly cuts?: readonly Move['kind'][]
  /**
   * Largest number of base units that the chain's arithmetic may add to the promised amount, by kind of move, never take away: as where it leaves no rest behind that is
   * too small to be staked.
   *
   * @default none
   */
  readonly adds?: Readonly<Partial<Record<Move['kind'], bigint>>>
}

/** A position as its last whole reading found it. */
export interface KnownPosition {
  /** Canonical address of the wallet. */
  readonly address: string
  /** Identifiers of the units that it had. */
  readonly objects: readonly string[]
  /**
   * Base units of each unit, by its identifier. Rewards only make a unit larger, so a digest that ignores rewards can still report a unit that has become smaller.
   *
   * @default not known
   */
  readonly amounts?: Readonly<Record<string, bigint>>
}
