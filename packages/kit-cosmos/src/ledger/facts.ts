import type { Facts } from '@svc/contract'
import type { Pool } from '../staking/shares.ts'

/** An exit on its way, by the height at which it began. */
export interface Exit {
  readonly height: bigint
  /** Base units. */
  readonly balance: bigint
  readonly completesAt: Date
}

/** Delegation with one validator. */
export interface Share {
  /** Operator address. */
  readonly validator: string
  /** Shares of the delegation, times 10^18. A slash changes what they are worth, and never how many they are. */
  readonly shares: bigint
  /** Holdings of the validator; null where the chain no longer has it. */
  readonly pool: Pool | null
}

/** State of a delegator with the operator's validators, besides its amounts. */
export interface DelegatorState {
  /** Sequence of the account's next transaction. */
  readonly sequence: bigint
  /** True if somebody else may act for the account, or if it is not known that nobody may. */
  readonly isGranted: boolean
  /** One for each validator, in the order of the settings. */
  readonly delegations: readonly Share[]
  readonly exits: readonly Exit[]
  /** Denominations besides the chain's own that the book keeps; null: it is of a version that knew the chain's own alone. */
  readonly denoms: readonly string[] | null
  /** True if there were others that it leaves out. */
  readonly isPartial: boolean
}

/** Writes a delegator's state as facts that a book keeps. */
export function factsOf({ sequence, isGranted, delegations, exits, denoms, isPartial }: DelegatorState): Facts {
  return {
    sequence: `${sequence}`,
    granted: isGranted ? 'yes' : 'no',
    delegations: delegations
      .map(({ validator, shares, pool }) => [validator, shares, ...(pool ? [pool.tokens, pool.shares] : [])].join('@'))
      .join(' '),
    exits: exits.map(({ height, balance, completesAt }) => `${height}@${balance}@${completesAt.getTime()}`).join(' '),
    ...(denoms && denomsToFacts(denoms)),
    ...(isPartial ? { left_out: 'yes' } : {}),
  }
}

/** Writes the denominations that a book keeps as facts. */
export function denomsToFacts(denoms: readonly string[]): Facts {
  return { denoms: denoms.join(' ') }
}

/**
 * Reads a delegator's state from the facts that `factsOf` wrote.
 *
 * @param validator of a state that names none: it is of a version that knew the present one alone, and wrote its shares and pool by themselves
 */
export function stateOf(facts: Facts, validator: string): DelegatorState {
  const { sequence = '0', granted, delegations, shares = '0', pool = '', exits = '', denoms, left_out: leftOut } = facts
  const texts = delegations?.split(' ').filter(Boolean) ?? [[validator, shares, ...pool.split(' ').filter(Boolean)].join('@')]
  return {
    sequence: BigInt(sequence),
    isGranted: granted !== 'no',
    delegations: texts.map((text) => {
      const [name = '', own = '0', tokens, all] = text.split('@')
      const isKnown = tokens !== undefined && all !== undefined
      return { validator: name, shares: BigInt(own), pool: isKnown ? { tokens: BigInt(tokens), shares: BigInt(all) } : null }
    }),
    exits: exits
      .split(' ')
      .filter(Boolean)
      .map((text) => {
        const [height = 0n, balance = 0n, time = 0n] = text.split('@').map(BigInt)
        return { height, balance, completesAt: new Date(Number(time)) }
      }),
    denoms: denoms?.split(' ').filter(Boolean) ?? null,
    isPartial: leftOut === 'yes',
  }
}
