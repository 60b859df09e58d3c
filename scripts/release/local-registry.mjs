// A registry on this machine (verdaccio), for a rehearsal. It has what this project publishes and nothing else; npm asks it for that scope alone, and the registry
// that this machine's npm is set to for all others.
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { run } from '../registry.mjs'
import { endProcess } from './command.mjs'
import { freePorts } from './ports.mjs'

/** How long its start may take on a busy machine, in milliseconds. */
const START_MS = 120_000
/** Largest tarball that it takes; its default is 10 MB. */
const LARGEST = '50mb'

/**
 * @param folder for its config and storage, which is made
 * @returns its address; variables by which npm has this project's packages from it, and those by which they are published; and `close`
 */
export async function startRegistry(folder) {
  await mkdir(folder, { recursive: true })
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}/`
  const config = {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: {},
    packages: {
      // No proxy: a scope of this name that somebody else has would be mixed in.
      '@svc/*': { access: '$all', publish: '$authenticated' },
    },
    max_body_size: LARGEST,
    log: { type: 'file', path: join(folder, 'log'), format: 'json', level: 'warn' },
  }
  // JSON is YAML.
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config))
  const program = join(import.meta.dirname, 'node_modules/verdaccio/bin/verdaccio')
  const child = spawn(process.execPath, [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  try {
    await listening(url, child)
    const token = await tokenOf(url)
    const userconfig = join(folder, 'npmrc')
    const others = run(folder, 'npm', 'config', 'get', 'registry').trim()
    const lines = [`registry=${others}`, `@svc:registry=${url}`, `//127.0.0.1:${port}/:_authToken=${token}`, 'audit=false', 'fund=false']
    // Without the last one the address of this registry would stand in every lock file.
    const more = ['update-notifier=false', 'prefer-offline=true', 'omit-lockfile-registry-resolved=true', '']
    await writeFile(userconfig, [...lines, ...more].join('\n'), { mode: 0o600 })
    const env = { npm_config_userconfig: userconfig }
    return { url, env, publishEnv: { ...env, npm_config_registry: url }, close: () => endProcess(child) }
  } catch (error) {
    await endProcess(child)
    throw new Error(`${error.message}\n${said}`, { cause: error })
  }
}

async function listening(url, child) {
  for (const until = Date.now() + START_MS; Date.now() < until; await wait(200)) {
    if (child.exitCode !== null) break
    const answer = await fetch(new URL('-/ping', url)).catch(() => null)
    if (answer?.ok) return
  }
  throw new Error('the local registry did not start')
}

/** Signs a user up, as `npm adduser` does. */
async function tokenOf(url) {
  const answer = await fetch(new URL('-/user/org.couchdb.user:rehearsal', url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'rehearsal', password: crypto.randomUUID() }),
  })
  const { token } = await answer.json()
  if (typeof token !== 'string') throw new Error(`the local registry gave no token: ${answer.status}`)
  return token
}
