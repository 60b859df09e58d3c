import t from 'tap'
import type { Liar } from '../src/family.ts'
import { createRecording } from '../src/lies/endpoint.ts'
import type { Subject } from '../src/subject.ts'

/** A chain that counts its answers, and is asked several questions in a call. */
const LIAR: Liar = {
  questions: ({ body }) => JSON.parse(body) as string[],
  answers: (_call, text) => JSON.parse(text) as string[],
  answer: (_call, choices) => JSON.stringify(choices.map(([answer]) => answer)),
  lies: () => [],
  believed: {},
}

t.test('what an endpoint was asked before it answers as before, also beside a question that is new', async (t) => {
  let height = 1
  const subject = {
    world: { rpcUrl: 'http://chain.invalid', endpoints: {} },
    kit: { endpoints: 'rpc' },
    upstream: {
      async fetch(_input: unknown, init: RequestInit) {
        const questions = JSON.parse(String(init.body)) as string[]
        return new Response(JSON.stringify(questions.map((question) => `${question} at ${height}`)), {
          headers: { 'content-type': 'application/json' },
        })
      },
    },
  } as unknown as Subject
  const recording = createRecording(subject, LIAR)
  const endpoint = recording.endpoint('memory', null)
  const ask = async (...questions: string[]) =>
    (await endpoint.fetch(new Request(endpoint.url, { method: 'POST', body: JSON.stringify(questions) }))).json()
  t.same(await ask('head', 'stake'), ['head at 1', 'stake at 1'])
  height = 9
  t.same(await ask('head', 'stake'), ['head at 1', 'stake at 1'])
  t.same(await ask('head', 'fee'), ['head at 1', 'fee at 9'])
  t.same(await ask('fee', 'head', 'rate'), ['fee at 9', 'head at 1', 'rate at 9'])
})
