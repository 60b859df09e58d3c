import { Secp256k1 } from '@cosmjs/crypto'
import { declareErrors } from '@svc/contract'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { authInfoOf, rawOf, signHash } from '../src/transaction.ts'
import { type History, hashOf, type LandedTransaction, paid, signed, tableOf, timed } from './support/history.ts'
import { ACCOUNT, At, accountInfo, connect, hubOne, hubTwo, status as live, nodeOf, RpcError, silent, type Table } from './support/node.ts'
import { key, one, signedTx, two, unsignedTx } from './support/vectors.ts'

const { unavailable } = declareErrors({})

const HASH = one.stake.txHash
const checked = (code = 0, codespace = '', log = '', hash: string = HASH) => ({ code, codespace, log, data: '', hash })
async function broadcast(table: Table, chain = hubOne, signed_tx_hex = signedTx, next?: Table) {
  const node = nodeOf(table)
  const { kit, ctx } = connect(chain, next === undefined ? node : [node, nodeOf(next)])
  return { sent: await kit.broadcast(ctx, { signed_tx_hex }), node }
}

t.test('the bytes are sent as they came, and their hash is answered', async (t) => {
  let tx = ''
  const { sent, node } = await broadcast({
    broadcast_tx_sync: (params: { tx: string }) => {
      tx = Buffer.from(params.tx, 'base64').toString('hex')
      return checked()
    },
  })
  t.same(sent, { tx_hash: HASH })
  t.equal(tx, signedTx)
  t.same(node.asked, ['status', 'broadcast_tx_sync'])
  t.same(node.requests, [2], 'in one round trip')
  t.same((await broadcast({ broadcast_tx_sync: checked() }, hubOne, `0X${signedTx.toUpperCase()}`)).sent, { tx_hash: HASH })
})

/** What is asked about a sequence that was refused. */
const about = (history: Partial<History> = {}, change: Table = {}): Table => {
  const table = tableOf({ chainId: one.chainId, wallet: one.address, sequence: 7n, head: 1000n, ...history })
  const { status, tx, tx_search, tx_status } = table
  return { status, tx, tx_search, tx_status, [ACCOUNT]: table[ACCOUNT], ...change }
}
const raw = signed(one.stake)
const ours: LandedTransaction = { raw, height: 990n, events: paid(one.address, 7n, '1500uatom') }
const theirs: LandedTransaction = { raw: signed(one.claim), height: 990n, events: paid(one.address, 7n, '1250uatom') }
const mismatch = (expected: number, got = 7) =>
  checked(32, 'sdk', `account sequence mismatch, expected ${expected}, got ${got}: incorrect account sequence`)

t.test('what is there already is a success with the same hash', async (t) => {
  const known: Table[] = [
    { broadcast_tx_sync: new RpcError('tx already exists in cache') },
    { broadcast_tx_sync: new RpcError('tx already exists in mempool') },
    { broadcast_tx_sync: checked(19, 'sdk', 'tx already in mempool') },
    about({ landed: [ours] }, { broadcast_tx_sync: mismatch(8) }),
    about({ landed: [ours] }, { broadcast_tx_sync: checked(3, 'sdk', 'invalid sequence') }),
    about({ landed: [ours] }, { broadcast_tx_sync: mismatch(8), tx: new RpcError('tx (D0BE) not found') }),
  ]
  for (const table of known) t.same((await broadcast(table)).sent, { tx_hash: HASH })
  for (const status of ['COMMITTED', 'PENDING']) t.same((await onTwo(status)).sent, { tx_hash: two.stake.txHash }, status)
})

const rawTwo = signed(two.stake)
const onTwo = (status: string, sequence = two.sequence + 1n) =>
  broadcast(
    {
      status: live(two.chainId),
      broadcast_tx_sync: checked(32, 'sdk', 'account sequence mismatch', two.stake.txHash),
      tx_status: { height: '0', index: 0, execution_code: 0, error: '', status },
      tx_search: new RpcError('transaction indexing is disabled'),
      [ACCOUNT]: accountInfo(two.address, two.accountNumber, sequence),
    },
    hubTwo,
    Buffer.from(rawTwo).toString('hex'),
  )

