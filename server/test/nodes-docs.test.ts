import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ProtocolPlugin } from '@svc/contract'
import { requirementsOf } from '@svc/core/plugins'
import evmThree from '@svc/plugin-evm-three'
import evmThreeLiquid from '@svc/plugin-evm-three-liquid'
import evmTwo from '@svc/plugin-evm-two'
import evmVault from '@svc/plugin-evm-vault'
import hubOne from '@svc/plugin-hub-one'
import hubTwo from '@svc/plugin-hub-two'
import moveNative from '@svc/plugin-move-native'
import svmLiquid from '@svc/plugin-svm-liquid'
import svmNative from '@svc/plugin-svm-native'
import t from 'tap'

/** The pages on nodes, and whose requirements stand on them. */
const PAGES: Readonly<Record<string, readonly ProtocolPlugin[]>> = {
  cosmos: [hubOne, hubTwo],
  evm: [evmTwo, evmThree, evmThreeLiquid, evmVault],
  solana: [svmNative, svmLiquid],
  sui: [moveNative],
}
const TABLE = /(<!-- requirements:[^>]*-->\n)([\s\S]*?)(<!-- end -->)/

for (const [page, plugins] of Object.entries(PAGES))
  t.test(`the page on nodes, ${page}, says what svc check asks`, async (t) => {
    const path = fileURLToPath(new URL(`../../docs/nodes/${page}.md`, import.meta.url))
    const text = await readFile(path, 'utf8')
    const wanted = tableOf(plugins)
    if (process.env.UPDATE_GOLDEN)
      await writeFile(
        path,
        text.replace(TABLE, (_, begin, __, end) => `${begin}\n${wanted}\n${end}`),
      )
    else t.equal(TABLE.exec(text)?.[2]?.trim(), wanted.trim(), 'UPDATE_GOLDEN=1 writes it anew')
    for (const { protocol } of plugins)
      for (const { name, setting, without, calls } of requirementsOf(protocol)) {
        t.match(setting.source, /^https:\/\//, `${name}: the setting has a source`)
        t.match(setting.read, /^20\d\d-\d\d-\d\d$/, `${name}: and the day on which it was read`)
        t.notMatch(without, /\.$|^[A-Z]/, `${name}: what is missing without it is a clause`)
        t.equal(new Set(calls).size, calls.length, `${name}: no call twice`)
      }
    t.end()
  })

function tableOf(plugins: readonly ProtocolPlugin[]): string {
  const byName = Map.groupBy(
    plugins.flatMap(({ protocol }) => requirementsOf(protocol).map((requirement) => ({ protocol, requirement }))),
    ({ requirement: { name, weight } }) => `${name} ${weight}`,
  )
  const rows = [...byName.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const all = [first, ...others]
    const { name, weight, without, setting } = first.requirement
    const whose = all.length === plugins.length ? '' : ` (${all.map(({ protocol }) => protocol.prefix.slice(1)).join(', ')})`
    const calls = [...new Set(all.flatMap(({ requirement }) => requirement.calls))].map((call) => `\`${call.replace(/^abci_query /, '')}\``)
    const source = `[${setting.read}](${setting.source.split(' ')[0]})`
    return [`| ${name}${whose} | ${weight} | ${setting.name} | ${setting.standard} | ${without} | ${calls.join(', ') || '–'} | ${source} |`]
  })
  const head = '| What | | Setting | As it comes | Without it | Calls that rest on it | Source |\n|---|---|---|---|---|---|---|'
  return `${head}\n${rows.join('\n')}\n`
}
