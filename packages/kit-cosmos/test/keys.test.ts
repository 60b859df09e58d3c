import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex, toHex } from '@cosmjs/encoding'
import { MsgDelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { AuthInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import type { ChainKeys } from '../src/index.ts'
import { cosmos } from '../src/kit.ts'
import { accountOf } from '../src/public-key.ts'
import { authInfoOf, bodyOf, messageTypes, rawOf, readSigner, signHash, transactionHash } from '../src/transaction.ts'
import { hubOne } from './support/node.ts'
import { key } from './support/vectors.ts'

/** Delegations of 1.5 tokens with account number 12345 and sequence 7, on chains whose keys are Ethereum's. By one implementation; no node of the chains has verified them. */
const vectors = [
  {
    prefix: 'inj',
    denom: 'inj',
    chainId: 'injective-1',
    keyType: '/injective.crypto.v1beta1.ethsecp256k1.PubKey',
    address: 'inj1ljkskxdm982xw3f36mc32gm7z6huudmut6u532',
    validator: 'injvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zn0s9fy',
    fee: 48_000_000_000_000n,
    authInfo:
      '0a5e0a540a2d2f696e6a6563746976652e63727970746f2e763162657461312e657468736563703235366b312e5075624b657912230a21034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff12040a0208011807121b0a150a03696e6a120e343830303030303030303030303010e0a712',
    hash: '2b0684d26cea9f733b28e4fab1c1f34bdd4cd16bc1404b899ae6f069630bf33a',
    signature:
      'd22ec6ead4b290fa85416eace01c82f675676acc806ea6357f70994d527c4b8d7ef72195937b1214a69caf2c8f9e20f42f8cd9788f4788301bf053640c0c838b',
    txHash: '44FA466513C2D377197B6770579F5C1126CA02CAD3DE5FF21308B7476FCAC0B1',
  },
  {
    prefix: 'zeta',
    denom: 'azeta',
    chainId: 'zetachain_7000-1',
    keyType: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
    address: 'zeta1ljkskxdm982xw3f36mc32gm7z6huudmuhh99ez',
    validator: 'zetavaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zuyydd7',
    fee: 6_000_000_000_000_000n,
    authInfo:
      '0a5a0a500a292f636f736d6f732e65766d2e63727970746f2e76312e657468736563703235366b312e5075624b657912230a21034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff12040a0208011807121f0a190a05617a65746112103630303030303030303030303030303010e0a712',
    hash: 'edf55408d89cc5c53af512ac6d53a2ad1c593fe8759597ef2010d33b9b131557',
    signature:
      'd8a1c47f376cf3d49bce6198280224e410039b512bbd43aea8509ea0baa4f2482451d720f2ab18f2a649b96f772ce242d469b184e4db73b57712a14f083c13b0',
    txHash: 'D60C1EB7DF6C456C125EB0A8E5A3A761A15FEA6C238886BDE44B4432085593AD',
  },
] as const

t.test('keys of Ethereum: address, type of the key, what is signed and the hash of the transaction', async (t) => {
  for (const { prefix, denom, chainId, keyType, address, validator, fee, authInfo, hash, signature, txHash } of vectors) {
    const chain = { prefix, denom, algorithm: 'ethsecp256k1', keyType } as const
    for (const form of [key.compressed, key.uncompressed]) t.equal(accountOf(chain, form).address, address, prefix)
    const amount = { denom, amount: '1500000000000000000' }
    const value = MsgDelegate.fromPartial({ delegatorAddress: address, validatorAddress: validator, amount })
    const body = bodyOf(messageTypes([]), [{ typeUrl: MsgDelegate.typeUrl, value }], '')
    const written = authInfoOf(chain, { publicKey: fromHex(key.compressed), sequence: 7n, gasLimit: 300_000n, fee: { denom, amount: fee } })
    t.equal(toHex(written), authInfo, prefix)
    t.equal(toHex(readSigner(written, chain).key), key.compressed)
    t.throws(() => readSigner(written, { denom, algorithm: 'secp256k1' }), { code: 'TRANSACTION_INVALID' })
    const digest = signHash(chain, body, written, chainId, 12345n)
    t.equal(toHex(digest), hash, prefix)
    const signed = Secp256k1.createSignature(digest, fromHex(key.private)).toFixedLength().subarray(0, 64)
    t.equal(toHex(signed), signature, prefix)
    t.equal(transactionHash(rawOf(body, written, [signed])), txHash, prefix)
    t.equal(AuthInfo.decode(written).signerInfos[0]?.publicKey?.typeUrl, keyType)
  }
})

t.test('a chain that does not say which kind of key it has is refused, before anything is answered with it', async (t) => {
  const made = (keys: object) => () => cosmos({ ...hubOne, algorithm: undefined, ...keys } as never)
  t.throws(made({}), { message: /^chain\.algorithm is undefined: it must be secp256k1 or ethsecp256k1/ })
  t.throws(made({ algorithm: 'ed25519' }), { message: /^chain\.algorithm is ed25519/ })
  t.throws(made({ algorithm: 'ethsecp256k1' }), { message: /^chain\.keyType is undefined/ })
  t.throws(made({ algorithm: 'ethsecp256k1', keyType: '/cosmos.crypto.secp256k1.PubKey' }), { message: /^chain\.keyType is / })
  t.throws(made({ algorithm: 'secp256k1', keyType: vectors[0].keyType }), { message: /there is none to name/ })
})

t.test('with keys of Ethereum a key that is no point of the curve has no account', async (t) => {
  const chain: ChainKeys & { prefix: string } = { prefix: 'inj', algorithm: 'ethsecp256k1', keyType: vectors[0].keyType }
  t.throws(() => accountOf(chain, `02${'0'.repeat(63)}5`), { statusCode: 400, code: 'PUBLIC_KEY_INVALID' })
})
