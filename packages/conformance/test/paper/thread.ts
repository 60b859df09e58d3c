import { parentPort } from 'node:worker_threads'
import { shown } from '../../src/check.ts'
import { checkPlugin, startWorld } from '../../src/index.ts'
import { brokenFor } from './broken.ts'
import { paperScenario } from './chain.ts'
import { options } from './plugin.ts'
import type { Job, Told } from './threads.ts'

// A plugin this small can be told every lie, so that none that shows a defect is left to chance.
process.env.SVC_LIES = 'all'
const world = await startWorld(paperScenario)
parentPort!.on('message', async ({ broken, groups }: Job) => {
  const results = await checkPlugin({ ...options, plugin: brokenFor(broken), groups }, world)
  const told: readonly Told[] = results.map(({ group, ok, findings }) => ({
    group,
    ok,
    findings: findings.map(({ ok, name, found }) => ({ ok, name, ...(found === undefined ? {} : { found: shown(found) }) })),
  }))
  parentPort!.postMessage(told)
})
// Ready for the first one.
parentPort!.postMessage(null)
