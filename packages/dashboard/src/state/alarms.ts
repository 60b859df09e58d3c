import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Withheld } from '../api/overview.ts'
import { api, phase } from './session.ts'
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

/** The reader has looked at the record of an alarm. */
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

/** Asks for alarms after each sign-in, and every minute while the tab is seen. What cannot be read is asked again: the page says elsewhere that the service is away. */
export function watchAlarms(): void {
  let abort = new AbortController()
  const ask = async () => {
    if (phase.peek() !== 'in' || document.hidden) return
    abort.abort()
    abort = new AbortController()
    const { signal: mine } = abort
    try {
      const { alarms: now } = await api.call<{ readonly alarms: readonly Withheld[] }>('overview', {
        query: { window: '7d' },
        signal: mine,
      })
      if (!mine.aborted) incidents.value = now
    } catch {
      // Asked again within a minute.
    }
  }
  window.setInterval(() => void ask(), ASK_MS)
  document.addEventListener('visibilitychange', () => void ask())
  phase.subscribe((now) => {
    if (now === 'in') void ask()
    // Another reader may not see what this one could.
    if (now === 'out') incidents.value = []
  })
}
