import type { KnownPosition } from '@svc/contract'
import { readAccounts } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { STAKE_PROGRAM } from './chain/now.ts'
import { type Delegation, decodeStakeAccount, NEVER, speller } from './chain/stake-account.ts'
import { readValidatorStake } from './chain/validator-stake.ts'
import type { NativeContext } from './network.ts'

/** Most accounts of a call. @see https://solana.com/docs/rpc/http/getmultipleaccounts (read 2026-11-21) */
const PER_CALL = 100

/** Facts of a stake account that a digest covers. */
interface Unit {
  readonly id: string
  readonly lamports: bigint
  readonly delegation: Omit<Delegation, 'stake'> | null
}

/** A known account that is somewhere else: null where it is gone or no longer the wallet's. */
type Elsewhere = Unit | null | 'unreadable'

/**
 * The digests of many positions: the stake accounts with the operator's validator by one search for all, and those that were known elsewhere by their
 * addresses. An account elsewhere that nobody knows of yet is found when the position is read whole.
 *
 * @throws 502, 503, 504, also where the endpoints refuse the search
 */
export async function digests(ctx: NativeContext, positions: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>> {
  const byOwner = await readValidatorStake(ctx)
  const wallets = positions.map(({ address, objects }) => {
    const own = byOwner.get(Buffer.from(new PublicKey(address).toBytes()).toString('hex')) ?? []
    const ids = new Set(own.map(({ id }) => id))
    return { address, own, others: objects.filter((id) => !ids.has(id)) }
  })
  const elsewhere = await readElsewhere(
    ctx,
    wallets.flatMap(({ address, others }) => others.map((id) => [id, address] as const)),
  )
  return new Map(
    wallets.flatMap(({ address, own, others }) => {
      const units = others.map((id) => elsewhere.get(id) ?? null)
      if (units.includes('unreadable')) return []
      return [[address, digestOf([...own, ...units.filter((unit) => unit !== null && unit !== 'unreadable')])] as const]
    }),
  )
}

/**
 * Digests what only transactions change of stake accounts. Rewards are paid into delegated accounts, so that lamports count in the others alone; the last
 * rewards come when the epoch of the deactivation ends, at which the position is read anyway.
 */
export function digestOf(units: readonly Unit[]): string {
  return units
    .map(({ id, lamports, delegation }) => {
      if (delegation === null) return `${id} ${lamports}`
      const { voter, activationEpoch, deactivationEpoch } = delegation
      const times = `${voter} ${activationEpoch}`
      return deactivationEpoch === NEVER ? `${id} ${times}` : `${id} ${times} ${deactivationEpoch} ${lamports}`
    })
    .sort()
    .join(', ')
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
        return [id, stake.withdrawer === owner ? { id, lamports: account.lamports, delegation: stake.delegation } : null]
      })
    }),
  )
  return new Map(read.flat())
}
