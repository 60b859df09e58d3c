import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { run } from '@svc/client/cli'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const entry = join(root, 'packages/client/src/cli/main.ts')

/** A customer's folder, with the intents that he installed. */
export interface Folder {
  readonly path: string
  write(name: string, content: unknown): Promise<void>
  /** In this process: a start of Node takes longer than all that the command does. */
  run(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>
  /** In a process of its own. */
  spawn(...args: readonly string[]): ReturnType<Folder['run']>
  /** With a text on standard input. */
  pipe(input: string, ...args: readonly string[]): ReturnType<Folder['run']>
}

export async function openFolder(t: Test, intents: Readonly<Record<string, string>>): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'svc-verify-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  for (const [name, source] of Object.entries(intents)) {
    const place = join(path, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(root, source), place)
  }
  const pipe: Folder['pipe'] = async (input, ...args) => {
    const child = spawn(process.execPath, ['--conditions=@svc/source', entry, ...args], { cwd: path, stdio: 'pipe' })
    child.stdin.end(input)
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code: Number(code), stdout, stderr }
  }
  return {
    path,
    write: (name, content) => writeFile(join(path, name), typeof content === 'string' ? content : JSON.stringify(content)),
    pipe,
    spawn: (...args) => pipe('', ...args),
    async run(...args) {
      const { code, lines, errors } = await run(args, path)
      const printed = (texts: readonly string[]) => texts.map((line) => `${line}\n`).join('')
      return { code, stdout: printed(lines), stderr: printed(errors) }
    },
  }
}

/** What a protocol's plugin shows of an operation in the sandbox. */
export async function exampleOf(plugin: string, operation: string): Promise<Readonly<Record<'request' | 'response', any>>> {
  const file = join(root, 'plugins', plugin, 'src/examples.generated.json')
  return JSON.parse(await readFile(file, 'utf8')).exchanges[operation]
}
