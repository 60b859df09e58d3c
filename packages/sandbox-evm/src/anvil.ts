import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loopback, present, SandboxError } from '@svc/sandbox'

/** A running anvil. */
export interface Anvil {
  readonly pid: number
  readonly url: string
  /** Ends it, and waits until it has ended. */
  close(): Promise<void>
}

const startTimeout = 120_000
/** Gas that the chain allows in one block, hence in one call: Monad's limit, the largest of the EVM chains modelled here. */
const blockGasLimit = 150_000_000
/** Last characters of output kept for a message. */
const keptOutput = 2000

/** Functions that end each running engine, with this process. */
const running = new Set<() => void>()
const killAll = () => {
  for (const kill of running) kill()
}

/**
 * Starts anvil on a free port of 127.0.0.1, without accounts of its own.
 *
 * @param options.binary path of the program, by default the one that belongs to `@foundry-rs/anvil` on this platform
 * @param options.timeout milliseconds it may take to listen. @default 120000
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
  // Old states go there. Without a folder of its own they are left in the user's, up to a gigabyte of a chain that ran for ten minutes.
  const states = mkdtempSync(join(tmpdir(), 'svc-anvil-'))
  const child = spawn(binary, [...fixed, ...finality, '--cache-path', states, '--chain-id', String(options.chainId)], {
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
  const leave = child.pid === undefined ? () => {} : watchOver(child.pid, states)

  async function close(): Promise<void> {
    running.delete(kill)
    if (running.size === 0) process.removeListener('exit', killAll)
    // First: once anvil has ended its number may belong to another process.
    leave()
    kill()
    await ended
    rmSync(states, { recursive: true, force: true })
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
 * Finds anvil's program: next to the package `@foundry-rs/anvil`, in the package for this platform.
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
      const lastOutput = output.trim()
      const message = `anvil ${what}; ${lastOutput === '' ? 'it said nothing' : `its last output was: ${lastOutput}`}`
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

/** Ends what runs when this process has ended; one for all of them, since each costs as much as starting a chain. */
let watchdog: ChildProcess | undefined

/**
 * Has a process ended, and its folder removed, when this one has ended, however that came about: the standard input of the watchdog is a pipe from here, and the system
 * closes it even after a SIGKILL.
 *
 * @returns leaves it be: from then on its number may be another process's
 */
function watchOver(pid: number, folder: string): () => void {
  watchdog ??= startWatchdog()
  const { stdin } = watchdog
  stdin?.write(`${pid} ${folder}\n`)
  return () => void stdin?.write(`${-pid}\n`)
}

function startWatchdog(): ChildProcess {
  const code = `
    const watched = new Map()
    const { rmSync } = require('node:fs')
    require('node:readline').createInterface({ input: process.stdin })
      .on('line', (line) => {
        const [, pid, folder] = /^(-?\\d+) ?(.*)$/.exec(line)
        if (pid > 0) watched.set(+pid, folder)
        else watched.delete(-pid)
      })
      .on('close', () => {
        for (const pid of watched.keys()) try { process.kill(pid, 'SIGKILL') } catch {}
        for (const folder of watched.values()) try { rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) } catch {}
        process.exit()
      })`
  const env = { ...process.env, NODE_OPTIONS: '' }
  const detached = process.platform !== 'win32'
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'ignore', 'ignore'], detached, windowsHide: true, env })
  // Without it chains still run and are still closed in every ordinary way; the next one is given another.
  const forget = () => {
    if (watchdog === child) watchdog = undefined
  }
  child.once('error', forget)
  child.once('exit', forget)
  child.stdin?.on('error', () => {})
  child.unref()
  // A pipe that keeps its process from ending would have itself watched.
  ;(child.stdin as Socket | null)?.unref()
  return child
}
