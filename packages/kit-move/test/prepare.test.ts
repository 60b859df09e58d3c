import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { bcs } from '@mysten/sui/bcs'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { PasskeyPublicKey } from '@mysten/sui/keypairs/passkey'
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1'
import { MultiSigPublicKey } from '@mysten/sui/multisig'
import { TransactionDataBuilder } from '@mysten/sui/transactions'
import { computeZkLoginAddressFromSeed, getZkLoginSignature, toZkLoginPublicIdentifier } from '@mysten/sui/zklogin'
import fc from 'fast-check'
import t from 'tap'
import { move } from '../src/index.ts'
import { contextOf, NodeRefusal, nodeOf, refusal } from './support/node.ts'
import { A, B, C, D, E, keys, transactions } from './support/vectors.ts'

/** Of P-256. @see https://www.secg.org/sec2-v2.pdf section 2.4.2 (read 2026-11-21) */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Nothing may be asked. */
const ctx = () => contextOf(nodeOf({}).fetch)
const prepared = (unsigned_tx_b64: string, ...signatures: string[]) => move.prepare(ctx(), { unsigned_tx_b64, signatures })
const changed = (base64: string, change: (bytes: Buffer) => Uint8Array) =>
  Buffer.from(change(Buffer.from(base64, 'base64'))).toString('base64')
/** The same transaction of another sender, who pays too. */
const of = (base64: string, sender: string, owner = sender) => {
  const data = TransactionDataBuilder.fromBytes(Buffer.from(base64, 'base64'))
  data.sender = sender
  data.gasData.owner = owner
  return Buffer.from(data.build()).toString('base64')
}

const ed25519 = Ed25519Keypair.fromSecretKey(Buffer.from(keys.ed25519.secret, 'hex'))
const secp256k1 = Secp256k1Keypair.fromSecretKey(Buffer.from(keys.secp256k1.secret, 'hex'))
const multisig = MultiSigPublicKey.fromPublicKeys({
  threshold: 2,
  publicKeys: [
    { publicKey: ed25519.getPublicKey(), weight: 1 },
    { publicKey: secp256k1.getPublicKey(), weight: 1 },
  ],
})

t.test('the signatures of the vectors are accepted, and what comes out is JSON in base64', async (t) => {
  for (const { name, unsigned_tx_b64, signature } of transactions) {
    const { signed_tx_b64 } = await prepared(unsigned_tx_b64, signature)
    t.equal(Buffer.from(signed_tx_b64, 'base64').toString(), `{"bytes":"${unsigned_tx_b64}","signatures":["${signature}"]}`, name)
  }
  t.equal((await prepared(D.unsigned_tx_b64, D.signature)).signed_tx_b64, D.signed_tx_b64_with_ed25519)
})

t.test('a serialized signature may be hexadecimal, and leaves in base64', async (t) => {
  for (const prefix of ['', '0x']) {
    const hex = prefix + Buffer.from(D.signature, 'base64').toString('hex')
    t.equal((await prepared(D.unsigned_tx_b64, hex)).signed_tx_b64, D.signed_tx_b64_with_ed25519)
  }
  const bare = Buffer.from(D.signature, 'base64').subarray(1, 65)
  await t.rejects(prepared(D.unsigned_tx_b64, bare.toString('base64')), { statusCode: 400, message: /flag, signature and public key/ })
})

t.test('each scheme is verified for its own address, and refused for any other', async (t) => {
  // The vectors sign a transaction whose sender is the Ed25519 key, so that all but one are of somebody else.
  for (const signature of [D.signature_secp256k1, D.signature_secp256r1, D.signature_multisig])
    t.match(await refusal(prepared(D.unsigned_tx_b64, signature!)), {
      status: 400,
      code: 'SIGNATURE_INVALID',
      message: keys.ed25519.address,
    })

  const own = of(D.unsigned_tx_b64, keys.secp256k1.address)
  const { signature } = await secp256k1.signTransaction(Buffer.from(own, 'base64'))
  await prepared(own, signature)

  const shared = of(D.unsigned_tx_b64, keys.multisig.address)
  const bytes = Buffer.from(shared, 'base64')
  const parts = await Promise.all([ed25519.signTransaction(bytes), secp256k1.signTransaction(bytes)])
  const both = multisig.combinePartialSignatures(parts.map((part) => part.signature))
  t.equal(multisig.toSuiAddress(), keys.multisig.address)
  await prepared(shared, both)
  for (const part of parts)
    t.match(await refusal(prepared(shared, multisig.combinePartialSignatures([part.signature]))), {
      status: 400,
      code: 'SIGNATURE_INVALID',
    })
  t.match(
    await refusal(
      prepared(
        shared,
        changed(both, (given) => Buffer.concat([given, Buffer.from([0])])),
      ),
    ),
    {
      status: 400,
      code: 'SIGNATURE_INVALID',
      message: /canonical/,
    },
  )
})

