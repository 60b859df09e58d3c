import { membersOf } from '@svc/contract'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { CosmosChain } from '../chain.ts'
import { readBlock } from '../life/block.ts'
import type { CosmosEvent } from '../life/events.ts'
import { findTransaction, findUses, type Use } from '../life/transaction-lookup.ts'
import type { StakingContext } from '../staking/network.ts'

/** A transaction of a wallet in a block. */
export interface OwnTransaction {
  readonly hash: string
  readonly height: bigint
  readonly time: Date
  readonly index: number
  readonly events: readonly CosmosEvent[]
  /** True if the transaction lets somebody else act for the wallet, or makes others act. */
  readonly delegatesPower: boolean
}

/** Transactions of one interval beyond which it is not looked through. */
const MOST = 100n

/**
 * Finds the transactions that have used a wallet's sequences. Each sequence is used exactly once, so that a missing transaction is noticed. Each is also looked up by its
 * hash, and both answers have to be equal.
 *
 * @param after,until heights of the interval
 * @returns why they are not all known
 * @throws 502, 503, 504
 */
export async function ownTransactions(
  ctx: StakingContext,
  chain: CosmosChain,
  wallet: string,
  { from, to, after, until }: { readonly from: bigint; readonly to: bigint; readonly after: bigint; readonly until: bigint },
): Promise<readonly OwnTransaction[] | 'flow_missing' | 'no_index' | 'endpoint_disagrees'> {
  if (to < from) return 'endpoint_disagrees'
  if (to - from > MOST) return 'flow_missing'
  const sequences = Array.from({ length: Number(to - from) }, (_, at) => from + BigInt(at))
  const uses = await Promise.all(sequences.map((sequence) => findUses(ctx.client, wallet, sequence)))
  const own = uses.map((list) => list.find(({ place }) => place.height > after && place.height <= until))
  const found = own.flatMap((use) => use ?? [])
  if (found.length < sequences.length) return 'no_index'
  const [again, times] = await Promise.all([
    Promise.all(found.map(({ hash }) => findTransaction(chain, ctx.client, hash))),
    Promise.all(found.map(({ place }) => readBlock(ctx.client, ctx.network.chainId, place.height))),
  ])
  if (found.some((use, at) => !isSame(use, again[at]))) return 'endpoint_disagrees'
  return found.map(({ hash, tx, place }, at) => ({
    hash,
    height: place.height,
    time: times[at]?.time ?? new Date(0),
    index: place.index,
    events: place.result.events ?? [],
    delegatesPower: messagesOf(tx).some((typeUrl) => typeUrl.startsWith('/cosmos.authz.')),
  }))
}

function isSame({ place }: Use, other: unknown): boolean {
  return JSON.stringify(place, textOf) === JSON.stringify({ ...membersOf(other), signers: place.signers }, textOf)
}

function textOf(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function messagesOf(tx: Uint8Array): readonly string[] {
  return TxBody.decode(TxRaw.decode(tx).bodyBytes).messages.map(({ typeUrl }) => typeUrl)
}
