import { nearPool } from '@example/intent-near-pool'
import { inspect } from '@svc/verify/inspect'
import t from 'tap'
import { writeTransaction } from '../src/kit/borsh.ts'
import { craftOf, digest, keyPair, signatureOf } from './family/wire.ts'

// The Inspector knows no family by itself: this one is read by what the intent brings.

const { key, publicKey } = keyPair('somebody')
const POOL = 'pool-one.poolv1.near'
const own = {
  ...{ signer: publicKey.toString('hex'), key: publicKey, nonce: 7n, receiver: POOL, blockHash: digest(Buffer.from('block')) },
  ...{ method: 'unstake', args: '{"amount":"750000000000000000000000"}', gas: 125_000_000_000_000n, deposit: 0n },
}
const bytes = writeTransaction(own)
const title = 'Staking with a NEAR pool'
const protocols = [nearPool]
const terms = { chainId: 'mainnet', caip2: 'near:mainnet', decimals: 24, symbol: 'NEAR', max_fee: '0.7', pool: POOL, gas_tgas: 125 }
const trustOf = (changed: object = {}) => ({
  ...{ version: 1, baseUrl: 'http://127.0.0.1', account: 'acme' },
  protocols: [{ path: nearPool.path, networks: [{ terms: { ...terms, ...changed } }] }],
})
const now = new Date('2026-11-24T00:00:00Z')

async function readOnly(text: string, more: object = {}) {
  const found = await inspect({ text, protocols, now, ...more })
  if (found.kind !== 'read' || found.readings.length !== 1) throw new Error(JSON.stringify(found, (_, value) => String(value)))
  return found.readings[0]!
}

t.test('bytes of the family are read by a protocol that brings it, and by nobody without', async (t) => {
  for (const text of [bytes.toString('hex'), bytes.toString('base64'), JSON.stringify(craftOf(bytes))]) {
    const read = await readOnly(text)
    t.match(read, { family: 'near', title: 'NEAR', network: 'NEAR', form: 'unsigned', protocol: { title, action: 'unstake' } })
    t.match(
      read.sentence,
      /^Take 0\.75 NEAR out of stake with the pool pool-one\.poolv1\.near, .* on near:mainnet, which the bytes do not name; /,
    )
  }
  t.equal((await inspect({ text: bytes.toString('hex'), protocols: [], now })).kind, 'unreadable')
})

t.test('on agreed terms every difference is told', async (t) => {
  const read = async (changed: object) =>
    (await readOnly(bytes.toString('hex'), { trust: trustOf(changed), address: own.signer })).agreements
  t.match(await read({}), [{ differ: [], silent: ['The chain'] }])
  t.not((await read({ gas_tgas: 100 }))[0]?.differ.length ?? 0, 0, 'other gas than was agreed')
  const other = await readOnly(bytes.toString('hex'), { trust: trustOf({ pool: 'other.poolv1.near' }), address: own.signer })
  t.ok(other.unmatched.length > 0 || other.agreements.some(({ differ }) => differ.length > 0), 'another pool than was agreed')
})

t.test('a signature is checked, and who must sign is asked about', async (t) => {
  const signed = (signature: string) => Buffer.concat([bytes, Buffer.of(0), Buffer.from(signature, 'hex')]).toString('base64')
  t.match(await readOnly(signed(signatureOf(bytes, key))), { form: 'signed', signers: [{ signature: 'right' }] })
  const wrong = await readOnly(signed(signatureOf(bytes, keyPair('another').key)))
  t.ok(wrong.unusual.some(({ title: said }) => said === 'A signature is wrong'))
  const asked = await readOnly(bytes.toString('hex'))
  t.ok(asked.unusual.some(({ level }) => level === 'ask'))
})

t.test('an answer that contradicts itself, and a call that gives something away, are told', async (t) => {
  const craft = craftOf(bytes)
  const other = craftOf(writeTransaction({ ...own, nonce: 8n }))
  const mixed = await readOnly(JSON.stringify({ ...craft, signing_hash_hex: other.signing_hash_hex }))
  t.ok(mixed.unusual.some(({ title: said }) => said === 'The answer contradicts itself'))
  const tokens = writeTransaction({ ...own, receiver: 'token.near', method: 'ft_transfer', args: '{}' })
  const risky = await readOnly(tokens.toString('hex'))
  t.match(risky, { protocol: null })
  t.ok(risky.unusual.some(({ title: said }) => /transfer of tokens/.test(said)))
})

t.test('a named account with one of its keys is explained as well', async (t) => {
  const named = writeTransaction({ ...own, signer: 'alice.near' })
  t.match(await readOnly(named.toString('hex')), { protocol: { action: 'unstake' }, signers: [{ address: 'alice.near' }] })
})
