import { readFileSync } from 'node:fs'
import { settingsSchema } from '@svc/core/plugins'
import { svmWallets } from '@svc/sandbox-svm'
import t from 'tap'
import { errorCodes } from '../src/codes.ts'
import plugin from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const row = (first: string) => readme.split('\n').find((line) => line.startsWith(`| \`${first}\` `))
const { protocol } = plugin

t.test('the README names every setting with its default, every action with its body, and every error code', async (t) => {
  const settings = settingsSchema(protocol).properties as Record<string, { default?: unknown }>
  for (const name of [...Object.keys(protocol.network.properties), 'max_fee'])
    t.match(row(name), ` ${settings[name]?.default ?? 'Required.'}`, name)
  for (const [name, { body }] of Object.entries(protocol.actions))
    for (const member of Object.keys(body)) t.match(row(name), `\`${member}\``, name)
  for (const [code, [status]] of Object.entries(errorCodes)) {
    t.match(readme, `\`${code}\``, code)
    if (row(code)) t.match(row(code), `| ${status} `, code)
  }
  t.match(readme, `/api/v1${protocol.prefix}`)
})

t.test('the wallet of its example is one of the sandbox', async (t) => {
  const wallet = /^wallet=(\w+)$/m.exec(readme)?.[1]
  t.ok(svmWallets.some(({ address }) => address === wallet))
})
