import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Balance, inTurns, type StakedObject } from '@svc/contract'
import type { Control } from '@svc/contract/control'
import { type AccountState, assignedTo, type FoundAccount, findAccounts, readAccounts, walletPowers } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { CLOCK, EPOCH_REWARDS, type Now, nowOf, STAKE_HISTORY, STAKE_PROGRAM } from './chain/now.ts'
import { objectOf } from './chain/position.ts'
import { powersOver } from './chain/powers.ts'
import { decodeStakeAccount, OFFSET, STAKE_SPACE, speller } from './chain/stake-account.ts'
import { digestOf } from './digests.ts'
import type { NativeContext } from './network.ts'

/** Accounts that are worked out before others get their turn: a few milliseconds' worth. */
const SLICE = 250
/** Turns of wallets with more accounts than that, one at a time. */
const oneByOne = inTurns()

/** Lists every stake account from which the address may withdraw, with any validator. @throws 502, 503 when the chain cannot be asked */
export async function balance({ client }: NativeContext, address: string): Promise<Balance> {
  const owner = new PublicKey(address).toBytes()
  const isOwners = (data: Buffer) =>
    data.length === STAKE_SPACE && data.compare(owner, 0, 32, OFFSET.withdrawer, OFFSET.withdrawer + 32) === 0
  const [accounts, { now, wallet }] = await Promise.all([
    findAccounts(client, {
      program: STAKE_PROGRAM,
      filters: [{ dataSize: STAKE_SPACE }, { memcmp: { offset: OFFSET.withdrawer, bytes: address } }],
      fits: isOwners,
    }),
    readAccounts(client, [CLOCK, STAKE_HISTORY, EPOCH_REWARDS, address], ([clock, history, rewards, wallet = null]) => ({
      now: nowOf(clock, history, rewards),
      wallet,
    })),
  ])
  const sum = () => summed(address, wallet, accounts, now)
  return accounts.length > SLICE ? oneByOne(sum) : sum()
}

async function summed(owner: string, wallet: AccountState | null, accounts: readonly FoundAccount[], now: Now): Promise<Balance> {
  const spell = speller()
  const objects: StakedObject[] = []
  const control: Control[] = []
  const units: Parameters<typeof digestOf>[0][number][] = []
  const sums = { active: 0n, activating: 0n, deactivating: 0n, withdrawable: 0n, unknown: 0n }
  for (const [index, { address: id, lamports, data }] of accounts.entries()) {
    if (index > 0 && index % SLICE === 0) await nextTurn()
    const account = decodeStakeAccount(data, spell)
    if (account) {
      const { staker, lockup, delegation } = account
      units.push({ id, lamports, staker, lockup, delegation })
      control.push(...powersOver(id, account, owner))
    }
    const object = objectOf(id, lamports, account, now)
    objects.push(object)
    sums[object.status] += object.amount ?? 0n
  }
  return {
    staked: sums.active,
    activating: sums.activating,
    deactivating: sums.deactivating,
    withdrawing: sums.withdrawable,
    rewards: null,
    // Nodes answer in no order; callers compare answers.
    objects: objects.sort((a, b) => (a.id < b.id ? -1 : 1)),
    control: [...control.sort((a, b) => (`${a.objectId} ${a.aspect}` < `${b.objectId} ${b.aspect}` ? -1 : 1)), ...walletPowers(wallet)],
    ...(units.length === objects.length ? { digest: digestOf(units, {}, assignedTo(wallet)) } : {}),
  }
}
