import { createServer } from 'node:net'
import type { PortFrom } from '@svc/core'
import { cannotListen, Refusal } from '../cli/refusal.ts'

/**
 * Checks that a port is free by listening on it for a moment, so that a taken port is reported before anything is started.
 *
 * @param settings what would choose another port
 * @throws Refusal
 */
export async function assertFree(host: string, port: number, settings?: string): Promise<void> {
  await tryPort(host, port).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(cannotListen(error.code, host, port, settings), { cause: error })
  })
}

/** Listens on a port for a moment. @throws NodeJS.ErrnoException */
export async function tryPort(host: string, port: number): Promise<void> {
  if (port === 0) return
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // In a primary a server listens by itself; its workers share what it hands out.
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })
}

/** Who chose a port: an option, a variable, the config, or nobody. */
type ChosenBy = '--port' | 'SVC_PORT' | PortFrom

/** Returns a sentence on where the port of the service comes from, and which settings take precedence. */
export function portText(port: number, by: ChosenBy): string {
  const whose: Readonly<Record<ChosenBy, string>> = {
    '--port': 'is that of --port',
    SVC_PORT: "is the environment's SVC_PORT",
    config: "is the config's listen.port",
    PORT: "is the environment's PORT, since neither --port nor SVC_PORT nor a config says one",
    default: 'is the default: --port, SVC_PORT, listen.port in a config and PORT are looked at, in this order',
  }
  return `The port ${port} ${whose[by]}.`
}
