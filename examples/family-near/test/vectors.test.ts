import { createHash } from 'node:crypto'
import { decodeNear, layouts, nearPool } from '@example/intent-near-pool'
import { explain } from '@svc/verify/intent'
import { actions, createTransaction, encodeTransaction, PublicKey } from 'near-api-js'
import t from 'tap'
import { writeTransaction } from '../src/kit/borsh.ts'
import { actionOf, craftOf, keyPair, read, signatureOf, write } from './family/wire.ts'

// Bytes that near-api-js and a third writer had made alike before this example was written: docs of 2026-11-23.

/** Ed25519, from the seed `0123456789abcdef` four times. */
const KEY = '207a067892821e25d770f1fba0c47c11ff4b813e54162ece9eb839e076231ab6'
const KEY_TEXT = 'ed25519:3Bmy2y8WtbRXNBYayR64kYqXN1XRi6Hqch6FwKFxmSWH'
const POOL = 'pool-one.poolv1.near'
const BLOCK_HASH = createHash('sha256').update('block').digest()
const HEAD =
  '400000003230376130363738393238323165323564373730663166626130633437633131666634623831336535343136326563653965623833396530373632333161623600207a067892821e25d770f1fba0c47c11ff4b813e54162ece9eb839e076231ab6'
const TAIL = '14000000706f6f6c2d6f6e652e706f6f6c76312e6e656172496aca80e4d8f29fb8e8cd816c3afb48d3f103970b3a2ee1600c08ca67326dee01000000'
const TERA = 1_000_000_000_000n

/** All gas of an unstake of 24 digits with 125 TGas, at 2e9 yocto: (1,196,119,000,000 + 49,919,649 * 44 + 125e12) * 2e9. */
const FEE = '0.252396630929112'

/** Method, arguments, nonce, tera gas, deposit in yocto; then the bytes of nonce and action, the hash in hex and in base58. */
const VECTORS = [
  {
    ...{ method: 'deposit_and_stake', args: '{}', nonce: 180_000_000_000_001n, gas: 125n, deposit: 1_500_000_000_000_000_000_000_000n },
    nonceHex: '01400f84b5a30000',
    action: '02110000006465706f7369745f616e645f7374616b65020000007b7d00d098d4af710000000080716433b629a33d010000000000',
    hash: '994099a2c605690ad17a23ddcce4c9c619e99b00ac503ef7db62df2d99726b2e',
    name: 'BKEWc9gECdwXbGzpNQEFUzhoMdsNBPNxj5cHgBcPib8h',
    call: { method: 'deposit_and_stake()', args: {} },
  },
  {
    ...{ method: 'unstake', args: '{"amount":"750000000000000000000000"}', nonce: 180_000_000_000_002n, gas: 125n, deposit: 0n },
    nonceHex: '02400f84b5a30000',
    action:
      '0207000000756e7374616b65250000007b22616d6f756e74223a22373530303030303030303030303030303030303030303030227d00d098d4af71000000000000000000000000000000000000',
    hash: '07bf06e1bf0fbe3d4ef37489e95bd353230927993123d1d5c8be77d65fb234a6',
    name: 'XEoLvoniK5WDNgTLaJ4Vjv8jx6jN6gDUJXGFrv7yfHo',
    call: { method: 'unstake(u128 amount)', args: { amount: 750_000_000_000_000_000_000_000n } },
  },
  {
    ...{ method: 'unstake_all', args: '{}', nonce: 180_000_000_000_003n, gas: 125n, deposit: 0n },
    nonceHex: '03400f84b5a30000',
    action: '020b000000756e7374616b655f616c6c020000007b7d00d098d4af71000000000000000000000000000000000000',
    hash: '240faf3de211a81390b14975a35360353ebb815d8052710759ef9bb56f0a21eb',
    name: '3RmYpWHjh32ZUuAbuewLTyYRmaGeByEbgxFUfy8Fagv6',
    call: { method: 'unstake_all()', args: {} },
  },
  {
    ...{ method: 'withdraw_all', args: '{}', nonce: 180_000_000_000_005n, gas: 175n, deposit: 0n },
    nonceHex: '05400f84b5a30000',
    action: '020c00000077697468647261775f616c6c020000007b7d00f0d55c299f000000000000000000000000000000000000',
    hash: 'e509dde724a1b5942b233ccf84a6abef9cb052f40cdda21c4b034e37a8ca37af',
    name: 'GR56AYGRJt4vgWF2Bh31dPvrAc75zh2VAbiR5SBkoLf8',
    call: { method: 'withdraw_all()', args: {} },
  },
] as const

