import { bcs } from '@mysten/sui/bcs'
import { deriveDynamicFieldID, normalizeStructTag } from '@mysten/sui/utils'

/**
 * Layouts of the system package's staking module, as the node answers them: BCS of the Move struct. A `Balance` is its u64.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-framework/packages/sui-system/sources/staking_pool.move (read 2026-11-21)
 */
const StakedSui = bcs.struct('StakedSui', {
  id: bcs.Address,
  pool: bcs.Address,
  activationEpoch: bcs.u64(),
  principal: bcs.u64(),
})
const FungibleStakedSui = bcs.struct('FungibleStakedSui', { id: bcs.Address, pool: bcs.Address, value: bcs.u64() })
const ExchangeRateField = bcs.struct('Field<u64, PoolTokenExchangeRate>', {
  id: bcs.Address,
  epoch: bcs.u64(),
  sui: bcs.u64(),
  tokens: bcs.u64(),
})
// A Move struct without members has one bool of its own, which is the whole of the key.
const FungibleDataField = bcs.struct('Field<FungibleStakedSuiDataKey, FungibleStakedSuiData>', {
  id: bcs.Address,
  key: bcs.bool(),
  dataId: bcs.Address,
  supply: bcs.u64(),
  principal: bcs.u64(),
})

export const STAKED_SUI = normalizeStructTag('0x3::staking_pool::StakedSui')
export const FUNGIBLE_STAKED_SUI = normalizeStructTag('0x3::staking_pool::FungibleStakedSui')
const FUNGIBLE_DATA_KEY = '0x3::staking_pool::FungibleStakedSuiDataKey'

/** A stake with one validator's pool. Amounts in MIST. */
export interface Stake {
  /** The object's own, which its content begins with. */
  readonly id: string
  readonly pool: string
  readonly activationEpoch: bigint
  readonly principal: bigint
}

/** A share of a pool's fungible stake. */
export interface FungibleStake {
  /** The object's own. */
  readonly id: string
  readonly pool: string
  /** Pool tokens. */
  readonly value: bigint
}

/** Worth of a pool's tokens at an epoch: so much SUI, in MIST, for so many tokens. Zeros mean one to one. */
export interface Rate {
  readonly sui: bigint
  readonly tokens: bigint
}

/** All fungible stake of a pool: tokens, and the MIST that were staked for them. */
export interface FungibleData {
  readonly supply: bigint
  readonly principal: bigint
}

/** Reads a stake from the content of its object. @returns null when the bytes are of another layout, as does every reader here */
export function readStake(content: Uint8Array | undefined): Stake | null {
  const fields = exactly(StakedSui, 80, content)
  return (
    fields && { id: fields.id, pool: fields.pool, activationEpoch: BigInt(fields.activationEpoch), principal: BigInt(fields.principal) }
  )
}

/** Reads an object of fungible stake: its pool, and its worth in pool tokens. */
export function readFungibleStake(content: Uint8Array | undefined): FungibleStake | null {
  const fields = exactly(FungibleStakedSui, 72, content)
  return fields && { id: fields.id, pool: fields.pool, value: BigInt(fields.value) }
}

/** Reads an entry of a pool's table of rates. */
export function readRate(content: Uint8Array | undefined): (Rate & { readonly epoch: bigint }) | null {
  const fields = exactly(ExchangeRateField, 56, content)
  return fields && { epoch: BigInt(fields.epoch), sui: BigInt(fields.sui), tokens: BigInt(fields.tokens) }
}

/** Reads the field of a pool that holds all of its fungible stake. @returns null where the bytes are missing, or of another layout */
export function readFungibleData(content: Uint8Array | undefined): FungibleData | null {
  const fields = exactly(FungibleDataField, 81, content)
  return fields && { supply: BigInt(fields.supply), principal: BigInt(fields.principal) }
}

/** Derives the object id of a pool's rate at an epoch. The object is missing where the epoch has no entry. */
export function rateId(table: string, epoch: bigint): string {
  return deriveDynamicFieldID(table, 'u64', bcs.u64().serialize(epoch).toBytes())
}

/** Derives the object id of a pool's fungible stake, from the bag of its further fields. The object is missing until stake was first made fungible. */
export function fungibleDataId(bag: string): string {
  return deriveDynamicFieldID(bag, FUNGIBLE_DATA_KEY, Uint8Array.of(0))
}

/** Parses content of exactly `size` bytes; null for any other size. The BCS reader ignores surplus bytes, while a longer layout is a different one. */
export function exactly<T>(type: { parse(bytes: Uint8Array): T }, size: number, content: Uint8Array | undefined): T | null {
  return content?.length === size ? type.parse(content) : null
}
