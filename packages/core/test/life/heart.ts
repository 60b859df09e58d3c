import type { Test } from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Pulse, Store } from '../../src/index.ts'
import { type ServeOptions, serve } from '../support/serve.ts'
import { createScript, hashOf, living, type Script, signedText } from './living.ts'

const { sql } = core()

/** A pulse that a test gives. */
export function createHeart(): { readonly pulse: Pulse; beat(): Promise<void> } {
  let beat = async () => {}
  return {
    pulse: {
      start(given) {
        beat = given
        return () => {
          beat = async () => {}
        }
      },
    },
    beat: () => beat(),
  }
}

export interface ToldEvent {
  readonly account: string
  readonly type: string
  readonly subject: string
  readonly sequence: number
  readonly time: string
  readonly data: Record<string, any>
}

/** Every event that was written, in order. */
export async function eventsIn(store: Store): Promise<readonly ToldEvent[]> {
  const rows = await store.run(() =>
    ask<{ account: string; type: string; subject: string; sequence: unknown; body: string }>(
      sql`select account, type, subject, sequence, body from svc_events order by account, sequence`,
    ),
  )
  return rows.map(({ body, sequence, ...row }) => {
    const { timestamp, data } = JSON.parse(body) as { timestamp: string; data: Record<string, any> }
    return { ...row, sequence: Number(sequence), time: timestamp, data }
  })
}

/** A service that follows by the beats of the test, at the time that the test says. */
export async function following(t: Test, state: Store, options: Omit<ServeOptions, 'pulse'> & { script?: Script } = {}) {
  const { script = createScript(), ...rest } = options
  const { pulse, beat } = createHeart()
  const served = await serve(t, { plugins: [living(script)], state, ...rest, pulse })
  const token = (await served.token()).value
  /** Lets time pass, with a beat each so many milliseconds: by itself each second, or two dozen in all. */
  async function pass(ms: number, step = Math.max(1_000, Math.ceil(ms / 24))): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      served.clock.now = new Date(served.clock.now.getTime() + Math.min(step, left))
      await beat()
    }
  }
  return {
    ...served,
    script,
    beat,
    pass,
    broadcast: (name: string, headers?: Record<string, string>) => served.call('POST', 'action/broadcast', signedText(name), headers),
    events: () => eventsIn(state),
    types: async () => (await eventsIn(state)).map(({ type }) => type),
    list: async (query = '') => (await served.call('GET', `/api/v1/transactions${query}`, undefined, { token })).json().transactions,
    one: async (name: string) =>
      (await served.call('GET', `/api/v1/transactions/${encodeURIComponent(hashOf(name))}`, undefined, { token })).json(),
    looksAt: (name: string) => script.asked.filter(({ of }) => of === hashOf(name)).length,
  }
}
