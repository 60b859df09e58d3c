import { malformed, readVoteAccounts } from '@svc/kit-svm'
import type { LiquidContext } from '../network.ts'

/** Reads the share of its inflation rewards that a validator keeps, in percent. @throws 502, 503, 504 */
export async function readCommission({ client }: LiquidContext, vote: string): Promise<number> {
  return readVoteAccounts(
    client,
    (accounts) => {
      const own = accounts.find(({ address }) => address === vote)
      if (own === undefined) throw malformed()
      return own.commissionPercent
    },
    vote,
  )
}
