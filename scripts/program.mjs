import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Seed of fast-check's values, the same in every run: a property that holds for nearly all values must not fail somebody else's run. SVC_SEED is another one, for
 * whoever looks for such values.
 */
const SEED = Number(process.env.SVC_SEED ?? 1)

/**
 * Writes the program that runs test files one after the other, in one process; a file that throws fails, and the next one runs. A comment says which file begins, and, since the result of
 * a test that is skipped names no file, another one in which that stands.
 *
 * @param patienceMs time that may pass without a result, in milliseconds; then tap ends the test that runs, and names it
 */
export function program(files, patienceMs) {
  return `import { Writable } from 'node:stream'
import { hooks } from ${JSON.stringify(import.meta.resolve('./domain.mjs'))}
const { default: t } = await import(${JSON.stringify(import.meta.resolve('tap'))})
hooks.deregister()
const { default: fc } = await import(${JSON.stringify(import.meta.resolve('fast-check'))})
fc.configureGlobal({ seed: ${SEED} })
t.setTimeout(${patienceMs})
t.pipe(process.stdout)
// A test that turns the clock has put its own in the place of this one; the pause that was begun before goes on by the machine's.
const { setTimeout: ofTheMachine } = globalThis
const wait = () => setTimeout === ofTheMachine && t.setTimeout(${patienceMs})
t.pipe(new Writable({ write: (_chunk, _encoding, done) => (wait(), done()) }))
// With a teardown tap ends as soon as nothing runs, be it that the next file is only being loaded.
Object.defineProperty(t, 'idle', { get: () => false, configurable: true })
let file
const test = t.test
t.test = (...given) => {
  const [name, options] = given
  if (options?.skip) t.comment(\`skipped \${JSON.stringify({ file, name })}\`)
  return test.apply(t, given)
}
const run = async (url) => {
  t.comment(\`begins \${JSON.stringify(file)}\`)
  await import(url).catch((error) =>
    t.test('the file, outside of its tests', () => {
      throw error
    }),
  )
}
${files.map((file) => `file = ${JSON.stringify(file)}\nawait run(${JSON.stringify(pathToFileURL(resolve(file)).href)})`).join('\n')}
t.comment('ends')
t.end()
`
}
