import type { Facts } from '@svc/contract'
import type { FungibleStake, Stake } from '../chain/layouts.ts'
import { MOST_OBJECTS } from '../digests.ts'

/** A stake in the version in which it was read. */
export interface HeldStake extends Stake {
  readonly version: bigint
}

/** Fungible stake in the version in which it was read. */
export interface HeldShare extends FungibleStake {
  readonly version: bigint
}

/** Place of a pool's rates. */
export interface RateTable {
  readonly table: string
  /** Epoch from which the pool has rates; 0 where that is not known. */
  readonly since: bigint
}

/** Position of a wallet at one height, with all that its rewards follow from. */
export interface PositionState {
  readonly epoch: bigint
  readonly stakes: readonly HeldStake[]
  readonly shares: readonly HeldShare[]
  /** Tables of the pools of these, by pool. */
  readonly tables: ReadonlyMap<string, RateTable>
}

/** Writes the facts that a book keeps of a position; null for a position of too many objects. */
export function factsOf({ epoch, stakes, shares, tables }: PositionState): Facts | null {
  if (stakes.length + shares.length > MOST_OBJECTS) return null
  const pools = [...tables.keys()]
  return {
    epoch: `${epoch}`,
    pools: pools.map((pool) => [pool, tables.get(pool)?.table, tables.get(pool)?.since].join('@')).join(' '),
    stakes: stakes
      .map(({ id, version, pool, activationEpoch, principal }) => [id, version, pools.indexOf(pool), activationEpoch, principal].join('@'))
      .join(' '),
    shares: shares.map(({ id, version, pool, value }) => [id, version, pools.indexOf(pool), value].join('@')).join(' '),
  }
}

/** Reads what `factsOf` wrote; null where it wrote nothing. */
export function stateOf({ epoch, pools: places = '', stakes = '', shares = '' }: Facts): PositionState | null {
  if (epoch === undefined) return null
  const pools = rowsOf(places)
  const poolAt = (index = '') => pools[Number(index)]?.[0] ?? ''
  return {
    epoch: BigInt(epoch),
    tables: new Map(pools.map(([pool = '', table = '', since = '0']) => [pool, { table, since: BigInt(since) }])),
    stakes: rowsOf(stakes).map(([id = '', version = '0', pool, activation = '0', principal = '0']) => ({
      id,
      version: BigInt(version),
      pool: poolAt(pool),
      activationEpoch: BigInt(activation),
      principal: BigInt(principal),
    })),
    shares: rowsOf(shares).map(([id = '', version = '0', pool, value = '0']) => ({
      id,
      version: BigInt(version),
      pool: poolAt(pool),
      value: BigInt(value),
    })),
  }
}

function rowsOf(text: string): readonly (readonly string[])[] {
  return text.split(' ').flatMap((row) => (row === '' ? [] : [row.split('@')]))
}
