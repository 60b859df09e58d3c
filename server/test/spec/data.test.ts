// alone: it stops the service that the others share
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConfigInput, loadSecrets, parseConfig, start } from '@svc/core'
import { sandboxPrices } from '@svc/sandbox'
import t from 'tap'
import { SANDBOX_CONFIG } from '../../src/cli/config.ts'
import { dataDir, freshWallet, land, places, sandbox, service } from '../support/service.ts'

/** What the sandbox's scenarios begin with, by endpoint: who stakes with the operator, how much, and the token's id at the price source. */
const NATIVE = {
  'hub-one/native': { users: 1, tvl: '32000000', coin: 'cosmos' },
  'hub-two/native': { users: 1, tvl: '60000000', coin: 'celestia' },
  'evm-two/native': { users: 1, tvl: '25000000', coin: 'pharos-network' },
  'evm-three/native': { users: 1, tvl: '100000000', coin: 'monad' },
  'svm-one/native': { users: 1, tvl: await stakeOnSvm(), coin: 'solana' },
  // The chain has no list of a pool's stakers.
  'move-one/native': { users: null, tvl: '62108714.71155532', coin: 'sui' },
} as const
const SCOPED = ['evm-one/vault-one', 'evm-three/liquid-a', 'svm-one/liquid-b']
const HOUR_S = 3_600

t.test('value and users of every native protocol are right to the unit, and null where the endpoint is of one pool', async (t) => {
  for (const [path, { users, tvl, coin }] of Object.entries(NATIVE)) {
    const { text, age } = await info(sandbox.baseUrl, path)
    t.same(numbersOf(text), { users: String(users), tvl_usd: worth(tvl, sandboxPrices[coin]!), tvl_token: tvl }, path)
    t.ok(age < HOUR_S, 'young')
  }
  for (const path of SCOPED)
    t.same(numbersOf((await info(sandbox.baseUrl, path)).text), { users: 'null', tvl_usd: 'null', tvl_token: 'null' }, path)
})

t.test('after restarts they are as right: on the chains, and without any endpoint as old as they are', async (t) => {
  const wallet = await freshWallet()
  t.equal((await land('delegate', { amount: '1.000000000000000001' }, wallet)).status, 200)
  await service.close()
  const grown = { ...NATIVE, 'evm-three/native': { users: 2, tvl: '100000001.000000000000000001', coin: 'monad' } }

  const texts = new Map<string, string>()
  await restarted({ dead: false, hours: 0 }, async (url) => {
    for (const [path, { users, tvl, coin }] of Object.entries(grown)) {
      const { text } = await info(url, path)
      texts.set(path, text)
      t.same(numbersOf(text), { users: String(users), tvl_usd: worth(tvl, sandboxPrices[coin]!), tvl_token: tvl }, path)
    }
    for (const path of SCOPED) texts.set(path, (await info(url, path)).text)
  })
  await restarted({ dead: true, hours: 2 }, async (url) => {
    for (const [path, before] of texts) {
      const { status, text, age } = await info(url, path)
      t.same([status, text], [200, before], path)
      t.ok(age >= 2 * HOUR_S && age < 3 * HOUR_S, `${path} says how old it is: ${age}`)
    }
  })
  await restarted({ dead: true, hours: 25 }, async (url) => {
    for (const [path, { users, tvl }] of Object.entries(grown)) {
      const { text, age } = await info(url, path)
      t.same(numbersOf(text), { users: String(users), tvl_usd: 'null', tvl_token: tvl }, `${path}: a price of yesterday is none`)
      t.ok(age >= 25 * HOUR_S, path)
    }
  })
})

/** The service of the sandbox again, on its data; where it is dead, no endpoint is there any more, nor the prices. */
async function restarted({ dead, hours }: { dead: boolean; hours: number }, look: (url: string) => Promise<void>): Promise<void> {
  const text = await readFile(join(dataDir, SANDBOX_CONFIG), 'utf8')
  // Nothing listens on port 9 of this machine (discard, RFC 863).
  const input = JSON.parse(dead ? text.replaceAll(/"http:\/\/127\.0\.0\.1:\d+[^"]*"/g, '"http://127.0.0.1:9"') : text) as ConfigInput
  const { signingKeys, responseKeys, peppers } = await loadSecrets({}, dataDir)
  const secrets = { signing_key: [...signingKeys], response_keys: [...responseKeys], peppers: [...peppers] }
  // A chain that a busy machine keeps waiting is not dead.
  const upstream = { timeout_ms: 60_000, deadline_ms: 60_000 }
  const own = { listen: { port: 0 }, data_dir: dataDir, log_level: 'silent', upstream, ...secrets }
  const config = parseConfig({ ...input, ...own })
  const now = () => new Date(Date.now() + hours * HOUR_S * 1000)
  const again = await start({ config, file: places[0], places }, { now })
  try {
    await look(again.address)
  } finally {
    await again.close()
  }
}

async function info(url: string, path: string): Promise<{ status: number; text: string; age: number }> {
  const response = await fetch(`${url}/api/v1/${path}/staking-info`, { headers: { 'x-api-key': sandbox.apiKey } })
  return { status: response.status, text: await response.text(), age: Number(response.headers.get('x-snapshot-age')) }
}

/** The three members as they stand in the answer, digit by digit. */
function numbersOf(text: string): Record<string, string | undefined> {
  return Object.fromEntries(['users', 'tvl_usd', 'tvl_token'].map((name) => [name, new RegExp(`"${name}":([^,}]+)`).exec(text)?.[1]]))
}

/** Tokens times dollars, to the cent, worked out apart from the service: whole numbers of 10^-36 dollars. */
function worth(tokens: string, dollars: string): string {
  const scaled = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(18, '0'))
  }
  const cents = (scaled(tokens) * scaled(dollars) + 10n ** 34n / 2n) / 10n ** 34n
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`.replace(/\.?0+$/, '')
}

/** What the cluster says is active with the operator's validator, in SOL. */
async function stakeOnSvm(): Promise<string> {
  const [id] = Object.keys(sandbox.chains).filter((chain) => chain.startsWith('svm:'))
  const config = JSON.parse(await readFile(join(dataDir, SANDBOX_CONFIG), 'utf8')) as {
    plugins: Record<string, { networks: Record<string, any> }>
  }
  const [network] = Object.values(config.plugins['@svc/plugin-svm-native']!.networks)
  const response = await fetch(sandbox.chains[id!]!.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getVoteAccounts', params: [{ votePubkey: network.validator }] }),
  })
  const { result } = (await response.json()) as { result: { current: { votePubkey: string; activatedStake: number }[] } }
  const lamports = String(result.current.find(({ votePubkey }) => votePubkey === network.validator)!.activatedStake)
  return `${lamports.slice(0, -9)}.${lamports.slice(-9)}`.replace(/\.?0+$/, '')
}
