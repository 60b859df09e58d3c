import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Result of a reload. */
export interface Answer {
  readonly isDone: boolean
  /** One sentence. */
  readonly text: string
  /** Sentences on what the config that is served leaves behind. @default none */
  readonly notes?: readonly string[]
}

/**
 * Names the folder in which a primary is reached, for its user alone: systemd's, where it made one for the service
 * (`RuntimeDirectory=`, https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html, read 2026-11-25), else one of the user's among the temporary files.
 */
function controlFolder(): string {
  return process.env.RUNTIME_DIRECTORY?.split(':')[0] || join(tmpdir(), `svc-${process.getuid?.() ?? 'user'}`)
}

/** The sockets of a config's services begin with this; who is meant is told by the file, wherever a link to it lies. */
function prefixOf(file: string): string {
  return `${createHash('sha256').update(realpathSync(file)).digest('hex').slice(0, 16)}-`
}

/** @throws Error when the folder is not this user's alone, or cannot be made */
function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = lstatSync(folder)
  if (process.getuid && uid !== process.getuid()) throw new Error(`${folder} belongs to another user`)
  if ((mode & 0o022) !== 0) throw new Error(`${folder} can be written to by other users`)
}

/**
 * Opens the socket on which `svc reload` reaches this service.
 *
 * @returns what ends it
 * @throws Error when no socket can be made
 */
export async function openControl(file: string, reload: () => Promise<Answer>): Promise<() => void> {
  const folder = controlFolder()
  prepare(folder)
  const path = join(folder, `${prefixOf(file)}${process.pid}.sock`)
  rmSync(path, { force: true })
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      void reload().then((answer) => socket.end(JSON.stringify(answer)))
    })
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen({ path, exclusive: true }, done)
  })
  chmodSync(path, 0o600)
  return () => {
    server.close()
    rmSync(path, { force: true })
  }
}

/** Makes every running service of a config reload, one after the other. @returns what each answered; empty when none runs */
export async function askReload(file: string): Promise<readonly Answer[]> {
  const folder = controlFolder()
  const answers: Answer[] = []
  for (const name of socketsOf(folder, prefixOf(file))) {
    const path = join(folder, name)
    const answer = await ask(path)
    // Nobody listens any more: its process was killed.
    if (answer === null) rmSync(path, { force: true })
    else answers.push(answer)
  }
  return answers
}

function socketsOf(folder: string, prefix: string): readonly string[] {
  try {
    prepare(folder)
    return readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith('.sock'))
  } catch {
    return []
  }
}

function ask(path: string): Promise<Answer | null> {
  return new Promise((done) => {
    let text = ''
    let isConnected = false
    const socket = connect(path, () => {
      isConnected = true
      socket.write('reload\n')
    })
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => done(isConnected ? ENDED : null))
    socket.on('end', () => done(text === '' ? ENDED : (JSON.parse(text) as Answer)))
  })
}

const ENDED: Answer = { isDone: false, text: 'The service ended before it answered.' }
