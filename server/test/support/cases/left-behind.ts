import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'

t.test('leaves a process and a folder behind', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)', 'left-behind'], { detached: true, stdio: 'ignore' })
  child.unref()
  mkdtempSync(join(tmpdir(), 'svc-left-'))
  t.ok(child.pid)
  const { SVC_LEFT_PID: file, SVC_LEFT_STAYS: stays } = process.env
  if (file) writeFileSync(file, String(child.pid))
  // Until the run is interrupted.
  if (stays) await new Promise(() => setInterval(() => {}, 1_000))
})
