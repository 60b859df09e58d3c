import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Withheld } from '../api/overview.ts'
import { poll } from './poll.ts'
import { api } from './session.ts'
import { recall, remember } from './storage.ts'

/** Interval at which alarms are asked for, in milliseconds: a choice of this project. */
const ASK_MS = 60_000
/** Most of them that a browser remembers as put away. */
const MOST = 200
const KEPT = 'svc-alarms-seen'

const incidents = signal<readonly Withheld[]>([])
/** Those that the reader put away, in this browser; they are no secret. */
const dismissals = signal<ReadonlySet<string>>(new Set((recall('local', KEPT) ?? '').split(' ').filter(Boolean)))
const views = signal<ReadonlySet<string>>(new Set())

/** Alarms of the last seven days that were not put away, newest first. */
export const alarms: ReadonlySignal<readonly Withheld[]> = computed(() =>
  incidents.value.filter(({ request_id }) => !dismissals.value.has(request_id)),
)
/** The one to look at next; null when every one was. */
export const nextAlarm: ReadonlySignal<Withheld | null> = computed(
  () => alarms.value.find(({ request_id }) => !views.value.has(request_id)) ?? null,
)

/** Notes that the reader has looked at the record of an alarm. */
export function sawAlarm(requestId: string): void {
  if (!views.peek().has(requestId)) views.value = new Set([...views.peek(), requestId])
}

/** Puts away the alarms that were looked at; those that come later are shown again. */
export function putAway(): void {
  const targets = alarms.peek().filter(({ request_id }) => views.peek().has(request_id))
  const all = [...targets.map(({ request_id }) => request_id), ...dismissals.peek()].slice(0, MOST)
  dismissals.value = new Set(all)
  remember('local', KEPT, all.join(' '))
}

/** Asks for alarms every minute. */
export function watchAlarms(): void {
  poll(
    ASK_MS,
    async (signal) => {
      const { alarms: now } = await api.call<{ readonly alarms: readonly Withheld[] }>('overview', { query: { window: '7d' }, signal })
      if (!signal.aborted) incidents.value = now
    },
    () => {
      incidents.value = []
    },
  )
}
