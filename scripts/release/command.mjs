// Commands of a rehearsal, in the environment of somebody outside, whose npm knows the registry of the rehearsal alone.
import { spawn } from 'node:child_process'
import { outsideEnvironment } from '../registry.mjs'

/**
 * Runs a command to its end, while this process goes on serving and watching others.
 *
 * @param env variables besides those of somebody outside
 * @returns what it wrote to stdout
 * @throws when it fails, with all that it wrote
 */
export async function runIn(cwd, env, command, ...args) {
  const child = spawn(command, args, { cwd, env: { ...ownEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const code = await new Promise((done, fail) => child.once('close', done).once('error', fail))
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 4).join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

/** Of somebody who calls npm himself: of the command of pnpm that runs this, nothing but settings stays, or a tool takes pnpm for npm (`npm_execpath`). */
function ownEnvironment() {
  return Object.fromEntries(Object.entries(outsideEnvironment()).filter(([name]) => !/^npm_(?!config_)/i.test(name)))
}

/** Ends a process in order. @returns once it is gone */
export async function endProcess(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  await gone
}

/** Does the same with each, two at a time: this machine may have no more cores. @returns the results in their order */
export async function inPairs(items, work) {
  const results = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at])
  }
  await Promise.all([worker(), worker()])
  return results
}
