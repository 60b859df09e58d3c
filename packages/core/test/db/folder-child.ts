import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryLog } from '@svc/testing/paper'
import { lockDataFolder } from '../../src/db/lock.ts'
import { openStore } from '../../src/db/open.ts'

/** Run as a process of its own by `sqlite.test.ts`. */
const [what, folder, ulid] = process.argv.slice(2) as [string, string, string]

if (what === 'lock') {
  lockDataFolder(folder)
  // Nobody names the lock any more: the garbage collector must not free it.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  console.log('locked')
  setInterval(() => {}, 1_000)
} else {
  console.log('opens')
  const store = await openStore({ dataDir: folder, log: memoryLog() })
  if (what === 'deactivate when told') {
    console.log('open')
    await once(process.stdin, 'data')
    process.stdin.destroy()
  }
  if (what.startsWith('deactivate')) console.log(await store.updateCredential({ ulid, account: 'acme', kind: 'key' }, { active: false }))
  else await store.ping().then(() => console.log('answers'))
  await store.close()
}
