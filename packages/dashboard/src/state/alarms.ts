import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Withheld } from '../api/overview.ts'
import { api, phase } from './session.ts'
import { recall, remember } from './storage.ts'

/** How often it is asked for alarms, in milliseconds: a choice of this project. */
const ASK_MS = 60_000
/** Most of them that a browser remembers as put away. */
const MOST = 200
const KEPT = 'svc-alarms-seen'

const found = signal<readonly Withheld[]>([])
/** Those that the reader put away, in this browser; they are no secret. */
const put = signal<ReadonlySet<string>>(new Set((recall('local', KEPT) ?? '').split(' ').filter(Boolean)))
const looked = signal<ReadonlySet<string>>(new Set())

/** Alarms of the last seven days that were not put away, newest first. */
export const alarms: ReadonlySignal<readonly Withheld[]> = computed(() =>
  found.value.filter(({ request_id }) => !put.value.has(request_id)),
)
/** The one to look at next; null when every one was. */
export const nextAlarm: ReadonlySignal<Withheld | null> = computed(
  () => alarms.value.find(({ request_id }) => !looked.value.has(request_id)) ?? null,
)

/** The reader has looked at the record of an alarm. */
export function sawAlarm(requestId: string): void {
  if (!looked.peek().has(requestId)) looked.value = new Set([...looked.peek(), requestId])
}

/** Puts away the alarms that were looked at; those that come later are shown again. */
export function putAway(): void {
  const seen = alarms.peek().filter(({ request_id }) => looked.peek().has(request_id))
  const all = [...seen.map(({ request_id }) => request_id), ...put.peek()].slice(0, MOST)
  put.value = new Set(all)
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
      if (!mine.aborted) found.value = now
    } catch {
      // Asked again within a minute.
    }
  }
  window.setInterval(() => void ask(), ASK_MS)
  document.addEventListener('visibilitychange', () => void ask())
  phase.subscribe((now) => {
    if (now === 'in') void ask()
    // Another reader may not see what this one could.
    if (now === 'out') found.value = []
  })
}
