import t from 'tap'
import { cosmos } from '../src/cosmos/index.ts'
import { evm } from '../src/evm/index.ts'
import type { Decoded } from '../src/index.ts'
import type { Family } from '../src/intent/index.ts'
import { move } from '../src/move/index.ts'
import { svm } from '../src/svm/index.ts'

const network = { chainId: 'x', caip2: 'x:main', decimals: 9, symbol: 'TOY', max_fee: '0.5' }
const decoded = (terms: Decoded['terms'], maxFee = 0n, signers: readonly string[] = ['a']): Decoded => ({
  chainId: 'x',
  signers,
  maxFee,
  calls: [],
  terms,
})
const claims = (family: Family<any>, read: Decoded, terms: object = {}, stated = {}) =>
  Object.fromEntries((family.claimed?.(stated, read, { ...network, ...terms }) ?? []).map((each) => [each.fact, each]))
const holds = (family: Family<any>, fact: string, read: Decoded, terms: object = {}) => claims(family, read, terms)[fact]?.holds

t.test('EVM: nonce, gas limit and gas price, the gas limit within the pinned one', async (t) => {
  const read = (gasLimit: bigint) => decoded({ nonce: 7n, gasLimit, gasPrice: 3n }, 3n * gasLimit)
  const pinned = { max_gas_limit: 100_100, gas_limit_percent: 150 }
  t.same(Object.keys(claims(evm, read(9n))), ['nonce', 'gasLimit', 'gasPrice'])
  t.match(claims(evm, read(9n), pinned), {
    nonce: { value: '7', exact: '7', cost: /once more for each transaction/ },
    gasLimit: { value: '9', bound: /: 150150$/ },
    gasPrice: { exact: '3', value: '3 wei, a fee of at most 0.000000027 TOY', bound: /: 0\.5 TOY$/, cost: /^up to 0\.5 TOY for each/ },
  })
  t.ok(holds(evm, 'gasLimit', read(150_150n), pinned))
  t.notOk(holds(evm, 'gasLimit', read(150_151n), pinned))
  t.ok(holds(evm, 'gasLimit', read(100_100n), { max_gas_limit: 100_100 }))
  t.notOk(holds(evm, 'gasLimit', read(100_101n), { max_gas_limit: 100_100 }), '100 percent, where none is pinned')
  for (const terms of [pinned, {}]) {
    t.notOk(holds(evm, 'gasLimit', read(21_000n), terms), 'enough for a transfer alone')
    t.notOk(holds(evm, 'gasLimit', read(25_999n), terms))
    t.ok(holds(evm, 'gasLimit', read(26_000n), terms))
  }
  t.ok(holds(evm, 'gasLimit', read(10n ** 9n)), 'an older document bounds the fee alone')
  t.notOk(holds(evm, 'gasLimit', decoded({ nonce: 7n }), pinned), 'a transaction without one')
  t.equal(evm.together?.(read(1n), read(2n)), null, 'of one nonce')
  t.match(evm.together?.(read(1n), decoded({ nonce: 8n })), { expected: 'nonce 7', found: 'nonce 8' })
})

