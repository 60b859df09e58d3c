import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { definePlugin } from '@svc/testing/paper-protocol'
import t, { type Test } from 'tap'
import { discover, installedPlugins, loadPlugin, operatorFolder, type Places } from '../src/index.ts'
import { declaration, paper } from './support/paper-plugin.ts'

/** A package that depends on others, as a deployment is laid out. @returns where its packages are: next to its config */
async function deployment(t: Test, files: Record<string, string | object>): Promise<[string]> {
  const home = await mkdtemp(join(tmpdir(), 'svc-discover-'))
  t.teardown(() => rm(home, { recursive: true, force: true }))
  for (const [name, content] of Object.entries({ 'svc.config.mjs': '', ...files })) {
    const path = join(home, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return [join(home, 'svc.config.mjs')]
}

const namesOf = async (places: Places) => (await installedPlugins(places)).map(({ name }) => name)
const manifest = (name: string, more: object = {}) => ({ name, version: '2.1.0', type: 'module', exports: { '.': './index.js' }, ...more })
const plugin = (prefix: string, contract = 1) =>
  `export default Object.assign(async () => {}, { contract: ${contract}, protocol: { name: 'x', prefix: '${prefix}', actions: {} } })`
const EXPLODES = "throw new Error('this code must not run')"
const of = (...names: string[]) => ({ plugins: Object.fromEntries(names.map((name) => [name, { networks: {} }])) })

t.test('a plugin is loaded by the name of its package, from the folder of the config', async (t) => {
  const from = await deployment(t, {
    'node_modules/@x/plugin-a/package.json': manifest('@x/plugin-a', { svc: { contract: 1 } }),
    'node_modules/@x/plugin-a/index.js': plugin('/a/native'),
  })
  const [loaded, ...more] = await discover(of('@x/plugin-a'), from)
  t.same(more, [])
  t.match(loaded, { name: '@x/plugin-a', version: '2.1.0' })
  t.equal(loaded?.plugin.protocol.prefix, '/a/native')
  t.match(await loadPlugin('@x/plugin-a', from), { name: '@x/plugin-a', version: '2.1.0' })
})

t.test('a plugin may be given by the config itself', async (t) => {
  const [loaded] = await discover({ plugins: { mine: { module: paper, networks: {} } } }, ['/nowhere/config.ts'])
  t.equal(loaded?.name, 'mine')
  t.equal(loaded?.plugin, paper)
})

t.test('a package that is not installed is named, with where to install it', async (t) => {
  const from = await deployment(t, {})
  await t.rejects(discover(of('@x/plugin-a'), from), {
    name: 'SettingsError',
    message: `plugins.@x/plugin-a: the package is not installed in ${dirname(from[0])}; run there: npm install @x/plugin-a`,
  })
})

t.test('what is not next to the config is looked for in the working folder, and told of where there is a package', async (t) => {
  const [config] = await deployment(t, {
    'node_modules/near/package.json': manifest('near', { svc: { contract: 1 } }),
    'node_modules/near/index.js': plugin('/near/native'),
  })
  const [working] = await deployment(t, {
    'package.json': { name: 'mine', dependencies: { near: '1', far: '1' } },
    'node_modules/near/package.json': manifest('near', { svc: { contract: 1 } }),
    'node_modules/near/index.js': plugin('/another/native'),
    'node_modules/far/package.json': manifest('far', { svc: { contract: 1 } }),
    'node_modules/far/index.js': plugin('/far/native'),
  })
  const places = [config, working] as const
  const loaded = await discover(of('near', 'far'), places)
  t.same(
    loaded.map(({ plugin }) => plugin.protocol.prefix),
    ['/near/native', '/far/native'],
  )
  t.same(await namesOf(places), ['near', 'far'], 'the package in the working folder, since there is none around the config')
  t.equal(operatorFolder(places), dirname(working))
  t.equal(operatorFolder(['/nowhere/config.ts', '/nowhere/else/package.json']), '/nowhere/else')
  await t.rejects(discover(of('absent'), places), {
    message: new RegExp(`not installed in ${dirname(working)}; run there: npm install absent$`),
  })
})

t.test('a package that exports to `import` alone is a plugin like any other', async (t) => {
  const from = await deployment(t, {
    'node_modules/esm/package.json': manifest('esm', { svc: { contract: 1 }, exports: { '.': { import: './index.js' } } }),
    'node_modules/esm/index.js': plugin('/esm/native'),
  })
  const [loaded] = await discover(of('esm'), from)
  t.equal(loaded?.plugin.protocol.prefix, '/esm/native')
})

t.test('a package of another contract, or of none, is refused before any of its code is run', async (t) => {
  const from = await deployment(t, {
    'node_modules/future/package.json': manifest('future', { svc: { contract: 2 } }),
    'node_modules/future/index.js': EXPLODES,
    'node_modules/left-pad/package.json': manifest('left-pad'),
    'node_modules/left-pad/index.js': EXPLODES,
  })
  await t.rejects(discover(of('future'), from), {
    name: 'SettingsError',
    message: 'plugins.future: this server speaks contract 1. Its manifest says contract 2; install a version made for contract 1.',
  })
  await t.rejects(discover(of('left-pad'), from), { message: /Its manifest says no contract; it is not a plugin of this service\.$/ })
})

t.test('an export that is no plugin, or speaks another contract than its manifest says, is refused', async (t) => {
  const from = await deployment(t, {
    'node_modules/a/package.json': manifest('a', { svc: { contract: 1 } }),
    'node_modules/a/index.js': 'export default { protocol: null }',
    'node_modules/b/package.json': manifest('b', { svc: { contract: 1 } }),
    'node_modules/b/index.js': 'export const nothing = 1',
    'node_modules/c/package.json': manifest('c', { svc: { contract: 1 } }),
    'node_modules/c/index.js': plugin('/c/native', 2),
  })
  for (const name of ['a', 'b'])
    await t.rejects(discover(of(name), from), {
      name: 'SettingsError',
      message: /default export is not a plugin; it must be what `definePlugin` returns/,
    })
  await t.rejects(discover(of('c'), from), { message: /The plugin speaks contract 2; install a version made for contract 1/ })
  await t.rejects(discover({ plugins: { d: { module: {}, networks: {} } } }, from), { message: /^plugins\.d: .*not a plugin/ })
})

t.test('two plugins of one prefix are refused by name', async (t) => {
  const twin = definePlugin({ ...declaration, name: 'twin' })
  const config = { plugins: { one: { module: paper, networks: {} }, two: { module: twin, networks: {} } } }
  await t.rejects(discover(config, ['/nowhere/config.ts']), {
    name: 'SettingsError',
    message: 'plugins.two and plugins.one both serve /paper/native; keep one of them.',
  })
})

t.test('plugins are loaded one after the other, in the order of the config', async (t) => {
  const code = (letter: string) => `globalThis.order ??= []
globalThis.order.push('${letter} begins')
await new Promise((resolve) => setImmediate(resolve))
globalThis.order.push('${letter} ends')
${plugin(`/${letter}/native`)}`
  const from = await deployment(t, {
    'node_modules/a/package.json': manifest('a', { svc: { contract: 1 } }),
    'node_modules/a/index.js': code('a'),
    'node_modules/b/package.json': manifest('b', { svc: { contract: 1 } }),
    'node_modules/b/index.js': code('b'),
  })
  t.match(await discover(of('b', 'a'), from), [{ name: 'b' }, { name: 'a' }])
  t.same((globalThis as { order?: string[] }).order, ['b begins', 'b ends', 'a begins', 'a ends'])
})

t.test('what is installed is told from the manifests of the direct dependencies alone', async (t) => {
  const from = await deployment(t, {
    'package.json': {
      name: 'mine',
      dependencies: { a: '1', tool: '1', missing: '1' },
      optionalDependencies: { b: '1' },
      devDependencies: { c: '1' },
    },
    ...Object.fromEntries(
      ['a', 'b', 'c', 'd'].flatMap((name) => [
        [`node_modules/${name}/package.json`, manifest(name, { svc: { contract: 1 } })],
        [`node_modules/${name}/index.js`, EXPLODES],
      ]),
    ),
    'node_modules/tool/package.json': manifest('tool'),
  })
  t.same(await namesOf(from), ['a', 'b'])
  t.match(await installedPlugins(from), [{ name: 'a', manifest: { version: '2.1.0', svc: { contract: 1 } }, place: from[0] }, {}])
})

t.test('a deployment without a package has nothing installed', async (t) => {
  t.same(await namesOf(await deployment(t, {})), [])
})
