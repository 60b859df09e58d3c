import { Transaction, Wallet } from 'ethers'
import t from 'tap'
import { control, freshWallet, post, service, sign, stranger } from '../support/service.ts'

const wallet = await freshWallet()
const { json: crafted } = await post('action/delegate', { address: wallet.address, amount: 1.5 })
const { json: prepared } = await post('action/prepare', { ...crafted, ...sign(crafted.unsigned_tx_hash_hex, wallet) })
const inspect = (transaction: unknown) => post('action/inspect', { transaction })

t.test('a craft is said in words: calls, moves, fee, hash, until when', async (t) => {
  const { status, json } = await inspect(crafted.serialized_tx_hex)
  t.equal(status, 200)
  const { gasLimit, gasPrice } = Transaction.from(crafted.serialized_tx_hex)
  const fee = (gasLimit * (gasPrice ?? 0n)).toString().padStart(19, '0')
  const max_fee = `${fee.slice(0, -18)}.${fee.slice(-18)}`.replace(/0+$/, '')
  t.match(json.sentence, /^Delegate 1\.5 MON to validator 12 through 0x0{36}1000 on eip155:143; fee at most [\d.]+ MON; valid while .*\.$/)
  t.strictSame(
    { ...json, sentence: '' },
    {
      sentence: '',
      known: true,
      form: 'unsigned',
      calls: [
        {
          target: '0x0000000000000000000000000000000000001000',
          method: 'delegate(uint64 validator)',
          args: { validator: '12' },
          value: '1500000000000000000',
        },
      ],
      moves: [
        { kind: 'leaves', asset: 'native', units: '1500000000000000000' },
        { kind: 'staked', asset: 'native', units: '1500000000000000000' },
      ],
      signers: [],
      max_fee,
      hash: crafted.unsigned_tx_hash_hex,
      tx_hash: null,
      validity: 'valid while the nonce of the account is 0',
      notes: ['The bytes do not say who must sign: whoever signs is the sender.'],
      order: null,
    },
  )
})

t.test('its signed form says the same, and who signed it', async (t) => {
  const { json } = await inspect(prepared.signed_tx_hex)
  const { hash, from } = Transaction.from(prepared.signed_tx_hex)
  t.equal(json.sentence, (await inspect(crafted.serialized_tx_hex)).json.sentence)
  t.match(json, { form: 'signed', hash: crafted.unsigned_tx_hash_hex, tx_hash: hash, notes: [] })
  t.strictSame(json.signers, [{ address: String(from).toLowerCase(), signature: 'right' }])
})

t.test('hex without 0x and base64 are the same transaction', async (t) => {
  const { text } = await inspect(prepared.signed_tx_hex)
  const digits: string = prepared.signed_tx_hex.slice(2)
  for (const other of [digits, digits.toUpperCase(), Buffer.from(digits, 'hex').toString('base64')])
    t.equal((await inspect(other)).text, text)
})

t.test('a transaction of something else is said as what it is, and is not known', async (t) => {
  const to = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
  const transfer = Transaction.from({ type: 0, chainId: 143, nonce: 3, gasLimit: 21_000, gasPrice: 1, to, value: 5n })
  const { status, json } = await inspect(transfer.unsignedSerialized)
  t.equal(status, 200)
  t.match(json, { known: false, calls: [{ target: to.toLowerCase(), method: '', args: {}, value: '5' }] })
  t.strictSame(json.moves, [{ kind: 'leaves', asset: 'native', units: '5' }])
  t.match(json.sentence, /^Send 0\.000000000000000005 MON to 0x19e7\w+, a plain transfer that this protocol does not make on eip155:143;/)
  const other = Transaction.from({ type: 0, chainId: 143, gasLimit: 1, gasPrice: 1, to, value: 5n, data: '0xa9059cbb' })
  const unknown = (await inspect(other.unsignedSerialized)).json
  t.match(unknown.sentence, /^Make a call that this protocol does not know, unknown 0xa9059cbb on 0x19e7/)
  t.strictSame(unknown.moves, json.moves, 'what is sent along leaves the wallet, whatever the call does')
})

t.test('what no craft of the service could be is read all the same', async (t) => {
  const head = Transaction.from({ type: 0, chainId: 143, gasLimit: 1, gasPrice: 1, to: wallet.address }).unsignedSerialized
  // The nonce, empty here, becomes one of 64 bits: more than the library of the service takes.
  const bytes = `0x${(Number.parseInt(head.slice(2, 4), 16) + 8).toString(16)}887fffffffffffffff${head.slice(6)}`
  t.match(await inspect(bytes), { status: 200, json: { validity: 'valid while the nonce of the account is 9223372036854775807' } })
})

