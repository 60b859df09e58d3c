import { type KitContext, malformedAnswer, nodeBehind } from '@svc/contract'
import type { Mark } from '@svc/contract/book'
import type { EvmClient } from '../client.ts'
import { type Block, readKnownBlock } from '../life/receipt.ts'
import type { EvmSettings } from '../settings.ts'

type Ctx = KitContext<EvmClient, EvmSettings>

/** A block whose height and hash are known. */
export interface FinalMark extends Mark {
  readonly height: bigint
  readonly hash: string
}

/**
 * Reads the last block that counts as final: the finalised one, or, with `final_after`, the one so many blocks below it.
 *
 * @throws 502, 503, 504; 503 `NO_FINAL_BLOCK` while the chain has none
 */
export async function finalMark(ctx: Ctx): Promise<FinalMark> {
  const final = await ctx.client.ask('eth_getBlockByNumber', ['finalized', false], readKnownBlock)
  const after = BigInt(ctx.network.final_after)
  if (after === 0n) return markOf(final)
  return markOf(await knownBlock(ctx, final.number > after ? final.number - after : 0n))
}

/** Tells whether a block that was read as final is still part of the chain. @throws 503 `UPSTREAM_BEHIND` where no endpoint has come to its height: that proves nothing */
export async function holdsBlock(ctx: Ctx, { height, hash }: Mark): Promise<boolean> {
  if (height === null || hash === null) return true
  return (await knownBlock(ctx, height)).hash === hash
}

/** Reads the block of a number. @throws 503 `UPSTREAM_BEHIND` where no endpoint has it */
export async function knownBlock({ client }: Pick<Ctx, 'client'>, number: bigint): Promise<Block> {
  return client.ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false], (answer) => {
    if (answer === null) throw nodeBehind(`it has no block ${number}`)
    const block = readKnownBlock(answer)
    if (block.number !== number) throw malformedAnswer(answer)
    return block
  })
}

/** Returns the time of a block, by the chain. */
export function timeOf({ time }: Block): Date {
  return new Date(Number(time) * 1000)
}

/** Returns the mark of a reading of a block, as every reading of a book that rests on logs is. @throws TypeError for another one */
export function finalOf({ height, hash, ...rest }: Mark): FinalMark {
  if (height === null || hash === null) throw new TypeError('a reading without a block')
  return { ...rest, height, hash }
}

function markOf(block: Block): FinalMark {
  return { height: block.number, hash: block.hash, time: timeOf(block), epoch: null }
}
