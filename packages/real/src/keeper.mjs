// Ends what a run has started, however the run ends: a process of its own that hears from the run by a pipe, and acts when the pipe is closed, which
// a crash and a kill do as well. Lines: `pid N`, `gone N`, `folder PATH`.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const pids = new Set()
const folders = new Set()

// Whoever interrupts the run interrupts this process too, which has work to do then.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, rest] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
    if (word === 'pid') pids.add(Number(rest))
    if (word === 'gone') pids.delete(Number(rest))
    if (word === 'folder') folders.add(rest)
  })
  .on('close', async () => {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It had ended.
      }
    }
    // What was killed may write for a moment.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
