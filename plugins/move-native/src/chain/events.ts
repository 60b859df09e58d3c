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

/** Movement that an event tells. */
interface Movement {
  readonly kind: 'staked' | 'freed'
  /** MIST; of what is freed, principal and rewards together, as it is paid. */
  readonly amount: bigint
}

const READERS: Readonly<Record<string, (contents: Uint8Array) => Movement>> = {
  [normalizeStructTag('0x3::validator::StakingRequestEvent')]: (contents) => ({
    kind: 'staked',
    amount: BigInt(whole(Staking, 112, contents).amount),
  }),
  [normalizeStructTag('0x3::validator::UnstakingRequestEvent')]: (contents) => {
    const { principal, reward } = whole(Unstaking, 128, contents)
    return { kind: 'freed', amount: BigInt(principal) + BigInt(reward) }
  },
  [normalizeStructTag('0x3::validator::RedeemingFungibleStakedSuiEvent')]: (contents) => ({
    kind: 'freed',
    amount: BigInt(whole(Redeeming, 48, contents).amount),
  }),
}

/** Reads an event of staking; null for any other event. @throws RangeError for contents of another layout */
export function readMovement(type: string, contents: Uint8Array): Movement | null {
  return READERS[normalizeStructTag(type)]?.(contents) ?? null
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
