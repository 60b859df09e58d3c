import { type KitContext, nodeBehind } from '@svc/contract'
import type { EvmClient } from '../client.ts'
import { nodeWords, revertData, revertReason } from '../reverts.ts'
import type { EvmSettings } from '../settings.ts'
import { endOf } from '../simulation.ts'
import type { EvmReceipt, Receipt, Sent } from './receipt.ts'
import type { State } from './state.ts'
import { readBlockAt, type Seen, toHex } from './waves.ts'

type Ctx = KitContext<EvmClient, EvmSettings>

/** Blocks by which answers of one batch may differ: a node answers them one after the other, and the fastest chain makes three in a second. */
const MOMENT = 64n

/** Returns the state of a transaction that has a receipt. Its block is final when the endpoint calls that height final and has this very block there. */
export async function placed(ctx: Ctx, { final, head, sent }: Seen, receipt: Receipt): Promise<State> {
  const together = sent !== null && sent.block === receipt.block && receipt.gasUsed <= sent.gas && sent.to === receipt.to
  if (!together || receipt.block > head.number + MOMENT || (final !== null && final.number > head.number + MOMENT))
    throw nodeBehind('its answers are of different moments').refusal
  const [at, reason] = await Promise.all([readBlockAt(ctx, receipt.block), receipt.succeeded ? NOTHING : reasonOf(ctx, sent, receipt)])
  const canonical = at?.hash === receipt.blockHash
  const after = BigInt(ctx.network.final_after)
  const isFinal = canonical && final !== null && receipt.block <= final.number && receipt.block + after <= head.number
  const finality = isFinal ? 'final' : 'included'
  return {
    status: receipt.succeeded ? finality : 'failed',
    finality,
    certainty: canonical ? 'proven' : 'likely',
    block: { height: receipt.block, hash: receipt.blockHash, time: canonical && at ? new Date(Number(at.time) * 1000) : null },
    fee: receipt.gasUsed * receipt.price,
    receipt: recordOf(receipt, sent),
    error: receipt.succeeded ? null : failureOf(sent, receipt, reason),
    replacedBy: null,
  }
}

const UNTOLD = 'It failed; the reason is not available any more.'

/**
 * Names the failure of a transaction. Running out of gas is told by the run alone: a chain such as Monad charges the limit whatever was used, so that the receipt does
 * not show it.
 */
function failureOf({ gas }: Sent, { gasUsed }: Receipt, { reason, data }: Why): State['error'] {
  if (gasUsed === gas && reason === OUT_OF_GAS)
    return { code: 'OUT_OF_GAS', reason: `It used all of its gas limit of ${gas}, and nothing of it took place.` }
  return { code: 'REVERTED', reason: reason ?? UNTOLD, ...(data === null ? {} : { data }) }
}

/** Reason that a run of the transaction gave: a sentence, and the data that the run returned. */
interface Why {
  readonly reason: string | null
  readonly data: string | null
}

const NOTHING: Why = { reason: null, data: null }
const OUT_OF_GAS = 'It failed: it runs out of gas.'

function recordOf({ from, to, logs }: Receipt, { value }: Sent): EvmReceipt {
  return { from, to, value, logs }
}

/** Finds the reason of a failure, which no receipt says: the same call is run again on the block before, which leaves out what came before it in its own. */
async function reasonOf({ client }: Ctx, { from, to, value, gas, data }: Sent, { block }: Receipt): Promise<Why> {
  const call = { from, ...(to === null ? {} : { to }), data, value: toHex(value), gas: toHex(gas) }
  try {
    await client.bytes('eth_call', [call, toHex(block - 1n)])
    return NOTHING
  } catch (error) {
    const reason = revertReason(error)
    if (reason === null) return NOTHING
    const end = endOf(nodeWords(error))
    if (end !== null && reason === end) return { reason: `It failed: ${end}.`, data: null }
    const data = revertData(error)
    return { reason: reason === '' ? 'The contract refused it, and gave no reason.' : `The contract refused it: ${reason}.`, data }
  }
}
