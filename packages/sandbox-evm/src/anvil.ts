import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loopback, present, SandboxError } from '@svc/sandbox'

/** A running anvil. */
export interface Anvil {
  readonly pid: number
  readonly url: string
  /** Ends it, and waits until it has ended. */
  close(): Promise<void>
}

const startTimeout = 10_000
/** What the chain allows in one block, hence in one call: Monad's limit, the largest of the EVM chains modelled here. */
const blockGasLimit = 150_000_000
/** Last characters of output kept for a message. */
const keptOutput = 2000

/** What ends each that runs, with this process. */
const running = new Set<() => void>()
const killAll = () => {
  for (const kill of running) kill()
}

/**
 * Starts anvil on a free port of 127.0.0.1, without accounts of its own.
 *
 * @param options.binary path of the program, by default the one that belongs to `@foundry-rs/anvil` on this platform
 * @param options.timeout milliseconds it may take to listen. @default 10000
 * @throws SandboxError `ENGINE_MISSING`, `ENGINE_FAILED`
 */
export async function startAnvil(options: { chainId: number; binary?: string | undefined; timeout?: number | undefined }): Promise<Anvil> {
  const binary = options.binary ?? anvilBinary()
  // Prague and not the latest: Osaka caps a transaction at 16.7M gas, below what Monad allows (30M).
  const fixed = ['--host', loopback, '--port', '0', '--accounts', '0', '--hardfork', 'prague', '--gas-limit', String(blockGasLimit)]
  // Final two blocks later, as on Monad, and not after 64.
  const finality = ['--slots-in-an-epoch', '1']
  // A process group of its own, so that Ctrl-C reaches this process, which then closes anvil, and not both at once.
  const detached = process.platform !== 'win32'
  const child = spawn(binary, [...fixed, ...finality, '--chain-id', String(options.chainId)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    windowsHide: true,
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const kill = () => void child.kill('SIGKILL')
  if (running.size === 0) process.on('exit', killAll)
  running.add(kill)
  const watchdog = child.pid === undefined ? undefined : watchOver(child.pid)

  async function close(): Promise<void> {
    running.delete(kill)
    if (running.size === 0) process.removeListener('exit', killAll)
    // The watchdog first: once anvil has ended its number may belong to another process.
    watchdog?.kill('SIGKILL')
    kill()
    await ended
  }

  try {
    const url = await listening(child, options.timeout ?? startTimeout)
    return { pid: present(child.pid, 'a process of anvil'), url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Where anvil's program is: next to the package `@foundry-rs/anvil`, in the package for this platform.
 *
 * @throws SandboxError `ENGINE_MISSING`
 */
export function anvilBinary(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  try {
    const fromThere = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
    return fromThere.resolve(`${name}/bin/anvil${platform === 'win32' ? '.exe' : ''}`)
  } catch (cause) {
    const message = `anvil is not installed for ${platform} ${arch}: the package ${name} is missing; install with optional dependencies`
    throw new SandboxError('ENGINE_MISSING', message, { cause })
  }
}

/** Waits for the line in which anvil names its port. Output is read to the end of its life, so that it never blocks on a full pipe. */
async function listening(child: ChildProcess, timeout: number): Promise<string> {
  let output = ''
  return new Promise<string>((resolve, reject) => {
    const fail = (what: string, cause?: unknown) => {
      clearTimeout(timer)
      const said = output.trim()
      const message = `anvil ${what}; ${said === '' ? 'it said nothing' : `its last output was: ${said}`}`
      reject(new SandboxError('ENGINE_FAILED', message, { cause }))
    }
    const timer = setTimeout(() => fail(`did not listen within ${timeout} ms`), timeout)
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-keptOutput)
      const port = /Listening on \S+:(\d+)\s/.exec(output)?.[1]
      if (port === undefined) return
      clearTimeout(timer)
      resolve(`http://${loopback}:${port}`)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    // 'close' and not 'exit': it comes after the last output.
    child.once('close', (code, signal) => fail(`ended with ${signal ?? `code ${code}`} before it listened`))
    child.once('error', (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      reject(missing(child.spawnfile, cause))
    })
  })
}

function missing(binary: string, cause: NodeJS.ErrnoException): SandboxError {
  const why = existsSync(binary) ? `cannot be run (${cause.message})` : 'is not there'
  return new SandboxError('ENGINE_MISSING', `anvil ${why}: ${binary}; install again, with optional dependencies`, { cause })
}

/**
 * A process that ends another when this one has ended, however that came about: its standard input is a pipe from here,
 * and the system closes it even after a SIGKILL.
 */
function watchOver(pid: number): ChildProcess {
  const code = `process.stdin.resume().on('close', () => { try { process.kill(${pid}, 'SIGKILL') } catch {} process.exit() })`
  const env = { ...process.env, NODE_OPTIONS: '' }
  const detached = process.platform !== 'win32'
  const watchdog = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'ignore', 'ignore'], detached, windowsHide: true, env })
  // Without it the chain still runs and is still closed in every ordinary way.
  watchdog.once('error', () => {})
  watchdog.stdin?.on('error', () => {})
  watchdog.unref()
  return watchdog
}
