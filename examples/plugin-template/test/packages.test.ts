import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import t from 'tap'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Runs a README's example as it is printed, on what this package has installed, and returns what it logs. */
async function run(readme: string): Promise<{ logged: string[]; promised: string[] }> {
  const example = /```js\n(.*?)```/s.exec(readme)![1]!
  const source = example.replace(/from '([^']+)'/g, (_, name) => `from '${resolve(name)}'`)
  const logged: string[] = []
  const { log } = console
  console.log = (...values: unknown[]) => logged.push(values.map(shown).join(' '))
  try {
    await import(`data:text/javascript,${encodeURIComponent(source)}`)
  } finally {
    console.log = log
  }
  return { logged, promised: [...example.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map((match) => match[1]!) }
}

function resolve(name: string): string {
  return name.startsWith('@svc/') ? import.meta.resolve(name) : pathToFileURL(createRequire(import.meta.url).resolve(name)).href
}

/** A value as Node prints it; the examples' are simple enough. */
function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(([name, each]) => `${name}: ${typeof each === 'bigint' ? `${each}n` : `'${each}'`}`)
  return `{ ${members.join(', ')} }`
}

for (const name of ['contract', 'kit-evm']) {
  const readme = read(`packages/${name}/README.md`)

  t.test(`the example in the README of ${name} runs and logs what its comments say`, async (t) => {
    const { logged, promised } = await run(readme)
    t.ok(promised.length > 0)
    t.same(logged, promised)
  })

  t.test(`the README of ${name} leads to its error codes`, async (t) => {
    const [, anchor] = /docs\/errors\.md#([\w-]+)/.exec(readme) ?? []
    const headings = [...read('docs/errors.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) => title.toLowerCase().replace(/[^\w-]/g, ''))
    t.ok(anchor !== undefined && headings.includes(anchor), `docs/errors.md#${anchor}`)
  })
}

t.test('the README of kit-evm names every setting and its default', async (t) => {
  const { evmSettings } = await import('@svc/kit-evm')
  const readme = read('packages/kit-evm/README.md')
  for (const [name, { default: value }] of Object.entries(evmSettings.properties as Record<string, { default?: unknown }>)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``))
    t.match(row, String(value), name)
  }
})
