import type { Balance, StakedObject } from '@svc/contract'
import { readDelegate, walletPowers } from '@svc/kit-evm'
import { assetsOf } from './chain/pool.ts'
import { isReady, type Request, readPosition } from './chain/request.ts'
import type { LiquidContext } from './network.ts'

/** Reads the worth of an address's shares, and its redeem request if it has one. @throws 502 when it cannot be read */
export async function balance(ctx: LiquidContext, address: string): Promise<Balance> {
  const [{ shares, pool, request, now }, delegate] = await Promise.all([readPosition(ctx, address), readDelegate(ctx.client, address)])
  const objects = request ? [objectOf(request, now)] : []
  // An exit that cannot be read is in one of two buckets, and 0 would be wrong of one of them.
  const isKnown = request?.unreadable === undefined
  const sum = (status: StakedObject['status']) =>
    isKnown ? objects.reduce((total, object) => (object.status === status ? total + (object.amount ?? 0n) : total), 0n) : null
  return {
    staked: assetsOf(shares, pool),
    activating: null,
    deactivating: sum('deactivating'),
    withdrawing: sum('withdrawable'),
    rewards: null,
    objects,
    control: walletPowers(delegate),
  }
}

function objectOf({ id, terms }: Request, now: bigint): StakedObject {
  return {
    id: String(id),
    type: 'withdrawal_request',
    status: terms === null ? 'unknown' : isReady(terms, now) ? 'withdrawable' : 'deactivating',
    amount: terms?.assets ?? null,
    rewards: null,
    validator: null,
    activationEpoch: null,
    withdrawableEpoch: null,
    withdrawableAt: terms === null ? null : new Date(Number(terms.readyAt) * 1000),
  }
}
