import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'

t.test('what a run has started is ended and removed when the run is killed', async (t) => {
  const run = spawn(process.execPath, ['--conditions=@svc/source', fileURLToPath(new URL('./run-child.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await once(run.stdout.setEncoding('utf8'), 'data')
  const { pid, folder } = JSON.parse(text)
  t.ok(isThere(pid))
  t.ok(existsSync(folder))
  run.kill('SIGKILL')
  const left = await eventually(
    'the process and its folder are gone',
    () => ({ process: isThere(pid), folder: existsSync(folder) }),
    (each) => !each.process && !each.folder,
  )
  t.same(left, { process: false, folder: false })
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