for (const { method, args, nonce, gas, deposit, nonceHex, action: actionHex, hash, name, call } of VECTORS)
  t.test(`${method}: the kit, the library and the reader agree on every byte`, async (t) => {
    const expected = HEAD + nonceHex + TAIL + actionHex
    const unsigned = { signer: KEY, key: Buffer.from(KEY, 'hex'), nonce, receiver: POOL, blockHash: BLOCK_HASH }
    const own = writeTransaction({ ...unsigned, method, args, gas: gas * TERA, deposit })
    t.equal(own.toString('hex'), expected, 'the kit')
    const action = actions.functionCall(method, Buffer.from(args), gas * TERA, deposit)
    const library = createTransaction(KEY, PublicKey.fromString(KEY_TEXT), POOL, nonce, [action], BLOCK_HASH)
    t.equal(Buffer.from(encodeTransaction(library)).toString('hex'), expected, 'near-api-js')

    const craft = craftOf(own)
    t.equal(craft.signing_hash_hex, hash)
    t.equal(craft.tx_hash, name)
    const decoded = decodeNear(craft, layouts)
    t.match(decoded, { chainId: null, signers: [KEY], keys: [KEY_TEXT], terms: { nonce, gas: gas * TERA } })
    t.same(decoded.calls, [{ target: POOL, value: deposit, ...call }])
    // At most: all gas burnt at 20 times the floor, 0.2524 NEAR with 125 TGas and 0.3524 with 175.
    const most = Number(decoded.maxFee / 10n ** 20n) / 10_000
    t.ok(gas === 125n ? most >= 0.2523 && most <= 0.2525 : most >= 0.3523 && most <= 0.3525, String(most))
  })

t.test('a transaction with more than one action is refused for that, whatever the others are', async (t) => {
  const good = read(HEAD + VECTORS[0].nonceHex + TAIL + VECTORS[0].action)
  const own = actionOf(good)
  // CreateAccount is one byte: what follows it could be taken for a signature.
  for (const others of [[own], [Buffer.of(0)], [Buffer.of(0), Buffer.alloc(64)]])
    t.throws(() => decodeNear(craftOf(write(good, [own, ...others])), layouts), /has \d actions; it must have 1/)
  t.throws(() => decodeNear(craftOf(write(good, [])), layouts), /has 0 actions/)
  const terms = { chainId: 'mainnet', caip2: 'near:mainnet', decimals: 24, symbol: 'NEAR', max_fee: '0.7', pool: POOL, gas_tgas: 125 }
  const asSigned = write(good, [own, Buffer.concat([Buffer.of(0), Buffer.alloc(64)])]).toString('hex')
  await t.rejects(explain(nearPool, terms, asSigned), /has 2 actions/, 'nor is it read as a signed one')
})

t.test('the driver of the tests, which shares nothing with the kit, reads and writes the same bytes', async (t) => {
  const hex = HEAD + VECTORS[0].nonceHex + TAIL + VECTORS[0].action
  t.equal(craftOf(Buffer.from(hex, 'hex')).tx_hash, VECTORS[0].name)
  t.match(read(hex), { signer: KEY, nonce: VECTORS[0].nonce, receiver: POOL, method: 'deposit_and_stake', deposit: VECTORS[0].deposit })
})

t.test('a signed transaction is put into words from its bytes alone, and its signature is checked', async (t) => {
  const { key, publicKey } = keyPair('somebody')
  const signer = publicKey.toString('hex')
  const own = { signer, key: publicKey, nonce: 7n, receiver: POOL, blockHash: BLOCK_HASH, method: 'unstake', gas: 125n * TERA, deposit: 0n }
  const bytes = writeTransaction({ ...own, args: '{"amount":"750000000000000000000000"}' })
  const terms = { chainId: 'mainnet', caip2: 'near:mainnet', decimals: 24, symbol: 'NEAR', max_fee: '0.7', pool: POOL, gas_tgas: 125 }
  const signed = (signature: string) => Buffer.concat([bytes, Buffer.of(0), Buffer.from(signature, 'hex')]).toString('base64')
  const said = await explain(nearPool, terms, signed(signatureOf(bytes, key)))
  const deed = `Take 0.75 NEAR out of stake with the pool ${POOL}, free after four epochs together with what was taken out before`
  t.equal(said.sentence, `${deed} on near:mainnet, which the bytes do not name; fee at most ${FEE} NEAR; ${said.validity}.`)
  t.match(said, { form: 'signed', known: true, txHash: craftOf(bytes).tx_hash, signers: [{ address: signer, signature: 'right' }] })
  t.match(await explain(nearPool, terms, signed(signatureOf(bytes, keyPair('another').key))), { signers: [{ signature: 'wrong' }] })
  t.match(await explain(nearPool, terms, bytes.toString('hex')), { form: 'unsigned', signers: [{ signature: 'missing' }], txHash: null })
  const stranger = writeTransaction({ ...own, receiver: 'other.poolv1.near', args: '{"amount":"1"}' })
  const unknown = await explain(nearPool, terms, stranger.toString('hex'))
  t.equal(unknown.known, false, "another pool's call is none of this protocol")
  t.match(unknown.sentence, /a call that this protocol does not know/)
})
