import { createHash } from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex, toHex } from '@cosmjs/encoding'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import t from 'tap'
import { readSignature } from '../src/signature.ts'
import { signHash, transactionHash } from '../src/transaction.ts'
import { ledger } from './support/ledger.ts'
import {
  ACCOUNT,
  accountInfo,
  answersOne,
  connect,
  hubOne,
  hubTwo,
  nodeOf,
  notFound,
  plain,
  RpcError,
  silent,
  status,
} from './support/node.ts'
import { cancel, forms, key, one, send, signedTx, two, unsignedTx } from './support/vectors.ts'

const body = { tx_body_hex: unsignedTx, tx_auth_info_hex: one.stake.authInfo as string, signature_hex: one.stake.signature as string }
const numberOne = { [ACCOUNT]: accountInfo(one.address, one.accountNumber, one.sequence) }

async function prepare(changes: Partial<typeof body> = {}, node: Parameters<typeof connect>[1] = nodeOf(numberOne)) {
  const { kit, ctx } = connect(hubOne, node)
  return (await kit.prepare(ctx, { ...body, ...changes })).signed_tx_hex
}

t.test('the vectors come out exactly, from the transaction as crafted and from its body', async (t) => {
  for (const [chain, hub] of [
    [hubOne, one],
    [hubTwo, two],
  ] as const) {
    const node = nodeOf({ status: status(hub.chainId), [ACCOUNT]: accountInfo(hub.address, hub.accountNumber, hub.sequence) })
    const { kit, ctx } = connect(chain, node)
    for (const { body, authInfo, signature, txHash } of [hub.stake, hub.unstake, hub.claim]) {
      const raw = toHex(TxRaw.encode({ bodyBytes: fromHex(body), authInfoBytes: fromHex(authInfo), signatures: [] }).finish())
      const bare = toHex(TxRaw.encode({ bodyBytes: fromHex(body), authInfoBytes: new Uint8Array(), signatures: [] }).finish())
      for (const tx_body_hex of [body, raw, bare]) {
        const { signed_tx_hex } = await kit.prepare(ctx, { tx_body_hex, tx_auth_info_hex: authInfo, signature_hex: signature })
        t.equal(signed_tx_hex, `${raw}1a40${signature}`)
        t.equal(transactionHash(fromHex(signed_tx_hex)), txHash)
        const prepared = { tx_body_hex, tx_auth_info_hex: authInfo, signature_hex: signature }
        const unsignedHash = createHash('sha256').update(fromHex(raw)).digest('hex')
        t.equal(kit.names.unsigned(prepared, ctx.network), unsignedHash)
        t.same(kit.names.signed({ signed_tx_hex: `0x${signed_tx_hex}` }, ctx.network), { unsignedHash, txHash })
      }
      const crafted = { unsigned_tx_hex: raw, tx_auth_info_hex: authInfo, unsigned_tx_hash_hex: '' }
      t.equal(kit.names.unsigned(crafted, ctx.network), createHash('sha256').update(fromHex(raw)).digest('hex'))
    }
    t.equal(node.requests.length, 1, 'the account number is asked once')
  }
  t.equal(await prepare(), signedTx)
})

t.test('a message that this service can assemble though it crafts none', async (t) => {
  const { kit, ctx } = connect(hubOne, nodeOf(numberOne))
  const { body, authInfo, signature, hash, txHash } = cancel
  t.equal(toHex(signHash(hubOne, fromHex(body), fromHex(authInfo), one.chainId, one.accountNumber)), hash)
  const { signed_tx_hex } = await kit.prepare(ctx, { tx_body_hex: body, tx_auth_info_hex: authInfo, signature_hex: signature })
  t.equal(transactionHash(fromHex(signed_tx_hex)), txHash)
})

t.test('the sign bytes are those of a node written in Go', async (t) => {
  const hash = signHash(hubOne, fromHex(send.body), fromHex(send.authInfo), send.chainId, send.accountNumber)
  t.equal(toHex(hash), send.hash)
  t.ok(Secp256k1.verifySignature(readSignature(fromHex(send.signature)), hash, fromHex(send.publicKey)))
})

