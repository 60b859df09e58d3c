import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** Root of the repository. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program to its end. */
export async function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Finished> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const code = await new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done))
  return { code, ...output }
}

/** Runs a TypeScript program of an example with this Node, from source. */
export function runExample(file: string, env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<Finished> {
  return run(process.execPath, ['--conditions=@svc/source', join(root, 'examples', file), ...args], { env })
}

/** A folder that is gone after the test. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-example-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What a test needs of `sandbox.json`; the examples read more. */
export interface Sandbox {
  readonly dataDir: string
  readonly file: {
    readonly baseUrl: string
    readonly controlUrl: string
    readonly publicKeyPem: string
    readonly [member: string]: unknown
  }
}

/** A data folder whose sandbox.json is another's, with some members changed. */
export async function otherSandbox(t: Test, sandbox: Pick<Sandbox, 'file'>, changes: object): Promise<string> {
  const dataDir = join(await temporaryFolder(t), '.svc')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'sandbox.json'), JSON.stringify({ ...sandbox.file, ...changes }))
  return dataDir
}

/**
 * Starts the real server with its sandbox in a process of its own, as `npm start` does, on any free port.
 *
 * @param folder where it is started; its data go to `.svc` there
 */
export async function startServer(t: Test, folder: string): Promise<Sandbox> {
  const dataDir = join(folder, '.svc')
  const child = spawn(process.execPath, ['--conditions=@svc/source', join(root, 'server/src/main.ts'), 'start'], {
    cwd: folder,
    env: { ...process.env, SVC_PORT: '0', SVC_DATA: dataDir, SVC_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  // The file is written when the service listens.
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output.out}${output.err}`)
    const file = await readFile(join(dataDir, 'sandbox.json'), 'utf8')
      .then(JSON.parse)
      .catch(() => undefined)
    if (file) return { dataDir, file }
    await wait(50)
  }
}

function collect(child: ChildProcess): { out: string; err: string } {
  const output = { out: '', err: '' }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output.out += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    output.err += text
  })
  return output
}
