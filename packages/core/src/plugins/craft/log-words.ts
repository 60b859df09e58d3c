import { isServiceError, type NetworkBase } from '@svc/contract'
import type { Decoded, Effects } from '@svc/verify'
import { actsOf, describe, hiddenIn } from '@svc/verify/intent'
import type { FastifyBaseLogger } from 'fastify'
import type { Note } from '../services.ts'
import { type HiddenCall, hiddenCall, unreadable } from './hidden-call.ts'
import { type Promising, pinnedTerms } from './pinned-terms.ts'

/** Words of the audit log on a transaction, from its decoded bytes: the signer, the intent's sentence, and the moves. */
type Said = Pick<Note, 'wallet' | 'sentence' | 'moves'>

/** Describes the transactions of one protocol with its intent, for the audit log. A description that fails is left out and logged; it does not fail the request. */
interface SaidOf {
  /** Describes a craft that was read back and found to do what was asked. */
  craft(network: NetworkBase, decoded: Decoded, effects: Effects, log: Warner): Said
  /** Describes the transaction in a body of prepare or broadcast, and says what of it no request to the protocol leads to. @throws 400 for a signature that is none */
  sent(network: NetworkBase, body: Body, log: Warner): Promise<Sent>
  /** Finds the signer, for families whose bytes do not name it directly. */
  signer(network: NetworkBase, body: Body, log: Warner): Said
}

/** A transaction that is about to be sent. */
interface Sent {
  readonly said: Said
  /** The transaction's call that no request to the protocol would make; null: there is none, or the protocol cannot read it. */
  readonly hidden: HiddenCall | null
}

type Warner = Pick<FastifyBaseLogger, 'warn'>
/** Body of a request that has passed the schema of its route. */
type Body = Readonly<Record<string, unknown>>

/**
 * Makes the reader that takes wallet, sentence and moves from the bytes of a protocol's transactions.
 *
 * @param protocol without an intent it has no sentences; crafts then still have their wallet
 */
export function createSaid(protocol: Promising): SaidOf {
  const { kit, intent } = protocol
  const terms = pinnedTerms(protocol)
  const walletOf = (signers: readonly string[] | null): Said => {
    const [first] = signers ?? []
    return first === undefined ? {} : { wallet: kit.address(first) }
  }
  return {
    craft(network, decoded, effects, log) {
      try {
        // The effects too name first whoever asked; another one may sign along, such as an account that is made.
        const wallet = walletOf(effects.signers)
        if (!intent) return wallet
        const { sentence, moves } = describe(intent, terms(network), decoded)
        return { ...wallet, sentence, moves }
      } catch (err) {
        return unsaid(log, err)
      }
    },
    async sent(network, body, log) {
      if (!kit.sent || !intent?.family.explain) return { said: {}, hidden: null }
      try {
        const { bytes, signer } = kit.sent(body, network)
        const pinned = terms(network)
        const acts = await actsOf(intent, pinned, bytes)
        const { sentence, moves } = describe(intent, pinned, acts.decoded)
        const hidden = hiddenIn(intent, pinned, acts, () => signer?.() ?? null)
        return { said: { ...walletOf(acts.decoded.signers), sentence, moves }, hidden: hidden && hiddenCall(kit, hidden) }
      } catch (err) {
        if (isServiceError(err)) throw err
        return { said: unsaid(log, err), hidden: unreadable(err) }
      }
    },
    signer(network, body, log) {
      try {
        const signer = kit.sent?.(body, network).signer?.() ?? null
        return walletOf(signer === null ? null : [signer])
      } catch (err) {
        return unsaid(log, err)
      }
    },
  }
}

function unsaid(log: Warner, err: unknown): Said {
  log.warn({ err }, 'a transaction could not be put into words; the audit log has no sentence of it')
  return {}
}