t.test('a sequence that was used leads to another transaction only where the one that used it is known', async (t) => {
  const sent = (table: Table, next?: Table) => broadcast(table, hubOne, signedTx, next)
  const numbered = (history: Partial<History>, change: Table = {}) => {
    const table = about(history, { broadcast_tx_sync: mismatch(8), ...change })
    return { ...table, [ACCOUNT]: () => new At(1000n, accountInfo(one.address, one.accountNumber, 8n)) }
  }
  await t.rejects(sent(numbered({ landed: [theirs] })), {
    statusCode: 400,
    code: 'SEQUENCE_USED',
    txHash: HASH,
    message: new RegExp(
      `by another transaction of the account, ${one.claim.txHash}, so that it can never land\\. Craft again, if that one did not`,
    ),
  })
  const twin = await signedAgain()
  await t.rejects(
    sent(numbered({ landed: [{ ...theirs, raw: twin }] })),
    { code: 'SEQUENCE_USED', message: new RegExp(`${hashOf(twin)}.* asks for the very same: look it up, and craft no other`) },
    'the same stake at another fee',
  )
  const unclear = { statusCode: 400, code: 'SEQUENCE_UNCLEAR', txHash: HASH, message: /may be this very one.*before you craft another/ }
  const foreign = { ...theirs, raw: timed({ memo: 'made up' }) }
  const nobody: Record<string, Table> = {
    'an index that has forgotten it': numbered({ landed: [] }),
    'no index': numbered({ landed: [theirs], index: false }),
    'another hash in the answer': numbered({ landed: [] }, { tx: { hash: 'AB' } }),
    'a rival that the account has not signed': numbered({ landed: [foreign] }),
    'a rival that its block refused': numbered(
      { landed: [{ ...theirs, code: 13, events: paid(one.address, 7n, '1uatom') }] },
      { tx_search: found(theirs.raw, []) },
    ),
  }
  const stranger = await signedByAnother()
  nobody['a transaction of another account'] = numbered({}, { tx_search: found(stranger, paid(one.address, 7n, '1uatom')) })
  for (const [name, table] of Object.entries(nobody)) await t.rejects(sent(table), unclear, name)
  for (const status of ['UNKNOWN', 'EVICTED', 'REJECTED']) await t.rejects(onTwo(status), { ...unclear, txHash: two.stake.txHash }, status)
  const blind = about({}, { broadcast_tx_sync: mismatch(8), [ACCOUNT]: new RpcError('panic') })
  await t.rejects(sent(blind), { code: 'SEQUENCE_UNCLEAR', message: /account could not be read/ })
})

t.test('what one endpoint does not have of a used sequence is asked of every other one', async (t) => {
  const rest = (history: Partial<History>, change: Table = {}): Table => {
    const { broadcast_tx_sync: _sent, ...table } = about(history, change)
    return { ...table, [ACCOUNT]: () => new At(1000n, accountInfo(one.address, one.accountNumber, 8n)) }
  }
  const blind: Record<string, Table> = {
    'an index that has forgotten it': {},
    'no index': { tx: new RpcError('transaction indexing is disabled'), tx_search: new RpcError('transaction indexing is disabled') },
  }
  for (const [name, change] of Object.entries(blind)) {
    const refusing = { ...rest({}, change), broadcast_tx_sync: mismatch(8) }
    const ask = (history: Partial<History>) => broadcast(refusing, hubOne, signedTx, rest(history))
    t.same((await ask({ landed: [ours] })).sent, { tx_hash: HASH }, name)
    await t.rejects(ask({ landed: [theirs] }), { code: 'SEQUENCE_USED', message: new RegExp(one.claim.txHash) }, name)
    await t.rejects(ask({}), { code: 'SEQUENCE_UNCLEAR', message: /no node can name/ }, `${name}, and nobody knows`)
    const first = { ...rest({ landed: [theirs] }), broadcast_tx_sync: mismatch(8) }
    await t.rejects(broadcast(first, hubOne, signedTx, rest({}, change)), { code: 'SEQUENCE_USED' }, `${name}, in second place`)
  }
})

