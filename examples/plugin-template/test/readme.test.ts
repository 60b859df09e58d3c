import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import savings from '@example/plugin-savings'
import t from 'tap'
import { errorCodes } from '../src/codes.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const source = readdirSync(new URL('../src/', import.meta.url))
  .map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8'))
  .join('\n')

t.test('the README names every setting, every action and every error code of the plugin, and no others', async (t) => {
  const { network, actions } = savings.protocol
  const rows = (first: string) => [...(new RegExp(`\\| ${first} +\\|.*?\\n\\n`, 's').exec(readme)?.[0] ?? '').matchAll(/^\| `([\w-]+)`/gm)]
  t.same(
    rows('Setting').map((row) => row[1]),
    Object.keys(network.properties),
  )
  t.same(
    rows('Action').map((row) => row[1]),
    Object.keys(actions),
  )
  const declared = Object.entries(errorCodes).map(([code, [status]]) => `${status} ${code}`)
  t.ok(declared.length > 3)
  t.same(new Set([...readme.matchAll(/(\d{3}) `([A-Z_]+)`/g)].map(([, status, code]) => `${status} ${code}`)), new Set(declared))
})

t.test('a copy under another name, with another contract, needs no other change', async (t) => {
  const test = readFileSync(new URL('conformance.test.ts', import.meta.url), 'utf8')
  t.notOk(test.includes(savings.protocol.name), 'the conformance test does not know what the package is called')
  t.equal(source.split(savings.protocol.name).length - 1, 1, 'and the sources say it once')

  // Next to the template, so that the compiler is found.
  const copy = mkdtempSync(fileURLToPath(new URL('../copy-', import.meta.url)))
  t.teardown(() => rmSync(copy, { recursive: true }))
  cpSync(new URL('../sandbox/compile.mjs', import.meta.url), `${copy}/compile.mjs`)
  const nest = 'pragma solidity ^0.8.20; interface Egg {} contract Nest { uint256 public eggs; }'
  cpSync(new URL('../sandbox/contracts/', import.meta.url), `${copy}/contracts`, { recursive: true })
  writeFileSync(`${copy}/contracts/Nest.sol`, nest)
  const { status, stderr } = spawnSync(process.execPath, [`${copy}/compile.mjs`], { encoding: 'utf8' })
  t.equal(status, 0, stderr)
  const compiled = JSON.parse(readFileSync(`${copy}/contracts.generated.json`, 'utf8')) as Record<string, { deployedBytecode: string }>
  t.same(Object.keys(compiled), ['Nest', 'Savings'], 'contracts are compiled by the names they have')
  const committed = JSON.parse(readFileSync(new URL('../sandbox/contracts.generated.json', import.meta.url), 'utf8'))
  t.same(compiled.Savings, committed.Savings, 'what is committed is what the source compiles to')
})
