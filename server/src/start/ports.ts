import { createServer } from 'node:net'
import { cannotListen, Refusal } from '../cli/refusal.ts'

/**
 * Listens for a moment, so that a port that is taken is told before anything is started.
 *
 * @param settings what would choose another port
 * @throws Refusal
 */
export async function assertFree(host: string, port: number, settings?: string): Promise<void> {
  if (port === 0) return
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Refusal(cannotListen(error.code, host, port, settings), { cause: error })),
    )
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })
}