function found(bytes: Uint8Array, events: LandedTransaction['events']) {
  const tx_result = { code: events?.length === 0 ? 13 : 0, codespace: '', log: '', events }
  return { txs: [{ hash: hashOf(bytes), tx: Buffer.from(bytes).toString('base64'), height: '990', index: 0, tx_result }], total_count: '1' }
}

/** The same transaction with the other s of its signature. */
function withHighS(bytes: Uint8Array): Uint8Array {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(bytes)
  const signature = Buffer.from(signatures[0]!)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.subarray(32).toString('hex')}`)
  return rawOf(bodyBytes, authInfoBytes, [Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])])
}

/** The same stake by the same key with the same sequence, at another fee and with another memo, as a wallet crafts it a second time. */
async function signedAgain(): Promise<Uint8Array> {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(raw)
  const body = TxBody.encode({ ...TxBody.decode(bodyBytes), memo: 'again' }).finish()
  const { fee, ...rest } = AuthInfo.decode(authInfoBytes)
  const authInfo = AuthInfo.encode(
    AuthInfo.fromPartial({ ...rest, fee: { ...fee, amount: [{ denom: 'uatom', amount: '9000' }] } }),
  ).finish()
  const hash = signHash(hubOne, body, authInfo, one.chainId, one.accountNumber)
  const signature = await Secp256k1.createSignature(hash, Buffer.from(key.private, 'hex'))
  return rawOf(body, authInfo, [signature.toFixedLength().slice(0, 64)])
}

/** A transaction of the same sequence by another key, with a good signature. */
async function signedByAnother(): Promise<Uint8Array> {
  const { privkey, pubkey } = await Secp256k1.makeKeypair(new Uint8Array(32).fill(7))
  const { bodyBytes } = TxRaw.decode(raw)
  const publicKey = Secp256k1.compressPubkey(pubkey)
  const authInfo = authInfoOf(hubOne, { publicKey, sequence: 7n, gasLimit: 100_000n, fee: { denom: 'uatom', amount: 500n } })
  const signature = await Secp256k1.createSignature(signHash(hubOne, bodyBytes, authInfo, one.chainId, one.accountNumber), privkey)
  return rawOf(bodyBytes, authInfo, [signature.toFixedLength().slice(0, 64)])
}

t.test('a sequence that was not used yet leads to no other transaction', async (t) => {
  const at = (expected: number, sequence: bigint) => broadcast(about({ sequence }, { broadcast_tx_sync: mismatch(expected) }))
  await t.rejects(at(8, 7n), {
    statusCode: 400,
    code: 'SEQUENCE_WAITING',
    txHash: HASH,
    message: /same sequence 7 waits.*craft no other before/,
  })
  await t.rejects(at(5, 5n), {
    statusCode: 400,
    code: 'SEQUENCE_AHEAD',
    txHash: HASH,
    message: /sequence is 7.*next one is 5\..*send the same one again/,
  })
  await t.rejects(at(6, 5n), { code: 'SEQUENCE_AHEAD', message: /next one is 6\./ }, 'with one that waits before it')
  const wordless = (sequence: bigint) => broadcast(about({ sequence }, { broadcast_tx_sync: checked(3, 'sdk', 'invalid sequence') }))
  await t.rejects(wordless(5n), { code: 'SEQUENCE_AHEAD', message: /next one is 5\./ }, 'where the node does not say what it expected')
  await t.rejects(wordless(7n), { code: 'SEQUENCE_UNCLEAR', message: /says that 7 is its next one/ })
  await t.rejects(onTwo('UNKNOWN', two.sequence), { code: 'SEQUENCE_UNCLEAR' })
})

t.test('a signature that fits is not refused in the name of the caller', async (t) => {
  const refused = checked(
    4,
    'sdk',
    'signature verification failed; please verify account number (0) and chain-id (cosmoshub-4): (unable to verify single signer signature): unauthorized',
  )
  const account = { [ACCOUNT]: accountInfo(one.address, one.accountNumber, 7n) }
  t.same((await broadcast({ broadcast_tx_sync: refused, ...account }, hubOne, signedTx, { broadcast_tx_sync: checked() })).sent, {
    tx_hash: HASH,
  })
  await t.rejects(broadcast({ broadcast_tx_sync: refused, ...account }), { statusCode: 503, code: 'NODE_NOT_READY', retryAfter: 5 })
  const wrong = { statusCode: 400, code: 'SIGNATURE_INVALID' }
  const other = { [ACCOUNT]: accountInfo(one.address, one.accountNumber + 1n, 7n) }
  await t.rejects(broadcast({ broadcast_tx_sync: refused, ...other }), wrong, 'of another account number')
  const spoilt = `${signedTx.slice(0, -2)}${signedTx.endsWith('00') ? '01' : '00'}`
  const hash = hashOf(new Uint8Array(Buffer.from(spoilt, 'hex')))
  await t.rejects(broadcast({ broadcast_tx_sync: { ...refused, hash }, ...account }, hubOne, spoilt), wrong, 'another signature')
  const high = withHighS(raw)
  await t.rejects(
    broadcast({ broadcast_tx_sync: { ...refused, hash: hashOf(high) }, ...account }, hubOne, Buffer.from(high).toString('hex')),
    { ...wrong, message: /It said: signature verification failed/ },
    'a high s, which no node ever takes',
  )
  const unreadable = { [ACCOUNT]: new RpcError('panic') }
  await t.rejects(broadcast({ broadcast_tx_sync: refused, ...unreadable }), { statusCode: 503, code: 'NODE_NOT_READY' }, 'nobody can say')
})

t.test('what the chain refuses is a 400 with what to do', async (t) => {
  const cases: [number, string, string, string][] = [
    [2, 'sdk', 'tx parse error', 'TRANSACTION_INVALID'],
    [4, 'sdk', 'unauthorized', 'SIGNATURE_INVALID'],
    [5, 'sdk', 'insufficient funds', 'INSUFFICIENT_BALANCE'],
    [9, 'sdk', 'unknown address', 'ACCOUNT_UNKNOWN'],
    [11, 'sdk', 'out of gas', 'GAS_LIMIT_TOO_LOW'],
    [13, 'sdk', 'insufficient fee', 'FEE_TOO_LOW'],
    [30, 'sdk', 'tx timeout height', 'TRANSACTION_EXPIRED'],
    [12, 'sdk', 'memo too large', 'CHAIN_REFUSED'],
    [1, 'feemarket', 'no fee coins provided', 'CHAIN_REFUSED'],
    [2, 'feemarket', 'too many fee coins provided', 'CHAIN_REFUSED'],
    [4, 'wasm', 'contract failed', 'CHAIN_REFUSED'],
    [32, 'ibc', 'sequence', 'CHAIN_REFUSED'],
  ]
  for (const [code, codespace, log, expected] of cases)
    await t.rejects(
      broadcast({ broadcast_tx_sync: checked(code, codespace, log), [ACCOUNT]: accountInfo(one.address, 99n, 7n) }),
      { statusCode: 400, code: expected, txHash: HASH },
      `${codespace} ${code}`,
    )
  await t.rejects(broadcast({ broadcast_tx_sync: checked(77, 'sdk', 'strange words') }), { message: /strange words/ })
  await t.rejects(broadcast({ broadcast_tx_sync: checked(77, 'odd', '') }), { message: /code 77 of odd/ })
  await t.rejects(broadcast({ broadcast_tx_sync: new RpcError('tx too large. Max size is 1048576, but got 2000000') }), {
    statusCode: 400,
    code: 'TRANSACTION_INVALID',
  })
})

t.test('another transaction is advised only where not both can land', async (t) => {
  const unordered = timed({ unordered: true, timeoutTimestamp: { seconds: 1n, nanos: 0 } })
  const refusedAs = (code: number, tx: Uint8Array) =>
    broadcast({ broadcast_tx_sync: { ...checked(code, 'sdk', 'no'), hash: hashOf(tx) } }, hubOne, Buffer.from(tx).toString('hex'))
  for (const code of [11, 13]) {
    await t.rejects(refusedAs(code, raw), { message: /Only one of the two can land as long as both have sequence 7/ })
    await t.rejects(refusedAs(code, unordered), {
      message: /names no sequence, so that both could land: craft no other before its time is over/,
    })
  }
  await t.rejects(refusedAs(9, raw), { code: 'ACCOUNT_UNKNOWN', message: /where the account is there, send the same transaction again/ })
})

t.test('a node that could not take it answers 5xx', async (t) => {
  for (const entry of [
    new RpcError('mempool is full: number of txs 5000'),
    checked(20, 'sdk', 'mempool is full'),
    new RpcError('mempool is rechecking'),
  ])
    await t.rejects(broadcast({ broadcast_tx_sync: entry }), { statusCode: 503, code: 'MEMPOOL_FULL', retryAfter: 5 })
  await t.rejects(broadcast({ broadcast_tx_sync: new RpcError('endpoint is closed while node is catching up') }), {
    statusCode: 503,
    code: 'UPSTREAM_BEHIND',
    retryAfter: 60,
  })
  await t.rejects(broadcast({ broadcast_tx_sync: {} }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  const slow = { fetch: (async () => Promise.reject(unavailable('UPSTREAM_BUSY', 'busy', 3))) as typeof fetch }
  const { kit, ctx } = connect(hubOne, slow)
  await t.rejects(kit.broadcast(ctx, { signed_tx_hex: signedTx }), {
    statusCode: 503,
    code: 'UPSTREAM_BUSY',
    retryAfter: 3,
  })
})

t.test('a node that gives no verdict is followed by the next one', async (t) => {
  const failing: Record<string, Table> = {
    'another hash in the answer': { broadcast_tx_sync: checked(0, '', '', 'AB'.repeat(32)) },
    'no hash': { broadcast_tx_sync: { code: 0 } },
    'a code below zero': { broadcast_tx_sync: checked(-1, 'sdk', 'no') },
    'a code of more than 32 bits': { broadcast_tx_sync: checked(2 ** 32, 'sdk', 'no') },
    'no code': { broadcast_tx_sync: { hash: HASH } },
    nothing: { broadcast_tx_sync: null },
    'a full mempool': { broadcast_tx_sync: new RpcError('mempool is full: number of txs 5000') },
    'a full mempool by code': { broadcast_tx_sync: checked(20, 'sdk', 'mempool is full') },
    'a panic': { broadcast_tx_sync: new RpcError('panic') },
    'another chain': { status: live('provider'), broadcast_tx_sync: checked(4, 'sdk', 'unauthorized') },
    'a node that catches up': { status: live(one.chainId, { catching_up: true }), broadcast_tx_sync: checked(9, 'sdk', 'unknown address') },
  }
  for (const [name, table] of Object.entries(failing)) {
    t.same((await broadcast(table, hubOne, signedTx, { broadcast_tx_sync: checked() })).sent, { tx_hash: HASH }, name)
    await t.rejects(broadcast(table), { statusCode: /50[23]/, code: /MEMPOOL_FULL|UPSTREAM_/ }, name)
  }
})

t.test('what is no signed transaction is not sent', async (t) => {
  const wrong = [
    '',
    '0x',
    'zz',
    signedTx.slice(0, -1),
    signedTx.slice(0, -2),
    `${signedTx}00`,
    unsignedTx,
    `${unsignedTx}1a00`,
    one.stake.body,
    '00'.repeat(9),
  ]
  const { kit, ctx } = connect(hubOne, silent)
  for (const signed_tx_hex of wrong)
    await t.rejects(
      kit.broadcast(ctx, { signed_tx_hex }),
      { statusCode: 400, code: /HEX_INVALID|TRANSACTION_INVALID/ },
      signed_tx_hex.slice(0, 20),
    )
})