t.test('hex may come with 0x and in upper case', async (t) => {
  t.equal(await prepare({ tx_body_hex: `0x${unsignedTx}`, tx_auth_info_hex: `0X${one.stake.authInfo.toUpperCase()}` }), signedTx)
  t.equal(await prepare({ signature_hex: `0x${one.stake.signature.toUpperCase()}` }), signedTx)
})

t.test('DER, a high s and a recovery byte give the same transaction', async (t) => {
  for (const [name, signature_hex] of Object.entries(forms)) t.equal(await prepare({ signature_hex }), signedTx, name)
  const inFront = ['1b', '1c', '1f', '20'].map((byte) => byte + one.stake.signature)
  for (const hex of [one.stake.signature, ...Object.values(forms), ...inFront]) {
    const bytes = Buffer.from(hex, 'hex')
    for (const signature_hex of [hex, bytes.toString('base64'), bytes.toString('base64url'), `vault:v3:${bytes.toString('base64')}`])
      t.equal(await prepare({ signature_hex }), signedTx, signature_hex)
  }
  await t.rejects(prepare({ signature_hex: `02${one.stake.signature}` }), { code: 'SIGNATURE_INVALID' }, 'a first byte of no signature')
})

t.test('a compact signature that begins like DER is taken for what its length says', async (t) => {
  const signature = `30${'3e'.repeat(1)}${'11'.repeat(62)}`
  t.equal(toHex(readSignature(fromHex(signature)).toFixedLength()).slice(0, 64), signature.slice(0, 64))
})

t.test('every signature of a key is accepted in every form, and comes out with a low s', async (t) => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const property = fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
    const signature = Secp256k1.createSignature(hash, fromHex(key.private))
    const low = toHex(signature.toFixedLength()).slice(0, 128)
    const s = BigInt(`0x${low.slice(64)}`)
    const high = low.slice(0, 64) + (order - s).toString(16).padStart(64, '0')
    const all = [fromHex(low), fromHex(high), fromHex(`${low}01`), signature.toDer()]
    return all.every((form) => toHex(readSignature(form).toFixedLength()) === low)
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 100 }))
})

t.test('what is no signature is refused without a call', async (t) => {
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  const [r, s] = [one.stake.signature.slice(0, 64), one.stake.signature.slice(64)]
  const wrong = {
    'r is zero': '0'.repeat(64) + s,
    's is zero': r + '0'.repeat(64),
    'r is the order': order + s,
    's is the order': r + order,
    '63 bytes': one.stake.signature.slice(2),
    '66 bytes': `${one.stake.signature}0000`,
    'one byte': '30',
    'DER that is cut': forms.der.slice(0, -2),
    'DER with a byte behind it': `${forms.der}00`,
    'DER with a byte behind it that its length covers': forms.der.replace('3045', '3046').concat('00'),
    'DER with a wrong tag': forms.der.replace('3045022100', '3045032100'),
    'DER with an empty r': '300702000203010203',
    'DER with r of zero': '3006020100020101',
    'a very long text': '30'.repeat(500),
  }
  for (const [name, signature_hex] of Object.entries(wrong))
    await t.rejects(prepare({ signature_hex }, silent), { statusCode: 400, code: 'SIGNATURE_INVALID' }, name)
})

t.test('a signature of another key, transaction, account number or chain is refused', async (t) => {
  const refused = { statusCode: 400, code: 'SIGNATURE_INVALID' }
  const other = Secp256k1.createSignature(fromHex(one.stake.hash), new Uint8Array(32).fill(7))
  await t.rejects(prepare({ signature_hex: toHex(other.toFixedLength()).slice(0, 128) }), refused)
  await t.rejects(prepare({ signature_hex: one.unstake.signature }), refused)
  await t.rejects(prepare({ tx_body_hex: one.stake.body.replace('31353030303030', '39353030303030') }), refused)
  await t.rejects(prepare({}, nodeOf({ [ACCOUNT]: accountInfo(one.address, 12346n, 7n) })), { ...refused, message: /number 12346/ })
  const { kit, ctx } = connect(hubOne, nodeOf(numberOne))
  await t.rejects(kit.prepare({ ...ctx, network: { ...ctx.network, chainId: 'provider' } }, body), { ...refused, message: /provider/ })
  const again = Secp256k1.createSignature(fromHex(one.stake.hash).reverse(), fromHex(key.private))
  await t.rejects(prepare({ signature_hex: toHex(again.toDer()) }), refused)
})

