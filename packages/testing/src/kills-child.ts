// A replica that writes events and delivers them until it is killed: run by `kills.ts`, once for each life.
import { createMetrics, createWebhooks, openStore, parseConfig } from '@svc/core'
import { ACCOUNT, configOf, LEASE_MS, PEPPERS, TIMEOUT_MS, TOO_LATE, turn } from './kills.ts'

const [dataDir = '', databaseUrl = '', name = '', events = '0', skewMs = '0'] = process.argv.slice(2)
const complain = (details: object, message: string) => console.error(message, details)
const log = { debug() {}, info() {}, warn: complain, error: complain }
const store = await openStore({ dataDir, databaseUrl, log })
const now = skewMs === '0' ? undefined : () => new Date(Date.now() + Number(skewMs))
const metrics = createMetrics()
const webhooks = createWebhooks({
  store,
  settings: parseConfig(configOf(), {}).webhooks,
  peppers: PEPPERS,
  log,
  metrics: {
    ...metrics,
    count(name, help, labels, by) {
      if (name === 'svc_webhook_attempts_total' && labels?.outcome === 'TIMEOUT') process.stdout.write(`${TOO_LATE}\n`)
      metrics.count(name, help, labels, by)
    },
  },
  version: '0.0.0',
  time: now ?? store.now,
  now,
  leaseMs: LEASE_MS,
  timeoutMs: TIMEOUT_MS,
})
webhooks.start()
for (let index = 0; index < Number(events); index++) {
  const subject = `${name} ${index}`
  const time = new Date()
  const event = { account: ACCOUNT, type: 'transaction.final', subject, transition: '', time, data: { subject } } as const
  // As every other event: one that is written is told of, and delivered, whatever becomes of this process a moment later.
  const [written] = await webhooks.events.transact((database) => webhooks.events.insert(database, [event]))
  process.stdout.write(`${written?.id}\n`)
  await turn()
}
// The timers of a worker keep no process.
setInterval(() => {}, 60_000)
