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
  const schema = settingsSchema(protocol)
  const settings = schema.properties as Record<string, { default?: unknown }>
  for (const name of own) {
    const value = settings[name]?.default
    const expected =
      value !== undefined ? ` ${value}`.replace(' 0x', ' `0x') : schema.required?.includes(name as never) ? 'Required.' : / (of|by) /
    t.match(row(name), expected, name)
  }
  for (const [name, { body }] of Object.entries(protocol.actions))
    for (const member of Object.keys(body)) t.match(row(name), `\`${member}\``, name)
  for (const [code, [status]] of Object.entries(errorCodes)) {
    t.match(readme, `\`${code}\``, code)
    if (row(code)) t.match(row(code), `| ${status} `, code)
    else t.match(readme, new RegExp(`(a|an|one)? ?${status} \`${code}\``), code)
  }
  t.match(readme, `/api/v1${protocol.prefix}`)
})
