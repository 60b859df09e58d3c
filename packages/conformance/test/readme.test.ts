import { readFile } from 'node:fs/promises'
import t from 'tap'
import { groups } from '../src/groups/index.ts'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const options = await readFile(new URL('../src/options.ts', import.meta.url), 'utf8')
const family = await readFile(new URL('../src/family.ts', import.meta.url), 'utf8')

/** Members of an interface, from its text. */
function membersOf(text: string, name: string): string[] {
  const body = text.split(new RegExp(`interface ${name}\\b[^{]*{\\n`))[1]?.split('\n}')[0] ?? ''
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm)].map(([, member]) => member!)
}

t.test('every group is in the table of groups', async (t) => {
  for (const group of Object.keys(groups)) t.match(readme, new RegExp(`^\\| \`${group}\`  *\\|`, 'm'), group)
})

t.test('every option is in the table of options', async (t) => {
  const members = [...membersOf(options, 'StageOptions'), ...membersOf(options, 'ConformanceOptions')]
  t.ok(members.length > 10)
  for (const member of members) t.match(readme, new RegExp(`^\\| \`${member}\`  *\\|`, 'm'), member)
})

t.test("every member of a family's driver is named", async (t) => {
  const members = membersOf(family, 'Family')
  t.ok(members.length > 8)
  for (const member of members) t.match(readme, new RegExp(`^${member}\\b`, 'm'), member)
})
