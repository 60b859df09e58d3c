import { Worker } from 'node:worker_threads'
import type { Test } from 'tap'

/** A server in a thread of its own, which answers while this process does not run. */
export interface FarServer {
  readonly url: string
  /** Requests that have come, also while this thread does nothing else. */
  readonly count: number
}

/** Answers each request, a moment after it has come. */
const PROGRAM = `
  const { createServer } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      Atomics.add(workerData.count, 0, 1)
      Atomics.notify(workerData.count, 0)
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":"far"}'), 50)
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

/** Starts a server in another thread, which goes on while this process stalls; it ends with the test. */
export async function farServer(t: Test): Promise<FarServer> {
  const count = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(PROGRAM, { eval: true, workerData: { count } })
  t.teardown(() => worker.terminate())
  const port = await new Promise((done, failed) => {
    worker.once('message', done)
    worker.once('error', failed)
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    get count() {
      return Atomics.load(count, 0)
    },
  }
}

/** Blocks this thread for some milliseconds. */
export function stall(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/**
 * Stalls this process beyond a time limit while a question is under way whose answer arrives meanwhile. Where the machine was too slow for that, it tries again.
 *
 * @param limitMs of the question
 * @param ask begins a question
 * @param isAsked whether it has arrived where it is answered
 * @returns what became of it
 */
export async function stalledOver<T>(limitMs: number, ask: () => Promise<T>, isAsked: () => boolean): Promise<PromiseSettledResult<T>> {
  for (;;) {
    const begun = performance.now()
    const answer = Promise.allSettled([ask()])
    let ended = false
    void answer.then(() => {
      ended = true
    })
    while (!isAsked() && !ended) await new Promise((resolve) => setImmediate(resolve))
    // Over half of the limit must be left, so that what comes next is the stall and not the limit.
    const inTime = performance.now() - begun < limitMs / 2
    if (inTime) stall(limitMs + 300)
    const [reply] = await answer
    if (inTime && reply) return reply
  }
}
