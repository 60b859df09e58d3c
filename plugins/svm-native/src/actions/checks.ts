import { type AccountState, readAccounts } from '@svc/kit-svm'
import { VOTE_PROGRAM_ID } from '@svc/solana'
import type { Now } from '../chain/now.ts'
import { CLOCK, EPOCH_REWARDS, nowOf, STAKE_HISTORY, STAKE_PROGRAM } from '../chain/now.ts'
import { decodeStakeAccount, type StakeAccount } from '../chain/stake-account.ts'
import { badGateway, badRequest, unavailable } from '../codes.ts'
import type { NativeContext } from '../network.ts'

/** A stake account with all that the chain will judge it by, of one slot. */
export interface Subject {
  readonly lamports: bigint
  readonly account: StakeAccount
  readonly now: Now
}

/** Reads the stake account that a request names. @throws 400 STAKE_ACCOUNT_MISSING, STAKE_ACCOUNT_INVALID; 503 EPOCH_REWARDS */
export async function readSubject({ client }: NativeContext, address: string): Promise<Subject> {
  const subject = await readAccounts(client, [address, CLOCK, STAKE_HISTORY, EPOCH_REWARDS], ([entry, clock, history, rewards]) => {
    const now = nowOf(clock, history, rewards)
    if (!entry)
      throw badRequest(
        'STAKE_ACCOUNT_MISSING',
        `stake_account_address ${address} does not exist: it was withdrawn whole, or the transaction that makes it has not landed yet.`,
      )
    const account = entry.owner === STAKE_PROGRAM ? decodeStakeAccount(entry.data) : null
    if (!account)
      throw badRequest(
        'STAKE_ACCOUNT_INVALID',
        `stake_account_address ${address} is no stake account; take the id of an object of the balance.`,
      )
    return { lamports: entry.lamports, account, now }
  })
  refuseDuringRewards(subject.now.paying)
  return subject
}

/** Refuses a wallet that is not the authority over a stake account. @throws 400 AUTHORITY_OTHER unless the wallet is the authority */
export function requireAuthority(address: string, authority: string, wallet: string, may: string): void {
  if (authority !== wallet)
    throw badRequest('AUTHORITY_OTHER', `${may} stake_account_address ${address} is up to ${authority}, not to ${wallet}.`)
}

/** Refuses settings whose validator is no vote account. @throws 502 VALIDATOR_UNKNOWN unless there is a vote account at the operator's validator */
export function requireVoteAccount({ network: { validator, chainId } }: NativeContext, account: AccountState | null): void {
  if (account?.owner !== VOTE_PROGRAM_ID.toBase58())
    throw badGateway('VALIDATOR_UNKNOWN', `${validator} is no vote account of ${chainId}; the operator has to mend that setting.`)
}

/** Refuses a change of stake accounts in the first blocks of an epoch, in which they are closed to everybody. @throws 503 EPOCH_REWARDS */
export function refuseDuringRewards(paying: boolean): void {
  if (!paying) return
  throw unavailable(
    'EPOCH_REWARDS',
    'The chain is paying out the rewards of the last epoch, and changes no stake account meanwhile; try again in a minute.',
    60,
  )
}
