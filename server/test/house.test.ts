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

/** An exported function: declared as one, or a constant that is one. What stands in its parentheses may hold two more levels of them. */
const EXPORTED_FUNCTION =
  /^export (?:default )?(?:async )?(?:function\*? ?([\w$]*)|const ([\w$]+)[^\n]*?= (?:async )?(?:function\b|[\w$]+ =>|(?:<[^\n]*?>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)[^=\n]*=>))/gm
/** A docblock at the end of a text. Between it and what it is about there may be comments of tools, such as `biome-ignore`. */
const LAST_DOCBLOCK = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:\/\/[^\n]*\n)*$/

/** Lists the exported functions of a text, each with whether its docblock begins with a sentence, and not with a tag. Overloads share that of the first. */
function exportedFunctions(text: string): ReadonlyMap<string, boolean> {
  const functions = new Map<string, boolean>()
  for (const { index, 1: declared, 2: constant } of text.matchAll(EXPORTED_FUNCTION)) {
    const name = declared || constant || 'default'
    const docblock = LAST_DOCBLOCK.exec(text.slice(0, index))?.[1] ?? ''
    if (!functions.has(name)) functions.set(name, /^[\s*]*[^\s*@]/.test(docblock))
  }
  return functions
}

/** Words that begin a sentence without a verb or a noun, so that its reader has to guess what the thing does. */
const RIDDLES = ['What', 'Whether', 'How', 'Of', 'By', 'Where', 'Why', 'When', 'Who', 'Which', 'Its']
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

