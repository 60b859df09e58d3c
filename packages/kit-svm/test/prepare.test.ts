import { createHash, createPrivateKey, sign as signWith } from 'node:crypto'
import t from 'tap'
import { base58, bytesOfBase58 } from '../src/base58.ts'
import { svm } from '../src/index.ts'
import { connect, nodeOf } from './support/node.ts'
import { pair, sha256, signedHex, transactions, vector, wallet } from './support/vectors.ts'

// Nothing is in its table: prepare must not ask the chain.
const ctx = connect(nodeOf({}))
const prepare = async (unsigned_tx_hex: string, ...signatures: string[]) =>
  (await svm.prepare(ctx, { unsigned_tx_hex, signatures })).signed_tx_hex
const refused = (code: string, message: RegExp) => ({ statusCode: 400, code, message })

const stake = vector('stake, keypair')
const unstake = vector('unstake')

/** ed25519 of node:crypto with the key pair whose seed is one byte. */
function sign(byte: number, message: Buffer): string {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, byte)])
  return signWith(null, message, createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })).toString('hex')
}

const messageOf = ({ unsigned }: { unsigned: string }) =>
  Buffer.from(unsigned, 'hex').subarray(1 + 64 * Number.parseInt(unsigned.slice(0, 2), 16))

for (const each of transactions.transactions)
  t.test(`${each.name}: the wallet's signature makes it the transaction of the vector`, async (t) => {
    t.equal(sha256(messageOf(each).toString('hex')), each.messageSha256)
    t.equal(sign(1, messageOf(each)), each.walletSignature)
    const signed = await prepare(each.unsigned, each.walletSignature)
    t.equal(signed, signedHex(each))
    for (const unsigned of [each.unsigned, signed])
      t.equal(svm.names.unsigned({ unsigned_tx_hex: unsigned }, ctx.network), each.messageSha256)
    const names = { unsignedHash: each.messageSha256, txHash: each.hash }
    t.same(svm.names.signed({ signed_tx_hex: `0x${signed}` }, ctx.network), names, 'its names are worked out from its bytes')
    t.equal(sha256(signed), each.signedSha256)
    t.equal(await prepare(`0x${each.unsigned.toUpperCase()}`, `0X${each.walletSignature.toUpperCase()}`), signed, 'hex of either kind')
    t.equal(await prepare(signed), signed, 'with all signatures in their places already')
  })

t.test('a signature may be written as signers do', async (t) => {
  const bytes = Buffer.from(unstake.walletSignature, 'hex')
  const written = [bytes.toString('base64'), bytes.toString('base64url'), base58(bytes), `vault:v1:${bytes.toString('base64')}`]
  for (const signature of written) t.equal(await prepare(unstake.unsigned, signature), signedHex(unstake), signature)
  // Each text is read back to its bytes, also where they begin with zeros.
  for (const zeros of [0, 1, 5]) {
    const key = Buffer.concat([Buffer.alloc(zeros), bytes.subarray(zeros)])
    t.same(bytesOfBase58(base58(key)), key)
  }
  for (const none of ['', '0', 'l', 'x'.repeat(89)]) t.equal(bytesOfBase58(none), null, none)
  const other = Buffer.from(bytes)
  other[9]! ^= 1
  await t.rejects(prepare(unstake.unsigned, base58(other)), refused('SIGNATURE_INVALID', /matches no required signer/))
})

t.test('signatures are put where their keys are, in whatever order they come', async (t) => {
  const bare = `02${'00'.repeat(128)}${messageOf(stake).toString('hex')}`
  const [own, other] = [stake.walletSignature, sign(2, messageOf(stake))]
  t.equal(await prepare(bare, own, other), signedHex(stake))
  t.equal(await prepare(bare, other, own), signedHex(stake))
})

