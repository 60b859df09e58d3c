import { evmWallets } from '@svc/sandbox-evm'
import { Transaction } from 'ethers'
import t from 'tap'
import { call, freshWallet, get, mint, P, post, sandbox, sign } from '../support/service.ts'

const { address } = evmWallets[0]!

t.test('every endpoint that each protocol has is there, and success is 200', async (t) => {
  for (const path of ['networks', 'staking-info', `staking-balance/${address}`]) t.equal((await get(path)).status, 200, path)
  for (const path of ['action/prepare', 'action/broadcast']) t.equal((await post(path, {})).status, 400, path)
  for (const [method, path] of [
    ['POST', 'networks'],
    ['POST', 'staking-info'],
    ['GET', 'action/prepare'],
    ['GET', 'action/broadcast'],
    ['PUT', 'action/broadcast'],
  ] as const)
    t.equal((await call(method, path, method === 'GET' ? undefined : {})).status, 404, `${method} ${path}`)
})

t.test('bodies and answers are JSON', async (t) => {
  t.match((await get('networks')).headers.get('content-type'), /^application\/json/)
  const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'text/plain' }
  t.match(await call('POST', 'action/delegate', JSON.stringify({ address, amount: 1 }), headers), {
    status: 415,
    json: { statusCode: 415 },
  })
  const charset = { ...headers, 'content-type': 'application/json; charset=utf-8' }
  t.equal((await call('POST', 'action/delegate', JSON.stringify({ address, amount: 1 }), charset)).status, 200)
})

t.test('without X-NETWORK the default network is used, with it the one named', async (t) => {
  const key = { 'x-api-key': (await mint('key')).value }
  const without = await get('staking-info', key)
  const named = await get('staking-info', { ...key, 'x-network': '143' })
  t.same([named.status, named.text], [without.status, without.text])
  for (const network of ['1', 'monad', '0143']) {
    const wrong = { ...key, 'x-network': network }
    t.match(await get('staking-info', wrong), { status: 400, json: { code: 'NETWORK_NOT_ENABLED', error: /enabled: 143\.$/ } })
    t.match(await post('action/delegate', { address, amount: 1 }, wrong), { status: 400, json: { code: 'NETWORK_NOT_ENABLED' } })
  }
})

t.test('an address is taken in lower case and with its checksum, and a malformed one is 400', async (t) => {
  for (const good of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
    t.equal((await get(`staking-balance/${good}`)).status, 200, good)
    t.equal((await post('action/delegate', { address: good, amount: 1 })).status, 200, good)
  }
  const mistyped = address.slice(0, -1) + (address.endsWith('1') ? '2' : '1')
  for (const bad of ['0x', 'x', address.slice(0, -1), address.slice(2), mistyped]) {
    t.match(await get(`staking-balance/${bad}`), { status: 400, json: { code: 'ADDRESS_INVALID' } }, bad)
    t.match(await post('action/delegate', { address: bad, amount: 1 }), { status: 400, json: { code: 'ADDRESS_INVALID' } }, bad)
  }
})

t.test('the four steps: craft, sign outside, prepare, broadcast', async (t) => {
  const wallet = await freshWallet()
  const crafted = await post('action/delegate', { address: wallet.address, amount: 1.5 })
  t.equal(crafted.status, 200)
  const { serialized_tx_hex, unsigned_tx_hash_hex } = crafted.json
  t.equal(Transaction.from(serialized_tx_hex).unsignedHash, unsigned_tx_hash_hex, 'the hash is that of the bytes')
  const signature = sign(unsigned_tx_hash_hex, wallet)
  const prepared = await post('action/prepare', { serialized_tx_hex, ...signature })
  t.equal(prepared.status, 200)
  const signed = Transaction.from(prepared.json.signed_tx_hex)
  t.match([signed.from, signed.chainId, signed.value], [wallet.address, 143n, 1_500_000_000_000_000_000n])
  const sent = await post('action/broadcast', prepared.json)
  t.same([sent.status, sent.json], [200, { tx_hash: signed.hash }])
  t.match(await get(`staking-balance/${wallet.address}`), { json: { stake_activation_amount: 1.5 } })
})

t.test('sending the same signed transaction again answers the same hash', async (t) => {
  const wallet = await freshWallet()
  const crafted = await post('action/delegate', { address: wallet.address, amount: 1 })
  const prepared = await post('action/prepare', { ...crafted.json, ...sign(crafted.json.unsigned_tx_hash_hex, wallet) })
  const first = await post('action/broadcast', prepared.json)
  const second = await post('action/broadcast', prepared.json)
  t.equal(first.status, 200)
  t.same([second.status, second.json], [first.status, first.json])
  t.match(await get(`staking-balance/${wallet.address}`), { json: { stake_activation_amount: 1 } }, 'and nothing happens twice')
})

