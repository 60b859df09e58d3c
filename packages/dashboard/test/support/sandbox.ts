import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Ending } from './chromium.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** A sandbox as `npm start` starts one, with Monad alone unless plugins are named. */
export interface TestSandbox {
  /** `http://127.0.0.1:PORT/dashboard/`: under this machine's own name, where browsers give a page their cryptography. */
  readonly dashboard: string
  readonly operator: string
  /** What it printed. */
  readonly printed: string
}

/** Starts it in a folder of its own, as a stranger does in his, until the tests end. */
export async function sandbox(t: Ending, plugins = ['@svc/plugin-evm-three', '@svc/sandbox-evm']): Promise<TestSandbox> {
  if (!existsSync(join(root, 'packages/dashboard/dist'))) throw new Error('The dashboard is not built: pnpm --filter @svc/dashboard build')
  const folder = await mkdtemp(join(tmpdir(), 'svc-first-stake-'))
  const names = ['@svc/dashboard', '@svc/sandbox', ...plugins]
  const dependencies = Object.fromEntries(names.map((name) => [name, '*']))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'operator', private: true, dependencies }))
  await mkdir(join(folder, 'state'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=@svc/source', join(root, 'server/src/main.ts'), 'start'], {
    cwd: folder,
    env: { ...env, SVC_DATA: join(folder, 'state'), SVC_PORT: '0', SVC_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (line.includes('Ctrl-C')) break
  }
  child.stdout.resume()
  if (!lines.at(-1)?.includes('Ctrl-C')) throw new Error(`The sandbox did not start:\n${lines.join('\n')}`)
  const { baseUrl, operatorToken } = JSON.parse(await readFile(join(folder, 'state', 'sandbox.json'), 'utf8'))
  return { dashboard: `${baseUrl}/dashboard/`, operator: operatorToken, printed: lines.join('\n') }
}
