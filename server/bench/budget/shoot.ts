import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { Told, Used } from './target.ts'

/** A server in a process of its own. */
export interface Target {
  readonly address: string
  readonly apiKey: string
  ask<Answer>(word: 'used' | 'memory' | 'profile' | 'profiled' | 'counting'): Promise<Answer>
  kill(): void
}

/** A request that is sent again and again. */
export interface Shot {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Of the request with this number; absent for a read. */
  readonly body?: (count: number) => string
}

const CONNECTIONS = 32
/** Longest wait for an answer, in seconds: on a machine that does much else a late answer is to cost time and no row. */
const PATIENCE_S = 600
/** As the command `svc` has it. */
const FLAGS = ['--max-semi-space-size=8', '--conditions=@svc/source']

/** Starts a server. Its log is written, to nowhere. */
export async function launch(told: Told): Promise<Target> {
  const file = fileURLToPath(new URL('./target.ts', import.meta.url))
  const nowhere = openSync(devNull, 'w')
  const child: ChildProcess = fork(file, [JSON.stringify(told)], { execArgv: FLAGS, stdio: ['ignore', nowhere, 'inherit', 'ipc'] })
  closeSync(nowhere)
  const report = <Answer>() =>
    new Promise<Answer>((done, failed) => {
      const ended = (code: number | null) => failed(new Error(`the ${told.kind} server ended with ${code}`))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        done(message as Answer)
      })
    })
  const { address, apiKey } = await report<{ address: string; apiKey: string }>()
  return {
    address,
    apiKey,
    ask<Answer>(word: string) {
      child.send(word)
      return report<Answer>()
    },
    kill: () => child.kill(),
  }
}

/** The text of an answer, which has to be a success. @throws Error */
export async function answerOf({ address, apiKey }: Target, { method, path, body }: Shot): Promise<string> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const response = await fetch(address + path, { method, headers, ...(body ? { body: body(0) } : {}) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

let count = 0

/**
 * Sends a request so often, over connections that stay open, each time with another number.
 *
 * @returns microseconds of the server's for one
 * @throws Error when an answer is no success
 */
export async function shoot(target: Target, { method, path, body }: Shot, times: number): Promise<Used> {
  const { address, apiKey } = target
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const request = { method, path, ...(body ? { setupRequest: (given: object) => ({ ...given, body: body(++count) }) } : {}) }
  const before = await target.ask<Used>('used')
  const result = await autocannon({
    url: address,
    connections: Math.min(CONNECTIONS, times),
    amount: times,
    timeout: PATIENCE_S,
    headers,
    requests: [request],
  })
  const after = await target.ask<Used>('used')
  if (result.non2xx > 0 || result.errors > 0) {
    const answer = await answerOf(target, { method, path, ...(body ? { body } : {}) }).catch((error: Error) => error.message)
    throw new Error(`${method} ${path}: ${result.non2xx} answers were no success, ${result.errors} failed; one more: ${answer}`)
  }
  return { process: (after.process - before.process) / times, main: (after.main - before.main) / times }
}
