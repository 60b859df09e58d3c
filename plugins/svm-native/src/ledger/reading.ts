import type { Facts } from '@svc/contract'
import type { BookReading } from '@svc/contract/book'
import { findAccounts, malformed, readEpoch, readFinalAccounts } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { CLOCK, STAKE_PROGRAM } from '../chain/now.ts'
import { decodeStakeAccount, OFFSET, STAKE_SPACE } from '../chain/stake-account.ts'
import { decodeClock } from '../chain/sysvars.ts'
import type { NativeContext } from '../network.ts'

/** Lamports by stake account. */
export type Holdings = ReadonlyMap<string, bigint>

/** Most stake accounts of a wallet whose book is kept: they are read with the clock in one call, which takes a hundred. */
const MOST_ACCOUNTS = 99
/** Fact of a reading that has more of them. */
const TOO_MANY = 'too-many'

/**
 * Reads the lamports in all stake accounts from which an address may withdraw, in the last final slot, in two round trips: a search of the accounts, and all of them in one
 * slot, with the clock, which says the slot a second time.
 *
 * @throws 502, 503, 504
 */
export async function reading({ client }: NativeContext, address: string): Promise<BookReading> {
  const [ids, epoch] = await Promise.all([accountsOf(client, address), readEpoch(client, 'finalized')])
  const isKept = ids.length <= MOST_ACCOUNTS
  const { clock, holdings } = await readHoldings(client, address, isKept ? ids : [])
  // Where an epoch has begun between the two, all is read again.
  if (clock.epoch !== BigInt(Math.floor(epoch.number))) throw malformed({ clock, epoch })
  const stake = [...holdings.values()].reduce((sum, lamports) => sum + lamports, 0n)
  return {
    mark: { height: clock.slot, hash: null, time: new Date(Number(clock.unixTimestamp) * 1000), epoch: Number(clock.epoch) },
    amounts: stake > 0n ? { stake } : {},
    keep: isKept ? Object.fromEntries([...holdings].map(([id, lamports]) => [id, `${lamports}`])) : { [TOO_MANY]: `${ids.length}` },
  }
}

/** Finds the stake accounts of an owner. */
async function accountsOf(client: NativeContext['client'], address: string): Promise<readonly string[]> {
  const owner = new PublicKey(address).toBytes()
  const accounts = await findAccounts(client, {
    program: STAKE_PROGRAM,
    filters: [{ dataSize: STAKE_SPACE }, { memcmp: { offset: OFFSET.withdrawer, bytes: address } }],
    dataSlice: { offset: OFFSET.withdrawer, length: owner.length },
    fits: (data) => data.equals(owner),
    commitment: 'finalized',
  })
  return accounts.map(({ address: id }) => id).toSorted()
}

/** Reads the clock, and what the accounts of an owner hold, in one final slot. @throws 502 where one of them is not the owner's */
function readHoldings(client: NativeContext['client'], owner: string, ids: readonly string[]) {
  return readFinalAccounts(client, [CLOCK, ...ids], (slot, [first, ...accounts]) => {
    const clock = first ? decodeClock(first.data) : null
    if (clock === null || clock.slot !== slot) throw malformed({ slot, clock })
    const holdings = new Map<string, bigint>()
    for (const [index, account] of accounts.entries()) {
      const stake = account?.owner === STAKE_PROGRAM ? decodeStakeAccount(account.data) : null
      // What was found a moment ago is there, or one of the two is wrong; seldom it has just been closed.
      if (account === null || stake?.withdrawer !== owner) throw malformed(account)
      holdings.set(ids[index] ?? '', account.lamports)
    }
    return { clock, holdings }
  })
}

/** Reads back the accounts that a reading keeps; null where there are more than a book is kept of. */
export function holdingsOf(keep: Facts): Holdings | null {
  return TOO_MANY in keep ? null : new Map(Object.entries(keep).map(([id, lamports]) => [id, BigInt(lamports)]))
}
