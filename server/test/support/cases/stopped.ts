import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'

t.test('a process is stopped, and goes on', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'])
  t.teardown(() => child.kill('SIGKILL'))
  // The letter after the name in brackets: T where it is stopped.
  const isStopped = () => /\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))
  await eventually('it stands still', isStopped)
  await eventually('it goes on', () => !isStopped())
  t.pass()
})
