import { bcs } from '@mysten/sui/bcs'
import { normalizeStructTag } from '@mysten/sui/utils'
import { exactly } from './layouts.ts'

/**
 * Events of staking, as BCS of their Move structs. Amounts in MIST.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-framework/packages/sui-system/sources/validator.move (read 2026-11-22)
 */
const Staking = bcs.struct('StakingRequestEvent', {
  pool: bcs.Address,
  validator: bcs.Address,
  staker: bcs.Address,
  epoch: bcs.u64(),
  amount: bcs.u64(),
})
const Unstaking = bcs.struct('UnstakingRequestEvent', {
  pool: bcs.Address,
  validator: bcs.Address,
  staker: bcs.Address,
  activationEpoch: bcs.u64(),
  epoch: bcs.u64(),
  principal: bcs.u64(),
  reward: bcs.u64(),
})
const Redeeming = bcs.struct('RedeemingFungibleStakedSuiEvent', { pool: bcs.Address, value: bcs.u64(), amount: bcs.u64() })

const Converting = bcs.struct('ConvertingToFungibleStakedSuiEvent', {
  pool: bcs.Address,
  activationEpoch: bcs.u64(),
  principal: bcs.u64(),
  value: bcs.u64(),
})

/** Event of staking. Amounts in MIST, values in tokens of the pool. */
export type StakingEvent =
  | {
      readonly kind: 'staked'
      readonly pool: string
      readonly staker: string
      readonly activationEpoch: bigint
      readonly principal: bigint
    }
  | {
      readonly kind: 'unstaked'
      readonly pool: string
      readonly staker: string
      readonly activationEpoch: bigint
      readonly principal: bigint
      readonly reward: bigint
    }
  | {
      readonly kind: 'converted'
      readonly pool: string
      readonly activationEpoch: bigint
      readonly principal: bigint
      readonly value: bigint
    }
  | { readonly kind: 'redeemed'; readonly pool: string; readonly value: bigint; readonly amount: bigint }

const READERS: Readonly<Record<string, (contents: Uint8Array) => StakingEvent>> = {
  [normalizeStructTag('0x3::validator::StakingRequestEvent')]: (contents) => {
    const { pool, staker, epoch, amount } = whole(Staking, 112, contents)
    return { kind: 'staked', pool, staker, activationEpoch: BigInt(epoch) + 1n, principal: BigInt(amount) }
  },
  [normalizeStructTag('0x3::validator::UnstakingRequestEvent')]: (contents) => {
    const { pool, staker, activationEpoch, principal, reward } = whole(Unstaking, 128, contents)
    return {
      kind: 'unstaked',
      pool,
      staker,
      activationEpoch: BigInt(activationEpoch),
      principal: BigInt(principal),
      reward: BigInt(reward),
    }
  },
  [normalizeStructTag('0x3::validator::ConvertingToFungibleStakedSuiEvent')]: (contents) => {
    const { pool, activationEpoch, principal, value } = whole(Converting, 56, contents)
    return { kind: 'converted', pool, activationEpoch: BigInt(activationEpoch), principal: BigInt(principal), value: BigInt(value) }
  },
  [normalizeStructTag('0x3::validator::RedeemingFungibleStakedSuiEvent')]: (contents) => {
    const { pool, value, amount } = whole(Redeeming, 48, contents)
    return { kind: 'redeemed', pool, value: BigInt(value), amount: BigInt(amount) }
  },
}

/** Reads an event of staking; null for any other event. @throws RangeError for contents of another layout */
export function readStakingEvent(type: string, contents: Uint8Array): StakingEvent | null {
  return READERS[normalizeStructTag(type)]?.(contents) ?? null
}

/** Movement that an event tells. */
interface Movement {
  readonly kind: 'staked' | 'freed'
  /** MIST; of what is freed, principal and rewards together, as it is paid. */
  readonly amount: bigint
}

/** Reads what an event stakes or frees; null for any other event. @throws RangeError for contents of another layout */
export function readMovement(type: string, contents: Uint8Array): Movement | null {
  const event = readStakingEvent(type, contents)
  switch (event?.kind) {
    case 'staked':
      return { kind: 'staked', amount: event.principal }
    case 'unstaked':
      return { kind: 'freed', amount: event.principal + event.reward }
    case 'redeemed':
      return { kind: 'freed', amount: event.amount }
    default:
      return null
  }
}

/** Returns the staker of a `StakingRequestEvent`, who is the sender of the transaction; null for contents of another layout. */
export function readStaker(contents: Uint8Array): string | null {
  return exactly(Staking, 112, contents)?.staker ?? null
}

function whole<T>(layout: { readonly name: string; parse(bytes: Uint8Array): T }, size: number, contents: Uint8Array): T {
  const value = exactly(layout, size, contents)
  if (value !== null) return value
  throw new RangeError(`${layout.name} has ${contents.length} bytes, and not ${size}`)
}