t.test('bytes that are no unsigned transaction of this service are refused without a call', async (t) => {
  const invalid = { statusCode: 400, code: 'TRANSACTION_INVALID' }
  const noHex = { statusCode: 400, code: 'HEX_INVALID' }
  const raw = (change: Partial<TxRaw>) =>
    toHex(
      TxRaw.encode({ bodyBytes: fromHex(one.stake.body), authInfoBytes: fromHex(one.stake.authInfo), signatures: [], ...change }).finish(),
    )
  const message = TxBody.decode(fromHex(one.stake.body)).messages[0]!
  const bodyWith = (change: Partial<TxBody>) =>
    toHex(TxBody.encode(TxBody.fromPartial({ messages: [message], ...change } as TxBody)).finish())
  const bodies: Record<string, [string, typeof invalid & { message?: RegExp }]> = {
    empty: ['', noHex],
    'only 0x': ['0x', noHex],
    'no hex': ['zz', noHex],
    'an odd number of digits': [unsignedTx.slice(1), noHex],
    'longer than any transaction': ['00'.repeat(1_048_577), noHex],
    cut: [unsignedTx.slice(0, -2), invalid],
    'one byte too many': [`${unsignedTx}00`, invalid],
    'signed already': [signedTx, invalid],
    'of another auth info': [raw({ authInfoBytes: fromHex(two.stake.authInfo) }), invalid],
    'without messages': [bodyWith({ messages: [], memo: 'nothing to do' }), invalid],
    'a message of another type': [send.body, invalid],
    'a message beside it': [bodyWith({ messages: [message, TxBody.decode(fromHex(send.body)).messages[0]!] }), invalid],
    'of another delegator': [one.stake.body.replace(hexOf(one.address), hexOf(send.address)), invalid],
    'a message that is cut': [bodyWith({ messages: [{ ...message, value: message.value.subarray(0, -1) }] }), invalid],
    'a message with a further field': [
      bodyWith({ messages: [{ ...message, value: Uint8Array.from([...message.value, 0x28, 1]) }] }),
      invalid,
    ],
    'a message that is there twice': [bodyWith({ messages: [message, message] }), invalid],
    'a token that is not staked here': [
      one.stake.body.replace(hexOf('uatom'), hexOf('uosmo')),
      { ...invalid, message: /uosmo.* is uatom/ },
    ],
    'a timeout': [bodyWith({ timeoutHeight: 9n }), { ...invalid, message: /after block 9/ }],
    'an extension option': [bodyWith({ extensionOptions: [message] }), { ...invalid, message: /extension/ }],
    'an extension option that may be ignored': [bodyWith({ nonCriticalExtensionOptions: [message] }), invalid],
    'an empty field in front': [`1200${one.stake.body}`, invalid],
    'an unknown field': [`${one.stake.body}f80101`, invalid],
  }
  for (const [name, [tx_body_hex, refused]] of Object.entries(bodies)) await t.rejects(prepare({ tx_body_hex }, silent), refused, name)

  const authInfo = AuthInfo.decode(fromHex(one.stake.authInfo))
  const [signer] = authInfo.signerInfos
  const fee = authInfo.fee!
  const infoWith = (change: object) => toHex(AuthInfo.encode(AuthInfo.fromPartial({ ...authInfo, ...change })).finish())
  const infos: Record<string, string> = {
    cut: one.stake.authInfo.slice(0, -2),
    'a byte too many': `${one.stake.authInfo}00`,
    'no signer': infoWith({ signerInfos: [] }),
    'two signers': infoWith({ signerInfos: [signer, signer] }),
    'no key': infoWith({ signerInfos: [{ ...signer, publicKey: undefined }] }),
    'a key of another type': infoWith({
      signerInfos: [{ ...signer, publicKey: { ...signer!.publicKey, typeUrl: '/cosmos.crypto.ed25519.PubKey' } }],
    }),
    'a key of 32 bytes': infoWith({
      signerInfos: [{ ...signer, publicKey: { ...signer!.publicKey, value: signer!.publicKey!.value.subarray(0, -1) } }],
    }),
    'a text to read': infoWith({ signerInfos: [{ ...signer, modeInfo: { single: { mode: 2 } } }] }),
    'several keys': infoWith({ signerInfos: [{ ...signer, modeInfo: { multi: { modeInfos: [] } } }] }),
    'no fee': infoWith({ fee: undefined }),
    'no gas': infoWith({ fee: { ...fee, gasLimit: 0n } }),
    'no coin': infoWith({ fee: { ...fee, amount: [] } }),
    'a coin of another token': infoWith({ fee: { ...fee, amount: [{ denom: 'ibc/ABC', amount: '1' }] } }),
    'two coins': infoWith({ fee: { ...fee, amount: [...fee.amount, ...fee.amount] } }),
    'another payer': infoWith({ fee: { ...fee, payer: send.address } }),
    'a granter': infoWith({ fee: { ...fee, granter: send.address } }),
  }
  for (const [name, tx_auth_info_hex] of Object.entries(infos))
    await t.rejects(prepare({ tx_body_hex: one.stake.body, tx_auth_info_hex }, silent), invalid, name)
  const offCurve = one.stake.authInfo.replace(key.compressed, `02${'0'.repeat(63)}5`)
  await t.rejects(prepare({ tx_body_hex: one.stake.body, tx_auth_info_hex: offCurve }, silent), {
    statusCode: 400,
    code: 'PUBLIC_KEY_INVALID',
  })
})

