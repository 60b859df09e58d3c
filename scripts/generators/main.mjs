// Has clients of other people's generators made from the text document of a running service, compiles them, and calls the service with each: `pnpm generators`, or some
// by name. What they read is held against what was sent and against the answer itself, to the digit. Progenitor of Rust takes minutes to build for the first time, and
// runs where it is named. With --where-possible a generator is left out, with the reason, whose tools cannot be fetched. What is downloaded stays in SVC_GENERATORS_CACHE, else in staking-transaction-service/generators of the user's cache folder.
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judge } from './answers.mjs'
import { generators } from './generators.mjs'
import { startService } from './service.mjs'
import { isThere } from './tools.mjs'

const names = Object.keys(generators)
const words = process.argv.slice(2)
const isWherePossible = words.includes('--where-possible')
const named = words.filter((word) => word !== '--where-possible')
const chosen = named.length > 0 ? named : names.filter((name) => !generators[name].isByName)
const unknown = chosen.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no generator ${unknown.join(', ')}; there are ${names.join(', ')}.`)
  process.exit(2)
}

const counts = { passed: 0, failed: 0, skipped: 0 }
const folder = await mkdtemp(join(tmpdir(), 'svc-generators-'))
const service = await startService(join(folder, 'service')).catch(async (error) => {
  await rm(folder, { recursive: true, force: true })
  throw error
})
try {
  const document = join(folder, 'text.json')
  await writeFile(document, service.document)
  for (const name of chosen) await run(name, document)
} finally {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = counts.failed === 0 ? 0 : 1

/** Generates, compiles and calls with one of them, and says how that went; a tool that this machine lacks is the reason to leave it out. */
async function run(name, document) {
  const { needs, tools, generate, compile, call } = generators[name]
  const missing = needs.filter((command) => !isThere(command))
  if (missing.length > 0) return say('skipped', name, `this machine has no ${missing.join(' and no ')}`)
  const source = join(import.meta.dirname, name)
  const work = join(folder, name)
  await mkdir(work)
  for (const file of await readdir(source)) await copyFile(join(source, file), join(work, file))
  const laps = []
  const lap = async (what, step) => {
    const began = performance.now()
    const result = await step()
    laps.push(`${what} ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    return result
  }
  try {
    const fetched = await lap('fetch', () => tools(source)).catch((error) => {
      if (!isWherePossible) throw error
      say('skipped', name, `its tools could not be fetched: ${error.message}`)
    })
    if (fetched === undefined) return
    const place = { work, document, env: service.env, tools: fetched }
    await lap('generate', () => generate(place))
    await lap('compile', () => compile(place))
    const wrong = judge(await lap('call', () => call(place)), service.expected)
    say(wrong.length === 0 ? 'passed' : 'failed', name, [laps.join(', '), ...wrong].join('\n         '))
  } catch (error) {
    say('failed', name, error.message)
  }
}

function say(state, name, what) {
  counts[state]++
  console.log(`${{ passed: 'ok', failed: 'WRONG', skipped: 'not run' }[state].padEnd(8)} ${name}: ${what}`)
}
