import type { Control, Departed } from '@svc/contract/control'
import { readAccounts } from '@svc/kit-svm'
import { STAKE_PROGRAM } from './chain/now.ts'
import { powersOver } from './chain/powers.ts'
import { decodeStakeAccount, isUninitialized, speller } from './chain/stake-account.ts'
import type { NativeContext } from './network.ts'

/** Most accounts of a call. @see https://solana.com/docs/rpc/http/getmultipleaccounts (read 2026-11-21) */
const PER_CALL = 100

/**
 * Finds out what became of stake accounts that a wallet had: who owns them now, or that they are gone, merged or withdrawn whole. An account whose withdrawer is still the
 * wallet, as at a node that is behind, is left out.
 *
 * @throws 502, 503, 504
 */
export async function departed({ client }: NativeContext, address: string, ids: readonly string[]): Promise<Departed> {
  const spell = speller()
  const parts = Array.from({ length: Math.ceil(ids.length / PER_CALL) }, (_, at) => ids.slice(at * PER_CALL, (at + 1) * PER_CALL))
  const read = await Promise.all(
    parts.map(async (part): Promise<readonly (readonly [string, readonly Control[] | null])[]> => {
      const accounts = await readAccounts(client, part)
      return part.flatMap((id, index): readonly (readonly [string, readonly Control[] | null])[] => {
        const account = accounts[index] ?? null
        if (account?.owner !== STAKE_PROGRAM || isUninitialized(account.data)) return [[id, null]]
        const stake = decodeStakeAccount(account.data, spell)
        return stake === null || stake.withdrawer === address ? [] : [[id, powersOver(id, stake, address)]]
      })
    }),
  )
  return new Map(read.flat())
}
