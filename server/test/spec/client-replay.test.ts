import { createClient, MismatchError } from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import { evmThree } from '@svc/intent-evm-three'
import { eventually } from '@svc/testing/eventually'
import { SigningKey } from 'ethers'
import t from 'tap'
import { freshWallet, sandbox } from '../support/service.ts'
import { trust } from '../support/trust.ts'

// Wallets of its own: others count what theirs have staked.
const [one, two] = [await freshWallet(), await freshWallet()]
const { address } = one
const key = new SigningKey(one.privateKey)
const pinned = await trust()
const svc = createClient({ trust: pinned, apiKey: sandbox.apiKey, protocols: { monad: evmThree } })

t.test('what comes in the place of an earlier transaction cannot land beside it', async (t) => {
  const first = await svc.monad.delegate({ address, amount: '100' })
  const again = await svc.monad.delegate({ address, amount: '101' }, { replaces: first })
  t.match(again.assumed, [{ fact: 'nonce' }], 'which tells the nonce all the same')
  const other = await svc.monad.delegate({ address: two.address, amount: '100' })
  await t.rejects(svc.monad.delegate({ address, amount: '100' }, { replaces: other }), {
    name: 'MismatchError',
    message: /replaces should be a transaction of the same signer on the same chain/,
  })
  const { together: _, ...untold } = evmThree.family
  const silent = createClient({ trust: pinned, apiKey: sandbox.apiKey, protocols: { monad: { ...evmThree, family: untold } } })
  await t.rejects(silent.monad.delegate({ address, amount: '100' }, { replaces: first }), {
    name: 'MismatchError',
    message: /replaces should be a family that tells which transactions exclude each other/,
  })
  await svc.monad.send(await first.sign(rawSigner({ sign: async (hash) => key.sign(hash).serialized })))
  // The service counts the first one, and takes the nonce behind it.
  const beside: unknown = await svc.monad.delegate({ address, amount: '100' }, { replaces: first }).catch((error: unknown) => error)
  t.ok(beside instanceof MismatchError)
  t.match(String(beside), /Both transactions could land, so this one is not signed: replaces should be nonce \d+ and is nonce \d+\./)
  await t.resolves(svc.monad.delegate({ address, amount: '100' }), 'which nobody asked about is crafted')
})

t.test('nonce, gas and price that the caller knows are compared exactly, and not assumed', async (t) => {
  const known = async () => {
    const { decoded } = await svc.monad.delegate({ address, amount: '100' })
    const { nonce, gasLimit, gasPrice } = decoded.terms
    const facts = { nonce, gasLimit, gasPrice: String(gasPrice) }
    const exact: unknown = await svc.monad.delegate({ address, amount: '100' }, { facts }).catch((error: unknown) => error)
    return { nonce, exact }
  }
  // A block in between moves the price, and the chain makes some behind a transaction that is not final yet: then both are asked for once more.
  const moved = ({ exact }: { readonly exact: unknown }) => exact instanceof MismatchError && /facts\.gasPrice/.test(exact.message)
  const { nonce, exact } = await eventually('two crafts at one price', known, (each) => !moved(each), 1_000)
  t.match(exact, { assumed: [] })
  for (const [name, other] of [
    ['nonce', BigInt(nonce ?? 0) + 1n],
    ['gasLimit', 1],
    ['gasPrice', '0'],
  ] as const) {
    const found: unknown = await svc.monad
      .delegate({ address, amount: '100' }, { facts: { [name]: other } })
      .catch((error: unknown) => error)
    t.match(found, { name: 'MismatchError', mismatches: [{ path: `facts.${name}`, expected: String(other) }] })
  }
})

t.test('gas above the pinned limit is refused, though the fee is below its cap', async (t) => {
  const protocols = pinned.protocols.map(({ path, networks }) => ({
    path,
    networks: networks.map((network) => ({ ...network, terms: { ...network.terms, max_gas_limit: 21_000 } })),
  }))
  t.ok('max_gas_limit' in (pinned.protocols.find(({ path }) => path === evmThree.path)?.networks[0]?.terms ?? {}), 'svc trust prints it')
  const strict = createClient({ trust: { ...pinned, protocols }, apiKey: sandbox.apiKey, protocols: { monad: evmThree } })
  const found: unknown = await strict.monad.delegate({ address, amount: '100' }).catch((error: unknown) => error)
  t.match(found, { name: 'MismatchError', mismatches: [{ path: 'facts.gasLimit' }] })
})

t.test('a fee far above what the intent calls usual is told, and breaks no promise', async (t) => {
  const usual = await svc.monad.delegate({ address, amount: '100' })
  t.same(usual.warnings, [])
  const cheap = createClient({ trust: pinned, apiKey: sandbox.apiKey, protocols: { monad: { ...evmThree, usualFee: '0.000000001' } } })
  const { warnings, sentence } = await cheap.monad.delegate({ address, amount: '100' })
  // Blocks that others mine meanwhile move the price of gas.
  const withoutFee = (text: string) => text.replace(/fee at most [\d.]+/, '')
  t.equal(withoutFee(sentence), withoutFee(usual.sentence))
  t.match(warnings, [
    /^The fee is at most 0\.\d+ MON\. An action of .* usually costs 0\.000000001 MON and less; this may be more than 10 times that\.$/,
  ])
})

t.test('a nonce far beyond the last one that the client saw is refused, unless the caller gives it', async (t) => {
  let nonce = 5n
  // Only the number is another one: what is read of the bytes is the service's own.
  const family: typeof evmThree.family = {
    ...evmThree.family,
    decode(...given) {
      const decoded = evmThree.family.decode(...given)
      return { ...decoded, terms: { ...decoded.terms, nonce } }
    },
  }
  const { monad } = createClient({ trust: pinned, apiKey: sandbox.apiKey, protocols: { monad: { ...evmThree, family } } })
  const craft = (count: bigint, who = address, facts?: Readonly<Record<string, unknown>>) => {
    nonce = count
    return monad.delegate({ address: who, amount: '100' }, facts ? { facts } : {}).then(
      () => 'taken',
      (error: unknown) => String(error),
    )
  }
  const ahead =
    /^MismatchError: The transaction would lie in wait, so it is not signed: facts\.nonce should be at most 37, or the one that you give and is 38\.$/
  t.equal(await craft(5n), 'taken', 'of the first nothing is known')
  t.equal(await craft(21n), 'taken')
  t.match(await craft(38n), ahead)
  t.match(await craft(38n), ahead, 'and what was refused is not remembered')
  t.equal(await craft(3n), 'taken', 'a lower one is the chain’s to judge')
  t.match(await craft(38n), ahead, 'and the highest one counts')
  t.equal(await craft(100n, two.address), 'taken', 'of another signer')
  t.equal(await craft(38n, address, { nonce: 38 }), 'taken')
  t.equal(await craft(54n), 'taken', 'which is the last one then')
})
