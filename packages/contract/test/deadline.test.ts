import { farServer, stall, stalledOver } from '@svc/testing/stall'
import t from 'tap'
import { answerWithin, settledWithin } from '../src/host.ts'
import { setDeadline } from '../src/index.ts'

const late = () => new Error('late')
const never = new Promise<never>(() => {})

t.test('what arrived while this process stalled is no late answer', async (t) => {
  const far = await farServer(t)
  for (const [name, limited] of [
    ['an answer', (answer: Promise<string>) => answerWithin(1_000, answer, late)],
    [
      'a wait',
      async (answer: Promise<string>) => {
        let text = 'nothing yet'
        await settledWithin(
          1_000,
          answer.then((found) => {
            text = found
          }),
        )
        return text
      },
    ],
  ] as const) {
    const before = far.count
    let asked = before
    const found = await stalledOver(
      1_000,
      () => {
        asked = far.count
        return limited(fetch(far.url).then((reply) => reply.text()))
      },
      () => far.count > asked,
    )
    t.match(found, { status: 'fulfilled', value: /"far"/ }, name)
  }
})

t.test('a stall counts as a part of the limit, however long it is', async (t) => {
  let over = 0
  const limit = setDeadline(4_000, () => {
    over++
  })
  for (const stalls of [1, 2]) {
    // Longer than a part; two of them are longer than the limit.
    stall(2_100)
    // What an answer still needs that takes several turns, as a connection that is set up in steps.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    t.equal(over, 0, `${stalls}`)
  }
  limit.clear()
  await new Promise<void>((resolve) => setDeadline(8, resolve))
  t.equal(over, 0)
})

t.test('what does not answer is late, and what does or fails in time is not', async (t) => {
  await t.rejects(answerWithin(1, never, late), { message: 'late' })
  t.equal(await answerWithin(600_000, Promise.resolve('now'), late), 'now')
  await t.rejects(answerWithin(600_000, Promise.reject(new Error('refused')), late), { message: 'refused' })
  await settledWithin(1, never)
  await settledWithin(600_000, Promise.reject(new Error('refused')))
})

t.test('a limit that was cleared is never over, also in the turn in which its time has come', async (t) => {
  let over = 0
  const count = () => {
    over++
  }
  setDeadline(1, count).clear()
  const { promise: came, resolve: come } = Promise.withResolvers<void>()
  // Two timers of one time run in their order, in one turn.
  const limit = setDeadline(5, count)
  setTimeout(() => {
    limit.clear()
    come()
  }, 5)
  stall(20)
  await came
  await new Promise((resolve) => setTimeout(resolve, 5))
  t.equal(over, 0)
  await new Promise<void>((resolve) => setDeadline(1, resolve))
})

t.test('a limit that holds nothing lets the process end', async (t) => {
  const held = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
  const before = held()
  const limits = [setDeadline(600_000, () => {}, { holds: false }), setDeadline(600_000, () => {})]
  t.equal(held(), before + 1)
  for (const limit of limits) limit.clear()
  t.equal(held(), before)
})
