import { type ChildProcess, fork } from 'node:child_process'
import { sign } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generateSigningKey } from '@svc/core'
import autocannon from 'autocannon'
import { table } from './measure.ts'
import { createChain, PREFIX } from './world.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)

interface Target {
  readonly address: string
  readonly apiKey: string
}

/** Requests per second of the service against bare Fastify serving the same bytes, in the same run. */
export async function benchLoad(): Promise<string> {
  const { sandbox, rpcUrl, settings } = await createChain()
  const wallet = sandbox.wallets.evm[0]!.address
  try {
    const bytes = await sample(rpcUrl, settings, wallet)
    const rows: string[][] = []
    const rates: Record<string, { networks: number; craft: number }> = {}
    for (const kind of ['bare', 'unsigned', 'signed']) {
      const { target, child } = await spawn(kind, rpcUrl, settings, bytes)
      rates[kind] = { networks: await shoot(target, wallet, 'networks'), craft: await shoot(target, wallet, 'craft') }
      child.kill()
    }
    const rsa = await signingRate()
    const { bare, unsigned, signed } = rates as Record<'bare' | 'unsigned' | 'signed', { networks: number; craft: number }>
    const ratio = (rate: number, of: number) => (rate / of).toFixed(2)
    rows.push(['bare Fastify, same bytes', rate(bare.networks), '1.00', rate(bare.craft), '1.00'])
    rows.push([
      'service, all but RSA',
      rate(unsigned.networks),
      ratio(unsigned.networks, bare.networks),
      rate(unsigned.craft),
      ratio(unsigned.craft, bare.craft),
    ])
    rows.push([
      'service, RSA-2048',
      rate(signed.networks),
      ratio(signed.networks, bare.networks),
      rate(signed.craft),
      ratio(signed.craft, bare.craft),
    ])
    return `${table(`Requests per second, 32 connections, ${SECONDS} s each, client and server sharing this machine`, ['server', 'GET /networks', 'of bare', 'POST delegate', 'of bare'], rows)}
RSA-2048 alone, asynchronous, 32 at a time: ${rate(rsa)}/s; signed crafts (bodies never repeat) reach ${ratio(signed.craft, rsa)} of it`
  } finally {
    await sandbox.close()
  }
}

const rate = (value: number) => Math.round(value).toLocaleString('en')

async function sample(rpcUrl: string, settings: object, address: string): Promise<string> {
  const { target, child } = await spawn('unsigned', rpcUrl, settings, '')
  const headers = { 'x-api-key': target.apiKey, 'content-type': 'application/json' }
  const networks = await (await fetch(`${target.address}${PREFIX}/networks`, { headers })).text()
  const craft = await (
    await fetch(`${target.address}${PREFIX}/action/delegate`, { method: 'POST', headers, body: JSON.stringify({ address, amount: 1.5 }) })
  ).text()
  child.kill()
  return JSON.stringify({ networks, craft })
}

async function shoot({ address, apiKey }: Target, wallet: string, what: 'networks' | 'craft'): Promise<number> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  // Amounts out of a small set, so that the upstream's memory stays warm; with signing each is distinct, so that no signature repeats.
  let count = 0
  const body = () => `{"address":"${wallet}","amount":1.${String(++count % 50).padStart(4, '0')}5}`
  const requests =
    what === 'networks'
      ? [{ method: 'GET' as const, path: `${PREFIX}/networks` }]
      : [{ method: 'POST' as const, path: `${PREFIX}/action/delegate`, setupRequest: (request: object) => ({ ...request, body: body() }) }]
  await autocannon({ url: address, connections: 32, duration: 1, headers, requests })
  const result = await autocannon({ url: address, connections: 32, duration: SECONDS, headers, requests })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${what}: ${result.non2xx} answers were no success, ${result.errors} failed`)
  return result.requests.average
}

async function spawn(kind: string, rpcUrl: string, settings: object, bytes: string): Promise<{ target: Target; child: ChildProcess }> {
  const file = fileURLToPath(new URL('./target.ts', import.meta.url))
  const child = fork(file, [kind, rpcUrl, JSON.stringify(settings), bytes], { execArgv: ['--conditions=@svc/source'] })
  const target = await new Promise<Target>((done, failed) => {
    child.once('message', (message) => done(message as Target))
    child.once('exit', (code) => failed(new Error(`the ${kind} server ended with ${code}`)))
  })
  return { target, child }
}

/** What the machine signs by itself, so that the service's share of it can be told. */
async function signingRate(): Promise<number> {
  const key = await generateSigningKey()
  const signed = promisify(sign)
  const until = performance.now() + SECONDS * 1000
  let count = 0
  const one = async () => {
    while (performance.now() < until) {
      await signed('RSA-SHA256', Buffer.from(`a body of its own ${count++}`.padEnd(700, '.')), key)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: 32 }, one))
  return (count * 1000) / (performance.now() - from)
}