t.test('an exported function has a docblock, which begins with a sentence', async (t) => {
  const several = [
    '/** Adds. */\nexport function one() {}\nexport function one(a?: string) {}',
    '/** @see https://a.invalid */\nexport const two = (a: string) => a',
    '/** Of the first. */\nexport const three = async <T>(a: (b: T) => T) => a, x = 1\nexport const four: Shape<string> = (value): value is string => true',
    '/** Takes. */\n// biome-ignore lint: a reason\nexport async function* five() {}\nexport const six = (1n << 2n) - 1n\nexport const seven = made((a) => a)',
    '/**\n * @param a in wei\n * @see https://a.invalid\n */\nexport default function (a: bigint) {}',
  ]
  const expected = { one: true, two: false, three: true, four: false, five: true, default: false }
  t.same(Object.fromEntries(exportedFunctions(several.join('\n\n'))), expected, 'functions and docblocks are told apart')

  const functions = [...texts].flatMap(([file, text]) => [...exportedFunctions(text)].map(([name, isSaid]) => ({ file, name, isSaid })))
  t.ok(functions.length > 3_000, `there are exported functions: ${functions.length}`)
  const without = functions.filter(({ isSaid }) => !isSaid).map(({ file, name }) => `${file} ${name}`)
  t.same(without, [], 'each has one')
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

t.test('an exported type is named for what it is', async (t) => {
  const words = PARTICIPLES.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('|')
  const declared = new RegExp(`^export (?:type|interface|class) (${words})\\b`, 'gm')
  const names = [...texts].flatMap(([file, text]) =>
    // Looks at transactions, and the bench, have their names from before.
    /\/src\/(?:kit\/)?life\/|^server\/bench\//.test(file) ? [] : [...text.matchAll(declared)].map(([, name]) => `${file} ${name}`),
  )
  t.same(
    names.toSorted(),
    [
      'examples/sandbox/src/files.ts Refused',
      'packages/conformance/src/lies/endpoint.ts Told',
      'packages/kit-cosmos/src/broadcast-fault.ts Known',
      'packages/verify/src/intent/refusal.ts Refused',
    ],
    'but for errors, and a lie that was told',
  )
})

/** Imports and exports of names, and of a file as a whole, at run time too. */
const NAMED_IMPORT = /^\s*(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*'(\.[^']*)'/gm
const WHOLE_IMPORT = /(?:\*(?:\s+as\s+[\w$]+)?\s+from\s*|\bimport\(\s*|new URL\(\s*)['`](\.[^'`]*)['`]/g

/** Lines of a source, at most: beyond that a file holds two things. */
const MOST_LINES = 300

t.test('a source is short', async (t) => {
  const long = [...texts].flatMap(([file, text]) => {
    const lines = text.split('\n').length - 1
    return lines > MOST_LINES && !file.endsWith('.generated.ts') ? [`${file} ${lines}`] : []
  })
  t.same(long, [], 'none is longer')
})

/** Types that nobody imports by name, and that TypeScript has to name in the declarations of another file: it refuses to write those otherwise. */
const DECLARED = [
  'packages/core/src/prices/prices.ts Prices',
  'packages/kit-cosmos/src/staking/chain.ts Stake',
  'plugins/evm-three/intent/src/actions.ts UndelegateFacts',
  'plugins/move-native/src/chain/position.ts Position',
  'plugins/svm-liquid/intent/src/terms.ts Settings',
  'plugins/svm-liquid/src/actions/deposit.ts DepositFacts',
]

t.test('at the root of the core stand the files that put its folders together, and a server is made in few lines', async (t) => {
  const files = globSync('packages/core/src/*.ts', { cwd: ROOT })
  t.ok(files.length <= 5, files.join(', '))
  t.ok(readFileSync(join(ROOT, 'packages/core/src/server.ts'), 'utf8').split('\n').length < 80)
})

t.test('an author of a plugin or of a kit uses every name of the contract’s entry, and there are no more than ninety', async (t) => {
  const entry = readFileSync(join(ROOT, 'packages/contract/src/index.ts'), 'utf8')
  const names = [...entry.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((each) => each.trim().replace(/^type /, '') || []),
  )
  const used = new Set<string>()
  const imports = /import (?:type )?\{([^}]*)\}\s*from '@svc\/contract'/g
  for (const file of globSync(['packages/kit-*/src/**/*.ts', 'plugins/*/src/**/*.ts', 'examples/{plugin,family}-*/src/**/*.ts'], {
    cwd: ROOT,
    exclude,
  }))
    for (const [, list = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(imports))
      for (const each of list.split(',')) used.add(each.trim().replace(/^type /, ''))
  t.same(
    names.filter((name) => !used.has(name)).toSorted(),
    ['Action', 'Declaration', 'RefusalOptions', 'SettledAction'],
    'but for those with which the compiler writes the declarations of their packages',
  )
  t.ok(names.length > 60 && names.length <= 90, `${names.length} names`)
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
  // By what is imported: the same word elsewhere, in a comment or of something else, is no use of it.
  const imported = new Set<string>()
  const whole = new Set<string>()
  for (const file of globSync(['{packages,plugins,examples,server,scripts}/**/*.{ts,tsx,mjs}'], { cwd: ROOT, exclude })) {
    const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8')
    const at = (path = '') => join(file, '..', path)
    for (const [, names = '', path] of text.matchAll(NAMED_IMPORT))
      for (const name of names.split(',')) imported.add(`${at(path)} ${/^\s*(?:type\s+)?([\w$]*)/.exec(name)?.[1]}`)
    for (const [, path] of text.matchAll(WHOLE_IMPORT)) whole.add(at(path))
  }
  const declared = /^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm
  const isFree = (file: string) => entries.has(file) || whole.has(file) || file.startsWith('examples/')
  const lonely = [...texts].flatMap(([file, text]) =>
    isFree(file)
      ? []
      : [...text.matchAll(declared)].flatMap(([, name = '']) => (imported.has(`${file} ${name}`) ? [] : [`${file} ${name}`])),
  )
  t.ok(entries.size > 30, 'the entries of the packages are known')
  t.same(lonely.toSorted(), DECLARED, 'none is exported for nobody')
})

t.test('.ci/run gives servers to the tests that were left out, and to those that run on whatever servers there are', async (t) => {
  const run = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  t.match(run, /^pnpm unit --left-out /m)
  const onServers = new RegExp(/^# on servers: (.+)$/m.exec(run)?.[1] ?? 'nothing')
  // What takes the servers of the environment, and the word by which a test uses it.
  const takers = { 'packages/core/test/support/serve.ts': 'testStore', 'server/test/support/servers.ts': 'support/servers.ts' }
  const files = globSync('{packages,plugins,examples,server}/**/test/**/*.ts', { cwd: ROOT, exclude })
  const take = /!process\.env\.DATABASE_URL|const \{ DATABASE_URL, REDIS_URL \} = process\.env/
  t.same(
    files.filter((file) => !/house|\.test\.ts$/.test(file) && take.test(readFileSync(join(ROOT, file), 'utf8'))).toSorted(),
    Object.keys(takers).toSorted(),
  )
  for (const word of Object.values(takers)) t.match(word, onServers)
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

t.test('CODEOWNERS names paths that are there, each once, and teams of one organisation', async (t) => {
  const text = readFileSync(join(ROOT, '.github/CODEOWNERS'), 'utf8')
  const rules = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const paths = rules.map((rule) => rule.split(' ')[0] ?? '')
  t.equal(paths[0], '*', 'the first line is of everything')
  t.equal(new Set(paths).size, paths.length, 'no line is without effect')
  const gone = paths.slice(1).filter((path) => globSync(path.replace(/^\/|\/$/g, ''), { cwd: ROOT, exclude }).length === 0)
  t.same(gone, [])
  const organisations = rules.map((rule) => /^\S+ @([\w-]+)\/[a-z-]+$/.exec(rule)?.[1])
  t.equal(new Set(organisations).size, 1, `an owner is a team of one organisation, and no person: ${[...new Set(organisations)]}`)
  t.type(organisations[0], 'string')
})

/** Code of tests, and of what is made to test others. */
const TESTS = globSync(
  [
    '{packages,plugins,examples}/*/test/**/*.ts',
    'plugins/*/intent/test/**/*.ts',
    'server/test/**/*.ts',
    'packages/{conformance,testing,real}/src/**/*.ts',
  ],
  { cwd: ROOT, exclude },
)
/** Words by which a test measures time, compares moments, or waits for a time and not for what happens. */
const BY_THE_CLOCK =
  /performance\.now|process\.hrtime|cpuUsage\(|Date\.now\(\) *[<>]|[<>]=? *Date\.now\(\)|=> *setTimeout\(|await setTimeout\(|timers\/promises|AbortSignal\.timeout/
/** Files that have to, each with its reason. None of them fails for a machine that is slow, or stands still for some seconds. */
const CLOCKS = new Map<string, string>([
  ['packages/client/test/answers.test.ts', 'the signal is what a caller gives; it ends no wait that is judged'],
  ['packages/conformance/src/groups/amounts-largest.ts', 'a turn of the loop, and no time'],
  ['packages/conformance/src/landing.ts', 'looks are counted'],
  ['packages/conformance/src/run.ts', 'a figure that is told, and not judged'],
  ['packages/conformance/src/upstream.ts', 'waves are the order of calls; what is delayed is let to be late'],
  ['packages/conformance/test/upstream.test.ts', 'a call begins after another, however much later'],
  ['packages/contract/test/deadline.test.ts', 'limits of milliseconds, each of which may come later'],
  ['packages/core/test/audit.test.ts', 'records come while connections are cut, in whatever order'],
  ['packages/core/test/broadcast-child.ts', 'ends at a moment of chance'],
  ['packages/core/test/db/lists.test.ts', 'code that computes for longer than a page is searched'],
  ['packages/core/test/db/pace.test.ts', 'code that computes for some time'],
  ['packages/core/test/db/work.test.ts', 'the clock of the database is asked between two looks at ours'],
  ['packages/core/test/life/replicas.test.ts', 'gives what must not happen a moment to happen'],
  ['packages/core/test/loading.test.ts', 'code of a plugin that computes or waits for some time'],
  ['packages/core/test/rpc-metrics.test.ts', 'code that computes for some time, and samples that may come later'],
  ['packages/core/test/stall.test.ts', 'a process that stalls; where the machine misses the moment, once more'],
  ['packages/core/test/support/hooks.ts', 'a name that is used once'],
  ['packages/dashboard/test/support/page.ts', 'an answer that is late on purpose; one turn of a page'],
  ['packages/kit-svm/test/assemble.test.ts', 'the clock is replaced'],
  ['packages/real/src/cosmos/lives/states.ts', 'a chain that stands still for two of its blocks'],
  ['packages/real/src/evm/consensus.ts', 'the pace of the blocks'],
  ['packages/real/src/evm/vault-stage.ts', 'the signal is what a caller gives'],
  ['packages/real/src/pair/gate.ts', 'waves are the order of requests; what is delayed is let to be late'],
  ['packages/real/src/pair/life.ts', 'times of requests are printed, and not judged; questions are counted'],
  ['packages/real/src/programs.ts', 'questions are counted'],
  ['packages/real/src/svm/stage.ts', 'the signal is what a caller gives'],
  ['packages/sandbox-move/test/errors.test.ts', 'the signal is what a caller gives, and it has to come'],
  ['packages/sandbox/test/fault-proxy.test.ts', 'lets a request arrive, or not: both end the same way'],
  ['packages/testing/src/eventually.ts', 'looks are counted'],
  ['packages/testing/src/kills.ts', 'looks are counted; the moment at which a process is killed is chance'],
  ['packages/testing/src/processes.ts', 'ends when the file is there, or the process is not'],
  ['packages/testing/src/stall.ts', 'a process that stalls; where the machine misses the moment, once more'],
  ['packages/testing/src/svm-ground.ts', 'looks are counted'],
  ['plugins/evm-vault/test/endpoints.test.ts', 'a chain that answers one call after another'],
  [
    'server/test/support/stake.ts',
    'the block is waited for, however long it takes; a program for other runtimes, which has no `eventually`',
  ],
  ['server/test/support/lacking.ts', 'an answer that is late on purpose'],
])

t.test('no test is judged by the clock: it waits for what happens, by `eventually`, or turns a clock of its own', async (t) => {
  const own = 'server/test/house.test.ts'
  const files = TESTS.filter((file) => file !== own && BY_THE_CLOCK.test(readFileSync(join(ROOT, file), 'utf8')))
  t.same(
    files.filter((file) => !CLOCKS.has(file)),
    [],
    'a file that needs a clock stands in CLOCKS with its reason',
  )
  t.same(
    [...CLOCKS.keys()].filter((file) => !files.includes(file)),
    [],
    'each entry of CLOCKS is needed',
  )
})
