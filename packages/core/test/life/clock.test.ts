import { memoryLog } from '@svc/testing/paper'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import { createBudget } from '../../src/life/budget.ts'
import { createChainClocks } from '../../src/life/chain-clocks.ts'
import { createFollower } from '../../src/life/follower.ts'
import { createNetworks } from '../../src/life/networks.ts'
import { createTransactionStream } from '../../src/life/transaction-stream.ts'
import { follow } from '../../src/life/transactions.ts'
import type { Looks } from '../../src/plugins/life/follow.ts'
import type { NetworkSettings } from '../../src/plugins/services.ts'
import { createEvents } from '../../src/webhooks/events.ts'
import { onBoth } from '../support/databases.ts'
import { inBlock, UNKNOWN } from './living.ts'

const { sql } = core()
const settings: NetworkSettings = { chainId: '1', name: 'one', path: 'plugins.paper.networks.1', settings: {} }

for (const minutes of [-5, 5])
  await t.test(`a replica whose clock is ${minutes} minutes off looks when something is due, and no other time`, (t) =>
    onBoth(
      t,
      async (t, store) => {
        const asked: string[] = []
        const looks: Looks = {
          ...{ caip2: 'paper:1', decimals: 18, symbol: null, inclusionMs: 30_000, address: (text: string) => text },
          async transaction({ txHash }) {
            asked.push(txHash)
            const { receipt: _, ...seen } = txHash === 'final' ? inBlock('final') : { ...UNKNOWN, status: 'pending' as const }
            return { ...seen, moved: null }
          },
          position: () => Promise.reject(new Error('nobody asks')),
          digests: null,
          digestMs: 86_400_000,
          stirrings: null,
          departed: null,
          redelegations: null,
          witnesses: () => [],
          book: null,
          send: () => Promise.reject(new Error('not asked')),
          lacking: () => Promise.reject(new Error('not asked')),
        }
        const networks = createNetworks({ enabled: () => [{ network: settings, isDefault: true }], ids: [], ownAddresses: () => [] })
        networks.add('paper', settings, looks)
        const now = () => new Date(Date.now() + minutes * 60_000)
        const events = createEvents({ store, backlog: 10, wake: () => undefined })
        const limits = { watched_per_account: 10, tracked_per_account: 10, resend: false }
        const parts = {
          store,
          events,
          networks,
          clocks: createChainClocks(),
          now,
          clock: undefined,
          limits,
          log: memoryLog(),
          seen: () => undefined,
        }
        const follower = createFollower(parts, [createTransactionStream(parts, () => createBudget(100, 60_000, now))])
        const add = (txHash: string, inMs: number) =>
          store.transact(function* (database) {
            const key = { account: 'acme', protocol: 'paper', network: '1', txHash }
            const rest = {
              unsignedHash: null,
              wallet: 'p001',
              identity: null,
              requestId: 'r',
              sentence: null,
              promised: null,
              bounds: null,
              signed: null,
            }
            yield* follow(database, { ...key, ...rest, origin: 'broadcast', audit: 'a', firstSeen: new Date() })
            yield* ask(
              sql`update svc_transactions set next_at = ${database.later(inMs)}, accepted_at = ${database.now} where tx_hash = ${txHash}`,
            )
          })
        await add('final', 0)
        await add('due', -1_000)
        await add('later', 600_000)
        await follower.beat()
        t.same(asked.toSorted(), ['due', 'final'])
        await follower.beat()
        t.equal(asked.length, 2, 'and each once')
        const rows = await store.run((database) =>
          ask<{ tx_hash: string; soon: unknown }>(
            sql`select tx_hash, next_at <= ${database.later(60_000)} as soon from svc_transactions order by tx_hash`,
          ),
        )
        t.same(
          rows.map(({ tx_hash: hash, soon }) => [hash, soon === null ? null : Boolean(soon)]),
          [
            ['due', true],
            ['final', null],
            ['later', false],
          ],
        )
        await follower.close()
      },
      { memory: true },
    ),
  )
