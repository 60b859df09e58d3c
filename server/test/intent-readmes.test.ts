import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { settingsSchema } from '@svc/core/plugins'
import type { Intent } from '@svc/verify/intent'
import t from 'tap'

const root = new URL('../../', import.meta.url)
const folders = globSync('{plugins/*/intent,packages/intent-*}/package.json', { cwd: root })
  .map((file) => file.replace(/\/package\.json$/, ''))
  .toSorted()

/** The intent of a package, or the first of several of one family. */
async function intentIn(folder: string): Promise<Intent> {
  const exported: object = await import(new URL(`${folder}/src/index.ts`, root).href)
  const found = Object.values(exported).find((each): each is Intent => typeof each === 'object' && each !== null && 'family' in each)
  if (found === undefined) throw new Error(`${folder} exports no intent`)
  return found
}

const intents = new Map(await Promise.all(folders.map(async (folder) => [folder, await intentIn(folder)] as const)))
const HEAD = '## What the service chooses of every transaction\n'

/** What the family says of itself, as its READMEs have it. */
function sectionOf({ family }: Intent): string {
  const rows = (family.dictated ?? []).map(({ fact, bound, cost }) => `| \`${fact}\` | ${bound} | ${cost} |`)
  return [
    HEAD,
    'Each is in `assumed` with its value. Who gives one in `facts`, without its unit, has it compared exactly, and bounded by nothing else. The terms that bound it are pinned; a trust document without them bounds it by',
    '`max_fee` alone.',
    '',
    '| Fact | Bound | At worst it costs |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

t.test('the README of every intent lists all that the service chooses, word for word as the caller is told', async (t) => {
  t.equal(intents.size, 8, 'each intent of the repository')
  for (const [folder, intent] of intents) {
    const file = new URL(`${folder}/README.md`, root)
    const readme = readFileSync(file, 'utf8')
    const [before = '', after = ''] = readme.split(HEAD)
    const rest = after.includes('\n## ') ? after.slice(after.indexOf('\n## ') + 1) : ''
    const wanted = `${before.trimEnd()}\n\n${sectionOf(intent)}${rest === '' ? '' : `\n${rest}`}`
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, wanted)
    else t.equal(readme, wanted, `${folder}: UPDATE_GOLDEN=1 writes it`)
  }
})

t.test('what is listed is what a transaction has, and nothing of a transaction is left out', async (t) => {
  for (const [folder, { family }] of intents) {
    const names = (family.dictated ?? []).map(({ fact }) => fact)
    t.equal(new Set(names).size, names.length, folder)
    t.ok(names.length > 2, folder)
    for (const { bound, cost } of family.dictated ?? []) {
      for (const [, term = ''] of `${bound} ${cost}`.matchAll(/`(\w+)`/g))
        t.ok(term === 'max_fee' || names.includes(term) || Object.hasOwn(family.terms ?? {}, term), `${folder}: ${term} is a term`)
      t.notMatch(`${bound}${cost}`, /\.$|\|/, 'a phrase, in a cell')
    }
  }
})

t.test('SECURITY.md says for each protocol what a fee can be at most, by the settings that it has', async (t) => {
  const text = readFileSync(new URL('SECURITY.md', root), 'utf8')
  const [, table = ''] = /## What an owned service can cost a caller\n(.*?)\n## /s.exec(text) ?? []
  const rows = new Map([...table.matchAll(/^\| ([a-z-]+) \| ([^|]+) \|/gm)].map(([, name = '', fee = '']) => [name, fee]))
  const plugins = globSync('plugins/*/package.json', { cwd: root }).map((file) => file.split('/')[1] ?? '')
  t.same([...rows.keys()].toSorted(), plugins.toSorted())
  for (const name of plugins) {
    const { default: plugin } = await import(new URL(`plugins/${name}/src/index.ts`, root).href)
    const { maxFee, kit, symbol = kit.symbol } = plugin.protocol
    // By the defaults of the settings, with one signer and one coin.
    const { properties } = settingsSchema(plugin.protocol)
    const settings = Object.fromEntries(Object.entries(properties).map(([setting, schema]) => [setting, Object(schema).default]))
    const network = { ...settings, chainId: 'x', caip2: 'x:x', decimals: kit.decimals, symbol, max_fee: maxFee }
    const decoded = {
      chainId: 'x',
      signers: ['x'],
      calls: [],
      maxFee: 0n,
      terms: { gasPrice: 1n, gasPayment: 'x', gasLimit: 1n, unitLimit: 1n },
    }
    const costs: readonly { readonly cost?: string }[] = plugin.protocol.intent.family.claimed({}, decoded, network)
    const [, sum = ''] = costs.map(({ cost = '' }) => /^up to ([\d.]+ [A-Z]+) for each/.exec(cost)).find((each) => each !== null) ?? []
    t.ok(sum !== '' && rows.get(name)?.startsWith(sum), `${name}: ${sum} is ${rows.get(name)}`)
  }
})
