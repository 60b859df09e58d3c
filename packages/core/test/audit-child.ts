import { memoryLog } from '@svc/testing/paper'
import { ulid } from 'ulid'
import { createAudit } from '../src/audit/audit.ts'
import { openStore } from '../src/db/open.ts'
import { auditRecord } from './db/samples.ts'

/** Run as a process of its own by `audit.test.ts`: appends without end and prints each id once it is saved. */
const [dataDir, databaseUrl] = process.argv.slice(2)
const log = memoryLog()
const audit = createAudit({ store: await openStore({ dataDir, databaseUrl, log }), log })

async function appendForever(): Promise<void> {
  for (;;) {
    const id = ulid()
    await audit.append(auditRecord({ id }))
    process.stdout.write(`${id}\n`)
  }
}

await Promise.all([appendForever(), appendForever(), appendForever(), appendForever()])
