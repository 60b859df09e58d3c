import { type Facts, type KitContext, nodeBehind, type Sighting, type Subject, type ValidUntil } from '@svc/contract'
import type { Block, NearClient } from '../client.ts'
import type { NearSettings } from '../settings.ts'
import { BLOCK_SECONDS, endsOf, LIFE_BLOCKS } from './ends.ts'
import { failureText } from './failure.ts'
import { type Found, findTransaction, type Outcome } from './find.ts'

/** What a transaction did, for a plugin's `moved`. */
export interface NearReceipt {
  readonly signer: string
  readonly receiver: string
  readonly method: string
  readonly deposit: bigint
  /** Lines that the called contract has logged in the call itself. */
  readonly logs: readonly string[]
  /** Whether something failed that the call had sent off, such as a payment. */
  readonly isWhole: boolean
}

type Ctx = KitContext<NearClient, NearSettings>
type Seen = Sighting<NearReceipt>

/** What a node says that could end a transaction. */
interface Ending {
  readonly head: Block
  /** Height of the block that its bytes name; null where the node does not know that block, or the bytes are not at hand. */
  readonly height: bigint | null
  /** Nonce of its key in the final state; null where the account has no such key, or the bytes are not at hand. */
  readonly nonce: bigint | null
}

/**
 * Finds out where a transaction stands, in two waves at most. It ends in two ways: by a nonce of its key that is as high as its own, in the final state, or by
 * 86,400 blocks after the one that it names. Either is told of a node that still has that block, and so everything since, and that does not know the
 * transaction: it was looked for before and after.
 */
export async function look(ctx: Ctx, subject: Subject): Promise<Seen> {
  const { client } = ctx
  const { txHash, bounds } = subject
  const wallet = bounds?.wallet ?? subject.wallet ?? null
  const facts = bounds?.facts ?? {}
  const find = async () => (wallet === null ? null : findTransaction(client, txHash, wallet))
  const [ending, receipt] = await Promise.all([observe(client, facts), find()])
  if (receipt?.outcomes) return placed(ctx, receipt, receipt.outcomes, ending, subject)
  if (receipt) return unplaced('pending', 'proven', ctx, ending, subject)
  if (over(facts, ending) === null) {
    const open = unplaced(bounds ? 'pending' : 'unknown', 'likely', ctx, ending, subject)
    // Whether it waits is known to the node alone that took it, and a node that has not heard of it says the same.
    return subject.accepted && bounds ? { ...open, held: null } : open
  }
  const [again, later] = await Promise.all([observe(client, facts), find()])
  if (again.head.height < ending.head.height) throw nodeBehind(again.head)
  if (later?.outcomes) return placed(ctx, later, later.outcomes, again, subject)
  const end = later ? null : over(facts, again)
  // A node without that block may have forgotten the transaction too.
  const proven = end !== null && again.height !== null
  return unplaced(proven ? end : 'pending', proven ? 'proven' : 'likely', ctx, again, subject)
}

async function observe(client: NearClient, { signer, public_key, block_hash }: Facts): Promise<Ending> {
  const [head, named, access] = await Promise.all([
    client.block(),
    block_hash === undefined ? null : client.block(block_hash),
    signer === undefined || public_key === undefined ? null : client.key(signer, public_key),
  ])
  if (head === null) throw nodeBehind()
  return { head, height: named?.height ?? null, nonce: access?.nonce ?? null }
}

function over({ nonce }: Facts, ending: Ending): 'replaced' | 'expired' | null {
  if (nonce === undefined) return null
  if (ending.nonce !== null && ending.nonce >= BigInt(nonce)) return 'replaced'
  return ending.height !== null && ending.head.height > ending.height + LIFE_BLOCKS ? 'expired' : null
}

async function placed(
  { client }: Ctx,
  found: Found,
  outcomes: readonly [Outcome, ...Outcome[]],
  { head }: Ending,
  subject: Subject,
): Promise<Seen> {
  const [transaction, ...receipts] = outcomes
  const block = await client.block(transaction.blockHash)
  if (block === null || block.height > head.height) throw nodeBehind(transaction)
  const finality = found.progress === 'FINAL' ? 'final' : 'included'
  const own = receipts.find(({ id }) => id === transaction.receipts[0])
  const failure = transaction.failure ?? own?.failure ?? null
  return {
    ...NOTHING,
    status: failure === null ? finality : 'failed',
    finality,
    certainty: 'proven',
    block: { height: block.height, hash: block.hash, time: block.time },
    fee: outcomes.reduce((sum, { burnt }) => sum + burnt, 0n),
    receipt: {
      signer: found.signer,
      receiver: found.receiver,
      method: found.method,
      deposit: found.deposit,
      logs: own !== undefined && own.executor === found.receiver ? own.logs : [],
      isWhole: receipts.every((each) => each.failure === null),
    },
    error: failure === null ? null : failureText(failure),
    validUntil: subject.bounds?.validUntil ?? null,
    lookedAt: head.height,
  }
}

function unplaced(status: Seen['status'], certainty: Seen['certainty'], { now }: Ctx, { head, height }: Ending, { bounds }: Subject): Seen {
  const nonce = bounds?.facts.nonce
  return {
    ...NOTHING,
    status,
    certainty,
    validUntil: nonce === undefined ? null : untilOf(nonce, head, height, now()),
    lookedAt: head.height,
  }
}

function untilOf(nonce: string, head: Block, height: bigint | null, now: Date): ValidUntil {
  if (height === null) return endsOf(nonce, null, null)
  const last = height + LIFE_BLOCKS
  const left = last > head.height ? last - head.height : 0n
  return endsOf(nonce, last, new Date(now.getTime() + Number(left) * BLOCK_SECONDS * 1000))
}

const NOTHING: Seen = {
  status: 'unknown',
  finality: 'none',
  certainty: 'likely',
  block: null,
  fee: null,
  receipt: null,
  error: null,
  replacedBy: null,
  validUntil: null,
  lookedAt: null,
  keep: {},
}
