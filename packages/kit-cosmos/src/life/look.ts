import type { KitContext, Sighting, Subject } from '@svc/contract'
import { readSequence } from '../account.ts'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { type Reach, readReach } from '../node-status.ts'
import type { CosmosReceipt } from './events.ts'
import { type Known, keepOf, knownOf } from './facts.ts'
import { overtaken } from './overtaking.ts'
import { placedAt } from './placement.ts'
import { bytesMissing, indexless, isFound, isRefused, type NotKept, type Told, unseen } from './statements.ts'
import { type Found, findTransaction, isPooled } from './transaction-lookup.ts'

/** A transaction in a block counts from the node's next answer on: nodes behind one address differ by a block or two. */
const SLACK = 2n

/**
 * Finds the state of a transaction. First it reads the account's sequence and the node's answer for the hash. Where the state is still open, it reads what may have
 * overtaken the transaction, and the hash once more. Where no node has an index, it searches the blocks since the sequence was last free, which takes a third wave.
 *
 * @throws 502, 503, 504; 503 TRANSACTION_UNSEEN, TRANSACTION_NOT_KEPT
 */
export async function lookCosmos(chain: CosmosChain, ctx: KitContext<CosmosClient>, subject: Subject): Promise<Sighting<CosmosReceipt>> {
  const facts = knownOf(subject)
  const { client } = ctx
  const { wallet, sequence } = facts
  let head: bigint | null = null
  const reaching = client.rpc.call('status', [], (result) => {
    head = null
    const reach = readReach(result)
    head = reach.head
    return reach
  })
  const finding = indexless(findTransaction(chain, client, facts.hash, (height) => head === null || height <= head + SLACK))
  const [reach, place, account] = await Promise.all([
    reaching,
    finding,
    wallet === null || sequence === null ? null : readSequence(client, wallet),
  ])

  const placement = isFound(place) && place.at === 'block' ? await placedAt(chain, ctx, facts, account, place) : null
  const verdict: Told =
    placement !== null && !isRefused(placement)
      ? placement
      : account === null || sequence === null
        ? await byHashAlone(chain, ctx, facts, reach, place)
        : account.sequence > sequence
          ? await overtaken(chain, ctx, facts, { reach, account, found: place })
          : await stillFree(chain, ctx, facts, { reach, found: place, at: account.height })
  const refusal = placement !== null && isRefused(placement) && verdict.status === 'pending' ? placement.refused : null
  return {
    finality: 'none',
    certainty: 'likely',
    block: null,
    fee: null,
    receipt: null,
    replacedBy: null,
    validUntil: subject.bounds?.validUntil ?? null,
    lookedAt: reach.head,
    holdsFrom: reach.lowest,
    ...verdict,
    error: verdict.error ?? refusal,
    keep: keepOf({ ...facts, ...verdict.keep }),
  }
}

/** Looks at a transaction whose sequence is the account's next one, or a later one: it has not landed, and can unless its time is over. */
async function stillFree(
  chain: CosmosChain,
  { client }: KitContext<CosmosClient>,
  facts: Known,
  { reach, found: place, at }: { readonly reach: Reach; readonly found: Found | NotKept; readonly at: bigint },
): Promise<Told> {
  const keep = { freeAt: at, scanned: null, rival: null, rivalAt: null, usedAt: null, back: null }
  const { timeoutHeight, timeoutAt } = facts
  const isOver = (timeoutHeight !== null && at > timeoutHeight) || (timeoutAt !== null && at >= reach.head && reach.headTime > timeoutAt)
  if (isOver) return { status: 'expired', certainty: 'proven', keep }
  const evidence = await inMempool(chain, client, facts, place)
  if (evidence === 'proven') return { status: 'pending', certainty: evidence, keep }
  if (wasRefused(place)) return { status: 'pending', keep }
  // What was pushed out of a mempool, or refused there when it was checked again, waits nowhere: a node that remembers it does not have it.
  if (facts.accepted) return { status: 'pending', held: false, keep }
  return { status: evidence === null ? 'unknown' : 'pending', keep }
}

/** Looks for a transaction whose sequence is not known, by its hash. It is never told to be impossible. */
async function byHashAlone(
  chain: CosmosChain,
  { client }: KitContext<CosmosClient>,
  facts: Known,
  reach: Reach,
  place: Found | NotKept,
): Promise<Told> {
  if (!isFound(place)) throw facts.wallet === null ? bytesMissing() : place.refusal
  const evidence = await inMempool(chain, client, facts, place)
  if (evidence) return { status: 'pending', certainty: evidence }
  if (wasRefused(place)) return { status: 'pending' }
  if (!facts.accepted) return { status: 'unknown' }
  if (facts.firstSeen !== null && reach.lowestTime > facts.firstSeen) throw unseen()
  return { status: 'pending' }
}

/** Tells whether a node's mempool has a transaction, or had it lately. */
async function inMempool(
  { lookup }: CosmosChain,
  client: CosmosClient,
  { hash }: Known,
  place: Found | NotKept,
): Promise<'proven' | 'likely' | null> {
  if (isFound(place) && place.at === 'mempool') return 'proven'
  if (isFound(place) && place.at === 'evicted') return 'likely'
  return lookup === 'tx' && (await isPooled(client, hash)) ? 'proven' : null
}

function wasRefused(place: Found | NotKept): boolean {
  return isFound(place) && place.at === 'block'
}
