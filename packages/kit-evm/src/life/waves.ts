import { isServiceError, type KitContext, malformedAnswer } from '@svc/contract'
import type { EvmClient } from '../client.ts'
import { MOST_NONCE } from '../preflight.ts'
import type { EvmSettings } from '../settings.ts'
import type { EvmFacts } from './bounds.ts'
import type { FirstSight } from './first-sight.ts'
import { type Block, type Receipt, readBlock, readKnownBlock, readReceipt, readSent, type Sent } from './receipt.ts'

type Ctx = KitContext<EvmClient, EvmSettings>

/** Transactions of the sender that are in blocks: nonces below are used. */
interface Used {
  readonly latest: bigint
  readonly final: bigint
}

/** Answers that one endpoint gives at once. */
export interface Seen {
  /** Number of the sender's used nonces; null where the sender is not known. */
  readonly used: Used | null
  /** Latest final block; null where no endpoint knows one yet. */
  readonly final: Block | null
  readonly head: Block
  readonly receipt: Receipt | null
  readonly sent: Sent | null
}

/**
 * Reads everything that a look begins with, in one batch. The counts come first: an overtaking transaction is then looked for before the transaction itself, as far as a
 * batch has an order.
 *
 * @throws 502, 503, 504
 */
export async function readSeen(ctx: Ctx, txHash: string, facts: EvmFacts | null): Promise<Seen> {
  const { client } = ctx
  const count = (tag: string) => client.quantity('eth_getTransactionCount', [facts?.sender, tag], 0n, MOST_NONCE)
  const [latest, final, finalBlock, head, transaction] = await Promise.all([
    facts ? count('latest') : null,
    facts ? onceFinal(count('finalized')) : null,
    onceFinal(client.ask('eth_getBlockByNumber', ['finalized', false], readKnownBlock)),
    client.ask('eth_getBlockByNumber', ['latest', false], readKnownBlock),
    readTransaction(ctx, txHash, facts),
  ])
  return { used: latest === null || final === null ? null : { latest, final }, final: finalBlock, head, ...transaction }
}

/** Returns what a final block says; null where no endpoint knows one yet. */
async function onceFinal<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isServiceError(error) && error.code === 'NO_FINAL_BLOCK') return null
    throw error
  }
}

/** Reads the transaction, in a block or in the node's pool. */
async function readTransaction({ client }: Ctx, txHash: string, facts: EvmFacts | null): Promise<Pick<Seen, 'receipt' | 'sent'>> {
  const [receipt, sent] = await Promise.all([
    client.ask('eth_getTransactionReceipt', [txHash], (answer) => {
      const receipt = readReceipt(answer, txHash)
      if (receipt && facts && receipt.from !== facts.sender) throw malformedAnswer(answer)
      return receipt
    }),
    client.ask('eth_getTransactionByHash', [txHash], (answer) => {
      const sent = readSent(answer, txHash)
      if (sent && facts && (sent.from !== facts.sender || sent.nonce !== facts.nonce)) throw malformedAnswer(answer)
      return sent
    }),
  ])
  return { receipt, sent }
}

/** A first sight that has a witness: without one no node can show that it remembers. */
interface Witnessed extends FirstSight {
  readonly witness: string
}

/** Evidence of a node that says a transaction is absent. */
interface Absence {
  /** True if the transaction was still not there when asked for again. */
  readonly absent: boolean
  /** True if the node keeps the blocks from the first sight on. */
  readonly remembers: boolean
  /** True if the node has the block by which the nonce is used, and its state says so too. */
  readonly caughtUp: boolean
}

/** Reads the transaction once more, after an overtaking one was looked for, and reads whether this node could know it. */
export async function readAbsence(ctx: Ctx, txHash: string, facts: EvmFacts, first: Witnessed, final: Block): Promise<Absence> {
  const [used, { receipt, sent }, then, witness, now] = await Promise.all([
    readUsedBy(ctx, facts, final.number - BigInt(ctx.network.final_after)),
    readTransaction(ctx, txHash, facts),
    readBlockAt(ctx, first.height),
    readWitness(ctx, first),
    readBlockAt(ctx, final.number),
  ])
  return {
    absent: receipt === null && sent === null,
    remembers: then?.hash === first.hash && witness,
    caughtUp: now?.hash === final.hash && used,
  }
}

/** Tells whether the nonce is used in the state of a block, asked by the block's number. false where the node no longer has that state. */
async function readUsedBy({ client }: Ctx, { sender, nonce }: EvmFacts, number: bigint): Promise<boolean> {
  if (number < 0n) return false
  try {
    return (await client.quantity('eth_getTransactionCount', [sender, toHex(number)], 0n, MOST_NONCE)) > nonce
  } catch {
    return false
  }
}

/** Tells whether the node still finds a transaction of the block of the first sight by its hash: one of a later block would show a shorter memory. */
async function readWitness({ client }: Ctx, { witness: hash, height }: Witnessed): Promise<boolean> {
  const sent = await client.ask('eth_getTransactionByHash', [hash], (answer) => readSent(answer, hash))
  return sent !== null && sent.block === height
}

/** Reads the block of a number. @returns null where the node has none of that number */
export function readBlockAt({ client }: Ctx, number: bigint): Promise<Block | null> {
  return client.ask('eth_getBlockByNumber', [toHex(number), false], (answer) => {
    const block = readBlock(answer)
    if (block && block.number !== number) throw malformedAnswer(answer)
    return block
  })
}

/** Tells whether a node reports that the transaction waits in its pool, on a chain whose nodes show it in no other way; false where the node does not answer that. */
export async function isInPool({ client }: Ctx, txHash: string): Promise<boolean> {
  try {
    return await client.ask('txpool_statusByHash', [txHash], (answer) => /tracked/i.test(JSON.stringify(answer) ?? ''))
  } catch {
    return false
  }
}

/** Writes a quantity of JSON-RPC: hexadecimal without leading zeros. */
export function toHex(number: bigint): string {
  return `0x${number.toString(16)}`
}
