import type { KnownPosition } from '@svc/contract'
import { assignedTo, readAccounts, readManyAccounts } from '@svc/kit-svm'
import { STAKE_PROGRAM } from './chain/now.ts'
import { type Delegation, decodeStakeAccount, type Lockup, NEVER, speller } from './chain/stake-account.ts'
import { readValidatorStake } from './chain/validator-stake.ts'
import type { NativeContext } from './network.ts'

/** Most accounts of a call. @see https://solana.com/docs/rpc/http/getmultipleaccounts (read 2026-11-21) */
const PER_CALL = 100

/** Accounts of wallets are asked for whose they are alone. */
const NO_DATA = { offset: 0, length: 0 } as const

/** Facts of a stake account that a digest covers. */
interface Unit {
  readonly id: string
  readonly lamports: bigint
  readonly staker: string
  readonly lockup: Lockup
  readonly delegation: Omit<Delegation, 'stake'> | null
}

/** A known account that is somewhere else: null where it is gone or no longer the wallet's. */
type Elsewhere = Unit | null | 'unreadable'

/**
 * Makes the digests of many positions: from the stake accounts with the operator's validator, by one search for all; from those known elsewhere, by their addresses; and
 * from the owner of each wallet's own account. An unknown account elsewhere is found when the position is read whole.
 *
 * @throws 502, 503, 504, also where the endpoints refuse the search
 */
export async function digests(ctx: NativeContext, positions: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>> {
  const byOwner = await readValidatorStake(ctx)
  const wallets = positions.map(({ address, objects, amounts = {} }) => {
    const own = byOwner.get(address) ?? []
    const ids = new Set(own.map(({ id }) => id))
    return { address, amounts, own, others: objects.filter((id) => !ids.has(id)) }
  })
  const [elsewhere, accounts] = await Promise.all([
    readElsewhere(
      ctx,
      wallets.flatMap(({ address, others }) => others.map((id) => [id, address] as const)),
    ),
    readManyAccounts(
      ctx.client,
      wallets.map(({ address }) => address),
      NO_DATA,
    ),
  ])
  return new Map(
    wallets.flatMap(({ address, amounts, own, others }, index) => {
      const units = others.map((id) => elsewhere.get(id) ?? null)
      if (units.includes('unreadable')) return []
      const all = [...own, ...units.filter((unit) => unit !== null && unit !== 'unreadable')]
      return [[address, digestOf(all, amounts, assignedTo(accounts[index] ?? null))] as const]
    }),
  )
}

/**
 * Makes a digest of the parts of stake accounts that only transactions change: the powers over each, and its state. Rewards are paid into delegated accounts, so that
 * lamports count in the others alone; the last rewards come when the epoch of the deactivation ends, at which the position is read anyway. But rewards never decrease a
 * balance: an account that holds less than it was known to hold is marked.
 *
 * @param known lamports of the last whole reading, by account. @default none are known, as in a whole reading
 * @param program that the wallet's own account was assigned to. @default none
 */
export function digestOf(units: readonly Unit[], known: Readonly<Record<string, bigint>> = {}, program: string | null = null): string {
  const texts = units
    .map((unit) => {
      const { id, lamports } = unit
      const isLess = Object.hasOwn(known, id) && lamports < (known[id] ?? 0n)
      return `${textOf(unit)}${isLess ? ' less' : ''}`
    })
    .sort()
  return [...texts, ...(program === null ? [] : [`wallet ${program}`])].join(', ')
}

/** Writes the parts of a stake account that only transactions change. */
export function textOf({ id, lamports, staker, lockup, delegation }: Unit): string {
  const power = `${id} ${staker} ${lockup.unixTimestamp} ${lockup.epoch} ${lockup.custodian}`
  if (delegation === null) return `${power} ${lamports}`
  const { voter, activationEpoch, deactivationEpoch } = delegation
  const times = `${voter} ${activationEpoch}`
  return deactivationEpoch === NEVER ? `${power} ${times}` : `${power} ${times} ${deactivationEpoch} ${lamports}`
}

async function readElsewhere({ client }: NativeContext, pairs: readonly (readonly [id: string, owner: string])[]) {
  const spell = speller()
  const parts = Array.from({ length: Math.ceil(pairs.length / PER_CALL) }, (_, at) => pairs.slice(at * PER_CALL, (at + 1) * PER_CALL))
  const read = await Promise.all(
    parts.map(async (part): Promise<readonly (readonly [string, Elsewhere])[]> => {
      const accounts = await readAccounts(
        client,
        part.map(([id]) => id),
      )
      return part.map(([id, owner], index) => {
        const account = accounts[index] ?? null
        if (account?.owner !== STAKE_PROGRAM) return [id, null]
        const stake = decodeStakeAccount(account.data, spell)
        if (stake === null) return [id, 'unreadable']
        const { staker, lockup, delegation } = stake
        return [id, stake.withdrawer === owner ? { id, lamports: account.lamports, staker, lockup, delegation } : null]
      })
    }),
  )
  return new Map(read.flat())
}
