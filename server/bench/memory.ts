import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { casesOf } from './budget/cases.ts'
import { createChainFront } from './budget/chain.ts'
import { launch, shoot } from './budget/shoot.ts'
import type { Memory } from './budget/target.ts'
import { table } from './measure.ts'
import { stageSubjects } from './subjects.ts'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 100_000)
/** Requests of one kind, before those of the next. */
const SHARE = 100
const MEGABYTE = 1024 * 1024
/** Most that the process may hold, in megabytes. */
const BUDGET = 400

/**
 * Memory of one process of the service with all installed protocols, all signatures on, under requests of every kind in turn. Ends with 1 where the process ever held more than its
 * budget.
 */
export async function benchMemory(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-memory-'))
  const { sandbox, subjects } = await stageSubjects()
  const front = createChainFront()
  const places = Object.fromEntries(await Promise.all(subjects.map(async ({ name, place }) => [name, await front.placed(place)] as const)))
  const target = await launch({ kind: 'signed', folder, places, answers: [] })
  try {
    let most = 0
    const measure = async (): Promise<Memory> => {
      const memory = await target.ask<Memory>('memory')
      most = Math.max(most, memory.resident / MEGABYTE)
      return memory
    }
    const rows: string[][] = []
    const add = async (label: string) => {
      const { resident, heap, used, external } = await measure()
      rows.push([label, ...[resident, heap, used, external].map((bytes) => (bytes / MEGABYTE).toFixed(0))])
    }
    await add('at rest')
    const cases = (await Promise.all(subjects.map((subject) => casesOf(subject, target)))).flat()
    /** The most that was held right after requests of a kind, in bytes. */
    const peaks = new Map<string, number>()
    let done = 0
    while (done < REQUESTS) {
      for (const each of cases) {
        await shoot(target, each, SHARE)
        const { resident, heap, used, external } = await measure()
        if (process.env.BENCH_SHOW)
          console.error(each.label, ...[resident, heap, used, external].map((bytes) => Math.round(bytes / MEGABYTE)))
        if (resident > (peaks.get(each.label) ?? 0)) peaks.set(each.label, resident)
      }
      done += cases.length * SHARE
      await add(`after ${done.toLocaleString('en')} requests`)
    }
    await new Promise((pause) => setTimeout(pause, 10_000))
    await add('ten seconds later')
    if (most > BUDGET) process.exitCode = 1
    const text = table(`Memory of a process with ${subjects.length} protocols (resident)`, ['when', 'MB', 'heap', 'used', 'external'], rows)
    const highest = [...peaks].sort(([, a], [, b]) => b - a).slice(0, 5)
    const after = highest.map(([label, bytes]) => `${(bytes / MEGABYTE).toFixed(0)} after ${label}`).join(', ')
    return `${text}\nmost: ${most.toFixed(0)} MB; budget: ${BUDGET} MB\nhighest: ${after}`
  } finally {
    target.kill()
    front.close()
    await sandbox.close()
    rmSync(folder, { recursive: true })
  }
}
