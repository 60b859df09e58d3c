import type { Facts } from '@svc/contract'
import type { Pool } from '../staking/shares.ts'

/** An exit on its way, by the height at which it began. */
export interface Exit {
  readonly height: bigint
  /** Base units. */
  readonly balance: bigint
  readonly completesAt: Date
}

/** State of a delegator with the operator's validator, besides its amounts. */
export interface DelegatorState {
  /** Sequence of the account's next transaction. */
  readonly sequence: bigint
  /** Somebody else may act for the account, or it is not known that nobody may. */
  readonly isGranted: boolean
  /** Shares of the delegation, times 10^18. A slash changes what they are worth, and never how many they are. */
  readonly shares: bigint
  /** null where the chain has no such validator any more. */
  readonly pool: Pool | null
  readonly exits: readonly Exit[]
}

/** Writes a state as facts that a book keeps. */
export function factsOf({ sequence, isGranted, shares, pool, exits }: DelegatorState): Facts {
  return {
    sequence: `${sequence}`,
    granted: isGranted ? 'yes' : 'no',
    shares: `${shares}`,
    ...(pool && { pool: `${pool.tokens} ${pool.shares}` }),
    exits: exits.map(({ height, balance, completesAt }) => `${height}@${balance}@${completesAt.getTime()}`).join(' '),
  }
}

/** Reads what `factsOf` wrote. */
export function stateOf({ sequence = '0', granted, shares: own = '0', pool = '', exits = '' }: Facts): DelegatorState {
  const [tokens, shares] = pool.split(' ').filter(Boolean).map(BigInt)
  return {
    sequence: BigInt(sequence),
    isGranted: granted !== 'no',
    shares: BigInt(own),
    pool: tokens === undefined || shares === undefined ? null : { tokens, shares },
    exits: exits
      .split(' ')
      .filter(Boolean)
      .map((text) => {
        const [height = 0n, balance = 0n, time = 0n] = text.split('@').map(BigInt)
        return { height, balance, completesAt: new Date(Number(time)) }
      }),
  }
}
