import t from 'tap'
import { bothLandByBytes } from '../src/replaces.ts'

/** A family whose crafts are what they decode to, and of which the chain takes a nonce once. */
const intent = {
  layouts: () => [],
  family: {
    decode: (craft: unknown) => craft,
    together: (one: { nonce: number }, other: { nonce: number }) =>
      one.nonce === other.nonce ? null : { path: 'replaces', expected: `nonce ${one.nonce}`, found: `nonce ${other.nonce}` },
  },
}
const craft = (nonce: number, signers: readonly string[] | null, chainId = 'one') => ({ nonce, signers, chainId })
const compare = (earlier: object, now: object) => bothLandByBytes(intent as never, earlier, {} as never, {}, now as never)

t.test('two crafts of one wallet exclude each other by what the chain takes once, whoever else signs', (t) => {
  t.equal(compare(craft(1, ['wallet', 'a new account']), craft(1, ['wallet', 'another new one'])), null)
  t.match(compare(craft(1, ['wallet']), craft(2, ['wallet'])), { path: 'replaces', expected: 'nonce 1', found: 'nonce 2' })
  for (const [what, earlier] of [
    ['of somebody else', craft(1, ['other', 'wallet'])],
    ['on another chain', craft(1, ['wallet'], 'two')],
    ['of nobody that is named', craft(1, null)],
  ] as const)
    t.match(compare(earlier, craft(1, ['wallet'])), { path: 'replaces', expected: /same signer on the same chain/ }, what)
  t.equal(compare(craft(1, null), craft(1, null)), null, 'where no bytes name one')
  t.end()
})
