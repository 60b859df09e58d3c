import { readFileSync } from 'node:fs'
import { settingsSchema } from '@svc/core/plugins'
import t from 'tap'
import { errorCodes } from '../src/codes.ts'
import plugin from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const row = (first: string) => readme.split('\n').find((line) => line.startsWith(`| \`${first}\` `))
const { protocol } = plugin

t.test('the README names every setting with its default, every action with its body, and every error code', async (t) => {
  const own = [...Object.keys(protocol.network.properties), 'max_fee']
  const settings = settingsSchema(protocol).properties as Record<string, { default?: unknown }>
  for (const name of own)
    t.ok(row(name)?.includes(` ${settings[name]?.default ?? 'Required.'}`.replace(' 0x', ' `0x')), `${name}: ${row(name)}`)
  for (const [name, { body }] of Object.entries(protocol.actions))
    for (const member of Object.keys(body)) t.match(row(name), `\`${member}\``, name)
  for (const code of Object.keys(errorCodes)) t.match(readme, `\`${code}\``, code)
  t.match(readme, `/api/v1${protocol.prefix}`)
})
