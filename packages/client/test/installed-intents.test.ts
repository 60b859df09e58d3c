import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { evm, trust } from './support/answers.ts'
import { openFolder } from './support/folder.ts'

/** An intent of this project, by its path. */
const OURS = fileURLToPath(new URL('../../../plugins/evm-three/intent/src/index.ts', import.meta.url))
const EXPLAIN = ['explain', evm.craft.serialized_tx_hex, '--trust', 'trust.json', '--protocol']

/** A customer's folder with a package `@acme/intent-own` that a stranger wrote. */
async function folderOf(source: string, test: Parameters<typeof openFolder>[0] = t) {
  const folder = await openFolder(test, {})
  const place = 'node_modules/@acme/intent-own'
  await mkdir(dirname(`${folder.path}/${place}/x`), { recursive: true })
  await folder.write(`${place}/package.json`, { name: '@acme/intent-own', type: 'module', exports: './index.js' })
  await folder.write(`${place}/index.js`, source)
  await folder.write('trust.json', trust)
  return folder
}

t.test('what a package exports besides its intent is passed over, whatever it is', async (t) => {
  const others = [
    'export const nothing = null',
    'export const text = "family path actions"',
    'export const count = 7',
    'export function make() {}',
    'export const half = { family: {}, path: "/evm-three/native" }',
    'export const typed = { family: "evm", path: "/evm-three/native", actions: {} }',
    'export const pathless = { family: {}, path: 7, actions: {} }',
    'export const idle = { family: {}, path: "/evm-three/native", actions: "none" }',
  ]
  const bare = await folderOf(others.join('\n'), t)
  t.match(await bare.run(...EXPLAIN, '@acme/intent-own'), { code: 2, stderr: /@acme\/intent-own/ })
  const whole = await folderOf(`${others.join('\n')}\nexport { evmThree } from ${JSON.stringify(OURS)}`, t)
  for (const protocol of ['@acme/intent-own', 'evm-three'])
    t.match(await whole.run(...EXPLAIN, protocol), { code: 0, stdout: evm.sentence.split(';')[0] }, protocol)
})

t.test('a fault of an intent is no verdict on the transaction, whatever code it has', async (t) => {
  const failing = (thrown: string) =>
    folderOf(
      `import { evmThree } from ${JSON.stringify(OURS)}
       export const own = { ...evmThree, family: { ...evmThree.family, explain() { throw ${thrown} } } }`,
      t,
    )
  for (const thrown of ["Object.assign(new Error('boom'), { code: 'EOTHER' })", "new Error('boom')", "'boom'"])
    t.match(await (await failing(thrown)).run(...EXPLAIN, '@acme/intent-own'), {
      code: 2,
      stdout: '',
      stderr: /should not have happened: boom/,
    })
  const refused = await failing("Object.assign(new Error('these are no bytes'), { code: 'DECODE_FAILED' })")
  t.match(await refused.run(...EXPLAIN, '@acme/intent-own'), { code: 1, stderr: 'These are no bytes.' }, 'of another copy of the reader')
})
