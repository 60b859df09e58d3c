import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineMemo } from '@svc/contract'
import type { StirringSearch } from '@svc/contract/control'
import { type AccountState, type FoundAccount, listenToAccounts, readManyAccounts } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { TOKEN_ACCOUNT_BYTES } from './chain/accounts.ts'
import { tokenAccountOf } from './chain/derived-addresses.ts'
import { POWERS_SLICE, readTokenAccount } from './chain/token-account.ts'
import { type LiquidContext, poolOf } from './network.ts'

/** Interval of the search, in seconds. It asks for nothing unless pushes have begun anew, which it notices within this time; and so long a first wallet may be watched before pushes begin. */
const SEARCH_SECONDS = 60
/** The same while a node pushes. */
const PUSHED_SECONDS = 3_600
/** Time for which the list of watched wallets serves whoever takes pushes, in milliseconds: for so long pushes about a wallet may be dropped that is watched since a moment ago. */
const WATCHED_MS = 60_000
/** Most pushes that wait for that list. */
const MOST_WAITING = 1_000
/** Addresses that are derived before others get their turn: some milliseconds' worth. */
const SLICE = 20

/** Parts of a token account that only transactions change: the powers over it, and the number of tokens in it. */
interface Sight {
  readonly powers: string
  readonly amount: bigint
}

/** Token account of a watched wallet, as it was shown last. */
interface Entry {
  readonly wallet: string
  /** @default not shown yet */
  sight?: Sight
}

interface Sights {
  readonly byAccount: ReadonlyMap<string, Entry>
  readonly accounts: ReadonlyMap<string, string>
  /** Time at which the wallets were listed, in milliseconds. */
  readonly at: number
}

const memory = defineMemo<Sights>()
/** True from the beginning of pushes until the next search, which shows what has happened before. */
const gap = defineMemo<boolean>()

/**
 * Finds wallets whose token accounts have changed since they were shown last to this process, by a search or a push: the powers over one, or fewer tokens in it. A push of an account that was not shown
 * before has its wallet read; the search only remembers it, and what has changed before is found by the digests.
 *
 * A search shows the accounts of all watched wallets. It asks for them, a hundred a call, once after pushes have begun: digests show the same each day. A push shows an account of anybody that a transaction
 * has written, and none that is closed.
 */
export const stirrings: StirringSearch<LiquidContext> = {
  everySeconds: SEARCH_SECONDS,
  async search(ctx, _after, watched) {
    if (gap.get(ctx) !== true) return { wallets: [] }
    const { tokenProgram } = poolOf(ctx.network)
    const entries = [...(await sightsOf(ctx, await watched())).byAccount]
    // Before the question: pushes may begin anew while it is answered.
    gap.set(ctx, false)
    const addresses = entries.map(([account]) => account)
    const states = await readManyAccounts(ctx.client, addresses, POWERS_SLICE).catch((error: unknown) => {
      gap.set(ctx, true)
      throw error
    })
    const wallets = entries.flatMap(([, entry], index) => {
      const was = entry.sight
      entry.sight = sightOf(states[index] ?? null, entry.wallet, tokenProgram, true)
      return was && hasStirred(was, entry.sight) ? [{ wallet: entry.wallet }] : []
    })
    return { wallets }
  },
  feed: {
    searchSeconds: PUSHED_SECONDS,
    listen(ctx, { live, deaf, stirred }, watched) {
      if (!ctx.network.pushes) return null
      const { mint, tokenProgram } = poolOf(ctx.network)
      const mintBytes = new PublicKey(mint).toBuffer()
      const waiting: FoundAccount[] = []
      let listing: Promise<void> | undefined
      let isOver = false

      function take(account: FoundAccount, entry: Entry): void {
        const was = entry.sight
        entry.sight = sightOf({ ...account, owner: tokenProgram }, entry.wallet, tokenProgram)
        if (was === undefined || hasStirred(was, entry.sight)) stirred([{ wallet: entry.wallet }])
      }

      /** Lists the watched wallets anew, and takes what has come meanwhile. */
      async function list(): Promise<void> {
        const wallets = await watched().catch(() => null)
        // Without the database the earlier list serves for another while.
        const sights = await sightsOf(ctx, wallets ?? [...(memory.get(ctx)?.accounts.keys() ?? [])])
        for (const account of waiting.splice(0)) {
          const entry = sights.byAccount.get(account.address)
          if (entry && !isOver) take(account, entry)
        }
        listing = undefined
      }

      const end = listenToAccounts(ctx.client, {
        live() {
          gap.set(ctx, true)
          live()
        },
        deaf,
        program: tokenProgram,
        filters: [{ memcmp: { offset: 0, bytes: mint } }],
        fits: (data) => data.length >= TOKEN_ACCOUNT_BYTES && data.subarray(0, mintBytes.length).equals(mintBytes),
        written(account) {
          const sights = memory.get(ctx)
          const entry = sights?.byAccount.get(account.address)
          if (entry) return take(account, entry)
          if (sights && ctx.now().getTime() - sights.at < WATCHED_MS && !listing) return
          if (waiting.length < MOST_WAITING) waiting.push(account)
          listing ??= list()
        },
      })
      return (
        end &&
        (() => {
          isOver = true
          end()
        })
      )
    },
  },
}

/** Lists the token accounts of wallets, with what is remembered of them. */
async function sightsOf(ctx: LiquidContext, wallets: readonly string[]): Promise<Sights> {
  const own = poolOf(ctx.network)
  const earlier = memory.get(ctx)
  const accounts = new Map<string, string>()
  const byAccount = new Map<string, Entry>()
  let count = 0
  for (const wallet of wallets) {
    const derived = earlier?.accounts.get(wallet)
    if (derived === undefined && ++count % SLICE === 0) await nextTurn()
    const account = derived ?? tokenAccountOf(wallet, own).toBase58()
    accounts.set(wallet, account)
    byAccount.set(account, earlier?.byAccount.get(account) ?? { wallet })
  }
  const sights = { accounts, byAccount, at: ctx.now().getTime() }
  memory.set(ctx, sights)
  return sights
}

/** @param slice true if its data begins at `POWERS_SLICE` */
function sightOf(state: AccountState | null, wallet: string, tokenProgram: string, slice = false): Sight {
  const account = readTokenAccount(state, tokenProgram, slice)
  if (account === null) return { powers: `${wallet} - 0 - free`, amount: 0n }
  const { owner, amount, delegate, closer, isFrozen } = account
  if (owner !== wallet) return { powers: owner, amount: 0n }
  const powers = [owner, delegate?.address ?? '-', delegate?.amount ?? 0n, closer ?? '-', isFrozen ? 'frozen' : 'free'].join(' ')
  return { powers, amount }
}

/** Tells whether somebody has another power over an account, or there are fewer tokens in it; more of them a stranger can send. */
function hasStirred(was: Sight, is: Sight): boolean {
  return is.powers !== was.powers || is.amount < was.amount
}
