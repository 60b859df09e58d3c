import { computed, signal } from '@preact/signals'
import { type Client, createClient } from '../api/client.ts'
import { ApiFailure } from '../api/failure.ts'
import type { Session } from '../api/types.ts'
import { timeText } from '../text/time.ts'
import { utc } from './preferences.ts'
import { recall, remember } from './storage.ts'

/**
 * State of the reader: `restoring` at the very start, `out`, `in`, or `again`: in mid-session the reader's token ended, or the reader was away for long. The reader's
 * work waits then below the question for a token.
 */
type Phase = 'restoring' | 'out' | 'in' | 'again'

const KEPT = 'svc-token'

/** Held here and nowhere else, unless the reader asked to be kept signed in in this tab. */
let token: string | null = null
let ending = new AbortController()

/** Present state of the reader. */
export const phase = signal<Phase>('restoring')
/** Facts of the reader's token; null before the first sign-in and after signing out. */
export const session = signal<Session | null>(null)
/** Sentence on why a token is asked for; null when there is nothing to say. */
export const notice = signal<string | null>(null)
/** Counts sign-ins: what was read before is read again. */
export const signIns = signal(0)
/** Whom the page is for; another one begins anew. */
export const identity = computed(() => (session.value ? `${session.value.kind}:${session.value.account?.id ?? ''}` : ''))

/** The API below `…/api/v1/`, wherever the page was mounted. */
export const api: Client = createClient({
  base: new URL('../api/v1/', document.baseURI),
  token: () => token,
  signal: () => ending.signal,
  unauthorized: (used) => {
    if (used === token) askAgain('This token is no longer accepted. Sign in to go on where you were.')
  },
})

/** Tries a token, and begins a session with it. @returns a sentence when it cannot */
export async function signIn(text: string, keep: boolean): Promise<string | null> {
  const tried = text.trim()
  try {
    const principal = await api.call<Session>('session', { token: tried })
    token = tried
    remember('session', KEPT, keep ? tried : null)
    session.value = principal
    notice.value = null
    signIns.value += 1
    phase.value = 'in'
    return null
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    if (error.kind === 'unauthorized') return 'The service does not accept this token: it is wrong, deactivated, deleted or expired.'
    if (error.retryAt === null) return error.message
    return `${error.message} Try again from ${timeText(new Date(error.retryAt), 'time', utc.peek() ? 'UTC' : undefined)} on.`
  }
}

/** Begins with the token that this tab keeps, if it does. */
export async function restore(): Promise<void> {
  const credential = recall('session', KEPT)
  if (credential === null) {
    phase.value = 'out'
    return
  }
  const wrong = await signIn(credential, true)
  if (wrong === null) return
  // A service that is being restarted has not judged the token: it stays for the next load.
  notice.value = wrong
  phase.value = 'out'
}

/** Forgets the token and all that was read with it. */
export function signOut(): void {
  end()
  session.value = null
  notice.value = null
  phase.value = 'out'
}

/** Asks for a token above what is open, and forgets the one at hand. */
export function askAgain(why: string): void {
  if (phase.value !== 'in') return
  end()
  notice.value = why
  phase.value = 'again'
}

function end(): void {
  token = null
  remember('session', KEPT, null)
  ending.abort(new DOMException('The session ended.', 'AbortError'))
  // What the question for a token asks for belongs to nobody's session.
  ending = new AbortController()
}
