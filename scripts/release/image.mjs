// The steps of examples/deploy/Containerfile, one by one in an empty folder, for a machine without a container engine: what they copy, the command of npm, the entry
// point, the health check and the signal are read from it. What an engine alone does is not shown: the base images, the user, the read-only root.
import { spawn } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { outsideEnvironment, root } from '../registry.mjs'
import { runIn } from './command.mjs'
import { freePorts } from './ports.mjs'

const DEPLOY = join(root, 'examples/deploy')
/** How long a start may take on a busy machine, in milliseconds. */
const START_MS = 120_000

/**
 * @param folder for the image's content, which is made
 * @param env variables that name the registry
 * @returns sentences on what was done
 * @throws when a step fails, when the health check does not turn well, or when the stop signal does not end it with 0
 */
export async function buildImage(folder, env) {
  const file = await readFile(join(DEPLOY, 'Containerfile'), 'utf8')
  const install = one(file, /^RUN (npm ci .*)$/m)
  const entry = JSON.parse(one(file, /^ENTRYPOINT (\[.*\])$/m))
  const health = JSON.parse(one(file, /^ {2}CMD (\[.*\])$/m))
  const signal = one(file, /^STOPSIGNAL (\w+)$/m)
  const manifest = one(file, /^COPY (operator\/package\.json) operator\/package-lock\.json \.\/$/m)

  await mkdir(folder, { recursive: true })
  await copyFile(join(DEPLOY, manifest), join(folder, 'package.json'))
  await runIn(folder, env, 'npm', 'install', '--package-lock-only', '--loglevel=error')
  await runIn(folder, env, 'sh', '-c', install)
  const [port] = await freePorts(1)
  const config = join(folder, 'svc.config.json')
  await writeFile(config, JSON.stringify({ listen: { port }, plugins: {}, accounts: {} }))
  const [command, ...options] = entry
  const version = (await runIn(folder, {}, command, ...options, '--version')).trim()
  const child = spawn(command, [...options, 'start', '--config', config], {
    cwd: folder,
    env: { ...outsideEnvironment(), NODE_ENV: 'production', NODE_COMPILE_CACHE: join(folder, 'cache') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const ended = new Promise((done) => child.once('exit', (code, by) => done(code ?? by)))
  try {
    await healthy(
      folder,
      health.map((word) => word.replace(':3000/', `:${port}/`)),
      child,
    )
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`${error.message}\n${said}`, { cause: error })
  }
  child.kill(signal)
  const end = await ended
  if (end !== 0) throw new Error(`${signal} ended the entry point with ${end}, not 0:\n${said}`)
  return [`${install}: version ${version}`, `the health check of the image turned well; ${signal} ended the entry point with 0`]
}

async function healthy(folder, [command, ...args], child) {
  for (const until = Date.now() + START_MS; Date.now() < until && child.exitCode === null; await wait(500)) {
    const isWell = await runIn(folder, {}, command, ...args).then(
      () => true,
      () => false,
    )
    if (isWell) return
  }
  throw new Error('the health check of the image never turned well')
}

function one(text, pattern) {
  const [, match] = pattern.exec(text) ?? []
  if (match === undefined) throw new Error(`examples/deploy/Containerfile has nothing like ${pattern}`)
  return match
}
