// Looks at server/openapi.json as strangers do: two linters with their recommended rules and a client with generated types.
// `pnpm api` at the root installs what it needs, which is no part of a clone, and runs it.
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import openapiTS, { astToString } from 'openapi-typescript'
import { unpackDocument } from '../../packages/testing/src/api-document.ts'
import { exceptions } from './exceptions.mjs'

const document = unpackDocument(await readFile(new URL('../../server/openapi.json', import.meta.url), 'utf8'))
const text = JSON.stringify(document)
const found = [...(await redocly()), ...(await spectral())]
const excused = new Set()
const problems = found.filter(({ linter, rule, at }) => {
  const exception = exceptions.find((each) => each.linter === linter && each.rule === rule && each.at === at)
  if (exception) excused.add(exception)
  return !exception
})
for (const { linter, rule, at, message } of problems) console.error(`${linter} ${rule}: ${at}: ${message}`)
for (const { linter, rule, at } of exceptions.filter((each) => !excused.has(each)))
  console.error(`exceptions.mjs excuses ${linter} ${rule} at ${at}, which is not said any more`)
if (problems.length > 0 || excused.size < exceptions.length) process.exit(1)
console.log(`Redocly and Spectral: 0 errors, 0 warnings, ${exceptions.length} exceptions with a reason`)

await mkdir(new URL('generated/', import.meta.url), { recursive: true })
await writeFile(new URL('generated/api.d.ts', import.meta.url), astToString(await openapiTS(document)))
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', fileURLToPath(new URL('.', import.meta.url))], { encoding: 'utf8' })
if (status !== 0) {
  console.error(`The client does not compile:\n${stdout}`)
  process.exit(1)
}
console.log('A typed client that uses every operation compiles')

/** Errors and warnings alike. */
async function redocly() {
  const config = await createConfig({ extends: ['recommended'] })
  const said = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  return said.map(({ ruleId, message, location }) => ({ linter: 'redocly', rule: ruleId, at: location[0]?.pointer ?? '#', message }))
}

async function spectral() {
  const linter = new spectralCore.Spectral()
  linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] })
  const said = await linter.run(document)
  return said.map(({ code, message, path }) => ({ linter: 'spectral', rule: String(code), at: path.join('.'), message }))
}
