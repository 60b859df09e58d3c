// The first use of what a registry has: installed by name, by npm alone, in an empty folder; started on local chains; one stake over REST; stopped.
import { spawn } from 'node:child_process'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startedSandbox } from '../operator.mjs'
import { operatorFolder, outsideEnvironment } from '../registry.mjs'
import { endProcess, runIn } from './command.mjs'

const SERVED = ['@svc/server', '@svc/plugin-evm-three', '@svc/client', '@svc/intent-evm-three']
const LOCAL = ['@svc/sandbox', '@svc/sandbox-evm']

/**
 * @param folder for the operator, which is made
 * @param env variables that name the registry
 * @param output folder that gets the lock file: with it, others install the same again
 * @param step is told each step
 */
export async function useFirst(folder, env, output, step) {
  await operatorFolder(folder)
  step(`npm install ${SERVED.join(' ')}`)
  await runIn(folder, env, 'npm', 'install', ...SERVED)
  await mkdir(output, { recursive: true })
  await copyFile(join(folder, 'package-lock.json'), join(output, 'package-lock.json'))
  await refuseAddresses(join(output, 'package-lock.json'))
  await runIn(folder, env, 'npm', 'install', '--save-dev', ...LOCAL)
  step('svc start, on local chains')
  // The command itself, to which npx would pass no signal on.
  const child = spawn(join(folder, 'node_modules/.bin/svc'), ['start'], { cwd: folder, env: { ...outsideEnvironment(), SVC_PORT: '0' } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  try {
    await startedSandbox(folder, child)
    await copyFile(join(import.meta.dirname, 'stake.mjs'), join(folder, 'stake.mjs'))
    step('one stake over REST')
    console.log((await runIn(folder, {}, process.execPath, 'stake.mjs')).trim())
  } catch (error) {
    throw new Error(`${error.message}\nsvc start said:\n${said}`, { cause: error })
  } finally {
    await endProcess(child)
  }
  if (!/Stopped\.\n$/.test(said)) throw new Error(`it did not stop in order:\n${said}`)
}

/** A lock file that names where its packages come from binds who uses it to that place. */
async function refuseAddresses(file) {
  const { packages } = JSON.parse(await readFile(file, 'utf8'))
  const resolved = Object.values(packages).filter(({ resolved }) => resolved !== undefined)
  if (resolved.length > 0) throw new Error(`${file} names where ${resolved.length} packages come from`)
}
