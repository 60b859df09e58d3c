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

/** One end that a transaction comes to by itself, or by another transaction. */
export interface Validity {
  readonly kind: ValidityKind
  /**
   * In the words of the kind: the nonce, the last height, `address=value`, `id@version` joined by commas, an instant in ISO 8601. null: the bytes do not
   * say it.
   */
  readonly value: string | null
  /** Worked out from the chain's pace, never a promise. null: nothing ends it but another transaction, or it is not known. */
  readonly estimatedAt: Date | null
}

/** Until when a transaction can land. */
export interface ValidUntil extends Validity {
  /** The other end of a transaction that has two: it cannot land any more as soon as either is reached. */
  readonly also?: Validity
}

/** Small facts by name, kept as they are: decimal numbers, hashes, ids. */
export type Facts = Readonly<Record<string, string>>

/** Bounds of a transaction's life, as its signed bytes say; the chain is not asked. */
export interface Bounds {
  /** Who signs and pays, canonical. */
  readonly wallet: string
  readonly validUntil: ValidUntil
  /** Facts that the family's `look` needs from the bytes: sender, nonce, sequence, block hash, objects with their versions. */
  readonly facts: Facts
}

/** A transaction, and what is known of it before the chain is asked. */
export interface Subject {
  /** Canonical. */
  readonly txHash: string
  /** Who signed it, canonical; null, or absent, where neither bounds nor whoever asked say it. */
  readonly wallet?: string | null
  /** null where only the hash is known: then much cannot be decided, and is not. */
  readonly bounds: Bounds | null
  /** Facts that the previous look has kept; null at the first look. */
  readonly keep: Facts | null
  /** When the service saw it first; null for a hash that it was merely asked about. */
  readonly firstSeen: Date | null
  /** True when an endpoint has taken the transaction on a broadcast of ours. */
  readonly accepted: boolean
  /** What its bytes promise to move; null or left out: not known, and a success is compared with nothing. */
  readonly promised?: readonly Move[] | null
}

/** Why a transaction failed: a stable word and a sentence. */
export interface Failure {
  readonly code: string
  readonly reason: string
  /** Data that the chain gave in place of words, for the protocol's `explain`; it goes no further than the host. */
  readonly data?: string
}

/** A transaction as the chain shows it at one moment. `Receipt` is the family's record of what it did, for the plugin's `moved`. */
export interface Sighting<Receipt = unknown> {
  readonly status: Status
  /** Finality of the transaction's place in a block. */
  readonly finality: 'none' | 'included' | 'final'
  /** `likely`: by our own record alone, or by what a node's newest block says. */
  readonly certainty: 'proven' | 'likely'
  readonly block: { readonly height: bigint | null; readonly hash: string | null; readonly time: Date | null } | null
  /** Paid, in base units of the native token; null until it is in a block. */
  readonly fee: bigint | null
  /** null until it is in a block. */
  readonly receipt: Receipt | null
  /** Why it failed, or what keeps it from landing while it is pending: a stable word and a sentence. `reason` says so where the chain keeps none. */
  readonly error: Failure | null
  /** Hash of the transaction that took its place, where it was found. */
  readonly replacedBy: string | null
  /**
   * Whether that one does the same, by its own signed bytes: the same calls or messages, whatever they pay. Left out, or null, where the family or the node cannot tell. That it
   * succeeded is told of that one alone.
   */
  readonly replacedBySame?: boolean | null
  /** As in its bounds, or better where the chain was needed to tell. */
  readonly validUntil: ValidUntil | null
  /** Head of the node that answered; null where the family has none to tell. */
  readonly lookedAt: bigint | null
  /**
   * First height of which the node that answered still tells: that it does not show what is in a block below says nothing. Left out where the node does not say, null where it is not
   * known.
   */
  readonly holdsFrom?: bigint | null
  /** For the next look: what makes a negative provable later, such as the nonce and the height at the first sight. */
  readonly keep: Facts
  /**
   * false: this node has a transaction that can still land neither in a block nor waiting, and would show it if it had. null: it has the transaction in no block, and does not show what
   * waits, so that nobody can know whether it has heard of it. Left out where neither is known.
   */
  readonly held?: boolean | null
  /** true: this look has gone through a part of what there is to go through, and the next one goes on, soon. */
  readonly unfinished?: boolean
}

/** Functions that a chain family supplies for the life after broadcast. */
export interface Life<Client, W extends Wire, Settings = unknown, Receipt = unknown> {
  /** A hash in the form in which `names` gives it. @throws 400 TX_HASH_INVALID */
  hash(text: string): string
  /**
   * Says that a hash alone finds no transaction on the chain, and that its signer has to be known too, as where nodes keep transactions by account. Whoever
   * asks about a hash then names the signer as `wallet`; without one of the two `look` tells `unknown`.
   */
  readonly byWallet?: true
  /** Reads the bounds from signed bytes. The bytes have their names already. */
  bounds(body: Static<W['broadcast']>, network: NetworkBase & Settings): Bounds
  /** Until when a transaction that was just crafted can land. @param terms as `assemble` noted them */
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
   * Names of facts in `keep` that say how far the look of one node has come, such as the last block that it has gone through. They are of the node that was
   * asked: whoever confirms a negative is shown his own alone, so that he goes through it all for himself.
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

/** A move that was made. */
export interface MadeMove extends Move {
  /** Only where the amount is null: a sentence that says why the chain does not tell it any more. */
  readonly reason?: string
}

/**
 * Moves that a transaction really made, from the chain's own record of it. Nothing that was promised and no parameter of today enters them: what the chain does not
 * tell of that moment is null, with its reason.
 */
export interface Moved {
  /** As the moves of its sentence. */
  readonly moves: readonly MadeMove[]
  /** Ids of the objects that the transaction made, as the actions and the balance of the protocol name them: a stake account, a withdrawal slot, a ticket. */
  readonly objectIds: readonly string[]
  /**
   * Kinds of moves of which the chain's arithmetic may make a base unit less than the bytes promise, never more: as where an amount becomes shares and these an
   * amount again.
   *
   * @default none: any difference is told
   */
  readonly cuts?: readonly Move['kind'][]
  /**
   * Most base units that the chain's arithmetic may add to what the bytes promise, by kind, never less: as where it lets no rest stay behind that is too small to
   * be staked.
   *
   * @default none
   */
  readonly adds?: Readonly<Partial<Record<Move['kind'], bigint>>>
}

/** A position that was read whole before. */
export interface KnownPosition {
  /** Canonical. */
  readonly address: string
  /** Identifiers of the units that it had. */
  readonly objects: readonly string[]
  /**
   * Base units that each of them had, by its identifier. Rewards make a unit more and never less, so that a digest that they may not change can still say that one is less.
   *
   * @default not known
   */
  readonly amounts?: Readonly<Record<string, bigint>>
}
