import t from 'tap'
import { addressOfKey, cosmos, decodeCosmos, namesIn, verifyCosmos } from '../../src/cosmos/index.ts'
import { bytes } from '../support/vectors.ts'
import { LAYOUTS } from './support/layouts.ts'
import { chainOf, craftOf, digits, ethereum, keyed, promiseOf, vectors } from './support/vectors.ts'
import { writeTransaction } from './support/write.ts'

const KEY = bytes('034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff')
const COSMOS_EVM = '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey'

t.test('with keys of Ethereum the address is the end of keccak-256 of the point', async (t) => {
  const chains = {
    inj: ['/injective.crypto.v1beta1.ethsecp256k1.PubKey', 'inj1ljkskxdm982xw3f36mc32gm7z6huudmut6u532'],
    zeta: [COSMOS_EVM, 'zeta1ljkskxdm982xw3f36mc32gm7z6huudmuhh99ez'],
  } as const
  for (const [prefix, [keyType, address]] of Object.entries(chains)) {
    t.equal(addressOfKey({ prefix, algorithm: 'ethsecp256k1', keyType }, KEY), address)
    t.not(addressOfKey({ prefix, algorithm: 'secp256k1' }, KEY), address, 'the other algorithm makes the address of nobody')
  }
  // No y belongs to an x of 5.
  const none = bytes(`02${'0'.repeat(63)}5`)
  t.throws(() => addressOfKey({ prefix: 'inj', algorithm: 'ethsecp256k1', keyType: COSMOS_EVM }, none), {
    code: 'DECODE_FAILED',
    message: /it must be a point of the curve/,
  })
})

t.test('a key with an odd y and one with an even y each have their own address', async (t) => {
  const other = Uint8Array.from([2, ...KEY.subarray(1)])
  const chain = { prefix: 'inj', algorithm: 'ethsecp256k1', keyType: COSMOS_EVM } as const
  t.not(addressOfKey(chain, KEY), addressOfKey(chain, other))
})

t.test('a delegation with such a key is read, checked and hashed as its chain does', async (t) => {
  for (const vector of ethereum) {
    const { effects, bounds } = promiseOf(vector)
    t.strictSame(verifyCosmos(craftOf(vector), effects, bounds, chainOf(vector)), [], vector.name)
    const signed = writeTransaction(bytes(vector.body), bytes(vector.authInfo), bytes(vector.signature))
    const explained = await cosmos(keyed(vector.chain)).explain?.(digits(signed), { layouts: LAYOUTS }, terms(vector.chain.chainId), {
      'x-account-number': vector.chain.accountNumber,
    })
    t.match(explained, { hash: vector.hash, txHash: vector.transactionHash, signers: [{ address: vector.signer, signature: 'right' }] })
    t.strictSame(namesIn(digits(signed)), {
      prefix: vector.chain.prefix,
      denom: vector.chain.denom,
      algorithm: 'ethsecp256k1',
      keyType: vector.chain.keyType,
    })
  }
})

t.test('what signs is told which hash it is given', async (t) => {
  const digestOf = (names: Parameters<typeof cosmos>[0]) =>
    cosmos(names).signing?.request({ unsigned_tx_hash_hex: '00' }, { pubkey: 'k' }, {} as never, {}).digest
  t.equal(digestOf({ prefix: 'inj', denom: 'inj', algorithm: 'ethsecp256k1', keyType: COSMOS_EVM }), 'keccak256')
  t.equal(digestOf({ prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1' }), 'sha256')
})

t.test('a transaction of the one kind is none of a chain of the other', async (t) => {
  const [eth] = ethereum
  const [hub] = vectors
  if (!eth || !hub) throw new Error('there are vectors of both')
  const { keyType: _, ...asCosmos } = chainOf(eth)
  t.throws(() => decodeCosmos(craftOf(eth), LAYOUTS, { ...asCosmos, algorithm: 'secp256k1' }), {
    message: /unsigned_tx_hash_hex is .*the hash of unsigned_tx_hex/,
  })
  t.throws(() => decodeCosmos(craftOf(hub), LAYOUTS, { ...chainOf(hub), algorithm: 'ethsecp256k1', keyType: COSMOS_EVM }), {
    message: /unsigned_tx_hash_hex is /,
  })
  t.throws(() => decodeCosmos(craftOf(eth), LAYOUTS, { ...chainOf(eth), algorithm: 'ethsecp256k1', keyType: COSMOS_EVM }), {
    message: /public_key is of the type "\/injective.* it must be \/cosmos\.evm\.crypto/,
  })
})

t.test('a chain that does not say its kind of key is none', async (t) => {
  t.throws(() => cosmos({ prefix: 'cosmos', denom: 'uatom' } as never), { message: /^chain\.algorithm is undefined; it must be / })
  t.throws(() => cosmos({ prefix: 'inj', denom: 'inj', algorithm: 'ethsecp256k1' } as never), { message: /^chain\.keyType is undefined; / })
  for (const keyType of ['ethsecp256k1.PubKey', '/cosmos.crypto.secp256k1.PubKey', '/a.ethsecp256k1.PubKey2'])
    t.throws(() => cosmos({ prefix: 'inj', denom: 'inj', algorithm: 'ethsecp256k1', keyType }), { message: /^chain\.keyType is / }, keyType)
  t.throws(() => cosmos({ prefix: 'c', denom: 'd', algorithm: 'secp256k1', keyType: COSMOS_EVM } as never), { message: /it is absent/ })
})

function terms(chainId: string) {
  return { chainId, caip2: `cosmos:${chainId}`, decimals: 18, symbol: 'INJ', max_fee: '1' }
}