t.test('prepare takes each way to write the signature, and ignores the other members of a craft response', async (t) => {
  const wallet = await freshWallet()
  const { json } = await post('action/delegate', { address: wallet.address, amount: 1 })
  const { r, s, v } = sign(json.unsigned_tx_hash_hex, wallet)
  const { text } = await post('action/prepare', { serialized_tx_hex: json.serialized_tx_hex, r, s, v })
  for (const way of [
    { v: v - 27 },
    { v: 35 + 2 * 143 + (v - 27) },
    { v: String(v) },
    { v: `0${v - 27}` },
    { r: r.slice(2), s: s.slice(2) },
    json,
  ])
    t.equal(
      (await post('action/prepare', { serialized_tx_hex: json.serialized_tx_hex, r, s, v, ...way })).text,
      text,
      Object.keys(way).join(),
    )
})

t.test('prepare refuses what is no signature of this transaction on this chain', async (t) => {
  const wallet = await freshWallet()
  const { json } = await post('action/delegate', { address: wallet.address, amount: 1 })
  const good = { serialized_tx_hex: json.serialized_tx_hex, ...sign(json.unsigned_tx_hash_hex, wallet) }
  const refused = async (change: object, code: string) =>
    t.match(
      await post('action/prepare', { ...good, ...change }),
      { status: 400, json: { statusCode: 400, message: 'Bad Request', code } },
      JSON.stringify(change).slice(0, 60),
    )
  await refused({ v: 37 }, 'SIGNATURE_INVALID')
  await refused({ v: 5 }, 'SIGNATURE_INVALID')
  await refused({ r: '0x0' }, 'SIGNATURE_INVALID')
  await refused({ s: 'zz' }, 'HEX_INVALID')
  await refused({ serialized_tx_hex: good.serialized_tx_hex.slice(0, -2) }, 'TRANSACTION_INVALID')
  await refused({ serialized_tx_hex: `${good.serialized_tx_hex}00` }, 'TRANSACTION_INVALID')
  await refused({ v: good.v === 27 ? 28 : 27 }, 'SIGNATURE_INVALID')
  await refused({ v: 'odd' }, 'SIGNATURE_INVALID')
  await refused({ v: true }, 'REQUEST_INVALID')
  const stranger = await freshWallet()
  await refused(sign(json.unsigned_tx_hash_hex, stranger), 'SIGNATURE_INVALID')
  await refused({ v: 27.5 }, 'REQUEST_INVALID')
  for (const name of ['serialized_tx_hex', 'r', 's', 'v']) {
    const { [name]: _, ...rest } = good as Record<string, unknown>
    t.match(await post('action/prepare', rest), { status: 400, json: { error: `${name} is missing.` } })
  }
})

t.test("broadcast refuses another chain's transaction, an unsigned one, and no transaction", async (t) => {
  const wallet = await freshWallet()
  const { json } = await post('action/delegate', { address: wallet.address, amount: 1 })
  t.match(await post('action/broadcast', { signed_tx_hex: json.serialized_tx_hex }), {
    status: 400,
    json: { code: 'TRANSACTION_INVALID', error: /not signed/ },
  })
  const foreign = Transaction.from(json.serialized_tx_hex)
  foreign.chainId = 1n
  const { r, s, v } = sign(foreign.unsignedHash, wallet)
  foreign.signature = { r, s, v }
  t.match(await post('action/broadcast', { signed_tx_hex: foreign.serialized }), { status: 400, json: { code: 'CHAIN_ID_MISMATCH' } })
  t.match(await post('action/broadcast', { signed_tx_hex: 'hello' }), { status: 400, json: { code: 'HEX_INVALID' } })
  t.match(await post('action/broadcast', {}), { status: 400, json: { error: 'signed_tx_hex is missing.' } })
})

t.test('crafting is stateless: the same request gives the same transaction until something lands', async (t) => {
  const wallet = await freshWallet()
  const body = { address: wallet.address, amount: 2 }
  // A block that somebody else's transaction closed in between moves the price: then the two are asked for once more.
  const twice = async () => [await post('action/delegate', body), await post('action/delegate', body)] as const
  let [first, again] = await twice()
  for (let tries = 0; tries < 5 && first.json.payload.gasPrice !== again.json.payload.gasPrice; tries++) [first, again] = await twice()
  t.equal(again.text, first.text)
  const prepared = await post('action/prepare', { ...first.json, ...sign(first.json.unsigned_tx_hash_hex, wallet) })
  await post('action/broadcast', prepared.json)
  t.equal(BigInt((await post('action/delegate', body)).json.payload.nonce), BigInt(first.json.payload.nonce) + 1n)
})

t.test('older balance endpoints were removed', async (t) => {
  for (const path of ['balance', `balance/${address}`, `delegations/${address}`, `staked/${address}`])
    t.equal((await get(path)).status, 404, `${P}/${path}`)
})
