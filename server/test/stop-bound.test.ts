import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { folder } from './cli-process.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Output so far, growing; what ends before it said something is a failure and not waited for. */
function outputOf(child: ChildProcess): { text: string; said(part: string): Promise<void> } {
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`it ended with ${code}`)
  })
  ended.catch(() => {})
  const output = {
    text: '',
    async said(part: string) {
      while (!output.text.includes(part)) await Promise.race([once(child.stdout!, 'data'), ended])
    },
  }
  child.stdout!.on('data', (chunk) => {
    output.text += chunk
  })
  return output
}

t.test('what does not stop in time is named, and the process ends with 1', async (t) => {
  const child = spawn(process.execPath, ['--conditions=@svc/source', path('stop-child.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const output = outputOf(child)
  await output.said('serving')
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  t.equal(code, 1)
  t.match(output.text, 'Not stopped within 0.05 s; still open: POST /api/v1/slow (01JD4Z0V9T6E6N1S2XKQ3B7W8R, 31 s).\n')
})

t.test(
  'the launcher passes signals on, and ends what it started when npm is gone',
  { skip: process.platform === 'win32' && 'it is about POSIX signals' },
  async (t) => {
    const cwd = await folder(t)
    await mkdir(join(cwd, 'bin'))
    // The launcher, and what it imports.
    for (const name of ['run.mjs', 'dashboard.mjs', 'pnpm.mjs']) await cp(path(`../../scripts/${name}`), join(cwd, 'scripts', name))
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ packageManager: 'pnpm@1.2.3', scripts: { serve: 'node served.mjs' } }))
    await writeFile(
      join(cwd, 'served.mjs'),
      `setInterval(() => {}, 1000)
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { console.log('got ' + signal); process.exit(7) })
console.log('serving ' + process.pid)`,
    )
    // Stands for an installed pnpm: installs nothing, and runs this Node.
    await writeFile(
      join(cwd, 'bin/pnpm'),
      `#!/bin/sh\ncase "$1" in --version) echo 1.2.3;; exec) shift 2; exec "${process.execPath}" "$@";; install) ;; *) exit 9;; esac\n`,
    )
    await chmod(join(cwd, 'bin/pnpm'), 0o755)
    const env = { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, npm_lifecycle_event: 'start' }

    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const launcher = spawn(process.execPath, ['scripts/run.mjs', 'serve'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
      t.teardown(() => launcher.kill('SIGKILL'))
      const output = outputOf(launcher)
      await output.said('serving')
      launcher.kill(signal)
      const [code] = await once(launcher, 'close')
      t.match(output.text, `got ${signal}\n`)
      t.equal(code, 7, 'the exit code is the one of what it started')
    }

    // As under npm: a shell between, which is ended and tells nobody.
    const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/run.mjs serve; true`], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = outputOf(shell)
    await output.said('serving')
    shell.kill('SIGKILL')
    // The pipe closes when the last process that holds it has ended.
    await once(shell.stdout!, 'close')
    t.match(output.text, 'got SIGTERM\n')
  },
)
