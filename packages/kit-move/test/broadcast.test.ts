import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { declareErrors } from '@svc/contract'
import t from 'tap'
import { move } from '../src/index.ts'
import { contextOf, info, NodeRefusal, nodeOf, refusal } from './support/node.ts'
import { A, C, D, keys } from './support/vectors.ts'

const { badGateway, gatewayTimeout } = declareErrors({
  UPSTREAM_TIMEOUT: [504, 'The endpoints are too slow.'],
  UPSTREAM_UNAVAILABLE: [502, 'No endpoint answers.'],
})

const { unsigned_tx_b64, signature, digest, signed_tx_b64_with_ed25519: signed_tx_b64 = '' } = D
const signatures = [signature]
const json = (value: unknown) => ({
  signed_tx_b64: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64'),
})

/** What a node answers once a transaction is final. */
const final = (change: object = {}) => ({
  transaction: { digest, transaction: { digest }, signatures: [], effects: { status: { success: true } }, ...change },
})
const unknown = new NodeRefusal(5, `Transaction ${digest} not found`)
const sent = (ExecuteTransaction: unknown, GetTransaction: unknown = unknown, body: object = { signed_tx_b64 }, options = {}) => {
  const node = nodeOf({ ExecuteTransaction, GetTransaction })
  const ctx = contextOf(node.fetch, options)
  return { node, ctx, made: move.broadcast(ctx, body) }
}

t.test('each form of a signed transaction is sent once, as the same bytes', async (t) => {
  for (const body of [
    { signed_tx_b64 },
    { unsigned_tx_b64, signatures },
    { signed_tx_b64, unsigned_tx_b64, signatures },
    // As clients send it whose generator makes an empty list of one that was not set.
    { signed_tx_b64, signatures: [] },
    json({ bytes: unsigned_tx_b64, signature }),
    json({ signatures, bytes: unsigned_tx_b64, note: 'of a wallet' }),
  ]) {
    const { node, made, ctx } = sent(final(), unknown, body)
    t.same(move.names.signed(body, ctx.network), { unsignedHash: digest, txHash: digest })
    t.same(await made, { tx_hash: digest })
    t.same(node.asked, ['ExecuteTransaction'])
    const [request] = node.requests
    t.equal(Buffer.from(request.transaction.bcs.value).toString('base64'), unsigned_tx_b64)
    t.equal(Buffer.from(request.signatures[0].bcs.value).toString('base64'), signature)
  }
})

t.test('whether what was refused is final already is asked of every endpoint, and what one lacks is sent to the next', async (t) => {
  const nodes = (...tables: readonly Record<string, unknown>[]) =>
    move.broadcast(contextOf(tables.map((table) => nodeOf(table).fetch)), { signed_tx_b64 })
  const stale = new NodeRefusal(
    3,
    'Transaction is rejected as invalid by more than 1/3 of validators by stake: object version unavailable for consumption',
  )
  const here = { transaction: { digest } }
  t.same(await nodes({ ExecuteTransaction: stale, GetTransaction: unknown }, { GetTransaction: here }), { tx_hash: digest })
  t.same(await nodes({ ExecuteTransaction: stale, GetTransaction: here }, {}), { tx_hash: digest }, 'who has it is asked alone')
  await t.rejects(
    nodes({ ExecuteTransaction: stale, GetTransaction: unknown }, { GetTransaction: unknown }),
    { statusCode: 400, code: 'TRANSACTION_STALE' },
    'none has it',
  )
  const lacking = { ExecuteTransaction: new NodeRefusal(5, `Object 0x${'7'.repeat(64)} not found`), GetTransaction: unknown }
  t.same(await nodes(lacking, { ExecuteTransaction: final() }), { tx_hash: digest }, 'one that is behind')
  await t.rejects(nodes(lacking, lacking), { statusCode: 400, code: 'OBJECT_NOT_FOUND' })
})

