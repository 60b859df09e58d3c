import { readFileSync } from 'node:fs'
import t from 'tap'

const guide = readFileSync(new URL('../../../docs/writing-a-plugin.md', import.meta.url), 'utf8')

/** Each block of code with the file that the line before it links to. */
const quotes = [...guide.matchAll(/(?<before>[^\n]*)\n\n```(?<language>\w*)\n(?<code>.*?)```/gs)].map(({ groups }) => ({
  link: /^From \[`(?<shown>[^`]+)`\]\((?<file>[^)]+)\):$/.exec(groups!.before!)?.groups,
  code: groups!.code!,
}))

t.test('every block of code in the guide is quoted, letter by letter, from a file that it links to', async (t) => {
  t.equal(quotes.length, guide.match(/^```\w+$/gm)?.length)
  t.ok(quotes.length > 10)
  for (const { link, code } of quotes) {
    if (!t.ok(link, code.slice(0, 60))) continue
    t.ok(link!.file!.endsWith(`/plugin-template/${link!.shown}`), link!.shown!)
    const source = readFileSync(new URL(link!.file!, new URL('../../../docs/', import.meta.url)), 'utf8')
    t.ok(source.includes(code), `${link!.shown} has: ${code.split('\n')[0]}`)
  }
})

t.test('the guide names every member of a declaration and of an action', async (t) => {
  const contract = readFileSync(new URL('../../../packages/contract/src/protocol.ts', import.meta.url), 'utf8')
  const membersOf = (name: string) => {
    const body = new RegExp(`interface ${name}<[^{]*\\{(.*?)\\n\\}`, 's').exec(contract)?.[1] ?? ''
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map((match) => match[1]!)
  }
  const members = [...new Set(['Protocol', 'ActionBase', 'Action', 'SettledAction'].flatMap(membersOf))]
  t.ok(members.length > 15, members.join())
  // The two that `protocol(kit, settings)` binds are not written by an author.
  for (const name of members) if (name !== 'kit') t.match(guide, `\`${name}\``, name)
})

t.test('the guide lists every member of a staking object, and no others', async (t) => {
  const contract = readFileSync(new URL('../../../packages/contract/src/position.ts', import.meta.url), 'utf8')
  const body = /interface StakedObject \{(.*?)\n\}/s.exec(contract)?.[1] ?? ''
  const table = /Each object has every one of these members(.*?)\n\n`info`/s.exec(guide)?.[1] ?? ''
  t.same(
    [...table.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1]),
    [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1]),
  )
})

t.test('every heading in the table of contents exists', async (t) => {
  const slugs = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  )
  const links = [...guide.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]!)
  t.ok(links.length > 5)
  for (const link of links) t.ok(slugs.includes(link), link)
})
