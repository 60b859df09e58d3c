import { stall } from '@svc/testing/stall'
import t from 'tap'
import { answerInTime } from '../src/subgraph/deadline.ts'

type Context = Parameters<typeof answerInTime>[0]

t.test('what the subgraph answers in the turn after a stall of this process is in time', async (t) => {
  const said: string[] = []
  const ctx = {
    network: { chainId: '1', subgraph_wait_ms: 20 },
    now: () => new Date(),
    memo: {},
    log: { warn: (_: object, text: string) => void said.push(text) },
  } as unknown as Context
  let arrive = (_values: string) => {}
  const answer = new Promise<string>((resolve) => {
    arrive = resolve
  })
  const taken = answerInTime(ctx, answer)()
  // As an answer that has arrived: it is read after the timers, in the same turn.
  setTimeout(() => arrive('values'), 20)
  stall(50)
  t.equal(await taken, 'values')
  t.same(said, [])
})