t.test('Cosmos: the least gas and the least price, and above them `max_fee` alone', async (t) => {
  const hub = cosmos({ prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1' })
  const pinned = { gas_price_minimum: '0.005', gas_price_percent: 110 }
  const read = (fee: bigint, gasLimit = 100_000n) => decoded({ sequence: 3n, gasLimit, fee }, fee)
  t.same(Object.keys(claims(hub, read(1n))), ['accountNumber', 'sequence', 'gasLimit', 'fee'])
  t.match(claims(hub, read(500n), pinned, { 'x-account-number': '12' }), {
    accountNumber: { value: '12', cost: 'nothing' },
    sequence: { exact: '3' },
    fee: { exact: '500', value: '0.0000005 TOY, 0.005 uatom for each unit of gas', bound: /: 0\.5 TOY$/, cost: /^up to 0\.5 TOY/ },
  })
  t.ok(holds(hub, 'fee', read(10n ** 8n), pinned), 'on a day on which gas is dear')
  t.notOk(holds(hub, 'fee', read(0n), pinned), 'no fee')
  t.notOk(holds(hub, 'fee', read(0n)), 'no fee, by an older document')
  t.ok(holds(hub, 'fee', read(1n)))
  t.notOk(holds(hub, 'fee', read(549n), pinned), 'below the least price with its percentage')
  t.ok(holds(hub, 'fee', read(550n), pinned))
  t.notOk(holds(hub, 'fee', read(499n), { gas_price_minimum: '0.005' }), 'without a percentage it is 100')
  t.ok(holds(hub, 'fee', read(500n), { gas_price_minimum: '0.005' }))
  t.ok(holds(hub, 'fee', read(0n), { ...pinned, gas_price_minimum: '0' }), 'where the chain takes nothing')
  t.notOk(holds(hub, 'fee', read(5_499_999n, 10n ** 9n), pinned), 'the fee follows the gas limit, and with it `max_fee` bounds it')
  for (const terms of [pinned, {}]) {
    t.notOk(holds(hub, 'gasLimit', read(1n, 39_999n), terms))
    t.ok(holds(hub, 'gasLimit', read(1n, 40_000n), terms))
    t.ok(holds(hub, 'gasLimit', read(1n, 3_948_384n), terms), 'of an account that a stranger has made large')
    t.notOk(holds(hub, 'gasLimit', decoded({ sequence: 3n }), terms), 'a transaction without one')
  }
  t.notOk(holds(hub, 'fee', decoded({ sequence: 3n }, 10n ** 6n), pinned), 'a fee for no gas limit')
  t.equal(hub.together?.(read(1n), read(2n)), null)
  t.match(hub.together?.(read(1n), decoded({ sequence: 4n })), { found: 'sequence 4' })
})

t.test('Solana: the network, which no byte names, the block hash, and a fee within so many times that of signatures', async (t) => {
  const read = (maxFee: bigint, signers = ['a'], terms: Decoded['terms'] = { blockhash: 'B', unitLimit: 200n, unitPrice: 1n }) =>
    decoded(terms, maxFee, signers)
  t.same(Object.keys(claims(svm, read(1n))), ['network', 'blockhash', 'unitLimit', 'fee'])
  t.same(Object.keys(claims(svm, read(1n, ['a'], { nonce: 'N' }))), ['network', 'nonce', 'fee'])
  t.match(claims(svm, read(10_000n), { fee_ceiling: 25 }), {
    network: { value: 'x:main', cost: /use a key on one cluster alone/ },
    blockhash: { value: 'B' },
    fee: { exact: '10000', value: '0.00001 TOY', bound: /: 0\.000125 TOY$/, cost: /^up to 0\.000125 TOY/ },
  })
  t.ok(holds(svm, 'fee', read(125_000n), { fee_ceiling: 25 }))
  t.notOk(holds(svm, 'fee', read(125_001n), { fee_ceiling: 25 }))
  t.ok(holds(svm, 'fee', read(250_000n, ['a', 'b']), { fee_ceiling: 25 }), 'for each signature')
  t.notOk(holds(svm, 'fee', read(250_001n, ['a', 'b']), { fee_ceiling: 25 }))
  t.ok(holds(svm, 'fee', read(10n ** 9n)), 'an older document bounds the fee alone')
  t.match(svm.together?.(read(1n), read(1n)), { path: 'replaces' }, 'a block hash is used by many')
  const durable = read(1n, ['a'], { nonce: 'N' })
  t.equal(svm.together?.(durable, durable), null)
  t.ok(svm.together?.(durable, read(1n, ['a'], { nonce: 'M' })))
})

t.test('Sui: a gas price that the chain takes, a budget within what staking takes at it, and what is used up', async (t) => {
  const read = (gasPrice: bigint, budget: bigint, gasPayment = '0x1@7#A', more: Decoded['terms'] = {}) =>
    decoded({ gasPrice, gasBudget: budget, gasPayment, expiration: 'valid-during:5-6:0', 'object:0x5': 'shared@1:mut', ...more }, budget)
  t.same(Object.keys(claims(move, read(1n, 1n))), ['gasPrice', 'gasBudget', 'gasPayment', 'expiration', 'objects'])
  t.match(claims(move, read(500n, 7n)), {
    gasPrice: { exact: '500', value: '500 MIST', bound: /^at most 100,000 MIST/ },
    gasBudget: { exact: '7', bound: /: 0\.0755 TOY, 0\.5 TOY$/, cost: /^up to 0\.5 TOY/ },
    gasPayment: { value: '0x1@7#A' },
    objects: { value: '0x5 shared@1:mut' },
  })
  t.ok(holds(move, 'gasPrice', read(100_000n, 1n)))
  t.notOk(holds(move, 'gasPrice', read(100_001n, 1n)))
  t.notOk(holds(move, 'gasPrice', decoded({ gasBudget: 1n, gasPayment: '0x1@7#A' }, 1n)), 'a transaction without one')
  t.ok(holds(move, 'gasBudget', read(500n, 75_500_000n)))
  t.notOk(holds(move, 'gasBudget', read(500n, 75_500_001n)))
  t.ok(holds(move, 'gasBudget', read(500n, 76_000_000n, '0x1@7#A,0x2@8#B')), 'a coin more')
  t.notOk(holds(move, 'gasBudget', read(500n, 76_000_001n, '0x1@7#A,0x2@8#B')))
  t.equal(move.together?.(read(1n, 1n), read(2n, 2n)), null, 'a coin is used once')
  t.equal(move.together?.(read(1n, 1n, '0x1@7#A,0x2@8#B'), read(1n, 1n, '0x3@1#C,0x2@8#B')), null, 'one of several too')
  t.ok(move.together?.(read(1n, 1n), read(1n, 1n, '0x1@8#A')), 'in another state it is another one')
  t.ok(move.together?.(read(1n, 1n, 'address-balance'), read(1n, 1n, 'address-balance')), 'an address balance is not used up')
  const position = { 'object:0x9': 'owned@4#D' }
  t.equal(move.together?.(read(1n, 1n, 'address-balance', position), read(1n, 1n, '0x1@7#A', position)), null)
})

t.test('Sui: a craft that names no chain is refused', async (t) => {
  // Whatever the recorded vectors have in bytes: one is bound to a chain, which the test calls x, and four are paid for by coins, without expiration.
  const { default: vectors } = await import('./vectors/move-transactions.json', { with: { type: 'json' } })
  const texts: readonly string[] =
    JSON.stringify(vectors)
      .match(/"[A-Za-z0-9+/]{200,}={0,2}"/g)
      ?.map((each) => each.slice(1, -1)) ?? []
  const outcomes: Record<string, number> = {}
  for (const unsigned_tx_b64 of texts) {
    const terms = { ...network, chain_identifier: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' }
    const outcome = () => {
      try {
        return `names ${move.decode({ unsigned_tx_b64 }, {}, terms, {}).chainId}`
      } catch (error) {
        return String(error).replace(/^DecodeError: (the bytes name no chain), .*$/, 'refused: $1')
      }
    }
    const what = outcome()
    outcomes[what] = (outcomes[what] ?? 0) + 1
  }
  t.same(outcomes, { 'names x': 1, 'refused: the bytes name no chain': 4 })
})
