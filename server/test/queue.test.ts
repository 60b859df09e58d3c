import t from 'tap'
import { createQueue } from '../src/start/primary/queue.ts'

t.test('work is done one at a time, and once more for all who asked while it was being done', async (t) => {
  const begun: { done(value: number): void; fail(error: Error): void }[] = []
  const ask = createQueue(() => new Promise<number>((done, fail) => void begun.push({ done, fail })))
  const first = ask()
  const [second, third] = [ask(), ask()]
  t.equal(begun.length, 1)
  begun[0]!.fail(new Error('no'))
  await t.rejects(first, { message: 'no' })
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(begun.length, 2, 'what failed does not keep the next from being tried')
  const fourth = ask()
  begun[1]!.done(2)
  t.same(await Promise.all([second, third]), [2, 2])
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(begun.length, 3)
  begun[2]!.done(3)
  t.equal(await fourth, 3)
  const fifth = ask()
  t.equal(begun.length, 4)
  begun[3]!.done(4)
  t.equal(await fifth, 4)
})
