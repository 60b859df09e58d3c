// Everything that real nodes were asked is asked of the stand-in, and each difference stands in the README with its reason.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { differences, formOf } from './form.ts'
import { gasOf } from './gas.ts'
import { playCelestia, playHub } from './situations.ts'
import { type Recorded, World } from './world.ts'

const PLAYS = { hub: playHub, celestia: playCelestia } as const

/** Reads the situations that the README explains, as `node situation`, each with the members in which it may differ. */
function explained(): [situation: string, members: readonly string[]][] {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [, section = ''] = readme.split('## The stand-in against real nodes')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  return rows.flatMap((row) => {
    const [, situations, members] = row.split('|')
    const all = named(situations).flatMap((name) => (name.includes(' ') ? [name] : [`hub ${name}`, `celestia ${name}`]))
    return all.map((name): [string, readonly string[]] => [name, named(members)])
  })
}

/** Names the member in which answers differ. @param difference as `differences` tells it */
function memberOf(difference: string): string {
  const [path = ''] = /^[^:\s]*/.exec(difference) ?? []
  return path.replace('.body.', '').replaceAll(/\[\d+\]/g, '[]')
}

const differing: string[] = []

for (const node of ['hub', 'celestia'] as const satisfies readonly Recorded[]) {
  t.test(`${node}: the stand-in answers what was recorded, but for what is explained`, async (t) => {
    const world = await World.start(t, node)
    await PLAYS[node](world)
    t.ok(world.recorded.size > 320, `${world.recorded.size} situations`)
    t.same(
      [...world.recorded.keys()].filter((name) => !world.answers.has(name)),
      [],
      'each was asked',
    )
    const reasons = new Map(explained())
    for (const [name, { response }] of world.recorded) {
      const answer = world.answers.get(name)
      const contentType = response.contentType && answer?.contentType
      const real = { status: response.status, contentType: response.contentType, body: formOf(response.body) }
      const found = differences(real, { status: answer?.status, contentType, body: formOf(answer?.body) })
      if (found.length > 0) differing.push(`${node} ${name}`)
      const allowed = reasons.get(`${node} ${name}`) ?? []
      const open = found.filter((each) => !allowed.some((member) => member === 'body' || memberOf(each).startsWith(member)))
      if (open.length > 0) t.same(open, [], `${name}: ${open.length} differences without a reason`)
    }
    const compared = gasOf(world)
    t.ok(compared.length > 15, `${compared.length} gas figures`)
    for (const { name, real, here } of compared)
      t.ok(here > (real * 6) / 7 && here < (real * 8) / 7, `${name}: ${here} gas where ${real} was used, within a seventh`)
  })
}

t.test('each explanation is of a difference, and stands once', async (t) => {
  const reasons = explained().map(([name]) => name)
  t.ok(reasons.length > 0)
  t.same(
    reasons.filter((name) => !differing.includes(name)),
    [],
  )
  t.equal(new Set(reasons).size, reasons.length)
})
