import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { emptyFolder, svc } from '../cli-process.ts'

interface Step {
  readonly kind: 'run' | 'values' | 'not run' | 'endpoint ends'
  readonly line: number
  readonly code?: string
  readonly output?: string
  readonly reason?: string
}

const script = new URL('../../../scripts/release/guide-text.mjs', import.meta.url).href
const {
  isQuoted,
  namesIn,
  stepsOf,
}: {
  isQuoted(output: string, text: string): boolean
  namesIn(code: string): readonly string[]
  stepsOf(text: string): readonly Step[]
} = await import(script)

t.test('the guide is read as commands, what they write, and what is not run', (t) => {
  const guide = ['# A', '<!-- values -->', '```sh', 'A=1 B_2=x', 'C=$A', '```', '```sh', 'echo $A', '```', '```text', '1', '```', '']
  const more = ['<!-- the script ends the first endpoint of Monad here -->', '<!-- not run: no root -->', '```sh', 'apt-get', '```']
  t.match(stepsOf([...guide, ...more].join('\n')), [
    { kind: 'values', line: 3, code: 'A=1 B_2=x\nC=$A' },
    { kind: 'run', line: 7, code: 'echo $A', output: '1' },
    { kind: 'endpoint ends', line: 14 },
    { kind: 'not run', line: 16, code: 'apt-get', reason: 'no root' },
  ])
  t.same(namesIn('A=1 B_2=x\nC=$A'), ['A', 'B_2', 'C'])
  t.throws(() => stepsOf('```sh\nx\n```\n\n```text\n1\n```'), /line 5: an output that stands behind no command/)
  t.throws(() => stepsOf('<!-- not run: x -->\n```sh\nx\n```\n```text\n1\n```'), /behind no command/)
  t.throws(() => stepsOf('```js\nx\n```'), /line 1: a block is of commands/)
  t.throws(() => stepsOf('<!-- never -->\n```sh\nx\n```'), /means nothing/)
  t.throws(() => stepsOf('```sh\nx'), /without an end/)
  t.end()
})

t.test('what is quoted is compared whole', (t) => {
  t.ok(isQuoted('a…c\nd', 'a b c\nd\n'))
  t.notOk(isQuoted('a…c\nd', 'a\nc\nd'), 'within one line')
  t.notOk(isQuoted('a', 'a\nb'), 'nothing comes after it')
  t.notOk(isQuoted('b', 'a\nb'), 'or before')
  t.ok(isQuoted('…\nb', 'a\nx\nb'), 'but for lines that are left out')
  t.notOk(isQuoted('a.c', 'abc'), 'a dot is a dot')
  t.end()
})

t.test('the guide for production is such a text, and says of each block that is not run why', (t) => {
  const steps = stepsOf(readFileSync(fileURLToPath(new URL('../../../docs/production.md', import.meta.url)), 'utf8'))
  const count = (kind: string) => steps.filter((step) => step.kind === kind).length
  t.equal(count('values'), 1)
  t.equal(count('endpoint ends'), 1)
  t.ok(count('run') > 15, `${count('run')} are run`)
  t.ok(count('not run') < 7)
  t.end()
})

t.test('what the table of symptoms names are commands of svc, with such options', async (t) => {
  const guide = readFileSync(fileURLToPath(new URL('../../../docs/production.md', import.meta.url)), 'utf8')
  const [, table = ''] = /^## 14\. [\s\S]*?(^\|[\s\S]*?)^## /m.exec(guide) ?? []
  const named = [...table.matchAll(/`(svc [^`]+)`/g)].map(([, command = '']) => command.split(' ').slice(1))
  t.ok(named.length > 8, `${named.length} commands`)
  const cwd = await emptyFolder(t)
  for (const words of named) {
    const command = words.slice(
      0,
      words.findIndex((word) => /^[<-]/.test(word)) < 0 ? words.length : words.findIndex((word) => /^[<-]/.test(word)),
    )
    const { code, stdout } = await svc([...command, '--help'], { cwd })
    t.match({ code, stdout }, { code: 0, stdout: `Usage: svc ${command.join(' ')}` })
    for (const option of words.filter((word) => word.startsWith('--'))) t.match(stdout, new RegExp(`${option}\\b`), `${words.join(' ')}`)
  }
})
