import type { Balance, StakedObject } from '@svc/contract'
import { readAccounts } from '@svc/kit-svm'
import { findAccounts } from './answers.ts'
import { CLOCK, nowOf, STAKE_HISTORY, STAKE_PROGRAM } from './chain-state.ts'
import type { NativeContext } from './network.ts'
import { objectOf } from './position.ts'
import { decodeStakeAccount, OFFSET, STAKE_SPACE } from './stake-account.ts'

/** Every stake account whose lamports are the address's, on whichever validator. @throws 502, 503 when the chain cannot be asked */
export async function balance({ client }: NativeContext, address: string): Promise<Balance> {
  const [accounts, [clock, history]] = await Promise.all([
    findAccounts(client, STAKE_PROGRAM, [{ dataSize: STAKE_SPACE }, { memcmp: { offset: OFFSET.withdrawer, bytes: address } }]),
    readAccounts(client, [CLOCK, STAKE_HISTORY]),
  ])
  const now = nowOf(clock, history)
  const objects = accounts
    .map(({ address: id, lamports, data }) => objectOf(id, lamports, decodeStakeAccount(data), now))
    // Nodes answer in no order; callers compare answers.
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const sum = (status: StakedObject['status']) =>
    objects.reduce((total, object) => (object.status === status ? total + (object.amount ?? 0n) : total), 0n)
  return {
    staked: sum('active'),
    activating: sum('activating'),
    deactivating: sum('deactivating'),
    withdrawing: sum('withdrawable'),
    rewards: null,
    objects,
  }
}