t.test('what is no transaction of this chain is a 400 with the reader’s sentence', async (t) => {
  const other = { to: wallet.address, gasLimit: 1, value: 1n }
  for (const [transaction, sentence] of [
    ['', /^The transaction is "".*hex or base64/],
    [crafted.serialized_tx_hex.slice(0, -2), /\.$/],
    [Transaction.from({ type: 2, chainId: 1, maxFeePerGas: 1, ...other }).unsignedSerialized, /for the chain 1; it must be for 143/],
    [
      `0x03${Transaction.from({ type: 2, chainId: 143, maxFeePerGas: 1, ...other }).unsignedSerialized.slice(4)}`,
      /type 3, which carries blobs/,
    ],
    [Transaction.from({ type: 0, chainId: 1, gasPrice: 1, ...other }).unsignedSerialized, /for the chain 1; it must be for 143/],
  ] as const)
    t.match(await inspect(transaction), { status: 400, json: { code: 'TRANSACTION_INVALID', error: sentence } })
  for (const body of [{}, { transaction: 7 }, { transaction: '00', more: 1 }]) t.equal((await post('action/inspect', body)).status, 400)
})

t.test('it needs a key, asks the chain nothing, and is audited beside its craft', async (t) => {
  t.equal((await post('action/inspect', { transaction: '00' }, stranger)).status, 401)
  await control('fault', { kind: 'drop' })
  const { status } = await inspect(prepared.signed_tx_hex)
  await control('fault', { kind: 'none' })
  t.equal(status, 200)
  const { records } = await service.store.readAudit({ transaction: crafted.unsigned_tx_hash_hex, limit: 20 })
  const actions = records.map(({ action }) => action)
  t.ok(
    ['delegate', 'prepare', 'inspect'].every((action) => actions.includes(action)),
    actions.join(),
  )
  t.match(records[0], { action: 'inspect', network: '143', status: 200, unsignedHash: crafted.unsigned_tx_hash_hex, txHash: null })
})

t.test('a signed transaction is held against the request that it was to do, whoever wrote its bytes', async (t) => {
  const body = { address: wallet.address, amount: 1.5 }
  const held = (transaction: string, expect: object) => post('action/inspect', { transaction, expect })
  const order = async (transaction: string, expect: object) => (await held(transaction, expect)).json.order
  const matches = { matches: true, mismatches: [] }
  t.strictSame(await order(prepared.signed_tx_hex, { action: 'delegate', body }), matches)
  t.strictSame(await order(prepared.signed_tx_hex, { action: 'delegate', body: { ...body, amount: '1.5' }, craft: crafted }), matches)
  t.strictSame(await order(prepared.signed_tx_hex, { action: 'delegate', body: { ...body, amount: '1.500000000000000001' } }), {
    matches: false,
    mismatches: [{ path: 'calls[0].value', expected: '1.500000000000000001 MON', found: '1.5 MON' }],
  })
  const inJson = `{"transaction":"${prepared.signed_tx_hex}","expect":{"action":"delegate","body":{"address":"${wallet.address}","amount":1.500000000000000001}}}`
  t.match(
    (await post('action/inspect', inJson)).json.order,
    { matches: false, mismatches: [{ expected: '1.500000000000000001 MON' }] },
    'a number is read digit by digit',
  )
  t.match(await order(prepared.signed_tx_hex, { action: 'delegate', body: { ...body, address: (await freshWallet()).address } }), {
    matches: false,
  })
  t.match(await order(prepared.signed_tx_hex, { action: 'claim-rewards', body: { address: wallet.address } }), { matches: false })
  t.match(await order(crafted.serialized_tx_hex, { action: 'delegate', body }), { matches: false, mismatches: [{ path: 'signatures' }] })
  const { chainId, nonce, gasLimit, gasPrice, to, value, data } = Transaction.from(crafted.serialized_tx_hex)
  const jammed = await new Wallet(wallet.privateKey).signTransaction({
    type: 0,
    chainId,
    nonce: nonce + 1,
    gasLimit,
    gasPrice,
    to,
    value,
    data,
  })
  t.strictSame(await order(jammed, { action: 'delegate', body }), matches, 'the request alone names no nonce')
  t.match(await order(jammed, { action: 'delegate', body, craft: crafted }), { matches: false, mismatches: [{ path: 'terms.nonce' }] })
  t.match(await order(jammed, { action: 'delegate', body, craft: { ...crafted, unsigned_tx_hash_hex: `0x${'0'.repeat(64)}` } }), {
    matches: false,
  })
  for (const [expect, sentence] of [
    [{ action: 'steal', body }, /^expect\.action is .*steal.*; it must be one of delegate, /],
    [{ action: 'delegate', body: { address: wallet.address } }, /^expect\.body\.amount should be /],
    [{ action: 'delegate' }, /expect.*body/],
    [{ action: 'delegate', body, more: 1 }, /more/],
  ] as const)
    t.match(await held(prepared.signed_tx_hex, expect), { status: 400, json: { code: 'REQUEST_INVALID', error: sentence } })
})
