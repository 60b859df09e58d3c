import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { type Chosen, createClient, type TrustDocument } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import { evmThreeLiquid } from '@svc/intent-evm-three-liquid'
import { evmTwo } from '@svc/intent-evm-two'
import { evmVault } from '@svc/intent-evm-vault'
import { hubOne, hubTwo } from '@svc/intent-hub'
import { moveNative } from '@svc/intent-move-native'
import { svmLiquid } from '@svc/intent-svm-liquid'
import { svmNative } from '@svc/intent-svm-native'
import { createMcp } from '@svc/mcp'
import type { Intent } from '@svc/verify/intent'
import t from 'tap'

const intents: Readonly<Record<string, Intent>> = {
  'evm-three': evmThree,
  'evm-three-liquid': evmThreeLiquid,
  'evm-two': evmTwo,
  'evm-vault': evmVault,
  'hub-one': hubOne,
  'hub-two': hubTwo,
  'move-native': moveNative,
  'svm-liquid': svmLiquid,
  'svm-native': svmNative,
}

/** What a list of all protocols may take of the context of a conversation, in bytes: it is there whether anything is staked or not. */
const MOST_LIST = 52_000

/** Nothing of a network matters to a list but how its token is written. */
const terms = { chainId: '143', caip2: 'eip155:143', decimals: 18, symbol: 'MON', max_fee: '0.05' }
const trust: TrustDocument = {
  version: 1,
  baseUrl: 'http://127.0.0.1:1',
  account: 'acme',
  keys: [{ kty: 'OKP', kid: 'x', crv: 'Ed25519', x: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg' }],
  protocols: Object.values(intents).map(({ path }) => ({ path, networks: [{ default: true, terms }] })),
}
const protocols: Readonly<Record<string, Chosen>> = intents

const server = await createMcp({ trust, apiKey: 'svc_x', protocols, broadcast: true, retries: 0 })({ era: 'legacy' })
const client = new Client({ name: 'test', version: '0.0.0' })
const [ours, theirs] = InMemoryTransport.createLinkedPair()
await Promise.all([server.connect(theirs), client.connect(ours)])
t.teardown(() => client.close())

t.test('the list of nine protocols is short, and says every argument', async (t) => {
  const { tools } = await client.listTools()
  const drafts = Object.entries(intents).flatMap(([name, { actions }]) =>
    Object.keys(actions).map((action) => `staking_draft_${name}_${action}`),
  )
  t.equal(tools.length, drafts.length + 10)
  const bytes = Buffer.byteLength(JSON.stringify(tools))
  t.ok(bytes < MOST_LIST, `${bytes} bytes for ${tools.length} tools`)
  t.comment(`${bytes} bytes for ${tools.length} tools`)
  for (const [name, { actions }] of Object.entries(intents))
    for (const [action, { input }] of Object.entries(actions)) {
      const tool = tools.find((each) => each.name === `staking_draft_${name}_${action}`)
      t.same(Object.keys(Object(tool?.inputSchema.properties)), Object.keys(input), `the body of ${name} ${action}`)
      t.match(tool?.outputSchema, {
        required: [
          'protocol',
          'network',
          'sentence',
          'moves',
          'warnings',
          'verified',
          'draft',
          'assumed',
          'signer',
          'algorithm',
          'payload',
          'craft',
        ],
      })
    }
  // What the members of a draft are is said once.
  t.match(client.getInstructions(), /`payload`, hex of what the key signs as it is/)
})

t.test('networks, each protocol and the errors are resources too, one by one', async (t) => {
  const { resources } = await client.listResources()
  const names = Object.keys(createClient({ trust, apiKey: 'svc_x', protocols })).sort()
  t.same(
    resources.map(({ uri }) => uri),
    ['staking://networks', ...names.map((name) => `staking://protocols/${name}`), 'staking://errors'],
  )
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents
    return JSON.parse(content && 'text' in content ? content.text : '')
  }
  const networks = await read('staking://networks')
  t.match(networks.protocols[0], { protocol: 'evm-three', network: 'eip155:143', actions: Object.keys(evmThree.actions) })
  const errors = await read('staking://errors')
  t.match(errors.service.AMOUNT_INVALID, { status: 400, meaning: /decimal/ })
  t.same(Object.keys(errors.protocols), names)
  t.match(errors.protocols['evm-three'], { ADDRESS_INVALID: { status: 400, meaning: /0x/ } })
  t.match(errors.protocols['svm-native'] ?? errors.protocols[names.find((name) => /sv|sol/.test(name)) ?? ''], {
    ADDRESS_INVALID: { status: 400, meaning: /base58/ },
  })
  for (const name of names) t.ok(Object.keys(errors.protocols[name]).length > 10, `${name} has the codes of its family`)
  await t.rejects(client.readResource({ uri: 'staking://protocols/none' }), /not found/i)
  await t.rejects(
    client.readResource({ uri: 'staking://protocols/evm-three' }),
    /could not be reached/,
    'terms of staking are the service\u2019s',
  )
})
