import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { dataDir, get, sandbox } from './support/service.ts'

const root = new URL('../../', import.meta.url)

t.test('the walk of the README', async (t) => {
  // Its first wallets are nobody else's.
  const readme = await readFile(new URL('README.md', root), 'utf8')
  const [evm, cosmos] = [...readme.matchAll(/<!-- executed [^>]*readme\.test\.ts -->\n```sh\n([\s\S]*?)```/g)].map(([, script]) => script!)
  t.ok(evm && cosmos, 'it has the two blocks that this test runs')
  const env = { ...process.env, SVC_DATA: dataDir }

  await t.test('goes from craft to hash as it is written there', async (t) => {
    const { code, stdout, stderr } = await bash(evm!, env)
    t.equal(code, 0, stderr)
    t.match(stdout, /"serialized_tx_hex":"0x[0-9a-f]+"/, 'shows the craft')
    t.match(stdout, /\{"tx_hash":"0x[0-9a-f]{64}"\}/, 'shows the hash')
    t.match(stdout, /"stake_activation_amount":\d+,/, 'shows the position')
    // Its block comes a moment after it was sent, on a busy machine a moment after the position was read.
    const [{ address }] = sandbox.wallets.evm as [{ address: string }]
    const position = async () => (await get(`staking-balance/${address}`)).text
    t.ok(await eventually('the position', position, (text) => /"stake_activation_amount":100,/.test(text)))
  })

  await t.test('goes the same way with the client, in a few lines', async (t) => {
    const [, program] = /<!-- executed [^>]*readme\.test\.ts -->\n```js\n([\s\S]*?)```/.exec(readme) ?? []
    if (program === undefined) return t.fail('it has a program that this test runs')
    t.ok(program.trim().split('\n').length < 15)
    const { code, stdout, stderr } = await node(program, env)
    t.equal(code, 0, stderr)
    t.match(
      stdout,
      /^Delegate 100 MON to validator 12 through 0x0+1000 on eip155:143; fee at most [\d.]+ MON; .*\n\{\s+txHash: '0x[0-9a-f]{64}'\s+\}\n$/,
    )
  })

  await t.test('the first program of the client does what stands beside it', async (t) => {
    const [, program] = /```js\n([\s\S]*?)```/.exec(await readFile(new URL('packages/client/README.md', root), 'utf8')) ?? []
    if (program === undefined) return t.fail('it begins with a program')
    // What its reader has: what the operator handed to him, his key, and whatever signs for him.
    const { address, privateKey } = (sandbox.wallets as { evm: { address: string; privateKey: string }[] }).evm[1]!
    const given = `import { SigningKey } from 'ethers'
      const trust = ${await readFile(join(dataDir, 'trust.json'), 'utf8')}
      const [apiKey, address] = ${JSON.stringify([sandbox.apiKey, address])}
      const custodian = { sign: async (hash) => new SigningKey('${privateKey}').sign(hash).serialized }`
    const mine = `${sandbox.controlUrl}/chains/evm/143/mine`
    // It waits until the transaction is final, which on a local chain is two blocks later.
    const blocks = setInterval(() => void fetch(mine, { method: 'POST', body: '{}' }), 500)
    const { code, stdout, stderr } = await node(`${given}\n${program}`, env).finally(() => clearInterval(blocks))
    t.equal(code, 0, stderr)
    t.match(stdout, /^Delegate 100 MON to validator 12 .*\n\{\s+txHash: '0x[0-9a-f]{64}',\s+status: 'final',/)
  })

  await t.test('goes on in the same terminal with a stake on a Cosmos chain', async (t) => {
    const { code, stdout, stderr } = await bash(`{ ${evm} } > /dev/null\n${cosmos}`, env)
    t.equal(code, 0, stderr)
    t.match(stdout, /^\{"tx_hash":"[0-9A-F]{64}"\}/, 'shows the hash')
    t.match(stdout, /"staked_amount":100\.000001,/, 'shows the position')
  })
})

t.test('every file that the README and the pages under docs link to is there', async (t) => {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/dashboard.md',
    'docs/operating.md',
    'docs/production.md',
    'docs/releasing.md',
    'docs/protocols.md',
    'docs/writing-a-family.md',
    'docs/writing-a-plugin.md',
    'docs/errors.md',
  ]
  for (const page of pages) {
    const text = await readFile(new URL(page, root), 'utf8')
    for (const [, target] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      const { stat } = await import('node:fs/promises')
      await t.resolves(stat(new URL(target!, new URL(page, root))), `${page} links to ${target}`)
    }
  }
})

t.test('every place that is named for what a contributor changes is there', async (t) => {
  const text = await readFile(new URL('CONTRIBUTING.md', root), 'utf8')
  const [section = ''] = (text.split('## Where things are')[1] ?? '').split('\n## ')
  const places = [...section.matchAll(/`([\w@./-]+\/[\w./-]*)`/g)].map(([, place = '']) => place)
  t.ok(places.length > 40, `${places.length} places`)
  for (const place of places.filter((each) => each !== 'src/codes.ts'))
    t.ok(
      ['', 'packages/'].some((folder) => existsSync(new URL(folder + place, root))),
      place,
    )
})

function bash(script: string, env: NodeJS.ProcessEnv) {
  return run('bash', ['-euo', 'pipefail', '-c', script], env)
}

/** Runs a program as if it were a file of the root's. */
function node(program: string, env: NodeJS.ProcessEnv) {
  return run(process.execPath, ['--conditions=@svc/source', '--input-type=module', '--eval', program], env)
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { cwd: root, env })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const code = await new Promise((done) => child.once('close', done))
  return { code, stdout, stderr }
}
