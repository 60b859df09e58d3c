import { bcs } from '@mysten/sui/bcs'
import {
  coinType,
  frameworkPackage,
  fungibleDataKeyType,
  fungibleDataType,
  fungibleType,
  maxU64,
  rateType,
  stakedType,
  systemStateType,
} from './constants.ts'
import { madeDigest } from './ids.ts'

/** Who may use an object. */
export type Owner =
  | { readonly kind: 'address'; readonly address: string }
  /** A field of another object. */
  | { readonly kind: 'object'; readonly parent: string }
  | { readonly kind: 'shared'; readonly since: bigint }
  /** A "party" object: an address's own, and sequenced by consensus. */
  | { readonly kind: 'consensus'; readonly address: string; readonly since: bigint }

/** Content of an object after its id; money in MIST. */
export type Content =
  | { readonly kind: 'coin'; readonly balance: bigint }
  | { readonly kind: 'staked'; readonly poolId: string; readonly activationEpoch: bigint; readonly principal: bigint }
  | { readonly kind: 'fungible'; readonly poolId: string; readonly value: bigint }
  | { readonly kind: 'rate'; readonly epoch: bigint; readonly sui: bigint; readonly tokens: bigint }
  | { readonly kind: 'fungible-data'; readonly dataId: string; readonly totalSupply: bigint; readonly principal: bigint }
  | { readonly kind: 'system' }
  | { readonly kind: 'other'; readonly type: string; readonly bytes: Uint8Array }

/** An object as it stands; never changed in place. */
export interface MoveObject {
  readonly id: string
  readonly version: bigint
  /** Base58. */
  readonly digest: string
  readonly owner: Owner
  readonly content: Content
  readonly previousTransaction: string
  /** MIST that its storage cost, most of which comes back when it is deleted. */
  readonly storageRebate: bigint
}

const field = `${frameworkPackage}::dynamic_field::Field`

const types = {
  coin: coinType,
  staked: stakedType,
  fungible: fungibleType,
  rate: `${field}<u64,${rateType}>`,
  'fungible-data': `${field}<${fungibleDataKeyType},${fungibleDataType}>`,
  system: systemStateType,
} as const

/** Names the Move type of an object's content, with addresses in full. */
export function typeOf(content: Content): string {
  return content.kind === 'other' ? content.type : types[content.kind]
}

const address = (value: string) => bcs.Address.serialize(value).toBytes()
const u64 = (value: bigint) => bcs.u64().serialize(value).toBytes()

/** Version of the system state's inner value: 2 since 2023. @see sui_system.move `load_inner_maybe_upgrade` (read 2026-11-21) */
const systemStateVersion = 2n

/** Writes the BCS of an object's Move struct. */
export function contentsOf(id: string, content: Content): Uint8Array {
  const parts: Uint8Array[] = [address(id)]
  switch (content.kind) {
    case 'coin':
      parts.push(u64(content.balance))
      break
    case 'staked':
      parts.push(address(content.poolId), u64(content.activationEpoch), u64(content.principal))
      break
    case 'fungible':
      parts.push(address(content.poolId), u64(content.value))
      break
    case 'rate':
      parts.push(u64(content.epoch), u64(content.sui), u64(content.tokens))
      break
    case 'fungible-data':
      // The key, an empty struct, is one zero byte.
      parts.push(new Uint8Array([0]), address(content.dataId), u64(content.totalSupply), u64(content.principal))
      break
    case 'system':
      parts.push(u64(systemStateVersion))
      break
    case 'other':
      parts.push(content.bytes)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** Tells whether the type of an object has `store`, so that its owner may pass it on. */
export function hasPublicTransfer(content: Content): boolean {
  return content.kind === 'coin' || content.kind === 'staked' || content.kind === 'fungible' || content.kind === 'other'
}

/**
 * Returns the sort key of an object among those of its owner: by type, coins of a type from the largest to the smallest, then by id.
 *
 * @see MystenLabs/sui sui-core rpc_index.rs `OwnerIndexKey` (read 2026-11-25)
 */
export function indexKeyOf({ id, content }: MoveObject): string {
  const inverted = content.kind === 'coin' ? String(maxU64 - content.balance).padStart(20, '0') : ''
  return `${typeOf(content)} ${inverted} ${id}`
}

/** Makes an object, with the digest computed from the rest. */
export function makeObject(parts: Omit<MoveObject, 'digest'>): MoveObject {
  const owner = JSON.stringify(parts.owner, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  return { ...parts, digest: madeDigest('object', parts.id, parts.version, owner, contentsOf(parts.id, parts.content)) }
}
