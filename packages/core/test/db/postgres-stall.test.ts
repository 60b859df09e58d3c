import { memoryLog } from '@svc/testing/paper'
import { emptySchema, skipPostgres } from '@svc/testing/postgres'
import { stall } from '@svc/testing/stall'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import { openStore } from '../../src/index.ts'

const { sql } = core()

t.test('a stall of this process that is longer than the limits makes no answer late', { skip: skipPostgres }, async (t) => {
  const schema = await emptySchema()
  const store = await openStore({ dataDir: '', databaseUrl: schema.url, log: memoryLog() })
  t.teardown(async () => {
    await store.close()
    await schema.drop()
  })
  const one = function* () {
    return (yield* ask(sql`select 1 as one`))[0]?.one
  }
  // More than there are connections: some are free, some are being made, and some statements wait for one.
  for (const limit of ['for a connection', 'for an answer']) {
    const answers = Array.from({ length: 14 }, (_, index) => (index % 2 === 0 ? store.run(one) : store.transact(one)))
    stall(3_000)
    t.same(
      await Promise.all(answers),
      answers.map(() => 1),
      limit,
    )
  }
})