t.test('the schemes of the vectors verify for the addresses of the vectors', async (t) => {
  const { isValidTransactionSignature } = await import('@mysten/sui/verify')
  const bytes = Buffer.from(D.unsigned_tx_b64, 'base64')
  for (const [signature, address] of [
    [D.signature, keys.ed25519.address],
    [D.signature_secp256k1!, keys.secp256k1.address],
    [D.signature_secp256r1!, keys.secp256r1.address],
    [D.signature_multisig!, keys.multisig.address],
  ] as const)
    t.ok(await isValidTransactionSignature(bytes, signature, { address }))
})

t.test('sender and another who pays sign both, in any order, and nobody else', async (t) => {
  const sponsored = of(D.unsigned_tx_b64, keys.ed25519.address, keys.secp256k1.address)
  const bytes = Buffer.from(sponsored, 'base64')
  const [{ signature: one }, { signature: two }] = await Promise.all([ed25519.signTransaction(bytes), secp256k1.signTransaction(bytes)])
  await prepared(sponsored, one, two)
  const { signed_tx_b64 } = await prepared(sponsored, two, one)
  t.same(JSON.parse(Buffer.from(signed_tx_b64, 'base64').toString()).signatures, [two, one])
  for (const signatures of [[one], [two], [one, one], [two, two], [one, two, one], []])
    t.match(await refusal(prepared(sponsored, ...signatures)), { status: 400, code: 'SIGNATURE_INVALID' })
})

t.test('a key and a signature of zeros fit nothing', async (t) => {
  const zeros = Buffer.alloc(97).toString('base64')
  t.match(await refusal(prepared(D.unsigned_tx_b64, zeros)), { status: 400, code: 'SIGNATURE_INVALID' })
})

t.test('a signature of another form is refused with what is wrong', async (t) => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['', 'BASE64_INVALID', /signatures\[0\] is empty/],
    ['?', 'BASE64_INVALID', /base64/],
    [D.signature.replace(/=+$/, ''), 'BASE64_INVALID', /padding/],
    [Buffer.alloc(20_000).toString('base64'), 'BASE64_INVALID', /longer/],
    [changed(D.signature, (bytes) => bytes.subarray(1, 65)), 'SIGNATURE_INVALID', /flag/],
    [changed(D.signature, (bytes) => bytes.subarray(0, -1)), 'SIGNATURE_INVALID', /96 bytes; a serialized Ed25519 signature has 97/],
    [changed(D.signature, (bytes) => bytes.with(0, 4)), 'SIGNATURE_INVALID', /flag of no scheme/],
    [changed(D.signature, (bytes) => bytes.with(0, 6)), 'SIGNATURE_INVALID', /Passkey signature in canonical BCS/],
    [Buffer.from([3]).toString('base64'), 'SIGNATURE_INVALID', /MultiSig signature in canonical BCS/],
    [A.signature, 'SIGNATURE_INVALID', /not an Ed25519 signature of this transaction by 0x160179/],
  ]
  for (const [signature, code, message] of cases)
    t.match(await refusal(prepared(D.unsigned_tx_b64, signature)), { status: 400, code, message })
})

t.test('no single changed bit of a signature passes', async (t) => {
  const length = Buffer.from(D.signature, 'base64').length
  await fc.assert(
    fc.asyncProperty(fc.nat(length - 1), fc.nat(7), async (at, bit) => {
      const signature = changed(D.signature, (bytes) => bytes.with(at, bytes[at]! ^ (1 << bit)))
      t.equal((await refusal(prepared(D.unsigned_tx_b64, signature))).status, 400)
    }),
    { numRuns: 60 },
  )
})

