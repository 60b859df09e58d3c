// alone: its processes are killed
import { runKills } from '@svc/testing/kills'
import t from 'tap'
import { onBoth } from '../support/databases.ts'

await t.test('whatever a process was killed at, each event arrives, and one that comes again has the same id', (t) =>
  onBoth(t, async (t, _store, place) => {
    const report = await runKills({ place, replicas: 1, kills: 3, events: 60 })
    t.match(report, { lost: 0, unwritten: 0, unexplained: 0, forged: 0 }, JSON.stringify(report))
    t.ok(report.events >= 60)
    t.ok(report.duplicates - report.afterTimeout <= 4 * 4, 'at most what was under way at each kill')
  }),
)
