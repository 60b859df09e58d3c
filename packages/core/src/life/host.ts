import type { LifeHost, NetworkSettings, Standing, Subject } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import { serviceError } from '../codes.ts'
import type { WorkRunner } from '../db/work.ts'
import { principalOf } from '../request.ts'
import { shortName } from '../short-name.ts'
import type { Events } from '../webhooks/events.ts'
import type { ChainClocks } from './chain-clocks.ts'
import { advanceOf, isNews, lookAt, type Seen, settle, standingOf } from './looking.ts'
import type { Networks } from './networks.ts'
import type { TransactionKey, TransactionRow } from './row.ts'
import { countTracked, findTransaction } from './transactions.ts'

/** What the life of transactions is made of. */
export interface LifeParts {
  readonly store: WorkRunner
  readonly events: Events
  readonly networks: Networks
  readonly clocks: ChainClocks
  /** The clock that all replicas share. */
  now(): Date
  /** A clock instead of the database's, for tests. */
  readonly clock?: (() => Date) | undefined
  readonly limits: { readonly watched_per_account: number; readonly tracked_per_account: number }
}

/** The life of one plugin's transactions. @param plugin npm name */
export function createLifeHost(plugin: string, { store, events, networks, now, clock, limits }: LifeParts): LifeHost {
  const protocol = shortName(plugin)
  const keyOf = (request: FastifyRequest, { chainId }: NetworkSettings, txHash: string): TransactionKey => ({
    account: principalOf(request).account,
    protocol,
    network: chainId,
    txHash,
  })
  const find = (key: TransactionKey) => store.run((database) => findTransaction(database, key), { now: clock })

  async function standing(row: TransactionRow, network: NetworkSettings): Promise<Standing> {
    if (row.endedAt !== null && row.look !== null) return standingOf(row, row.look.look, row.checkedAt ?? row.endedAt)
    const looks = networks.of(network)
    const look = await lookAt(row, looks)
    const seen: Seen = { row, looks, look, at: now() }
    const made = advanceOf(seen)
    if (!isNews(seen, made)) return standingOf(row, made.shown, seen.at)
    const saved = await events.transact((database) => settle(database, events, seen, false, limits.watched_per_account))
    if (saved) return standingOf(row, made.shown, seen.at)
    // Somebody else has written what was found since: what was seen here is weighed against that, and theirs to write.
    const newer = (await find(row)) ?? row
    if (newer.endedAt !== null && newer.look !== null) return standingOf(newer, newer.look.look, newer.checkedAt ?? newer.endedAt)
    return standingOf(newer, advanceOf({ ...seen, row: newer }).shown, seen.at)
  }

  async function stateless(network: NetworkSettings, txHash: string): Promise<Standing> {
    const { transaction } = networks.of(network)
    if (!transaction) throw new Error(`the plugin offered no way to look at ${network.path}`)
    const subject: Subject = { txHash, bounds: null, keep: null, firstSeen: null, accepted: false }
    const { keep: _keep, ...look } = await transaction(subject)
    return { ...look, txHash, firstSeen: null, checkedAt: now() }
  }

  return {
    offer: (network, looks) => networks.add(plugin, network, looks),
    async status(request, network, txHash) {
      const row = await find(keyOf(request, network, txHash))
      return row ? standing(row, network) : stateless(network, txHash)
    },
    async track(request, network, { txHash, bounds }) {
      const key = keyOf(request, network, txHash)
      const known = await find(key)
      if (!known) await refuseTooMany(key.account)
      // One that is known whole already needs no other row, and its record follows as that of any request.
      if (!known || (known.endedAt === null && (known.bounds === null || known.nextAt === null)))
        await request.intend({ txHash, tracked: true, ...(bounds ? { bounds } : {}) })
      const row = (await find(key)) ?? known
      return row ? standing(row, network) : stateless(network, txHash)
    },
    accepted(request, _network, txHash) {
      request.note = { ...request.note, accepted: txHash }
    },
  }

  async function refuseTooMany(account: string): Promise<void> {
    const most = limits.tracked_per_account
    const count = await store.run((database) => countTracked(database, account, most))
    if (count < most) return
    const sentence = `The account tracks ${most.toLocaleString('en')} transactions that have not ended, which is the most; track this one when some have.`
    throw serviceError(409, 'TRACKED_TOO_MANY', sentence)
  }
}
