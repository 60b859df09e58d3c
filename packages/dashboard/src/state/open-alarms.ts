import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Alarm, AlarmFacts, Alarms } from '../api/alarms.ts'
import { ApiFailure } from '../api/failure.ts'
import { account } from './account.ts'
import { poll } from './poll.ts'
import { api } from './session.ts'

/** Interval at which alarms are asked for, in milliseconds: a choice of this project, so that one is seen within 5 s of the look that found it; 15 of the 200 requests that a token has in a minute. */
const ASK_MS = 4000
const NONE: Alarms = { alarms: [], more: false }

const answer = signal<{ readonly account: string | null; readonly alarms: Alarms } | null>(null)
/** Time until which a limit asks the page to wait, in milliseconds since 1970. */
let restsUntil = 0
let again: () => void = () => undefined

/** Changes from elsewhere that nobody of the account has put away. */
export const openAlarms: ReadonlySignal<Alarms> = computed(() => (answer.value?.account === account.value ? answer.value.alarms : NONE))

/** Asks for alarms for as long as the page is open. */
export function watchOpenAlarms(): void {
  const { again: ask } = poll(
    ASK_MS,
    async (signal) => {
      if (Date.now() < restsUntil) return
      const of = account.peek()
      try {
        const alarms = await api.call<Alarms>('alarms', { query: { account: of }, signal })
        if (!signal.aborted) answer.value = { account: of, alarms }
      } catch (error) {
        restsUntil = error instanceof ApiFailure ? (error.retryAt ?? 0) : 0
      }
    },
    () => {
      answer.value = null
    },
  )
  again = ask
  // Another account's are asked for at once.
  effect(() => {
    if (account.value !== answer.peek()?.account) ask()
  })
}

/** Puts an alarm away for everybody of its account. @throws ApiFailure */
export async function dismissAlarm({ id }: Alarm): Promise<void> {
  await api.call(`events/${id}/dismiss`, { method: 'POST' })
  const { value } = answer
  if (value) answer.value = { ...value, alarms: { ...value.alarms, alarms: value.alarms.alarms.filter((each) => each.id !== id) } }
  again()
}

/** Reads what an alarm tells besides its sentence. */
export function factsOf({ body }: Alarm): AlarmFacts {
  const { data } = JSON.parse(body) as { readonly data: AlarmFacts }
  return data
}

/** Address of the part of the guide that says what can be done: that of the product of a position, that of products' terms, or what is right at once. */
export function guideOf({ type, protocol }: Pick<Alarm, 'type' | 'protocol'>): string {
  const sections: Readonly<Record<string, string | null>> = { position: protocol, security: 'what-to-do-at-once' }
  return `when-something-changes.html#${sections[type.split('.')[0] ?? ''] ?? 'the-products-terms'}`
}
