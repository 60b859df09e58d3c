import t from 'tap'
import { singleEndpoint } from '../src/host.ts'
import { askBatch } from '../src/requirements.ts'

/** What a node is sent, and what becomes of its answer to a batch of three. */
async function asked(answer: (calls: readonly { readonly id: number }[]) => unknown, status = 200) {
  const bodies: unknown[] = []
  const upstream = singleEndpoint(async (_url, init) => {
    const body = JSON.parse(String(init?.body))
    bodies.push(body)
    const said = answer(body)
    return new Response(typeof said === 'string' ? said : JSON.stringify(said), { status })
  })
  return { bodies, batch: await askBatch({ upstream }, 'eth_chainId', [], 3) }
}

t.test('a batch has as many calls as are asked for, each with a number of its own, and its answers are counted', async (t) => {
  const whole = await asked((calls) => calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' })))
  t.same(whole.bodies, [[1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))])
  t.same(whole.batch, { answered: 3, words: '' })
  const part = await asked(([first]) => [
    { ...first, result: '0x1' },
    { id: 2, error: { code: -32_000, message: 'too large', data: 'of 3' } },
  ])
  t.same(part.batch, { answered: 1, words: 'too large: of 3' })
  t.same((await asked(() => ({ error: { message: 'no batches here' } }))).batch, { answered: 0, words: 'no batches here' })
  t.same((await asked(() => 'Batch requests are off', 403)).batch, { answered: 0, words: 'Batch requests are off' })
})
