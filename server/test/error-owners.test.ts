import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

interface Table {
  readonly owner: string
  readonly name: string
  readonly errorCodes: Readonly<Record<string, readonly [status: number, meaning: string]>>
}

interface ByOwner {
  readonly owners: ReadonlyMap<string, ReadonlyMap<string, { readonly name: string; readonly status: number; readonly meaning: string }>>
  readonly repeated: readonly string[]
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { byOwner }: { byOwner(tables: readonly Table[]): ByOwner } = await import(join(ROOT, 'scripts/error-owners.mjs'))

const contract = { owner: 'service', name: '@svc/contract', errorCodes: { LATE: [503, 'Too late.'] } } as const

t.test('codes stand under who declares them, and a family may mean something else by a code of the service', async (t) => {
  const family = { owner: 'evm', name: '@svc/kit-evm', errorCodes: { LATE: [400, 'The nonce is late.'] } } as const
  const core = { owner: 'service', name: '@svc/core', errorCodes: { GONE: [409, 'It is gone.'] } } as const
  const { owners, repeated } = byOwner([contract, core, family])
  t.same(repeated, [])
  t.same(
    Object.fromEntries(
      [...owners].map(([owner, codes]) => [owner, Object.fromEntries([...codes].map(([code, { meaning }]) => [code, meaning]))]),
    ),
    { service: { LATE: 'Too late.', GONE: 'It is gone.' }, evm: { LATE: 'The nonce is late.' } },
  )
})

t.test('one owner declares a code once: a second text is refused with both of them, and so is the same text', async (t) => {
  const again = (meaning: string) => byOwner([contract, { owner: 'service', name: '@svc/core', errorCodes: { LATE: [503, meaning] } }])
  t.same(again('Later than that.').repeated, [
    'The service declares LATE twice, in @svc/contract (503, "Too late.") and in @svc/core (503, "Later than that."); leave it in one of them.',
  ])
  t.equal(again('Too late.').repeated.length, 1)
})