t.test('a signature that is missing is named by its signer', async (t) => {
  await t.rejects(
    prepare(unstake.unsigned),
    refused('SIGNATURE_MISSING', /lacks the signature of AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9\./),
  )
  const bare = `02${'00'.repeat(128)}${messageOf(stake).toString('hex')}`
  await t.rejects(prepare(bare, stake.walletSignature), refused('SIGNATURE_MISSING', /lacks the signature of 9hSR6S7/))
  await t.rejects(prepare(bare), refused('SIGNATURE_MISSING', /AKnL4.* and of 9hSR6/))
})

t.test('a signature that fits no signer is named by its place', async (t) => {
  const message = messageOf(unstake)
  const flipped = Buffer.from(unstake.walletSignature, 'hex')
  flipped[40]! ^= 1
  const cases: Record<string, string> = {
    'one bit': flipped.toString('hex'),
    'of another key': sign(9, message),
    'of another message': stake.walletSignature,
    'of the whole transaction': sign(1, Buffer.from(unstake.unsigned, 'hex')),
    'of its hash': sign(1, Buffer.from(unstake.messageSha256, 'hex')),
  }
  for (const [name, signature] of Object.entries(cases))
    await t.rejects(prepare(unstake.unsigned, signature), refused('SIGNATURE_INVALID', /signatures\[0\] matches no required signer/), name)
  await t.rejects(prepare(unstake.unsigned, ''), refused('HEX_INVALID', /signatures\[0\] is empty/))
  await t.rejects(prepare(unstake.unsigned, 'zz'), refused('HEX_INVALID', /not hexadecimal/))
  await t.rejects(prepare(unstake.unsigned, unstake.walletSignature.slice(2)), refused('SIGNATURE_INVALID', /has 63 bytes/))
  await t.rejects(prepare(unstake.unsigned, unstake.walletSignature.slice(1)), refused('HEX_INVALID', /odd/))
  await t.rejects(prepare(unstake.unsigned, `${unstake.walletSignature}00`), refused('HEX_INVALID', /130 hex digits; it may have 128/))
  await t.rejects(prepare(unstake.unsigned, '00'.repeat(64)), refused('SIGNATURE_INVALID', /not all of them zero/))
})

t.test('a signature too many is refused', async (t) => {
  const { walletSignature } = unstake
  await t.rejects(
    prepare(unstake.unsigned, walletSignature, walletSignature),
    refused('SIGNATURE_INVALID', /2 items, but this transaction has 1/),
  )
  const own = sign(2, messageOf(stake))
  await t.rejects(prepare(stake.unsigned, own, own), refused('SIGNATURE_INVALID', /extra signature: that of 9hSR6S7\w+ was given already/))
  const bare = `02${'00'.repeat(128)}${messageOf(stake).toString('hex')}`
  await t.rejects(
    prepare(bare, stake.walletSignature, stake.walletSignature),
    refused('SIGNATURE_INVALID', /signatures\[1\] is an unexpected/),
  )
})

t.test('a signature that is in its place already may be sent along', async (t) => {
  const [own, other] = [stake.walletSignature, sign(2, messageOf(stake))]
  t.equal(await prepare(stake.unsigned, own, other), signedHex(stake))
  t.equal(await prepare(stake.unsigned, other, own), signedHex(stake))
  t.equal(await prepare(signedHex(stake), own), signedHex(stake))
  await t.rejects(prepare(stake.unsigned, other), refused('SIGNATURE_MISSING', /AKnL4/))
})

t.test('a transaction that was changed after its account signed is refused', async (t) => {
  const bytes = Buffer.from(stake.unsigned, 'hex')
  // The last byte of the block hash.
  const changed = Buffer.from(bytes)
  changed[bytes.lastIndexOf(Buffer.alloc(32, 9)) + 31] = 8
  const signature = sign(1, messageOf({ unsigned: changed.toString('hex') }))
  await t.rejects(
    prepare(changed.toString('hex'), signature),
    refused('SIGNATURE_INVALID', /9hSR6S7.* does not fit .* changed after it was crafted/),
  )
})

