// Asks for health again and again in a thread of its own, so that nothing but the service keeps it waiting. Posts each answer's time in
// milliseconds, and itself a first word when it is ready.
import { get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 20

parentPort?.postMessage(0)
for (;;) {
  const began = performance.now()
  await new Promise<void>((done) => {
    const request = get({ host: '127.0.0.1', port: workerData as number, path: '/api/v1/health' }, (response) => {
      response.resume().once('end', done)
    })
    request.once('error', () => done())
  })
  parentPort?.postMessage(performance.now() - began)
  await new Promise((done) => setTimeout(done, EVERY_MS))
}
