import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { SANDBOX_CONFIG } from '../../src/cli/config.ts'
import { folder, svc } from '../cli-process.ts'
import { dataDir } from '../support/service.ts'

/** The nine protocols on their local chains, as the sandbox's own config names them. */
const local = JSON.parse(await readFile(join(dataDir, SANDBOX_CONFIG), 'utf8'))

t.test('a config of all nine protocols that was written from options passes the check, and its secrets are in files', async (t) => {
  const packages = Object.keys(local.plugins)
  t.equal(packages.length, 9)
  const cwd = await folder(t, packages)
  const options = packages.flatMap((name) => {
    const short = name.replace('@svc/plugin-', '')
    return Object.entries<any>(local.plugins[name].networks).flatMap(([chain, { name: word, endpoints, ...settings }]) => [
      ...['--network', `${short}/${chain}=${word}`],
      ...Object.entries<string[]>(endpoints).flatMap(([group, urls]) =>
        urls.flatMap((url) => ['--endpoint', `${short}/${chain}${group === 'rpc' ? '' : `/${group}`}=${url}`]),
      ),
      ...Object.entries(settings).flatMap(([setting, value]) => ['--set', `${short}/${chain}/${setting}=${value}`]),
    ])
  })
  const answers = ['--protocols', 'all', '--account', 'acme', '--account-name', 'Acme Custody', ...options]
  const { code, stdout, stderr } = await svc(['init', '--yes', ...answers], { cwd })
  t.equal(code, 0, stderr)
  const text = await readFile(join(cwd, 'svc.config.json'), 'utf8')
  const config = JSON.parse(text)
  t.same(config.plugins, local.plugins, 'with every network, endpoint and setting as it was given')
  t.same(config.accounts, { acme: { name: 'Acme Custody' } })
  for (const name of ['pepper', 'signing_key', 'response_key']) {
    const file = join(cwd, 'secrets', name)
    const secret = (await readFile(file, 'utf8')).trim()
    t.ok(secret.length >= 32)
    t.match(text, JSON.stringify(`$${`{file:${file}}`}`))
    t.notMatch(text + stdout + stderr, secret, `${name} is shown nowhere`)
    t.equal((await stat(file)).mode & 0o777, 0o600)
  }
  // The chains are in this process, which a busy machine may keep waiting; what is asked of them is what an operator's config asks.
  await writeFile(join(cwd, 'svc.config.json'), JSON.stringify({ ...config, upstream: { timeout_ms: 60_000, deadline_ms: 60_000 } }))
  const check = await svc(['check'], { cwd })
  t.equal(check.code, 0, check.stderr)
  for (const name of ['hub-one/native', 'evm-one/vault-one', 'move-one/native'])
    t.match(check.stdout, new RegExp(`^ {2}acme +${name} `, 'm'))
})
