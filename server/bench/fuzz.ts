// `pnpm fuzz [count] [seed]`: requests over all routes, right and wrong ones; half of them with chains that are down, half with chains that
// answer nonsense. What must not be is counted, and is the exit code.

import { fuzz } from './fuzz/run.ts'
import { table } from './measure.ts'

const [count = 100_000, seed = 1] = process.argv.slice(2).map(Number)
let wrong = 0
for (const [index, upstream] of (['down', 'nonsense'] as const).entries()) {
  const { statuses, routes, faults, samples, seconds } = await fuzz({
    count: Math.ceil(count / 2),
    seed: seed + index,
    connections: 16,
    upstream,
  })
  for (const sample of samples) console.error(sample)
  const answers = Object.values(statuses).reduce((sum, times) => sum + times, 0)
  console.log(
    table(
      `${Math.ceil(count / 2).toLocaleString('en')} requests, seed ${seed + index}, chains ${upstream}: ${answers.toLocaleString('en')} answers over ${routes} operations in ${seconds.toFixed(0)} s`,
      ['what', 'times'],
      Object.entries({ ...faults }),
    ),
  )
  console.log(
    `statuses: ${Object.entries(statuses)
      .map(([status, times]) => `${times} × ${status}`)
      .join(', ')}`,
  )
  wrong += Object.values(faults).reduce((sum, times) => sum + times, 0)
}
process.exitCode = wrong > 0 ? 1 : 0
