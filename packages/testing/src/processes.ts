import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { runShared } from './shared.ts'

/** Root of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

export interface ProcessEnd {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program to its end, and returns its output. */
export async function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<ProcessEnd> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const code = await new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done))
  return { code, ...output }
}

/** Runs a TypeScript program of an example with this Node, from source, as its README says: in a process of its own. */
export function runExample(file: string, env: NodeJS.ProcessEnv): Promise<ProcessEnd> {
  return run(process.execPath, ['--conditions=@svc/source', join(root, 'examples', file)], { env })
}

/** Runs an example's program in a process that several programs share, for tests that are not about the process itself. */
export async function runExampleShared(file: string, env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<ProcessEnd> {
  const program = join(root, 'examples', file)
  const { code, stdout, stderr } = await runShared({ program, args, cwd: root, env: { ...process.env, ...env } })
  return { code, out: stdout, err: stderr }
}

/** Makes a folder that is removed after the test. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-example-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Part of `sandbox.json` that a test needs; the examples read more. */
export interface Sandbox {
  readonly dataDir: string
  readonly file: {
    readonly baseUrl: string
    readonly controlUrl: string
    readonly [member: string]: unknown
  }
  /** Content of `trust.json`. */
  readonly trust: object
}

/** Makes a data folder whose files are another sandbox's, with some members changed. @param trust of the trust document */
export async function otherSandbox(
  t: Test,
  { file, trust }: Pick<Sandbox, 'file' | 'trust'>,
  changes: { readonly baseUrl?: string; readonly apiKey?: string; readonly wallets?: object },
  changed: { readonly keys?: readonly object[] } = {},
): Promise<string> {
  const dataDir = join(await temporaryFolder(t), '.svc')
  await mkdir(dataDir)
  const { baseUrl = file.baseUrl } = changes
  await writeFile(join(dataDir, 'trust.json'), JSON.stringify({ ...trust, baseUrl, ...changed }))
  await writeFile(join(dataDir, 'sandbox.json'), JSON.stringify({ ...file, ...changes }))
  return dataDir
}

/**
 * Starts the service on local chains, in a process of its own, until the test ends.
 *
 * @param folder for its data and its operator's package
 * @param plugins by their labels: what is installed there
 */
export async function startServer(t: Test, folder: string, plugins: readonly string[]): Promise<Sandbox> {
  const dataDir = join(folder, '.svc')
  const operator = join(folder, 'operator')
  await mkdir(operator)
  const dependencies = Object.fromEntries(plugins.map((name) => [`@svc/plugin-${name}`, 'workspace:^']))
  await writeFile(join(operator, 'package.json'), JSON.stringify({ name: 'operator', private: true, dependencies }))
  await symlink(join(root, 'node_modules'), join(operator, 'node_modules'))
  // A newcomer's machine has no servers; those of the tests keep other sandboxes' keys.
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=@svc/source', join(root, 'server/src/main.ts'), 'start'], {
    cwd: operator,
    env: { ...env, SVC_PORT: '0', SVC_DATA: dataDir, SVC_LOG_LEVEL: 'warn' },
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
    if (file) return { dataDir, file, trust: JSON.parse(await readFile(join(dataDir, 'trust.json'), 'utf8')) }
    await wait(50)
  }
}

function collect(child: ChildProcessByStdio<null, Readable, Readable>): { out: string; err: string } {
  const output = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text
  })
  return output
}
