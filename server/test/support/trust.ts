import { join } from 'node:path'
import { load } from '../../src/cli/config.ts'
import { trustOf } from '../../src/trust.ts'
import { dataDir, sandbox } from './service.ts'

/** The trust document of the running sandbox's account, as `svc trust` prints it. */
export async function trust() {
  const file = join(dataDir, 'sandbox.config.json')
  return trustOf(file, await load(file), 'demo', sandbox.baseUrl)
}
