import { createChecker, createCredential, openStore, type Peppers } from '@svc/core'
import { ms, spreadOf, table, timed } from './measure.ts'

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

/** Most of a check that needs no argon2, in milliseconds at the median: of a key that is remembered, and of one that was never issued. */
const BUDGET_MS = 0.05

/** Measures the check of an API key: first time (argon2), remembered, and one that was never issued. Ends with 1 where one of the latter two takes longer than it may. */
export async function benchKeys(): Promise<string> {
  const store = await openStore({ dataDir: ':memory:', log: quiet })
  const peppers: Peppers = ['bench-bench-bench-bench-bench-bench']
  const make = () => createCredential(store, peppers, new Date(), { kind: 'key', account: 'bench', name: 'bench' })
  const keys = await Promise.all(Array.from({ length: 40 }, make))
  const checker = createChecker({ store, peppers, log: quiet })
  const cold: number[] = []
  for (const { value } of keys) {
    const from = performance.now()
    if (!(await checker.check('key', value))) throw new Error('an issued key was refused')
    cold.push(performance.now() - from)
  }
  const cached = await timed(20_000, () => checker.check('key', keys[0]!.value))
  const forged = await timed(20_000, () => checker.check('key', `${keys[0]!.value.slice(0, -8)}AAAAAAAA`))
  await checker.close()
  await store.close()
  if (!(cached.p50 <= BUDGET_MS && forged.p50 <= BUDGET_MS)) process.exitCode = 1
  const line = (name: string, { p50, p99 }: { p50: number; p99: number }, budget: string) => [name, ms(p50), ms(p99), budget]
  return table(
    'API key check',
    ['case', 'p50', 'p99', 'budget p50'],
    [line('cold (argon2id)', spreadOf(cold), '-'), line('cached', cached, ms(BUDGET_MS)), line('never issued', forged, ms(BUDGET_MS))],
  )
}
