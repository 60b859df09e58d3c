import { check, decodeEvm } from '@svc/verify'
import { SigningKey } from 'ethers'
import { ms, spreadOf, table, timed } from './measure.ts'
import { createReplay, type Replay } from './upstream.ts'
import { createChain, createWorld, PREFIX, type World } from './world.ts'

/** Own time of each craft and read of evm-three at zero and at 50 ms of upstream delay, with waves and calls; and of the decode check. */
export async function benchCrafts(): Promise<string> {
  const { sandbox, rpcUrl, settings } = await createChain()
  try {
    const { address, privateKey } = sandbox.wallets.evm[0]!
    await position(rpcUrl, settings, sandbox.controlUrl, address, privateKey)
    const replay = createReplay(rpcUrl)
    const world = await createWorld(rpcUrl, settings, { fetch: replay.fetch })
    const crafts: [string, string, object | null][] = [
      ['delegate', '/action/delegate', { address, amount: 1.5 }],
      ['undelegate', '/action/undelegate', { address, amount: 1.5, withdrawId: 9 }],
      ['withdraw', '/action/withdraw', { address, withdrawId: 7 }],
      ['claim-rewards', '/action/claim-rewards', { address }],
      ['compound', '/action/compound', { address }],
      ['staking-balance', `/staking-balance/${address}`, null],
      ['networks', '/networks', null],
      ['staking-info', '/staking-info', null],
    ]
    const rows: (string | number)[][] = []
    for (const [name, path, body] of crafts) rows.push(await row(world, replay, name, path, body))
    const decode = await decodeTime(world, address)
    await world.close()
    return `${table('Own time on one connection, upstream answered from memory', ['request', 'waves', 'calls', 'p50 at 0 ms', 'p99 at 0 ms', 'p50 at 50 ms', 'own p50 at 50 ms'], rows)}
decode check of a delegate: p50 ${ms(decode.p50)}, p99 ${ms(decode.p99)} (budget 1 ms); budget of a craft at 0 ms: p50 10 ms`
  } finally {
    await sandbox.close()
  }
}

async function row(world: World, replay: Replay, name: string, path: string, body: object | null): Promise<(string | number)[]> {
  const ask = async () => {
    const response = await world.app.inject({
      method: body ? 'POST' : 'GET',
      url: PREFIX + path,
      headers: { 'x-api-key': world.apiKey },
      ...(body ? { payload: body } : {}),
    })
    if (response.statusCode !== 200) throw new Error(`${name}: ${response.statusCode} ${response.body}`)
  }
  replay.delayMs = 0
  await ask()
  replay.reset()
  await ask()
  const { waves, calls } = replay.counts()
  const now = await timed(400, ask)
  replay.delayMs = 50
  const later = await timed(30, ask)
  replay.delayMs = 0
  return [name, waves, calls, ms(now.p50), ms(now.p99), ms(later.p50), ms(later.p50 - 50 * waves)]
}

async function decodeTime(world: World, address: string) {
  const response = await world.app.inject({
    method: 'POST',
    url: `${PREFIX}/action/delegate`,
    headers: { 'x-api-key': world.apiKey },
    payload: { address, amount: 1.5 },
  })
  const unsigned = response.json()
  const method = 'delegate(uint64 validator)'
  const effects = {
    signers: [address],
    calls: [{ target: unsigned.payload.to, method, args: { validator: 12n }, value: 1_500_000_000_000_000_000n }],
  }
  const values: number[] = []
  for (let index = 0; index < 2000; index++) {
    const from = performance.now()
    const mismatches = check(decodeEvm(unsigned, [method]), effects, { chainId: '143', maxFee: 10n ** 18n })
    values.push(performance.now() - from)
    if (mismatches.length > 0) throw new Error(`the decode check found ${JSON.stringify(mismatches)}`)
  }
  return spreadOf(values.slice(200))
}

/** A wallet with active stake, claimable rewards and a slot whose epoch has come, so that every craft has something to do. */
async function position(
  rpcUrl: string,
  settings: Record<string, unknown>,
  controlUrl: string,
  address: string,
  privateKey: string,
): Promise<void> {
  const { app, apiKey, close } = await createWorld(rpcUrl, settings)
  const post = async (action: string, payload: object) => {
    const response = await app.inject({ method: 'POST', url: `${PREFIX}/action/${action}`, headers: { 'x-api-key': apiKey }, payload })
    if (response.statusCode !== 200) throw new Error(`${action}: ${response.body}`)
    return response.json()
  }
  const act = async (action: string, payload: object) => {
    const crafted = await post(action, { address, ...payload })
    const { r, s, v } = new SigningKey(privateKey).sign(crafted.unsigned_tx_hash_hex)
    await post('broadcast', await post('prepare', { ...crafted, r, s, v }))
  }
  const advance = (epochs: number) =>
    fetch(`${controlUrl}/chains/evm/143/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ epochs }),
    })
  await act('delegate', { amount: 1000 })
  await advance(2)
  await act('undelegate', { amount: 10, withdrawId: 7 })
  await advance(3)
  await close()
}
