import { ApiFailure } from '../api/failure.ts'
import type { SandboxTokens } from '../api/types.ts'
import { api } from '../state/session.ts'

/** Names by which a machine calls itself. The server hands its sandbox's tokens to nobody else, so that others need not ask. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Tells whether others on the way can read what this page sends: plain http to another machine. */
export function isReadable({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): boolean {
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}

/** Asks for the tokens of a sandbox on this machine; null when there is none. */
export async function sandboxTokens(signal: AbortSignal): Promise<SandboxTokens | null> {
  if (!LOOPBACK.test(location.hostname)) return null
  try {
    return await api.call<SandboxTokens>('sandbox/tokens', { signal })
  } catch (error) {
    if (error instanceof ApiFailure || signal.aborted) return null
    throw error
  }
}
