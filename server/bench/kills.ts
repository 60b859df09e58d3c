// Processes that are killed in the midst of deliveries: what is lost, forged, and sent twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KillsPlace, type KillsReport, type KillsStanding, runKills } from '@svc/testing/kills'
import pg from 'pg'
import { table } from './measure.ts'

const KILLS = Number(process.env.KILLS ?? 50)
const EVENTS = Number(process.env.EVENTS ?? 1_000)
/** Interval at which a line says where a run stands. */
const PROGRESS_MS = 5_000

/** 50 kills with 1,000 events, by one and by two replicas; in the embedded database, and in PostgreSQL where DATABASE_URL names one. */
export async function benchKills(): Promise<string> {
  const rows: (string | number)[][] = []
  for (const replicas of [1, 2]) {
    rows.push(row('embedded', replicas, await embedded(replicas)))
    if (process.env.DATABASE_URL) rows.push(row('PostgreSQL', replicas, await shared(process.env.DATABASE_URL, replicas)))
  }
  const left = process.env.DATABASE_URL ? '' : '\nPostgreSQL was left out: DATABASE_URL is not set'
  const head = [
    'database',
    'replicas',
    'events',
    'messages',
    'lost',
    'unwritten',
    'forged',
    'duplicates',
    'after a timeout',
    'unexplained',
    'seconds',
  ]
  return `${table(`${KILLS} kills of processes that write and deliver events`, head, rows)}${left}`
}

function row(database: string, replicas: number, report: KillsReport): (string | number)[] {
  const { events, messages, lost, unwritten, forged, duplicates, afterTimeout, unexplained, seconds } = report
  if (lost + unwritten + forged + unexplained > 0) process.exitCode = 1
  return [database, replicas, events, messages, lost, unwritten, forged, duplicates, afterTimeout, unexplained, seconds.toFixed(0)]
}

function run(place: KillsPlace, replicas: number): Promise<KillsReport> {
  let lastReport = 0
  const onProgress = ({ killed, written, messages, waiting }: KillsStanding) => {
    if (performance.now() < lastReport + PROGRESS_MS) return
    lastReport = performance.now()
    const rest = waiting === null ? '' : `, ${waiting} deliveries wait`
    console.error(`  ${replicas} at once: ${killed} killed, ${written} events written, ${messages} messages arrived${rest}`)
  }
  return runKills({ place, replicas, kills: KILLS, events: EVENTS, onProgress })
}

async function embedded(replicas: number): Promise<KillsReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-kills-'))
  try {
    return await run({ dataDir, databaseUrl: '' }, replicas)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

async function shared(databaseUrl: string, replicas: number): Promise<KillsReport> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const schema = `svc_bench_kills_${process.pid}_${replicas}`
  try {
    await client.query(`create schema ${schema}`)
    const url = new URL(databaseUrl)
    url.searchParams.set('options', `-csearch_path=${schema}`)
    return await run({ dataDir: '', databaseUrl: url.href }, replicas)
  } finally {
    await client.query(`set client_min_messages = warning; drop schema ${schema} cascade`)
    await client.end()
  }
}
