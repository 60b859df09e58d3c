import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findIntents, inspectorFile } from '@svc/core/operate'
import t from 'tap'
import { config, folder, launch, svc, writeConfig } from './cli-process.ts'

const commands = [
  [],
  ['init'],
  ['start'],
  ['check'],
  ['reload'],
  ['upgrade-check'],
  ['keys'],
  ...['create', 'list', 'show', 'update', 'revoke'].map((name) => ['keys', name]),
  ['tokens'],
  ['tokens', 'create'],
  ['audit'],
  ['webhooks'],
  ...['list', 'show', 'add', 'update', 'rotate', 'remove', 'test', 'deliveries', 'resend', 'replay'].map((name) => ['webhooks', name]),
  ['tx'],
  ['trust'],
  ['inspector'],
  ['completion'],
]

t.test('every command has a help that fits 80 columns and shows the global options', async (t) => {
  const cwd = await folder(t)
  const helps = await Promise.all(commands.map((command) => svc([...command, '--help'], { cwd })))
  for (const [index, { code, stdout, stderr }] of helps.entries()) {
    const name = `svc ${commands[index]!.join(' ')}`
    t.equal(code, 0, name)
    t.equal(stderr, '', `${name} says it on stdout`)
    t.match(stdout, `Usage: ${name.trim()}`)
    t.match(stdout, '--config <file>')
    t.same(
      stdout.split('\n').filter((line) => line.length > 80),
      [],
      `${name} fits`,
    )
  }
})

t.test('a misspelt command or option is refused with the one that was meant', async (t) => {
  const cwd = await folder(t)
  const [command, option, nested, port] = await Promise.all([
    svc(['strat'], { cwd }),
    svc(['start', '--prot', '1'], { cwd }),
    svc(['keys', 'lits'], { cwd }),
    svc(['start', '--port', '70000'], { cwd }),
  ])
  t.match(command, { code: 1, stdout: '', stderr: /Did you mean start\?/ })
  t.match(option, { code: 1, stdout: '', stderr: /Did you mean --port\?/ })
  t.match(nested, { code: 1, stdout: '', stderr: /Did you mean list\?/ })
  t.match(port, { code: 1, stdout: '', stderr: /It must be a number from 0 to 65535\./ })
})

t.test('on a Node that is too old the command says so in one sentence', async (t) => {
  const launcher = fileURLToPath(new URL('../svc.mjs', import.meta.url))
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  t.equal(manifest.bin.svc, './svc.mjs', 'which is what npm installs')
  for (const version of ['14.21.3', '18.20.8', '20.20.2', '22.17.1']) {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', older, launcher, 'start'], { encoding: 'utf8' })
    t.same({ status, stdout }, { status: 1, stdout: '' }, version)
    t.match(stderr, `svc runs on Node 22.18 or newer, and this is Node ${version} (`)
    t.equal(stderr.trim().split('\n').length, 1, 'in one line')
  }
})

t.test('the Inspector is printed as the file that the dashboard has, with its digest beside it', async (t) => {
  const cwd = await folder(t)
  const { code, stdout, stderr } = await svc(['inspector'], { cwd })
  t.equal(code, 0)
  const built = readFileSync(new URL('../../packages/dashboard/dist/inspector.html', import.meta.url), 'utf8')
  const { scripts } = await findIntents([join(cwd, 'package.json')])
  t.same(
    scripts.map(({ plugins }) => plugins),
    [['evm-three']],
    'with the intents of the folder’s plugins',
  )
  t.equal(stdout, inspectorFile(built, scripts))
  t.equal(stderr, `SHA-256 ${createHash('sha256').update(stdout).digest('hex')}\n`)
})

t.test('each command ends by itself', async (t) => {
  const cwd = await folder(t)
  await writeConfig(cwd, config(['http://127.0.0.1:1'], { validator_id: 1 }))
  // The database and the secrets are there before all of them come: for another one that makes them a command does not wait for long.
  t.equal((await svc(['keys', 'list'], { cwd })).code, 0)
  const each = [
    ['check'],
    ['keys', 'create', '--account', 'acme', '--name', 'x'],
    ['tokens', 'list'],
    ['audit'],
    ['webhooks', 'list', '--account', 'acme'],
    ['tx', `0x${'0'.repeat(64)}`],
    ['trust', '--account', 'acme'],
    ['inspector'],
  ]
  const ran = await Promise.all(each.map((command) => launch(command, { cwd }).ended))
  for (const [index, { code, stdout, stderr }] of ran.entries()) {
    const command = each[index] ?? []
    // The endpoint is not there, and nothing is followed.
    t.equal(code, command[0] === 'check' || command[0] === 'tx' ? 1 : 0, `svc ${command.join(' ')}: ${stdout}${stderr}`)
  }
})
