import type { Subject } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import { serviceError } from '../base/codes.ts'
import { shortName } from '../base/short-name.ts'
import type { Store } from '../db/store.ts'
import type { WorkRunner } from '../db/work.ts'
import { principalOf } from '../http/request.ts'
import type { Standing } from '../plugins/life/follow.ts'
import type { LifeHost, NetworkSettings } from '../plugins/services.ts'
import type { Events } from '../webhooks/events.ts'
import type { ChainClocks } from './chain-clocks.ts'
import type { Networks } from './networks.ts'
import type { TransactionKey, TransactionRow } from './row.ts'
import { advanceOf, isNews, lookAt, type Seen, settle, standingOf } from './transaction-look.ts'
import { countTracked, findTransaction } from './transactions.ts'

/** Dependencies of the life of transactions. */
export interface LifeParts {
  readonly store: WorkRunner & Pick<Store, 'appendAudit'>
  readonly events: Events
  readonly networks: Networks
  readonly clocks: ChainClocks
  /** The clock that all replicas share. */
  now(): Date
  /** A clock instead of the database's, for tests. */
  readonly clock?: (() => Date) | undefined
  readonly limits: { readonly watched_per_account: number; readonly tracked_per_account: number }
}

/** Makes the host's part in the life of one plugin's transactions. @param plugin npm name */
export function createLifeHost(plugin: string, { store, events, networks, now, clock, limits }: LifeParts): LifeHost {
  const protocol = shortName(plugin)
  const keyOf = (request: FastifyRequest, { chainId }: NetworkSettings, txHash: string): TransactionKey => ({
    account: principalOf(request).account,
    protocol,
    network: chainId,
    txHash,
  })
  const find = (key: TransactionKey) => store.run((database) => findTransaction(database, key), { now: clock })

  const endOf = (row: TransactionRow): Standing | null =>
    row.endedAt !== null && row.look !== null ? standingOf(row, row.look.look, row.checkedAt ?? row.endedAt) : null

  async function standing(row: TransactionRow, network: NetworkSettings): Promise<Standing> {
    const end = endOf(row)
    if (end !== null) return end
    const looks = networks.of(network)
    const look = await lookAt(row, looks)
    const sighting: Seen = { row, looks, look, at: now() }
    const advance = advanceOf(sighting)
    if (!isNews(sighting, advance)) return standingOf(row, advance.shown, sighting.at)
    const saved = await events.transact((database) => settle(database, events, sighting, false, limits.watched_per_account))
    if (saved) return standingOf(row, advance.shown, sighting.at)
    // Somebody else has written what was found since: what was seen here is weighed against that, and theirs to write.
    const newer = (await find(row)) ?? row
    return endOf(newer) ?? standingOf(newer, advanceOf({ ...sighting, row: newer }).shown, sighting.at)
  }

  async function stateless(network: NetworkSettings, txHash: string, wallet?: string): Promise<Standing> {
    const { transaction } = networks.of(network)
    if (!transaction) throw new Error(`the plugin offered no way to look at ${network.path}`)
    const subject: Subject = {
      txHash,
      ...(wallet === undefined ? {} : { wallet }),
      bounds: null,
      keep: null,
      firstSeen: null,
      accepted: false,
    }
    const { keep: _keep, ...look } = await transaction(subject)
    return { ...look, txHash, firstSeen: null, checkedAt: now() }
  }

  return {
    offer: (network, looks) => networks.add(plugin, network, looks),
    async status(request, network, txHash, wallet) {
      const row = await find(keyOf(request, network, txHash))
      return row ? standing(row, network) : stateless(network, txHash, wallet)
    },
    async track(request, network, { txHash, bounds, wallet }) {
      const key = keyOf(request, network, txHash)
      const earlier = await find(key)
      if (!earlier) await refuseTooMany(key.account)
      // One that is known whole already needs no other row, and its record follows as that of any request.
      if (!earlier || (earlier.endedAt === null && (earlier.bounds === null || earlier.nextAt === null)))
        await request.intend({ txHash, tracked: true, ...(bounds ? { bounds } : {}) })
      const row = (await find(key)) ?? earlier
      return row ? standing(row, network) : stateless(network, txHash, wallet)
    },
    async ended(request, network, txHash) {
      const row = await find(keyOf(request, network, txHash))
      return row && endOf(row)
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