t.test('what is not one signed transaction is refused, and nothing is sent', async (t) => {
  const cases: readonly (readonly [object, string])[] = [
    [{}, 'TRANSACTION_INVALID'],
    [{ unsigned_tx_b64 }, 'TRANSACTION_INVALID'],
    [{ signatures }, 'TRANSACTION_INVALID'],
    [{ signed_tx_b64, signatures }, 'TRANSACTION_INVALID'],
    [{ signed_tx_b64, unsigned_tx_b64 }, 'TRANSACTION_INVALID'],
    [{ signed_tx_b64, unsigned_tx_b64: A.unsigned_tx_b64, signatures }, 'TRANSACTION_INVALID'],
    [{ signed_tx_b64, unsigned_tx_b64, signatures: [A.signature] }, 'TRANSACTION_INVALID'],
    [{ signed_tx_b64, unsigned_tx_b64, signatures: [] }, 'TRANSACTION_INVALID'],
    [{ signed_tx_b64: '' }, 'BASE64_INVALID'],
    [{ signed_tx_b64: '?' }, 'BASE64_INVALID'],
    [{ signed_tx_b64: signed_tx_b64.slice(0, -1) }, 'BASE64_INVALID'],
    [{ signed_tx_b64: Buffer.alloc(400_000).toString('base64') }, 'BASE64_INVALID'],
    [{ signed_tx_b64: Buffer.from([0xff, 0xfe]).toString('base64') }, 'TRANSACTION_INVALID'],
    [json('null'), 'TRANSACTION_INVALID'],
    [json('[]'), 'TRANSACTION_INVALID'],
    [json('{'), 'TRANSACTION_INVALID'],
    [json({ bytes: unsigned_tx_b64 }), 'TRANSACTION_INVALID'],
    [json({ bytes: unsigned_tx_b64, signatures: signature }), 'TRANSACTION_INVALID'],
    [json({ bytes: 7, signatures }), 'TRANSACTION_INVALID'],
    [json({ bytes: unsigned_tx_b64, signatures: [] }), 'SIGNATURE_INVALID'],
    [json({ bytes: unsigned_tx_b64, signatures: [A.signature] }), 'SIGNATURE_INVALID'],
    [json({ bytes: `${unsigned_tx_b64}AA==`, signatures }), 'BASE64_INVALID'],
    [{ unsigned_tx_b64, signatures: [signature, signature] }, 'SIGNATURE_INVALID'],
  ]
  for (const [body, code] of cases) {
    const { node, made } = sent(final(), unknown, body)
    t.match(await refusal(made), { status: 400, code }, JSON.stringify(body).slice(0, 80))
    t.same(node.asked, [])
  }
  const elsewhere = sent(final(), unknown, { unsigned_tx_b64: C.unsigned_tx_b64, signatures: [C.signature] }, { chainId: 'testnet' })
  t.match(await refusal(elsewhere.made), { status: 400, code: 'CHAIN_ID_MISMATCH' })
  t.same(elsewhere.node.asked, [])
})

t.test('a transaction that failed on the chain is submitted: its hash, and a line in the log', async (t) => {
  const { ctx, made } = sent(final({ effects: { status: { success: false, error: { kind: 1, description: 'Insufficient Gas.' } } } }))
  t.same(await made, { tx_hash: digest })
  t.match(ctx.warned, [{ fields: { digest }, text: /failed on the chain/ }])
})

t.test('what is final already is its hash, whatever the node says to it now', async (t) => {
  for (const refusal of [
    new NodeRefusal(10, 'aborted'),
    new NodeRefusal(3, `object 0x33 version 0xc is not available for consumption, current version: 0xd`),
    new NodeRefusal(9, 'locked objects'),
    new NodeRefusal(13, 'panic'),
    gatewayTimeout('UPSTREAM_TIMEOUT', 'The upstream did not answer in time.'),
  ]) {
    const { node, made } = sent(refusal, final())
    t.same(await made, { tx_hash: digest })
    t.same(node.asked, ['ExecuteTransaction', 'GetTransaction'])
    t.match(node.requests[1], { digest })
  }
})

/** What is advised as long as the bytes may land: no other craft. */
const LOOK_UP =
  /^(?!.*[Cc]raft again).*(?<!\band)\. It may have landed, and the same bytes may land yet: look tx_hash up before you craft another\.$/

/** Why validators refuse, as the fullnode's driver words it in 2026. */
const byValidators = (why: string) =>
  `Transaction is rejected as invalid by more than 1/3 of validators by stake (non-retriable). Non-retriable errors: [${why} {k#8dcff6d1.. with 3334 stake}].`

t.test('a refusal of the chain is a 400 with a sentence', async (t) => {
  const cases: readonly (readonly [number, string, string, RegExp])[] = [
    [3, 'Invalid user signature: Signature is not valid.', 'SIGNATURE_INVALID', LOOK_UP],
    [
      3,
      `Transaction rejected as invalid by more than 1/3 of validators: object (0x33, 12) is not available for consumption, current version: 0xd`,
      'TRANSACTION_STALE',
      LOOK_UP,
    ],
    [
      9,
      byValidators('Transaction needs to be rebuilt because object 0x33 version 0xc is unavailable for consumption, current version: 0xd'),
      'TRANSACTION_STALE',
      LOOK_UP,
    ],
    [
      9,
      byValidators(`Object (0x33, 0xc, o#${digest}) already locked by a different transaction: TransactionDigest(${A.digest})`),
      'OBJECTS_LOCKED',
      LOOK_UP,
    ],
    [
      9,
      byValidators(`Object (0x33, 0xc, o#${digest}) already locked by a different transaction: TransactionDigest(${A.digest})`),
      'OBJECTS_LOCKED',
      new RegExp(`^Another transaction, ${A.digest}, has taken .* it has won`),
    ],
    [
      3,
      byValidators(
        `Invalid withdraw reservation: Available amount in account for object id of 0x${'3'.repeat(64)} is less than requested: 1500000000 < 2000000001`,
      ),
      'INSUFFICIENT_BALANCE',
      /has 1\.5 SUI left, and this transaction takes 2\.000000001 SUI: .*reserved it until it lands/,
    ],
    [3, 'Invalid withdraw reservation: amount must be non-zero', 'INSUFFICIENT_BALANCE', /has less than this transaction takes/],
    [9, 'Transaction uses locked objects', 'OBJECTS_LOCKED', /until the epoch ends/],
    [3, 'Gas price 499 under reference gas price (RGP) 500', 'FEE_TOO_LOW', LOOK_UP],
    [3, 'Balance of gas object 5 is lower than the needed amount: 7', 'INSUFFICIENT_BALANCE', new RegExp(keys.ed25519.address)],
    [3, 'something new', 'CHAIN_REFUSED', /something new/],
  ]
  for (const [status, message, code, expected] of cases)
    t.match(await refusal(sent(new NodeRefusal(status, message)).made), { status: 400, code, message: expected }, message)
})

