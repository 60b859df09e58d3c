import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
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
  for (let tries = 0; (isThere(pid) || existsSync(folder)) && tries < 200; tries++) await wait(50)
  t.notOk(isThere(pid))
  t.notOk(existsSync(folder))
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
