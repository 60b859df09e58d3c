import { VOTE_PROGRAM_ID } from '@solana/web3.js'
import { SettingsError } from '@svc/contract'
import { readAccounts } from '@svc/kit-svm'
import type { NativeContext } from './network.ts'
import { readVoteAccounts } from './votes.ts'

/** @throws a sentence when the operator's validator is no vote account, does not vote, or pays its delegators nothing */
export async function inspect({ client, network: { validator } }: NativeContext): Promise<void> {
  const [[account], [vote]] = await Promise.all([readAccounts(client, [validator]), readVoteAccounts(client, validator)])
  if (!account) throw new SettingsError(`validator ${validator} does not exist on this chain.`)
  if (account.owner !== VOTE_PROGRAM_ID.toBase58())
    throw new SettingsError(
      `validator ${validator} is no vote account: it belongs to the program ${account.owner}. The address of the vote account is needed, not that of the identity.`,
    )
  if (!vote || vote.delinquent)
    throw new SettingsError(`validator ${validator} is delinquent: it does not vote, so that stake with it earns nothing.`)
  if (vote.commissionPercent >= 100)
    throw new SettingsError(`validator ${validator} takes a commission of 100 %: its delegators earn nothing.`)
}
