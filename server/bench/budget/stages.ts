import { table } from '../measure.ts'
import type { Case } from './cases.ts'
import type { Shares } from './profile.ts'
import { shoot, type Target } from './shoot.ts'

/** Most lines of a table. */
const OWNERS = 40
const FUNCTIONS = 60

/** Tables of what is at work during a request, by package and by function, in microseconds of each. The profiler itself is in them, as `node: inspector`. */
export async function profiled(cases: readonly Case[], target: Target): Promise<string> {
  const parts: string[] = []
  for (const each of cases) {
    const times = each.kind === 'networks' ? 3000 : 600
    await target.ask('profile')
    await shoot(target, each, times)
    const { owners, functions } = await target.ask<{ owners: Shares; functions: Shares }>('profiled')
    const rows = (shares: Shares, most: number) =>
      Object.entries(shares)
        .filter(([name]) => name !== 'idle' && !name.startsWith('(idle)'))
        .sort(([, a], [, b]) => b - a)
        .slice(0, most)
        .map(([name, time]) => [name, (time / times).toFixed(1)])
    parts.push(
      table(each.label, ['at work', 'µs each'], rows(owners, OWNERS)),
      table(each.label, ['function', 'µs each'], rows(functions, FUNCTIONS)),
    )
  }
  return parts.join('\n')
}
