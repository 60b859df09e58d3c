import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { membersOf } from '@svc/sandbox'
import { type RecordedNode, type Recording, recordings } from '@svc/testing/recordings'
import t from 'tap'

/** Members and their kinds: what a reader meets, whatever the values. */
function formOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  if (Array.isArray(value)) return 'list'
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${name}:${formOf(each)}`).join()}}`
}

/** An answer as far as it may not differ: HTTP status; of an error its code and words; of a result its form. */
function answerOf({ response }: Recording): string {
  const { status, body } = response
  if (typeof body === 'string') return `${status} ${body.slice(0, 20)}`
  const [first] = Array.isArray(body) ? body : [body]
  const { result, error } = membersOf(first)
  if (error === undefined || error === null) return `${status} ${formOf(result)}`
  const { code, message, data } = membersOf(error)
  return `${status} ${code} ${message} ${formOf(data)}`
}

const of = (node: RecordedNode) => recordings(node)

t.test('each difference between anvil and geth is explained in the README, and each explanation is of one', async (t) => {
  const [geth, anvil] = [of('geth'), of('anvil')]
  const shared = [...anvil.keys()].filter((name) => geth.has(name))
  t.ok(shared.length > 80)
  t.same(
    [...anvil.keys()].filter((name) => !geth.has(name)),
    [],
    'each was asked of both',
  )
  const differ = shared.filter((name) => {
    const [a, b] = [geth.get(name), anvil.get(name)]
    return a === undefined || b === undefined || answerOf(a) !== answerOf(b)
  })
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const [, section = ''] = readme.split('## anvil against geth')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const explained = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z0-9-]+)`/g)].map(([, name = '']) => name))
  t.same(
    differ.filter((name) => !explained.includes(name)),
    [],
    'differences without a reason',
  )
  t.same(
    explained.filter((name) => !differ.includes(name)),
    [],
    'reasons without a difference',
  )
  t.equal(new Set(explained).size, explained.length, 'each is explained once')
})
