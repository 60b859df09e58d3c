import fc from 'fast-check'
import t from 'tap'
import { move } from '../src/index.ts'
import { contextOf, nodeOf } from './support/node.ts'
import { keys } from './support/vectors.ts'

t.test('an address is 32 bytes in hex, and made lower case', async (t) => {
  const { address } = keys.ed25519
  t.equal(move.address(address), address)
  t.equal(move.address(`0x${address.slice(2).toUpperCase()}`), address)
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hex = Buffer.from(bytes).toString('hex')
      t.equal(move.address(`0x${hex.toUpperCase()}`), `0x${hex}`)
    }),
    { numRuns: 20 },
  )
})

t.test('what is no address is refused in a sentence, short forms too', async (t) => {
  for (const text of [
    '',
    '0x',
    '0x5',
    '11'.repeat(32),
    `0x${'1'.repeat(63)}`,
    `0x${'1'.repeat(65)}`,
    `0x${'1g'.repeat(32)}`,
    `0X${'11'.repeat(32)}`,
  ])
    t.throws(() => move.address(text), { statusCode: 400, code: 'ADDRESS_INVALID', message: `"${text}"` })
})

t.test('a chain that is neither mainnet nor testnet needs its identifier, in base58', async (t) => {
  const { fetch, asked } = nodeOf({})
  t.throws(() => contextOf(fetch, { chainId: 'devnet' }), {
    statusCode: 500,
    code: 'CHAIN_IDENTIFIER_MISSING',
    message: /devnet.*chain_identifier/,
  })
  for (const chain_identifier of ['35834a8a', 'O0Il', ''])
    t.throws(() => contextOf(fetch, { chainId: 'devnet', settings: { chain_identifier } }), /32 bytes in base58/)
  contextOf(fetch, { chainId: 'devnet', settings: { chain_identifier: '11111111111111111111111111111111' } })
  t.same(asked, [], 'and nothing is asked at start')
})
