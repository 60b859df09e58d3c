import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Bytes of output that a program may write: a generator names every file that it makes. */
const MOST_OUTPUT = 64 * 1024 * 1024
/** Characters of a failed program's output that are shown, from its end. */
const SHOWN = 3_000

/** Folder of what is downloaded, outside of any checkout. */
function cacheFolder({ SVC_GENERATORS_CACHE, XDG_CACHE_HOME } = process.env) {
  return SVC_GENERATORS_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'staking-transaction-service', 'generators')
}

/**
 * Returns a folder of tools, and has them fetched where they are not there yet. Whole or not at all: a run that is interrupted leaves nothing that looks finished.
 *
 * @param pin text that says which versions: another text is another folder
 * @param fetch brings them into a folder
 */
export async function kept(name, pin, fetch) {
  const digest = createHash('sha256').update(`${process.platform} ${process.arch}\0${pin}`).digest('hex')
  const parent = cacheFolder()
  const folder = join(parent, `${name}-${digest.slice(0, 16)}`)
  const isHere = await access(folder).then(
    () => true,
    () => false,
  )
  if (isHere) return folder
  await mkdir(parent, { recursive: true })
  const unfinished = await mkdtemp(join(parent, '.fetching-'))
  try {
    fetch(unfinished)
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}

/** Tells whether the machine has a command. */
export function isThere(command) {
  return !spawnSync(command, ['--help']).error
}

/** Runs a program to its end. @returns what it wrote on stdout @throws Error with the end of what it wrote, where it could not be started or ended with another code than 0 */
export function must(command, args, { cwd, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (error) throw new Error(`${command} could not be started: ${error.message}`)
  if (status === 0) return stdout
  throw new Error(`${command} ${args.slice(0, 4).join(' ')} ended with ${status}:\n${(stdout + stderr).slice(-SHOWN)}`)
}
