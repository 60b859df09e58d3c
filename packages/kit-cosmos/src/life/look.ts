import type { KitContext, Sighting, Subject } from '@svc/contract'
import { readSequence } from '../account.ts'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { type Reach, readReach } from '../node-status.ts'
import type { CosmosReceipt } from './events.ts'
import { type Found, findTransaction, isPooled } from './found.ts'
import { type Known, keepOf, knownOf } from './known.ts'
import { overtaken } from './overtaken.ts'
import { placedAt } from './placed.ts'
import { indexless, isFound, isRefused, type NotKept, type Told, unseen } from './told.ts'

/** A transaction in a block counts from the node's next answer on: nodes behind one address differ by a block or two. */
const SLACK = 2n

/**
 * Where a transaction stands. First its account's sequence and what the node has of the hash; where that leaves it open, what could have overtaken it
 * and the hash once more. Where no node has an index, the blocks since the sequence was last free are looked through, which takes a third wave.
 *
 * @throws 502, 503, 504; 503 TRANSACTION_UNSEEN, TRANSACTION_NOT_KEPT
 */
export async function lookCosmos(chain: CosmosChain, ctx: KitContext<CosmosClient>, subject: Subject): Promise<Sighting<CosmosReceipt>> {
  const known = knownOf(subject)
  const { client } = ctx
  const { wallet, sequence } = known
  let head: bigint | null = null
  const reaching = client.rpc.call('status', [], (result) => {
    head = null
    const reach = readReach(result)
    head = reach.head
    return reach
  })
  const finding = indexless(findTransaction(chain, client, known.hash, (height) => head === null || height <= head + SLACK))
  const [reach, found, account] = await Promise.all([
    reaching,
    finding,
    wallet === null || sequence === null ? null : readSequence(client, wallet),
  ])

  const placed = isFound(found) && found.at === 'block' ? await placedAt(chain, ctx, known, account, found) : null
  const told: Told =
    placed !== null && !isRefused(placed)
      ? placed
      : account === null || sequence === null
        ? await byHashAlone(chain, ctx, known, reach, found)
        : account.sequence > sequence
          ? await overtaken(chain, ctx, known, { reach, account, found })
          : await stillFree(chain, ctx, known, { reach, found, at: account.height })
  const refused = placed !== null && isRefused(placed) && told.status === 'pending' ? placed.refused : null
  return {
    finality: 'none',
    certainty: 'likely',
    block: null,
    fee: null,
    receipt: null,
    replacedBy: null,
    validUntil: subject.bounds?.validUntil ?? null,
    lookedAt: reach.head,
    ...told,
    error: told.error ?? refused,
    keep: keepOf({ ...known, ...told.keep }),
  }
}

/** Its sequence is the account's next one, or a later one: it has not landed, and can unless its time is over. */
async function stillFree(
  chain: CosmosChain,
  { client }: KitContext<CosmosClient>,
  known: Known,
  { reach, found, at }: { readonly reach: Reach; readonly found: Found | NotKept; readonly at: bigint },
): Promise<Told> {
  const keep = { freeAt: at, scanned: null, rival: null }
  const { timeoutHeight, timeoutAt } = known
  const isOver = (timeoutHeight !== null && at > timeoutHeight) || (timeoutAt !== null && at >= reach.head && reach.headTime > timeoutAt)
  if (isOver) return { status: 'expired', certainty: 'proven', keep }
  const seen = await inMempool(chain, client, known, found)
  if (seen) return { status: 'pending', certainty: seen, keep }
  if (wasRefused(found)) return { status: 'pending', keep }
  return known.accepted ? { status: 'pending', held: false, keep } : { status: 'unknown', keep }
}

/** Without a sequence nothing is ever found to be impossible. */
async function byHashAlone(
  chain: CosmosChain,
  { client }: KitContext<CosmosClient>,
  known: Known,
  reach: Reach,
  found: Found | NotKept,
): Promise<Told> {
  if (!isFound(found)) throw found.refusal
  const seen = await inMempool(chain, client, known, found)
  if (seen) return { status: 'pending', certainty: seen }
  if (wasRefused(found)) return { status: 'pending' }
  if (!known.accepted) return { status: 'unknown' }
  if (known.firstSeen !== null && reach.lowestTime > known.firstSeen) throw unseen()
  return { status: 'pending' }
}

/** Whether a node's mempool has it, or had it lately. */
async function inMempool(
  { lookup }: CosmosChain,
  client: CosmosClient,
  { hash }: Known,
  found: Found | NotKept,
): Promise<'proven' | 'likely' | null> {
  if (isFound(found) && found.at === 'mempool') return 'proven'
  if (isFound(found) && found.at === 'evicted') return 'likely'
  return lookup === 'tx' && (await isPooled(client, hash)) ? 'proven' : null
}

function wasRefused(found: Found | NotKept): boolean {
  return isFound(found) && found.at === 'block'
}
