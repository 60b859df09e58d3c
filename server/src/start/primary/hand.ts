import cluster from 'node:cluster'
import type { Series } from '@svc/core/primary'
import { Refusal } from '../../cli/refusal.ts'
import type { Claim, Order, ToPrimary, ToWorker, Verdict } from '../messages.ts'
import { BOUND_MS } from '../stop.ts'

/** Facts that a worker reports when it begins to serve. */
type Ready = Omit<Extract<ToPrimary, { kind: 'ready' }>, 'kind'>

/** A worker, as its primary knows it. */
export interface Hand {
  readonly id: number
  readonly pid: number | undefined
  /** Resolves when it serves. Rejects with a Refusal when it will not. */
  readonly ready: Promise<Ready>
  /** Resolves when its process has ended, with its code; null where a signal ended it. */
  readonly ended: Promise<number | null>
  /**
   * Has it answer what is under way and end; ends it by force when it does not within the time for that.
   *
   * @returns when it takes no more connections
   */
  stop(): Promise<void>
  kill(): void
  /** Has it say what it counted. */
  askCount(): void
}

/** Hears what a worker says besides being ready. */
interface Listener {
  claim(worker: number, claim: Claim): Promise<Verdict>
  counted(worker: number, series: Series): void
  broken(): void
}

/**
 * Longest time, in milliseconds, that a worker may take to serve in place of others; nobody waits for a bound at the first start of a version, which builds
 * indexes for minutes on a large audit log (docs/operating.md, "Changing the version").
 */
const READY_MS = 30 * 60_000
/** What its process gets beyond its own bound for stopping, in milliseconds. */
const FORCE_MS = BOUND_MS + 5_000

/** Starts a worker process. */
export function hire(order: Order, listener: Listener): Hand {
  const worker = cluster.fork()
  const { id, process: child } = worker
  const tell = (message: ToWorker) => {
    if (worker.isConnected()) worker.send(message, () => {})
  }
  const { promise: ready, resolve: serves, reject: refuses } = Promise.withResolvers<Ready>()
  // Who started it may be gone when it ends.
  ready.catch(() => {})
  const { promise: left, resolve: leaves } = Promise.withResolvers<void>()
  const { promise: ended, resolve: ends } = Promise.withResolvers<number | null>()
  const late = setTimeout(() => {
    if (!order.isReload) return
    refuses(new Refusal(`The new worker did not serve within ${READY_MS / 60_000} minutes.`))
    child.kill('SIGKILL')
  }, READY_MS)
  const inTime = () => clearTimeout(late)
  ready.then(inTime, inTime)
  worker.on('message', (message: ToPrimary) => {
    if (message.kind === 'ready') serves(message)
    else if (message.kind === 'refused') refuses(Object.assign(new Refusal(message.text), { stack: message.stack }))
    else if (message.kind === 'counted') listener.counted(id, message.series)
    else if (message.kind === 'broken') listener.broken()
    else if (message.kind === 'left') leaves()
    else void listener.claim(id, message.claim).then((verdict) => tell({ kind: 'verdict', verdict }))
  })
  worker.on('error', () => {})
  child.once('exit', (code: number | null, signal: string | null) => {
    refuses(
      new Refusal(`The new worker ended before it served, ${code === null ? `by ${signal}` : `with code ${code}`}; the log says more.`),
    )
    leaves()
    ends(code)
  })
  // It could not be started at all.
  child.once('error', (error: Error) => {
    refuses(new Refusal(`No worker can be started: ${error.message}`))
    ends(1)
  })
  tell({ kind: 'begin', order })
  return {
    id,
    pid: child.pid,
    ready,
    ended,
    stop() {
      // Not `worker.kill`, which takes its channel away first.
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), FORCE_MS)
      void ended.then(() => clearTimeout(force))
      return left
    },
    kill: () => void child.kill('SIGKILL'),
    askCount: () => tell({ kind: 'count' }),
  }
}