t.test('a transaction whose epochs are over can land no more, and one whose epochs have not begun is sent again', async (t) => {
  const ofEpoch = (epoch: bigint) => {
    const node = nodeOf({
      ExecuteTransaction: new NodeRefusal(3, 'Transaction Expired'),
      GetTransaction: of(C.digest),
      GetServiceInfo: info({ epoch }),
    })
    return refusal(move.broadcast(contextOf(node.fetch), { unsigned_tx_b64: C.unsigned_tx_b64, signatures: [C.signature] }))
  }
  const of = (hash: string) => new NodeRefusal(5, `Transaction ${hash} not found`)
  // Valid in the epochs 999 and 1,000.
  t.match(await ofEpoch(1001n), {
    status: 400,
    code: 'TRANSACTION_EXPIRED',
    txHash: C.digest,
    message:
      /^The epochs in which this transaction was valid have passed\. It can land no more, and may have landed before: look tx_hash up before you craft another\.$/,
  })
  for (const epoch of [999n, 1000n])
    t.match(await ofEpoch(epoch), { status: 400, code: 'TRANSACTION_EXPIRED', message: LOOK_UP }, 'a node that says so all the same')
  t.match(await ofEpoch(998n), {
    status: 503,
    code: 'UPSTREAM_BUSY',
    message: /node is in epoch 998, and the transaction is valid from epoch 999 on: send the same one again/,
  })
})

t.test('what spent its own coins before is not to be crafted again: refusals of spent coins name the hash', async (t) => {
  for (const message of [
    'object 0x33 version 0xc is not available for consumption',
    'locked objects',
    'Insufficient gas balance',
    'Invalid user signature: Signature is not valid.',
    'new',
  ])
    t.match(await refusal(sent(new NodeRefusal(3, message)).made), {
      status: 400,
      message: LOOK_UP,
      txHash: digest,
    })
})

t.test('what is final under other signatures is its hash, though the node cannot show it yet', async (t) => {
  const { node, made } = sent(new NodeRefusal(10, 'The transaction is already finalized but with different user signatures'))
  t.same(await made, { tx_hash: digest })
  t.same(node.asked, ['ExecuteTransaction'])
})

t.test('where nobody knows what became of it the refusal is of 500 and above', async (t) => {
  const timeout = gatewayTimeout('UPSTREAM_TIMEOUT', 'The upstream did not answer in time.')
  const down = badGateway('UPSTREAM_UNAVAILABLE', 'The upstream is unavailable.')
  const cases: readonly (readonly [unknown, unknown, number, string])[] = [
    [timeout, unknown, 504, 'UPSTREAM_TIMEOUT'],
    [timeout, timeout, 504, 'UPSTREAM_TIMEOUT'],
    [down, down, 502, 'UPSTREAM_UNAVAILABLE'],
    [new NodeRefusal(14, 'overloaded'), unknown, 503, 'UPSTREAM_BUSY'],
    [new NodeRefusal(4, 'deadline'), unknown, 504, 'UPSTREAM_TIMEOUT'],
    [new NodeRefusal(10, 'validators aborted it'), unknown, 503, 'UPSTREAM_BUSY'],
    [
      new NodeRefusal(
        10,
        'Transaction processing aborted (retriable with another submission). Retriable errors: [Validator is overloaded].',
      ),
      unknown,
      503,
      'UPSTREAM_BUSY',
    ],
    [new NodeRefusal(14, 'Transaction timed-out before finality could be reached'), unknown, 503, 'UPSTREAM_BUSY'],
    [new Response('no', { status: 404 }), new Response('no', { status: 404 }), 502, 'UPSTREAM_ERROR'],
    [{}, unknown, 502, 'UPSTREAM_ERROR'],
    [final({ digest: A.digest, transaction: { digest: A.digest } }), unknown, 502, 'UPSTREAM_ERROR'],
    [new NodeRefusal(13, 'panic'), { transaction: { digest: A.digest } }, 502, 'UPSTREAM_ERROR'],
  ]
  for (const [execute, lookup, status, code] of cases) t.match(await refusal(sent(execute, lookup).made), { status, code })
})

t.test('the same transaction twice is the same hash', async (t) => {
  const { ctx, made } = sent(final())
  t.same(await move.broadcast(ctx, { unsigned_tx_b64, signatures }), await made)
  const bytes = Buffer.from(unsigned_tx_b64, 'base64')
  t.equal((await Ed25519Keypair.fromSecretKey(Buffer.from(keys.ed25519.secret, 'hex')).signTransaction(bytes)).signature, signature)
})
