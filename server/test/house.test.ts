// alone: it reads every file at once, which a service in the same process would tell as a stall
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const exclude = (path: string) => /(^|\/)(node_modules|dist)(\/|$)/.test(path)
const SOURCES = globSync(
  [
    'packages/*/{src,sandbox}/**/*.{ts,tsx}',
    'plugins/*/{src,sandbox,intent/src}/**/*.ts',
    'server/{src,bench}/**/*.ts',
    'examples/*/{src,sandbox,intent/src}/**/*.ts',
  ],
  { cwd: ROOT, exclude },
)
const texts = new Map(SOURCES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))

/** Words that begin a sentence without a verb or a noun, so that its reader has to guess what the thing does. */
const RIDDLES = ['What', 'Whether', 'How', 'Of', 'By', 'Where']
/** Largest share of docblocks that may begin so, in percent. */
const MOST_RIDDLES = 5
/** Participles that say that something was done to a value, and not what the value is. */
const PARTICIPLES = [
  ...[
    'found',
    'told',
    'kept',
    'known',
    'given',
    'asked',
    'seen',
    'said',
    'taken',
    'made',
    'held',
    'put',
    'heard',
    'got',
    'stated',
    'placed',
  ],
  ...['looked', 'meant', 'wanted', 'noted', 'shown', 'answered', 'listed', 'counted', 'refused'],
]
/** Most locals that may be named by one, where it is the word of the field. */
const MOST_PARTICIPLES = 40

t.test('docblocks begin with a verb or a noun', async (t) => {
  const openings = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map((match) => ({ file, opening: match[1]?.replace(/^[\s*]+/, '').slice(0, 60) ?? '' })),
  )
  const riddles = openings.filter(({ opening }) => RIDDLES.includes(opening.split(/\s/)[0] ?? ''))
  t.ok(openings.length > 5_000, `there are docblocks: ${openings.length}`)
  t.ok(riddles.length * 100 < openings.length * MOST_RIDDLES, `${riddles.length} of ${openings.length} begin with ${RIDDLES.join(', ')}`, {
    riddles: riddles.slice(0, 20),
  })
})

t.test('files and locals are named for what they are', async (t) => {
  const files = SOURCES.filter((file) =>
    [...PARTICIPLES, 'also', 'alone', 'tell', 'within'].includes(basename(file).replace(/\.tsx?$/, '')),
  )
  t.same(files, [], 'no file is named by a participle')
  const words = PARTICIPLES.join('|')
  const local = new RegExp(`\\b(?:const|let) (?:${words})\\b|\\bconst [\\[{][^=]*?\\b(?:${words})\\b(?! *:)[^=]*?[\\]}] =`)
  const locals = [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line) => (local.test(line) ? [`${file}: ${line.trim()}`] : [])),
  )
  t.ok(locals.length < MOST_PARTICIPLES, `${locals.length} locals`, { locals: locals.slice(0, 60) })
})

t.test('an export is imported somewhere, or of a package’s entry, or of an example, which strangers build with declarations', async (t) => {
  const entries = new Set<string>()
  for (const manifest of globSync(['{packages,plugins,examples}/*/{,intent/}package.json', 'server/package.json'], {
    cwd: ROOT,
    exclude,
  })) {
    const paths = (value: unknown): void => {
      if (typeof value === 'string') entries.add(join(manifest, '..', value))
      else for (const each of Object.values(value ?? {})) paths(each)
    }
    paths(JSON.parse(readFileSync(join(ROOT, manifest), 'utf8')).exports)
  }
  const users = new Map<string, Set<string>>()
  const everywhere = globSync(['{packages,plugins,examples,server,scripts}/**/*.{ts,tsx,mjs}'], { cwd: ROOT, exclude })
  for (const file of everywhere)
    for (const word of (texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8')).match(/[A-Za-z_$][\w$]*/g) ?? []) {
      const files = users.get(word) ?? new Set()
      users.set(word, files.add(file))
    }
  const declared = /^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm
  const lonely = [...texts].flatMap(([file, text]) =>
    entries.has(file) || file.startsWith('examples/')
      ? []
      : [...text.matchAll(declared)].flatMap(([, name = '']) => ((users.get(name)?.size ?? 0) > 1 ? [] : [`${file} ${name}`])),
  )
  t.ok(entries.size > 30, 'the entries of the packages are known')
  t.same(lonely, [], 'none is exported for nobody')
})

t.test('a test that a machine without servers or a browser leaves out is run again by .ci/run', async (t) => {
  const again = /^pnpm unit (.+)$/m.exec(readFileSync(join(ROOT, '.ci/run'), 'utf8'))?.[1]?.split(' ') ?? []
  const skipping = globSync('{packages,plugins,examples,server}/**/*.test.ts', { cwd: ROOT, exclude }).filter((file) =>
    /skipPostgres|DATABASE_URL|REDIS_URL|support\/chromium/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  t.ok(skipping.length > 10, 'there are some')
  t.same(
    skipping.filter((file) => !again.some((folder) => file.startsWith(`${folder}/`))),
    [],
    `all of them stand in ${again.join(', ')}`,
  )
})

t.test('the dashboard and what reads for it know no protocol and no chain family by name', async (t) => {
  const protocols = globSync('plugins/*/package.json', { cwd: ROOT }).map((file) => basename(join(file, '..')))
  // Words of the families, their chains and their tokens as people call them, wherever they are told: in titles, descriptions and networks.
  const told = [...texts].filter(([file]) => /^packages\/verify\/src\/\w+\/inspected\.ts$/.test(file)).map(([, text]) => text)
  const chains = told.flatMap((text) =>
    [...text.matchAll(/(?:title|name): '([A-Z][\w ]*)'|\['([A-Z]\w+)', '[A-Z]+'/g)].map(([, one, other]) => one ?? other ?? ''),
  )
  const families = globSync('packages/verify/src/*/family.ts', { cwd: ROOT }).map((file) => basename(join(file, '..')))
  t.ok(protocols.length > 9 && families.length === 4 && chains.length > 8, `${protocols.length} protocols, ${families}, ${chains}`)
  // The English verb is a word of every page.
  const plain = families.filter((name) => name !== 'move')
  const names = new RegExp(`\\b(${[...protocols, ...chains, ...plain].join('|')})\\b|['"\`]move['"\`:]`, 'i')
  const lines = [...texts].flatMap(([file, text]) =>
    /^packages\/(dashboard|verify\/src\/inspect)\//.test(file)
      ? text.split('\n').flatMap((line, at) => (names.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : []))
      : [],
  )
  t.same(lines, [])
})
