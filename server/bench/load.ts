import { type ChildProcess, fork } from 'node:child_process'
import { sign } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generateSigningKey } from '@svc/core'
import autocannon from 'autocannon'
import { table } from './measure.ts'
import { type Place, type Staged, stageOne } from './subjects.ts'

const CONNECTIONS = 64
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
/**
 * Least share of a signed craft's CPU that is the craft itself and one RSA signature. How many crafts are signed in a second, of what RSA alone could sign, has a
 * bound below that: whoever crafts takes CPU from who signs. It is told beside the figure.
 */
const LEAST_SHARE = 0.9

interface Target {
  readonly address: string
  readonly apiKey: string
}

interface Shot {
  readonly perSecond: number
  /** User and system time of the process for one request, or for one signature. */
  readonly cpuMicroseconds: number
}

/** Measures requests per second of the service against bare Fastify serving the same bytes, in the same run. Ends with 1 where signing costs more than signatures. */
export async function benchLoad(): Promise<string> {
  const { sandbox, subject } = await stageOne()
  const { place, prefix } = subject
  const wallet = String(subject.stage.bodies.delegate!.address)
  try {
    const bytes = await sample(subject, wallet)
    const shots: Record<string, { networks: Shot; craft: Shot }> = {}
    for (const kind of ['bare', 'unsigned', 'signed']) {
      const { target, child } = await spawn(kind, place, bytes)
      shots[kind] = {
        networks: await shoot(target, child, { prefix, wallet }, 'networks'),
        craft: await shoot(target, child, { prefix, wallet }, 'craft'),
      }
      child.kill()
    }
    const rsa = await signingRate()
    const { bare, unsigned, signed } = shots as Record<'bare' | 'unsigned' | 'signed', { networks: Shot; craft: Shot }>
    const row = (name: string, { networks, craft }: { networks: Shot; craft: Shot }) => [
      name,
      ...[networks, craft].flatMap((shot, index) => {
        const base = index === 0 ? bare.networks : bare.craft
        return [rate(shot.perSecond), (shot.perSecond / base.perSecond).toFixed(2), `${shot.cpuMicroseconds.toFixed(0)} µs`]
      }),
    ]
    const rows = [
      row('bare Fastify, same bytes', bare),
      row('service, all but signatures', unsigned),
      row('service, RSA-2048 and Ed25519', signed),
    ]
    // By CPU, which neighbours take from both sides alike; and without what the caller's side of this machine takes.
    const share = (unsigned.craft.cpuMicroseconds + rsa.cpuMicroseconds) / signed.craft.cpuMicroseconds
    const bound = rsa.cpuMicroseconds / (unsigned.craft.cpuMicroseconds + rsa.cpuMicroseconds)
    if (!(share >= LEAST_SHARE)) process.exitCode = 1
    return `${table(`Requests per second, ${CONNECTIONS} connections, ${SECONDS} s each, client and server sharing this machine`, ['server', 'GET /networks', 'of bare', 'server CPU each', 'POST delegate', 'of bare', 'server CPU each'], rows)}
RSA-2048 alone, asynchronous, 32 at a time: ${rate(rsa.perSecond)}/s, ${rsa.cpuMicroseconds.toFixed(0)} µs of CPU each; signed crafts (bodies never repeat) reach ${(signed.craft.perSecond / rsa.perSecond).toFixed(2)} of it, and can reach ${bound.toFixed(2)} where no other program takes a core
of a signed craft's CPU ${share.toFixed(2)} is the craft and one RSA signature (budget: at least ${LEAST_SHARE})`
  } finally {
    await sandbox.close()
  }
}

const rate = (value: number) => Math.round(value).toLocaleString('en')

async function sample({ place, prefix }: Staged, address: string): Promise<string> {
  const { target, child } = await spawn('unsigned', place, '')
  const headers = { 'x-api-key': target.apiKey, 'content-type': 'application/json' }
  const networks = await (await fetch(`${target.address}${prefix}/networks`, { headers })).text()
  const craft = await (
    await fetch(`${target.address}${prefix}/action/delegate`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ address, amount: 1.5 }),
    })
  ).text()
  child.kill()
  return JSON.stringify({ networks, craft })
}

async function shoot(
  { address, apiKey }: Target,
  child: ChildProcess,
  { prefix, wallet }: { prefix: string; wallet: string },
  what: 'networks' | 'craft',
): Promise<Shot> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  // No two amounts are equal, so that no signature is remembered.
  let count = 0
  const body = () => `{"address":"${wallet}","amount":1.${String(++count).padStart(8, '0')}5}`
  const requests =
    what === 'networks'
      ? [{ method: 'GET' as const, path: `${prefix}/networks` }]
      : [
          {
            method: 'POST' as const,
            path: `${prefix}/action/delegate`,
            setupRequest: (request: object) => ({ ...request, body: body() }),
          },
        ]
  const load = { url: address, connections: CONNECTIONS, headers, requests }
  await autocannon({ ...load, duration: 2 })
  const before = await cpuOf(child)
  const result = await autocannon({ ...load, duration: SECONDS })
  const after = await cpuOf(child)
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${what}: ${result.non2xx} answers were no success, ${result.errors} failed`)
  return {
    perSecond: result.requests.average,
    cpuMicroseconds: (after.user + after.system - before.user - before.system) / result.requests.total,
  }
}

function cpuOf(child: ChildProcess): Promise<NodeJS.CpuUsage> {
  return new Promise((done) => {
    child.once('message', (usage) => done(usage as NodeJS.CpuUsage))
    child.send('cpu')
  })
}

async function spawn(kind: string, place: Place, bytes: string): Promise<{ target: Target; child: ChildProcess }> {
  const file = fileURLToPath(new URL('./target.ts', import.meta.url))
  const child = fork(file, [kind, JSON.stringify(place), bytes], { execArgv: ['--conditions=@svc/source'] })
  const target = await new Promise<Target>((done, failed) => {
    child.once('message', (message) => done(message as Target))
    child.once('exit', (code) => failed(new Error(`the ${kind} server ended with ${code}`)))
  })
  return { target, child }
}

/** Measures what the machine signs by itself, so that the service's share of it can be told. */
async function signingRate(): Promise<Shot> {
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
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: 32 }, one))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: (count * 1000) / (performance.now() - from), cpuMicroseconds: (user + system) / count }
}
