import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import * as hub from '@svc/intent-hub'
import { readConfig } from '@svc/mcp'
import { root, run, temporaryFolder } from '@svc/testing/processes'
import t, { type Test } from 'tap'
import { bodies, CURRENT, call, draftOf, sign, stage, stolen, trustOf, wallet } from './support/stage.ts'

const MAIN = join(root, 'packages/mcp/src/main.ts')
const ARGS = ['--conditions=@svc/source', MAIN, '--config']

/** The operator's folder: the trust document, the intents that he has installed, and a config. */
async function operator(t: Test, config: object = {}, service = stage.service) {
  const folder = await temporaryFolder(t)
  const installed = join(folder, 'node_modules/@svc')
  await mkdir(installed, { recursive: true })
  await symlink(join(root, 'plugins/evm-three/intent'), join(installed, 'intent-evm-three'))
  await symlink(join(root, 'packages/intent-hub'), join(installed, 'intent-hub'))
  await writeFile(join(folder, 'acme.trust.json'), JSON.stringify(trustOf(service)))
  const file = join(folder, 'svc-mcp.json')
  const protocols = { monad: { intent: '@svc/intent-evm-three', network: '143' } }
  await writeFile(file, JSON.stringify({ trust: 'acme.trust.json', protocols, ...config }))
  return { file, env: { SVC_API_KEY: await service.key(), PATH: process.env.PATH ?? '' } }
}

for (const [revision, options] of [
  ['2026-07-28', CURRENT],
  ['2025-11-25', {}],
] as const) {
  t.test(`over stdio, from the operator's folder to a draft and a signature, in revision ${revision}`, async (t) => {
    const { file, env } = await operator(t)
    const client = new Client({ name: 'test', version: '0.0.0' }, options)
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [...ARGS, file], env }))
    t.teardown(() => client.close())
    t.equal(client.getNegotiatedProtocolVersion(), revision)
    const { draft, payload, sentence } = await call(client, draftOf('delegate'), bodies.delegate)
    t.match(sentence, /^Delegate 1\.000000000000000001 MON to validator 12 through 0x0{36}1000 on eip155:143; /)
    t.match(await call(client, 'staking_prepare', { draft, signature: sign(payload) }), { signer: wallet.address, sentence })
    const { tools } = await client.listTools()
    t.notOk(tools.some(({ name }) => name === 'staking_broadcast'))
  })
}

t.test('over stdio, the draft of a service that a thief owns is refused with a sentence, and without bytes', async (t) => {
  let attack: string | undefined
  const service = await stolen(t, (honest) => {
    return stage.family.forgeries(honest, { signers: [], calls: [] }).find(({ name }) => name === attack)?.unsigned ?? honest
  })
  const { file, env } = await operator(t, {}, service)
  const client = new Client({ name: 'test', version: '0.0.0' }, CURRENT)
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...ARGS, file], env }))
  t.teardown(() => client.close())
  t.match(await call(client, draftOf('delegate'), bodies.delegate), { verified: true }, 'the honest one is taken')
  for (const name of ['to is somebody else', 'value doubled', 'gasPrice that empties the wallet', 'an approval of all there is']) {
    attack = name
    const found = await call(client, draftOf('delegate'), bodies.delegate)
    t.match(found.error, { by: 'client', kind: 'MismatchError', sentence: /so it cannot be signed\. The differences say where\.$/ }, name)
    t.equal(found.structuredContent, undefined)
    t.notMatch(found.text, /serialized_tx_hex"|payload"/)
  }
})

t.test('where it is enabled, a host of the revision before asks its person over stdio too', async (t) => {
  const { file, env } = await operator(t, { broadcast: true })
  const client = new Client({ name: 'test', version: '0.0.0' }, { capabilities: { elicitation: {} } })
  let asked = ''
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked = params.message
    return { action: 'accept', content: { confirm: true } }
  })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...ARGS, file], env }))
  t.teardown(() => client.close())
  const { draft, payload, sentence } = await call(client, draftOf('delegate'), bodies.delegate)
  const sent = await call(client, 'staking_broadcast', { draft, signature: sign(payload), sentence })
  t.match(sent, { tx_hash: /^0x[0-9a-f]{64}$/ })
  t.ok(asked.includes(sentence))
  await stage.family.landed(stage.world.rpcUrl, sent.tx_hash)
})

t.test('a config that does not fit ends the start with a sentence on stderr, and stdout stays empty', async (t) => {
  const { file, env } = await operator(t)
  const { SVC_API_KEY: _, ...keyless } = env
  const started = await run(process.execPath, [...ARGS, file], { env: { ...keyless, SVC_API_KEY: '' } })
  t.match(started, { code: 1, out: '', err: /^SVC_API_KEY is not set/ })

  const refused = async (config: object, sentence: RegExp) => {
    const { file } = await operator(t, config)
    await t.rejects(readConfig(file, env), { name: 'SetupError', message: sentence })
  }
  await refused({ brodcast: true }, /has a member "brodcast"; it may have trust, protocols/)
  await refused({ broadcast: 'yes' }, /has a broadcast of another kind: "yes"/)
  await refused({ trust: 'none.json' }, /none\.json cannot be read/)
  await refused({ protocols: { monad: {} } }, /protocols\.monad has no intent/)
  await refused({ protocols: { monad: { intent: '@svc/intent-evm-two' } } }, /intent-evm-two cannot be imported from .*; install it there/)
  const hubs = Object.entries(hub).flatMap(([name, value]) => ('path' in value ? name : []))
  t.ok(hubs.length > 4, `${hubs}`)
  await refused(
    { protocols: { hub: { intent: '@svc/intent-hub' } } },
    new RegExp(`has the intents ${hubs.join(', ')}; name one of them as "export"`),
  )
  await refused({ trust: 'svc-mcp.json' }, /svc-mcp\.json is no trust document/)
  const { file: other } = await operator(t, { protocols: { hub: { intent: '@svc/intent-hub', export: 'hubOne' } } })
  const { mcp } = await readConfig(other, env)
  t.match(mcp.protocols, { hub: { path: /hub/ } })
})

t.test('the config in the README is one', async (t) => {
  const readme = await readFile(join(root, 'packages/mcp/README.md'), 'utf8')
  const [, json = ''] = /<!-- read by test\/stdio\.test\.ts -->\n```json\n([^`]+)```/.exec(readme) ?? []
  const { file, env } = await operator(t, JSON.parse(json))
  const { mcp } = await readConfig(file, env)
  t.match(mcp, { broadcast: false, trust: { account: 'full' }, protocols: { monad: { network: '143' } } })
})
