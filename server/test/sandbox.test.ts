import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folder, launch, svc, troubleIn } from './cli-process.ts'

const env = { SVC_PORT: '0', SVC_DATA: 'state' }

/** Runs what the banner shows, as a person would: by pasting it into a shell. */
function paste(command: string): Promise<string> {
  return new Promise((resolve, reject) => execFile('sh', ['-c', command], (error, stdout) => (error ? reject(error) : resolve(stdout))))
}

t.test('without a config the service starts on local chains and shows all that is needed to use it', async (t) => {
  const cwd = await folder(t)
  const running = launch(['start'], { cwd, env })
  t.teardown(() => running.child.kill('SIGKILL'))
  await running.said(/Ctrl-C stops it/)
  const { stdout } = running
  const file = JSON.parse(await readFile(join(cwd, 'state/sandbox.json'), 'utf8'))
  for (const shown of [
    file.baseUrl,
    `${file.baseUrl}/docs`,
    file.controlUrl,
    file.apiKey,
    file.managementToken,
    file.operatorToken,
    'state/sandbox.json',
    'state/trust.json',
  ])
    t.match(stdout, shown)
  t.match(stdout, file.wallets.evm[0].privateKey)
  t.match(stdout, /PUBLIC TEST KEY/)
  t.same(troubleIn(running.stderr), [], 'nothing is wrong')

  const pem = /-----BEGIN.*-----END PUBLIC KEY-----/s.exec(stdout.replaceAll(/^ +/gm, ''))?.[0]
  t.equal(pem, file.publicKeyPem.trim())
  t.equal((await (await fetch(`${file.baseUrl}/api/v1/public-key`)).text()).trim(), pem)
  t.equal((await fetch(`${file.baseUrl}/docs`)).status, 200)
  t.equal((await fetch(file.controlUrl)).status, 200)
  for (const token of [file.managementToken, file.operatorToken])
    t.equal((await fetch(`${file.baseUrl}/api/v1/apikeys`, { headers: { token } })).status, 200)
  const page = await fetch(`${file.baseUrl}/dashboard`)
  t.equal(
    new RegExp(`^Dashboard +${file.baseUrl}/dashboard  leads through a first stake$`, 'm').test(stdout),
    page.status === 200,
    'where the page is, its address is shown',
  )
  const curl = /^ {2}curl (?:.*\\\n)+.*$/m.exec(stdout)![0]
  t.match(JSON.parse(await paste(curl)), { serialized_tx_hex: /^0x/, unsigned_tx_hash_hex: /^0x/ }, 'the curl shown works as it is')

  const lines = stdout.split('\n')
  t.same(
    lines.filter((line) => line.length > 80 && !/svc[mo]?_\w+|^ {4}\S+$/.test(line)),
    [],
    'what can fit 80 columns does',
  )
  t.same(
    lines.filter((line) => line !== line.trimEnd() || line.includes('\u001b')),
    [],
    'no colour and no blanks at the end of a line',
  )
  t.equal((await stat(join(cwd, 'state/sandbox.json'))).mode & 0o077, 0, 'readable by its owner alone')

  await t.test('the other commands work on it, and say so', async (t) => {
    const [, action] = /\/action\/([\w-]+)/.exec(curl)!
    const before = await readdir(join(cwd, 'state'))
    const [list, audit, check, trust] = await Promise.all([
      svc(['keys', 'list'], { cwd, env }),
      svc(['audit', '--action', action!], { cwd, env }),
      svc(['check'], { cwd, env }),
      svc(['trust', '--account', 'demo', '--url', file.baseUrl], { cwd, env }),
    ])
    for (const { code, stderr } of [list, audit, check, trust])
      t.match({ code, stderr }, { code: 0, stderr: 'No config here; working on the sandbox in state.\n' })
    t.match(list.stdout, /^\w{26} +demo +active .* sandbox$/m)
    t.match(audit.stdout, new RegExp(`demo .* +[\\w-]+/[\\w-]+ ${action}`))
    // Monad's nodes tell the state of their pool, and the engine of its stand-in does not.
    t.match(check.stdout, /1 warning:\n[^\n]*lacks: state of the pool[^\n]*\n\nNothing that is needed is missing\./)
    t.equal(trust.stdout, await readFile(join(cwd, 'state/trust.json'), 'utf8'), 'the trust document is there already')
    t.same(await readdir(join(cwd, 'state')), before, 'check leaves nothing behind')
    const made = await svc(['keys', 'create', '--name', 'mine', '--quiet'], { cwd, env })
    const answer = await fetch(`${file.baseUrl}/api/v1/evm-three/native/networks`, { headers: { 'x-api-key': made.stdout.trim() } })
    t.equal(answer.status, 200)
  })

  await t.test('a restart in the same folder keeps key, token and signing key', async (t) => {
    running.child.kill('SIGINT')
    const { code, stdout: last } = await running.ended
    t.equal(code, 0)
    t.match(last, /\nStopped\.\n$/)
    await t.rejects(fetch(file.controlUrl), 'the control port is closed')
    for (const { rpcUrl } of Object.values<{ rpcUrl: string }>(file.chains)) await t.rejects(fetch(rpcUrl), 'the chain is closed')

    const again = launch(['start'], { cwd, env })
    t.teardown(() => again.child.kill('SIGKILL'))
    await again.said(/Ctrl-C stops it/)
    const { apiKey, managementToken, operatorToken, publicKeyPem } = JSON.parse(await readFile(join(cwd, 'state/sandbox.json'), 'utf8'))
    t.same(
      { apiKey, managementToken, operatorToken, publicKeyPem },
      { apiKey: file.apiKey, managementToken: file.managementToken, operatorToken: file.operatorToken, publicKeyPem: file.publicKeyPem },
    )
    again.child.kill('SIGTERM')
    t.equal((await again.ended).code, 0)
  })
})
