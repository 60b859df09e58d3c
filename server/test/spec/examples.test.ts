// alone: it has a service of its own, with other examples
import type { CosmosWallet } from '@svc/sandbox-cosmos'
import { evmWallets } from '@svc/sandbox-evm'
import { moveWallets } from '@svc/sandbox-move'
import { svmWallets } from '@svc/sandbox-svm'
import t, { type Test } from 'tap'
import { operationsOf, resolved } from '../support/document.ts'
import { startExamples } from '../support/examples-service.ts'
import { ownServers } from '../support/servers.ts'

const shared = await ownServers()
process.env.SVC_LOG_LEVEL ??= 'silent'

const running = await startExamples()
t.teardown(async () => {
  await running.close()
  await shared.release()
})
const { file } = running
const document = (await (await fetch(`${file.baseUrl}/openapi.json`)).json()) as any
const operations = operationsOf(document)
/** Of the account's own transactions: a console has none before something was broadcast. */
const FOLLOWED = '/api/v1/transactions/{tx_hash}'
/** Of an alarm: a sandbox has none before somebody has played one. */
const DISMISSED = '/api/v1/events/{id}/dismiss'
/** A key for each protocol, as 200 requests a minute are not enough for all. */
const keys = new Map<string, Promise<string>>()

t.test('what the console fills in succeeds in the sandbox, for every operation and more than once', async (t) => {
  // Deleting comes last: there is nothing to read or change afterwards.
  const [deletions, others] = [true, false].map((wanted) => operations.filter(({ method }) => (method === 'delete') === wanted))
  // And what a wallet is watched by first, since its position is read by others.
  const known = others!.filter(({ path }) => path !== FOLLOWED && path !== DISMISSED).toSorted((one, other) => rank(one) - rank(other))
  for (const operation of [...known, ...known, ...deletions!]) await succeeds(t, operation)
})

t.test('a transaction is followed once it was broadcast here, under the hash that is shown', async (t) => {
  const [followed] = operations.filter(({ path }) => path === FOLLOWED)
  const statuses = operations.filter(({ path }) => path.endsWith('/transaction/{tx_hash}'))
  t.ok(statuses.length > 1)
  for (const { path, value } of statuses) {
    const hash = value.parameters.find(({ name }: any) => name === 'tx_hash')
    const response = await send({ ...followed!, value: { ...followed!.value, parameters: [hash] } })
    t.match([response.status, await response.json()], [200, { tx_hash: hash.example }], path)
  }
})

t.test('a broadcast that was repeated answers the hash that it shows', async (t) => {
  for (const operation of operations.filter(({ path }) => path.endsWith('/action/broadcast')))
    t.same(await (await send(operation)).json(), operation.value.responses['200'].content['application/json'].example, operation.path)
})

t.test('every example is of its own network and operation', async (t) => {
  const shown = (label: string) =>
    JSON.stringify(operations.filter(({ path }) => path.startsWith(`/api/v1/${label}/`)).map(({ value }) => value))
  t.notMatch(shown('hub-two'), /cosmos1|uatom/)
  t.notMatch(shown('hub-one'), /celestia1|utia/)
  for (const [label, chainId] of [
    ['evm-one', '0x1'],
    ['evm-two', '0x688'],
    ['evm-three', '0x8f'],
  ] as const) {
    const ids = [...shown(label).matchAll(/"chainId":"(0x[0-9a-f]+)"/g)].map((match) => match[1])
    t.ok(ids.length > 2, label)
    t.same([...new Set(ids)], [chainId], label)
  }
  for (const { path, method, value } of operations)
    for (const [status, answer] of Object.entries<any>(value.responses)) {
      const example = resolved(document, answer).content?.['application/json']?.example
      if (Number(status) >= 400 && path !== '/api/v1/health') t.equal(example?.statusCode, Number(status), `${method} ${path} ${status}`)
    }
})

t.test('the first wallet of each family has done nothing', async (t) => {
  const [hub] = file.wallets.cosmos as readonly CosmosWallet[]
  const paths = [
    ...['evm-one/vault-one', 'evm-two/native', 'evm-three/native', 'evm-three/liquid-a'].map(
      (label) => `${label}/staking-balance/${evmWallets[0]!.address}`,
    ),
    ...['svm-one/native', 'svm-one/liquid-b'].map((label) => `${label}/staking-balance/${svmWallets[0]!.address}`),
    `move-one/native/staking-balance/${moveWallets[0]!.address}`,
    `hub-one/native/staking-balance/${hub!.addresses['cosmos:cosmoshub-4']}`,
    `hub-two/native/staking-balance/${hub!.addresses['cosmos:celestia']}`,
  ]
  for (const path of paths) {
    const response = await fetch(`${file.baseUrl}/api/v1/${path}`, { headers: { 'x-api-key': file.apiKey } })
    t.match(await response.json(), { staked_amount: 0 }, path)
  }
})

/** Ranks an operation by when it is tried. */
function rank({ method }: (typeof operations)[number]): number {
  return method === 'put' ? 0 : 1
}

async function succeeds(t: Test, operation: (typeof operations)[number]): Promise<void> {
  const { method, path, value } = operation
  const response = await send(operation)
  const text = await response.text()
  const wanted = Object.keys(value.responses).find((status) => status.startsWith('2'))
  t.equal(String(response.status), wanted, `${method} ${path}: ${text.slice(0, 300)}`)
}

/** As the console would, as soon as it is told the keys. */
async function send({ method, path, value }: (typeof operations)[number]): Promise<Response> {
  const parameters = value.parameters ?? []
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters.find((each: any) => each.name === name).example))
  const query = parameters
    .filter((each: any) => each.in === 'query' && each.schema.default !== undefined)
    .map(({ name, schema }: any) => `${name}=${schema.default}`)
  const body = value.requestBody?.content['application/json'].example
  return fetch(`${file.baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
    method: method.toUpperCase(),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(value.security.some((scheme: object) => 'token' in scheme)
        ? { token: file.managementToken }
        : { 'x-api-key': await keyFor(path) }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

function keyFor(path: string): Promise<string> {
  const label = path.split('/').slice(0, 5).join('/')
  if (!keys.has(label)) keys.set(label, mint(label))
  return keys.get(label)!
}

async function mint(name: string): Promise<string> {
  const response = await fetch(`${file.baseUrl}/api/v1/apikeys`, {
    method: 'POST',
    headers: { token: file.managementToken, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  return ((await response.json()) as { key: string }).key
}
