import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scenario } from '@svc/plugin-evm-three/sandbox'
import { startSandbox } from '@svc/sandbox'
import { type Ran, runShared } from '@svc/testing/shared'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const entry = join(root, 'server/src/main.ts')

/** Where a command runs. */
export interface Where {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Lines on its stdin, which then ends. @default none */
  readonly input?: string
}

/** A command that is running. */
export interface Running {
  readonly child: ChildProcess
  readonly stdout: string
  readonly stderr: string
  /** Waits for text on stdout. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits for more on stdout. */
  more(): Promise<void>
  readonly ended: Promise<Ran>
}

/** Starts the real command line, in an environment of its own. */
export function launch(args: readonly string[], { cwd, env = {}, input }: Where): Running {
  const child = spawn(process.execPath, ['--conditions=@svc/source', entry, ...args], {
    cwd,
    env: { ...environment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    child.emit('said')
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }))
  return {
    child,
    get stdout() {
      return stdout
    },
    get stderr() {
      return stderr
    },
    ended,
    async more() {
      const over = await Promise.race([once(child, 'said').then(() => false), ended.then(() => true)])
      if (over) throw new Error(`it ended; stdout: ${stdout}; stderr: ${stderr}`)
    },
    async said(pattern) {
      for (;;) {
        const found = pattern.exec(stdout)
        if (found) return found
        const over = await Promise.race([once(child, 'said').then(() => false), ended.then(() => true)])
        if (over && !pattern.test(stdout)) throw new Error(`it ended and never said ${pattern}; stdout: ${stdout}; stderr: ${stderr}`)
      }
    },
  }
}

/** Of this process, but for what would change how a command runs. */
function environment(): Record<string, string> {
  const mine = Object.entries(process.env).filter(
    ([name]) => !/^(DATABASE_URL|REDIS_URL|SVC_\w+|NODE_TEST_CONTEXT|NODE_CHANNEL_\w+|FORCE_COLOR)$/.test(name),
  )
  return Object.fromEntries(mine) as Record<string, string>
}

/** Runs a command to its end, in a process that all of them share. What ends a process that has begun something takes `launch`. */
export function svc(args: readonly string[], { cwd, env = {} }: Where): Promise<Ran> {
  return runShared({ program: entry, args, cwd, env: { ...environment(), ...env } })
}

/** Lists the lines on stderr of a service, but for those that tell how long it did not come to anything: of a machine that is busy they are right. */
export function troubleIn(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => line !== '' && !/"msg":"nothing (was|has been) answered for /.test(line))
}

/** A folder of its own for a test, without any package. */
export async function emptyFolder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'svc-cli-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

/**
 * A folder of its own for a test, as an operator's who has installed some of what the workspace's own folder has.
 *
 * @param plugins whose local chains a start without a config brings up; the sandbox's packages are there in any case
 */
export async function folder(t: Test, plugins: readonly string[] = ['@svc/plugin-evm-three']): Promise<string> {
  const path = await emptyFolder(t)
  const dependencies = Object.fromEntries(plugins.map((name) => [name, 'workspace:^']))
  await writeFile(join(path, 'package.json'), JSON.stringify({ name: 'operator', private: true, dependencies }))
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'))
  return path
}

/** A local chain for configs to name, and its scenario's settings. */
export async function localChain() {
  const sandbox = await startSandbox({ scenarios: [scenario], controlPort: 0 })
  return {
    rpcUrl: sandbox.chains['evm:143']!.rpcUrl,
    controlUrl: sandbox.controlUrl,
    pricesUrl: sandbox.pricesUrl,
    settings: sandbox.settings[0]!,
    close: () => sandbox.close(),
  }
}

// Nothing here is about a slow chain but where a test says so, and on a machine that has much else to do a chain in the same process is slow.
const PATIENT = { timeout_ms: 60_000, deadline_ms: 60_000 }

/** A config on one network, with whatever is different laid over it. */
export function config(rpc: readonly string[], settings: object, over: object = {}) {
  return {
    listen: { host: '127.0.0.1', port: 0 },
    plugins: { '@svc/plugin-evm-three': { networks: { '143': { name: 'local', endpoints: { rpc }, ...settings } } } },
    accounts: { acme: { name: 'Acme' }, zenith: { name: 'Zenith' } },
    upstream: PATIENT,
    ...over,
  }
}

/** Writes a config into a folder. @returns its path */
export async function writeConfig(cwd: string, content: object, name = 'svc.config.json'): Promise<string> {
  const path = join(cwd, name)
  await writeFile(path, JSON.stringify(content))
  return path
}
