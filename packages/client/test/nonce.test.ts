import { type CraftOptions, createClient } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import { signedAnswer } from '@svc/testing/signed-answers'
import t from 'tap'
import { API_KEY, clientOf, craftAt, said, trusted, wanted } from './support/service.ts'

/** A client whose service crafts with the nonces that the test names. */
function crafting() {
  let nonce = 0
  const { monad } = clientOf(() => said(craftAt(nonce)))
  return {
    monad,
    at(next: number, options: CraftOptions = {}, address = wanted.address) {
      nonce = next
      return monad.delegate({ ...wanted, address }, options)
    },
  }
}
const waits = { name: 'MismatchError', message: /would lie in wait, so it is not signed: facts\.nonce should be at most/ }
const both = { name: 'MismatchError', message: /Both transactions could land/ }

t.test('a nonce may be sixteen beyond the last one that was seen of the signer, and no more', async (t) => {
  const { at } = crafting()
  await at(100)
  await at(116)
  await t.rejects(at(133), waits)
  await t.rejects(at(133), { message: /at most 132, or the one that you give and is 133/ }, 'what was refused raises nothing')
  await at(132)
  await at(0)
  await t.rejects(at(149), waits, 'a lower one lowers nothing')
  await at(148)
  await at(5_000, {}, `0x${'22'.repeat(20)}`)
  await t.rejects(at(5_000), waits, 'each signer has his own')
  await at(5_000, { facts: { nonce: '5000' } })
  await at(5_016, {}, wanted.address)
})

t.test('a nonce that the caller knows has to be that one', async (t) => {
  const { at } = crafting()
  await at(7, { facts: { nonce: '7' } })
  await t.rejects(at(8, { facts: { nonce: '7' } }), { name: 'MismatchError', message: /facts\.nonce/ })
})

t.test('what comes in the place of another one cannot land beside it', async (t) => {
  const { at } = crafting()
  const first = await at(7)
  await at(7, { replaces: first })
  await t.rejects(at(8, { replaces: first }), both)
  await t.rejects(at(7, { replaces: first }, `0x${'22'.repeat(20)}`), both, 'of another signer')
  const elsewhere = { ...first, request: { ...first.request, chainId: '1' } }
  await t.rejects(at(7, { replaces: elsewhere as never }), both, 'of another chain')
})

t.test('an action that the intent does not have is not asked for', async (t) => {
  const { monad, asked } = clientOf(() => said({}))
  for (const name of ['toString', 'stake', 'claimRewards']) await t.rejects(monad.craft(name, wanted), { name: 'SetupError' }, name)
  t.equal(asked.length, 0)
})

t.test('a family that counts nothing is crafted for all the same', async (t) => {
  const { counter: _, ...family } = evmThree.family
  const fetch: typeof globalThis.fetch = async (url, init) =>
    signedAnswer(String(url), new Headers(init?.headers), 200, JSON.stringify(craftAt(5_000)), {})
  const { monad } = createClient({ trust: trusted, apiKey: API_KEY, fetch, protocols: { monad: { ...evmThree, family } } })
  for (let times = 0; times < 2; times++) t.match(await monad.delegate(wanted), { sentence: /^Delegate 100 MON/ })
})
