// Stops and continues the processes of a run at random, as a machine does that has more to do than it can: each of them may stand still for up to two seconds, wherever it is.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** Pause between two stops, in milliseconds. */
const EVERY_MS = 200
/** Longest stop, in milliseconds. */
const MOST_MS = 2_000

/**
 * Begins to stop processes below one. What is stopped is continued when the run is over, and on Ctrl-C.
 *
 * @param root process whose children, and theirs, are stopped; never the process itself
 * @param seed of the choice and of the lengths: the same seed makes the same choices, of whatever processes there are
 * @returns ends it, and tells how often which program was stopped
 */
export function startBusy(root, seed) {
  const random = randomOf(seed)
  const stopped = new Map()
  const counts = new Map()
  const timer = setInterval(() => {
    const processes = below(root)
    const all = processes.filter(({ pid }) => !stopped.has(pid))
    // A quarter of them at a time at most: of a few, each would stand still for nearly all of the time.
    if (all.length === 0 || stopped.size * 4 >= processes.length) return
    const { pid, name } = all[Math.floor(random() * all.length)]
    const ms = Math.ceil(random() * MOST_MS)
    if (!send(pid, 'SIGSTOP')) return
    counts.set(name, (counts.get(name) ?? 0) + 1)
    stopped.set(
      pid,
      setTimeout(() => goOn(pid), ms),
    )
  }, EVERY_MS)
  function goOn(pid) {
    clearTimeout(stopped.get(pid))
    stopped.delete(pid)
    send(pid, 'SIGCONT')
  }
  function end() {
    clearInterval(timer)
    for (const pid of [...stopped.keys()]) goOn(pid)
    return Object.fromEntries(counts)
  }
  process.once('exit', end)
  return end
}

/** Processes below one, with the name of their program. */
function below(root) {
  const rows = process.platform === 'linux' ? linux() : bsd()
  const children = Map.groupBy(rows, ({ parent }) => parent)
  const found = []
  for (const queue = [...(children.get(root) ?? [])]; queue.length > 0; ) {
    const row = queue.shift()
    found.push(row)
    queue.push(...(children.get(row.pid) ?? []))
  }
  return found
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html (pid, comm, state, ppid; read 2026-11-28) */
function linux() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, pid, parent] = /^(\d+) \(.*\) \S+ (\d+) /s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))
        // The name in stat is that of a thread: of Node it says `MainThread`.
        const [program] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        // Chromium writes its options into the name.
        return [{ pid: Number(pid), parent: Number(parent), name: basename(program.split(' ')[0]) }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

function bsd() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid, parent, ...words] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), name: basename(words.join(' ')) }
  })
}

/** @returns false where the process has ended */
function send(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Numbers from 0 up to 1 that follow from a seed. */
function randomOf(seed) {
  let drawn = 0
  return () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32
}
