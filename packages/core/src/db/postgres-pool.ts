import { answerWithin } from '@svc/contract/host'
import pg from 'pg'
import type { Log } from './store.ts'

/** Runs one statement. */
export interface Connection {
  query<R extends pg.QueryResultRow>(statement: string | pg.QueryConfig, values?: readonly unknown[]): Promise<pg.QueryResult<R>>
}

/** Connection that one caller has until it is released. */
interface HeldConnection extends Connection {
  /** @param broken whether the connection is closed, since its state is not known */
  release(broken: boolean): void
}

/** Connections to a PostgreSQL. A statement outside of `connect` takes whichever connection is free; where it fails, that connection is closed. */
export interface Connections extends Connection {
  /** @throws Error when there is none in time */
  connect(): Promise<HeldConnection>
  end(): Promise<void>
}

/** Longest waits, in milliseconds. */
interface Limits {
  readonly connectMs: number
  readonly queryMs: number
}

/** Factor of the limit after which the driver gives up a connection that is being made: its timers count the stalls of this process. */
const BACKSTOP = 10

/**
 * Opens a pool of connections. Its limits count the time in which this process runs, as those of the driver do not: a stall on a busy machine would make a database that
 * answers look as if it did not.
 */
export function openConnections(config: pg.PoolConfig, { connectMs, queryMs }: Limits, log: Log): Connections {
  const pool = new pg.Pool({ ...config, connectionTimeoutMillis: connectMs * BACKSTOP })
  // A connection that breaks while idle is replaced when next needed; unheard, the event would end the process.
  pool.on('error', (err) => log.warn({ err }, 'an idle connection to the database broke'))

  const fallen = (err: Error) => log.warn({ err }, 'a connection to the database broke')

  async function connect(): Promise<HeldConnection> {
    const opening = pool.connect()
    try {
      const client = await answerWithin(connectMs, opening, () => new Error(`no connection within ${connectMs} ms`))
      // One that breaks fails the statement, and tells it besides by an event that would end the process unheard.
      client.on('error', fallen)
      return {
        query: (statement, values) =>
          answerWithin(
            queryMs,
            client.query(statement as string, values && [...values]),
            () => new Error(`no answer within ${queryMs} ms`),
          ),
        release(broken) {
          client.off('error', fallen)
          client.release(broken)
        },
      }
    } catch (error) {
      // One that comes too late is for the next.
      opening.then(
        (client) => client.release(),
        () => undefined,
      )
      throw error
    }
  }

  return {
    connect,
    async query(statement, values) {
      const connection = await connect()
      let broken = true
      try {
        const result = await connection.query<never>(statement, values)
        broken = false
        return result
      } finally {
        connection.release(broken)
      }
    },
    end: () => pool.end(),
  }
}
