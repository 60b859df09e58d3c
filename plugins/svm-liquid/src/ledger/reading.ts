import type { BookReading } from '@svc/contract/book'
import { type AccountState, EPOCH_SCHEDULE, epochOf, listOf, malformed, memberOf, readFinalAccounts, readSchedule } from '@svc/kit-svm'
import { clockOf, mintOf, unreadable } from '../chain/accounts.ts'
import { tokenAccountOf } from '../chain/derived-addresses.ts'
import { CLOCK, recordOf } from '../chain/pool-state.ts'
import { lamportsFor } from '../chain/price.ts'
import { readTokenAccount } from '../chain/token-account.ts'
import { type LiquidContext, poolOf } from '../network.ts'
import { factsOf, keepOf } from './books.ts'

/** Accounts that are read beside those of a wallet: the pool, the clock, and what divides slots into epochs. */
const BESIDES = 3
/** Most token accounts of a wallet whose book is kept: they are read with the pool in one call. @see https://solana.com/docs/rpc/http/getmultipleaccounts (read 2026-11-29) */
const MOST_ACCOUNTS = 100 - BESIDES
/** Form of an address. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/**
 * Reads the pool tokens in all token accounts of an address, and their worth, in the last final slot, in two round trips: a search of the accounts; then all of them in one
 * slot, with the pool and with the clock, which says the slot a second time, and beside that the pool once more by another call.
 *
 * @throws 502 POOL_UNREADABLE; 502 where two answers differ; 502, 503, 504
 */
export async function reading(ctx: LiquidContext, address: string): Promise<BookReading> {
  const { client, network } = ctx
  const own = poolOf(network)
  const associated = tokenAccountOf(address, own).toBase58()
  const elsewhere = (await accountsOf(client, address, own.mint)).filter((account) => account !== associated)
  const isKept = elsewhere.length < MOST_ACCOUNTS
  const ids = isKept ? [associated, ...elsewhere] : [associated]
  const [state, again] = await Promise.all([
    readFinalAccounts(
      client,
      [own.pool, CLOCK, EPOCH_SCHEDULE, ...ids],
      (slot, [pool = null, clock = null, schedule = null, ...accounts]) => {
        const now = clockOf(clock)
        const epochs = readSchedule(schedule)
        // Each of the three is told twice.
        if (now.slot !== slot || epochOf(slot, epochs) !== now.epoch) throw malformed({ slot, now })
        const record = recordOf(ctx, pool)
        if (record.updatedEpoch > now.epoch)
          throw unreadable(`its books are those of epoch ${record.updatedEpoch}, and the chain is in epoch ${now.epoch}`)
        const holdings = new Map<string, bigint>()
        for (const [index, account] of accounts.entries()) {
          const tokens = readTokenAccount(account, own.tokenProgram)
          const isOwn = account !== null && tokens?.owner === address && mintOf(account) === own.mint
          if (isOwn) holdings.set(ids[index] ?? '', tokens.amount)
          // What was found a moment ago is there; the associated one need not be.
          else if (index > 0) throw malformed(account)
        }
        return { now, pool, record, epochs, holdings }
      },
    ),
    readFinalAccounts(client, [own.pool], (_slot, [pool = null]) => pool),
  ])
  const { now, record, holdings } = state
  if (!isSame(state.pool, again)) throw malformed(again)
  const tokens = [...holdings.values()].reduce((sum, amount) => sum + amount, 0n)
  if (tokens > record.supply) throw unreadable(`${address} has ${tokens} of its tokens, and there are ${record.supply}`)
  const amounts = { tokens, worth: lamportsFor(tokens, record) }
  return {
    mark: { height: now.slot, hash: null, time: now.time, epoch: Number(now.epoch) },
    amounts: Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0n)),
    keep: keepOf(factsOf(own.pool, record, state.epochs), isKept ? holdings : null),
  }
}

/** Finds the token accounts of an owner. @see https://solana.com/docs/rpc/http/gettokenaccountsbyowner (read 2026-11-29) */
function accountsOf({ rpc }: LiquidContext['client'], owner: string, mint: string): Promise<readonly string[]> {
  const options = { encoding: 'base64', commitment: 'finalized', dataSlice: { offset: 0, length: 0 } }
  return rpc('getTokenAccountsByOwner', [owner, { mint }, options], (answer) => {
    const accounts = listOf(memberOf(answer, 'value')).map((each) => memberOf(each, 'pubkey'))
    const addresses = accounts.filter((account): account is string => typeof account === 'string' && ADDRESS.test(account))
    if (addresses.length < accounts.length || new Set(addresses).size < addresses.length) throw malformed(answer)
    return addresses.toSorted()
  })
}

function isSame(one: AccountState | null, other: AccountState | null): boolean {
  return one !== null && other !== null && one.owner === other.owner && one.data.equals(other.data)
}