t.test('a transaction that is not canonical, not programmable or none is refused', async (t) => {
  const system = Buffer.from(
    bcs.TransactionData.serialize({
      V1: {
        kind: { EndOfEpochTransaction: [] },
        sender: keys.ed25519.address,
        gasData: { payment: [], owner: keys.ed25519.address, price: 1, budget: 1 },
        expiration: { None: true },
      },
    } as never).toBytes(),
  )
  const cases: readonly (readonly [string, string])[] = [
    ['', 'BASE64_INVALID'],
    ['?', 'BASE64_INVALID'],
    [`${D.unsigned_tx_b64}\n`, 'BASE64_INVALID'],
    [Buffer.from(D.unsigned_tx_b64, 'base64').toString('base64url'), 'BASE64_INVALID'],
    [Buffer.alloc(200_000).toString('base64'), 'BASE64_INVALID'],
    [changed(D.unsigned_tx_b64, (bytes) => Buffer.concat([bytes, Buffer.from([0])])), 'TRANSACTION_INVALID'],
    [changed(D.unsigned_tx_b64, (bytes) => bytes.subarray(0, -1)), 'TRANSACTION_INVALID'],
    [changed(D.unsigned_tx_b64, (bytes) => bytes.with(0, 1)), 'TRANSACTION_INVALID'],
    [changed(D.unsigned_tx_b64, (bytes) => bytes.with(1, 1)), 'TRANSACTION_INVALID'],
    [
      changed(D.unsigned_tx_b64, (bytes) => Buffer.concat([bytes.subarray(0, 2), Buffer.from([bytes[2]! | 0x80, 0]), bytes.subarray(3)])),
      'TRANSACTION_INVALID',
    ],
    [system.toString('base64'), 'TRANSACTION_INVALID'],
    [Buffer.from('null').toString('base64'), 'TRANSACTION_INVALID'],
  ]
  for (const [unsigned, code] of cases) t.match(await refusal(prepared(unsigned, D.signature)), { status: 400, code })
})

t.test('a transaction that names another chain is refused, one that names none is not', async (t) => {
  const elsewhere = contextOf(nodeOf({}).fetch, { chainId: 'testnet' })
  t.match(await refusal(move.prepare(elsewhere, { unsigned_tx_b64: C.unsigned_tx_b64, signatures: [C.signature] })), {
    status: 400,
    code: 'CHAIN_ID_MISMATCH',
    message: /for the chain mainnet, not for testnet/,
  })
  for (const { unsigned_tx_b64, signature } of [A, B, D, E]) await move.prepare(elsewhere, { unsigned_tx_b64, signatures: [signature] })
})

t.test('a transaction that was read for its own network is refused for another all the same, and named in its own words', async (t) => {
  const elsewhere = contextOf(nodeOf({}).fetch, { chainId: 'testnet' })
  const given = { unsigned_tx_b64: C.unsigned_tx_b64, signatures: [C.signature] }
  for (let time = 0; time < 2; time++) {
    await prepared(C.unsigned_tx_b64, C.signature)
    t.match(await refusal(move.prepare(elsewhere, given)), { code: 'CHAIN_ID_MISMATCH', message: /^unsigned_tx_b64 is for/ })
    t.throws(() => move.names.signed(given, elsewhere.network), { code: 'CHAIN_ID_MISMATCH' })
  }
  const digest = move.names.unsigned(C, ctx().network)
  for (let n = 0; n < 120; n++) {
    const other = of(A.unsigned_tx_b64, `0x${n.toString(16).padStart(64, '0')}`)
    t.equal(
      move.names.unsigned({ unsigned_tx_b64: other }, ctx().network),
      TransactionDataBuilder.getDigestFromBytes(Buffer.from(other, 'base64')),
    )
  }
  t.equal(move.names.unsigned(C, ctx().network), digest, 'and so is one that was forgotten since')
})

