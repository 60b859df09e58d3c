import { hostname } from 'node:os'

/** Says a line to the operator. */
export type Say = (level: 'info' | 'warn' | 'error' | 'fatal', line: string, details?: object) => void

/** As pino numbers them. https://getpino.io/#/docs/api?id=loggerlevels-object (read 2026-11-25) */
const LEVELS = { info: 30, warn: 40, error: 50, fatal: 60 } as const

/** Writes a line of the log in the workers' form, JSON on stdout; the primary does not load the workers' logger. */
export const say: Say = (level, msg, details = {}) => {
  const line = { level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: hostname(), role: 'primary', ...details, msg }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
