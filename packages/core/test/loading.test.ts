import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { discover, installedPlugins, loadModule } from '../src/index.ts'

const CHILD = new URL('./loading-child.ts', import.meta.url).pathname
const of = (name: string) => ({ plugins: { [name]: { networks: {} } } })

let count = 0
function folderOf(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-loading-')))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder in which one plugin is installed. @returns the file that it is found from, and the plugin's folder */
function installed(t: Test, code: string, manifest: object = { svc: { contract: 1 } }): { place: string; folder: string } {
  const files = { 'package.json': JSON.stringify({ name: 'frail', version: '1.0.0', type: 'module', exports: './index.js', ...manifest }) }
  // One of its own each time: Node keeps what it has loaded from a file.
  const home = join(folderOf(t), String(++count))
  mkdirSync(join(home, 'node_modules/frail'), { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'operator', dependencies: { frail: '1' } }))
  for (const [name, text] of Object.entries({ ...files, 'index.js': code })) writeFileSync(join(home, 'node_modules/frail', name), text)
  return { place: join(home, 'svc.config.mjs'), folder: join(home, 'node_modules/frail') }
}

async function ended(
  place: string,
  ms: number,
  options: readonly string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const args = [...process.execArgv.filter((arg) => arg.startsWith('--conditions')), ...options, CHILD, 'frail', place, String(ms)]
  return promisify(execFile)(process.execPath, args, { timeout: 120_000 }).then(
    (out) => ({ code: 0, ...out }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

t.test('a plugin whose code throws while it is loaded is named, with the line', async (t) => {
  const { place, folder } = installed(t, 'const nothing = undefined\nnothing.length')
  await t.rejects(discover(of('frail'), [place]), {
    name: 'SettingsError',
    message: `plugins.frail: frail could not be loaded: TypeError: Cannot read properties of undefined (reading 'length') (${folder}/index.js:2).`,
  })
  const odd = installed(t, "throw 'a text'")
  await t.rejects(discover(of('frail'), [odd.place]), {
    message: 'plugins.frail: frail could not be loaded: it threw a text, which is no Error',
  })
  const lacking = installed(t, "import 'what-nobody-installed'")
  await t.rejects(discover(of('frail'), [lacking.place]), {
    message: /^plugins\.frail: frail could not be loaded: Error: Cannot find package 'what-nobody-installed'/,
    cause: { code: 'ERR_MODULE_NOT_FOUND' },
  })
})

t.test('a plugin that waits without an end is named when its time is over, and the process does not end without a word', async (t) => {
  const { place } = installed(t, 'await new Promise(() => {})')
  const { code, stdout } = await ended(place, 500)
  t.equal(code, 0, 'what the deadline throws is an error like any other')
  t.match(stdout, /^SettingsError: plugins\.frail: frail could not be loaded: its code still waits for something after 0\.5 s; .*\.\n$/)
})

t.test('a plugin that computes without an end is named with its line, and the process ended', async (t) => {
  const { place, folder } = installed(t, 'let count = 0\nfor (;;) count++')
  const { code, stdout, stderr } = await ended(place, 500)
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(
    stderr,
    `svc: plugins.frail: its package was still computing after 0.5 s at ${folder}/index.js:2, while it was loaded: a loop has no end.\n`,
  )
})

t.test('a plugin that is stopped in a debugger is not ended', async (t) => {
  const { place } = installed(
    t,
    "const end = performance.now() + (process.execArgv.some((arg) => arg.startsWith('--inspect')) ? 4_000 : 300_000)\nwhile (performance.now() < end);\nexport default Object.assign(async () => {}, { contract: 1, protocol: { prefix: '/a/b' } })",
  )
  t.not((await ended(place, 500)).code, 0, 'so long it may not compute')
  const { code, stdout } = await ended(place, 500, ['--inspect=127.0.0.1:0'])
  t.same([code, stdout], [0, 'loaded\n'])
})

t.test('a plugin that takes its time within the bound is loaded', async (t) => {
  const { place } = installed(
    t,
    "await new Promise((done) => setTimeout(done, 50))\nexport default Object.assign(async () => {}, { contract: 1, protocol: { prefix: '/a/b' } })",
  )
  const [loaded] = await discover(of('frail'), [place])
  t.equal(loaded?.folder, join(dirname(place), 'node_modules/frail'))
  t.match(await loadModule({ name: 'frail', specifier: 'frail', place }), { default: Function })
})

t.test('a contract that is written as anything but a number is refused in words that say so', async (t) => {
  const refusal = async (svc: unknown) => {
    const { place } = installed(t, "throw new Error('this code must not run')", { svc })
    const error = await discover(of('frail'), [place]).catch((error: Error) => error)
    return {
      message: (error as Error).message.replace('plugins.frail: this server speaks contract 1. ', ''),
      all: await installedPlugins([place]),
    }
  }
  const text = await refusal({ contract: '1' })
  t.equal(text.message, 'Its manifest says contract "1", which is a text; it has to be written as a number: "svc": { "contract": 1 }.')
  t.match((await refusal({ contract: [1] })).message, /says contract \[1\], which is not a number; it has to be written/)
  const none = await refusal({ sandbox: './sandbox' })
  t.equal(none.message, 'Its manifest says no contract; it is not a plugin of this service.')
  t.match(none.all, [{ name: 'frail' }], 'it says that it is a plugin, so it is not passed over')
})

t.test('a manifest that is no JSON is named with its path', async (t) => {
  const home = realpathSync(t.testdir({ node_modules: { frail: { 'package.json': '{ "name": "frail", ' } } }))
  await t.rejects(discover(of('frail'), [join(home, 'svc.config.mjs')]), { name: 'SettingsError', message: /frail.*package\.json/ })
})