t.test('a signature that validators refuse as weak is refused', async (t) => {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const integer = (bytes: Buffer) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
  const little = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
  const identity = Buffer.from(`01${'00'.repeat(31)}`, 'hex')
  const no = refused('SIGNATURE_INVALID', /matches no required signer/)

  // For the key of order 1 every message is signed by the base point and s = 1.
  const swapped = Buffer.from(unstake.unsigned, 'hex')
  identity.copy(swapped, swapped.indexOf(wallet.publicKey.toBuffer()))
  await t.rejects(prepare(swapped.toString('hex'), `58${'66'.repeat(31)}01${'00'.repeat(31)}`), no)

  // With a first half of order 1, s follows from the secret and the message alone: s = ha.
  const message = messageOf(unstake)
  const secret = createHash('sha512').update(Buffer.alloc(32, 1)).digest().subarray(0, 32)
  secret[0]! &= 248
  secret[31] = (secret[31]! & 127) | 64
  const hash = integer(createHash('sha512').update(identity).update(wallet.publicKey.toBuffer()).update(message).digest())
  await t.rejects(prepare(unstake.unsigned, Buffer.concat([identity, little((hash * integer(secret)) % order)]).toString('hex')), no)

  // s and s + L are the same to whoever does not look at its size.
  const [r, s] = [unstake.walletSignature.slice(0, 64), Buffer.from(unstake.walletSignature.slice(64), 'hex')]
  await t.rejects(prepare(unstake.unsigned, r + little(integer(s) + order).toString('hex')), no)
})

t.test('bytes that are no legacy transaction are refused', async (t) => {
  const good = unstake.unsigned
  const replaced = (at: number, digits: string) => good.slice(0, 2 * at) + digits + good.slice(2 * at + digits.length)
  const cases: [name: string, bytes: string, code: string, message: RegExp][] = [
    ['nothing', '', 'HEX_INVALID', /is empty/],
    ['0x', '0x', 'HEX_INVALID', /is empty/],
    ['no hex', `${good}zz`, 'HEX_INVALID', /not hexadecimal/],
    ['half a byte', good.slice(1), 'HEX_INVALID', /odd/],
    ['too long', '00'.repeat(1233), 'HEX_INVALID', /1232 bytes/],
    ['cut', good.slice(0, -2), 'TRANSACTION_INVALID', /cut short/],
    ['a byte more', `${good}00`, 'TRANSACTION_INVALID', /1 bytes behind its end/],
    ['the message alone', good.slice(130), 'TRANSACTION_INVALID', /of version 73/],
    ['version 0', replaced(65, '80'), 'TRANSACTION_INVALID', /of version 0; this service crafts and takes the legacy format/],
    ['two signatures', replaced(65, '02'), 'TRANSACTION_INVALID', /room for 1 signatures, but 2 accounts/],
    ['no signer', `00${replaced(65, '00').slice(130)}`, 'TRANSACTION_INVALID', /room for 0/],
    ['all signers read-only', replaced(66, '01'), 'TRANSACTION_INVALID', /header contradicts/],
    ['more accounts than there are', replaced(67, '05'), 'TRANSACTION_INVALID', /header contradicts/],
    ['a length in two bytes', `8100${good.slice(2)}`, 'TRANSACTION_INVALID', /another form/],
    ['a length of 17 bits', `ffff04${good.slice(2)}`, 'TRANSACTION_INVALID', /another form/],
    ['an account that is not there', good.replace('03030104000405', '03030109000405'), 'TRANSACTION_INVALID', /does not list/],
  ]
  for (const [name, bytes, code, message] of cases) await t.rejects(prepare(bytes, unstake.walletSignature), refused(code, message), name)
})

t.test('no text is answered with anything but a 400', async (t) => {
  for (let at = 0; at < unstake.unsigned.length; at += 2) {
    const bytes = Buffer.from(unstake.unsigned, 'hex')
    bytes[at / 2]! ^= 0xff
    const answered: unknown = await prepare(bytes.toString('hex'), unstake.walletSignature).catch((thrown: unknown) => thrown)
    t.match(answered, { statusCode: 400 }, `byte ${at / 2}`)
  }
  t.equal(pair(1).publicKey.toBase58(), transactions.wallet)
})