t.test('a passkey signature is verified here', async (t) => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const { x, y } = pair.publicKey.export({ format: 'jwk' })
  const odd = Buffer.from(y!, 'base64url').at(-1)! % 2
  const key = Buffer.concat([Buffer.from([2 + odd]), Buffer.from(x!, 'base64url')])
  const unsigned = of(D.unsigned_tx_b64, new PasskeyPublicKey(key).toSuiAddress())
  // The library hashes what is signed, and hands the hash to the key.
  let challenge = Buffer.alloc(0)
  const listening = Object.assign(new PasskeyPublicKey(key), {
    verify: async (message: Uint8Array) => {
      challenge = Buffer.from(message)
      return true
    },
  })
  await listening.verifyTransaction(Buffer.from(unsigned, 'base64'), '')
  const clientDataJson = JSON.stringify({
    type: 'webauthn.get',
    challenge: challenge.toString('base64url'),
    origin: 'https://wallet.example',
  })
  const authenticatorData = Buffer.alloc(37, 1)
  const payload = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJson).digest()])
  const signature = sign('sha256', payload, { key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
  // Wallets pass on the lower one of the two values that s can have, since nodes take no other.
  const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
  if (s > ORDER / 2n) signature.write((ORDER - s).toString(16).padStart(64, '0'), 32, 'hex')
  const serialized = (userSignature: Uint8Array) =>
    Buffer.concat([
      Buffer.from([6]),
      bcs.PasskeyAuthenticator.serialize({ authenticatorData, clientDataJson, userSignature }).toBytes(),
    ]).toString('base64')
  const good = serialized(Buffer.concat([Buffer.from([2]), signature, key]))
  await prepared(unsigned, good)
  t.match(await refusal(prepared(D.unsigned_tx_b64, good)), { status: 400, code: 'SIGNATURE_INVALID', message: /a Passkey signature/ })
  const wrong = serialized(Buffer.concat([Buffer.from([2]), signature.with(5, signature[5]! ^ 1), key]))
  t.match(await refusal(prepared(unsigned, wrong)), { status: 400, code: 'SIGNATURE_INVALID' })
})

t.test('a zkLogin signature is asked of the node, and only for its own address', async (t) => {
  const iss = 'https://id.example.org'
  const addressSeed = 123_456_789n
  const sender = computeZkLoginAddressFromSeed(addressSeed, iss, false)
  const unsigned = of(D.unsigned_tx_b64, sender)
  const { signature: userSignature } = await ed25519.signTransaction(Buffer.from(unsigned, 'base64'))
  const signature = getZkLoginSignature({
    inputs: {
      proofPoints: { a: ['1'], b: [['1']], c: ['1'] },
      issBase64Details: { value: Buffer.from(`"iss":"${iss}",`).toString('base64url'), indexMod4: 0 },
      headerBase64: 'e30',
      addressSeed: String(addressSeed),
    },
    maxEpoch: '1000',
    userSignature,
  })
  const asked = (VerifySignature: unknown, tx = unsigned) => {
    const node = nodeOf({ VerifySignature })
    return { node, made: move.prepare(contextOf(node.fetch), { unsigned_tx_b64: tx, signatures: [signature] }) }
  }
  const good = asked({ isValid: true })
  await good.made
  t.match(good.node.requests[0], { address: sender, message: { name: 'TransactionData' } })
  t.match(await refusal(asked({ isValid: false, reason: 'expired' }).made), {
    status: 400,
    code: 'SIGNATURE_INVALID',
    message: /a zkLogin signature/,
  })
  t.match(await refusal(asked(new NodeRefusal(3, 'invalid signature')).made), { status: 400, code: 'SIGNATURE_INVALID' })
  t.match(await refusal(asked(new NodeRefusal(14, 'overloaded')).made), { status: 503, code: 'UPSTREAM_BUSY' })
  const other = asked({ isValid: true }, D.unsigned_tx_b64)
  t.match(await refusal(other.made), { status: 400, code: 'SIGNATURE_INVALID' })
  t.same(other.node.asked, [], 'of another address the node is not asked')

  const shared = MultiSigPublicKey.fromPublicKeys({
    threshold: 1,
    publicKeys: [{ publicKey: toZkLoginPublicIdentifier(addressSeed, iss, { legacyAddress: false }), weight: 1 }],
  })
  const within = of(D.unsigned_tx_b64, shared.toSuiAddress())
  t.match(await refusal(prepared(within, shared.combinePartialSignatures([signature]))), {
    status: 400,
    code: 'SIGNATURE_UNSUPPORTED',
    message: /zkLogin/,
  })
})
