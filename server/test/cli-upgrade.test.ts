import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { emptyFolder, svc, writeConfig } from './cli-process.ts'

t.test('before the first start of a version its command says what that would change, or why it would not start', async (t) => {
  const cwd = await emptyFolder(t)
  await writeConfig(cwd, { plugins: {}, accounts: { acme: { name: 'Acme' } } })
  const empty = await svc(['upgrade-check'], { cwd })
  t.same({ code: empty.code, stderr: empty.stderr }, { code: 0, stderr: '' })
  t.match(empty.stdout, /^Version \d+\.\d+\.\d+\n\nThe database is empty; the first start prepares it at once\.\n$/)
  t.equal((await svc(['keys', 'create', '--account', 'acme', '--name', 'k'], { cwd })).code, 0)
  t.match((await svc(['upgrade-check'], { cwd })).stdout, /that of this version; the start changes nothing\./)

  const home = join(cwd, 'node_modules/@stranger/nest')
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'package.json'), JSON.stringify({ name: '@stranger/nest', version: '2.0.0', svc: { contract: 7 } }))
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies: { '@stranger/nest': '2' } }))
  await writeConfig(cwd, { plugins: {}, accounts: {}, gone: true })
  const refused = await svc(['upgrade-check'], { cwd })
  t.equal(refused.code, 1)
  t.match(refused.stdout, /^@stranger\/nest {2}2\.0\.0 {4}7$/m)
  t.match(refused.stderr, /^ {2}- gone: there is no such setting\. Known here: listen,/m)
  t.match(
    refused.stderr,
    /^ {2}- plugins\.@stranger\/nest: it speaks contract 7, and this version 1; install the version of it that does\.$/m,
  )
  const json = await svc(['upgrade-check', '--json'], { cwd })
  t.equal(json.code, 1)
  t.match(JSON.parse(json.stdout), {
    problems: [/^gone: /, /contract 7/],
    upgrade: null,
    plugins: [{ name: '@stranger/nest', contract: 7 }],
  })
})

t.test('a check as JSON says the same to a program', async (t) => {
  const cwd = await emptyFolder(t)
  await writeFile(join(cwd, 'package.json'), '{}')
  const file = await writeConfig(cwd, { plugins: {}, accounts: { acme: { name: 'Acme' } } })
  const { code, stdout, stderr } = await svc(['check', '--json'], { cwd })
  t.same({ code, stderr }, { code: 1, stderr: '' })
  const found = JSON.parse(stdout)
  t.match(found, {
    well: false,
    config: file,
    problems: [/^plugins: no protocol is enabled/],
    warnings: [],
    accounts: [{ account: 'acme', protocol: 'nothing', network: '-', default: '-', validator: '-' }],
  })
  t.ok(
    found.state.some(
      (row: Record<string, string>) => row.part === 'database' && row.state === 'ok' && /embedded, none yet/.test(row.text ?? ''),
    ),
  )
  await writeConfig(cwd, { plugins: {}, accounts: {}, gone: true })
  t.match(JSON.parse((await svc(['check', '--json'], { cwd })).stdout), { well: false, problems: [/^gone: /] })
})