t.test('what a hardware wallet has signed as amino JSON is put together in that mode, and nothing else is', async (t) => {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(ledger())
  const input = { tx_body_hex: toHex(bodyBytes), tx_auth_info_hex: toHex(authInfoBytes), signature_hex: toHex(signatures[0]!) }
  t.equal(await prepare(input), toHex(ledger()))
  const direct = {
    statusCode: 400,
    code: 'SIGNATURE_INVALID',
    message: /in amino JSON the document is signed whose fee, gas and sequence are those of tx_auth_info_hex\.$/,
  }
  await t.rejects(prepare({ ...input, signature_hex: one.claim.signature }), direct)
  await t.rejects(prepare({ ...input, tx_auth_info_hex: one.claim.authInfo }), {
    code: 'SIGNATURE_INVALID',
    message: /sign unsigned_tx_hash_hex as crafted/,
  })
  await t.rejects(prepare({ ...input, tx_body_hex: one.stake.body }), direct, 'of another message')
})

t.test('an account number that a craft has seen is not asked again', async (t) => {
  const node = nodeOf(answersOne(300_000n))
  const { kit, ctx } = connect(hubOne, node, plain)
  await kit.preflight(ctx, key.compressed, {})
  const before = node.requests.length
  t.equal((await kit.prepare(ctx, body)).signed_tx_hex, signedTx)
  t.equal(node.requests.length, before)
})

t.test('a signature is refused by what the chain says now, not by what is remembered', async (t) => {
  let number = 1n
  const { kit, ctx } = connect(hubOne, nodeOf({ [ACCOUNT]: () => accountInfo(one.address, number, 0n) }))
  await t.rejects(kit.prepare(ctx, body), { statusCode: 400, code: 'SIGNATURE_INVALID' })
  number = one.accountNumber
  t.equal((await kit.prepare(ctx, body)).signed_tx_hex, signedTx)
})

t.test('without the account number nothing is signed', async (t) => {
  await t.rejects(prepare({}, nodeOf({ [ACCOUNT]: notFound('account') })), { statusCode: 400, code: 'ACCOUNT_UNKNOWN' })
  await t.rejects(prepare({}, nodeOf({ [ACCOUNT]: new RpcError('panic') })), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

function hexOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex')
}
