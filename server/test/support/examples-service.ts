import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWithSandbox } from '../../src/sandbox.ts'

/** The service with all plugins of the workspace on local chains, staged as the examples want it, in a folder that `close` removes. */
export async function startExamples() {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-examples-'))
  const running = await startWithSandbox({
    host: '127.0.0.1',
    port: 0,
    dataDir,
    places: [fileURLToPath(new URL('../../../package.json', import.meta.url))],
    version: '0.0.0',
    examples: true,
    progress: () => undefined,
  })
  return {
    ...running,
    async close() {
      await running.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
