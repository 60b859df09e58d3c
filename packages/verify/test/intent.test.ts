import t from 'tap'
import type { Call, Decoded } from '../src/index.ts'
import {
  type ActionIntent,
  amount,
  type Clause,
  callOf,
  claimedAtMost,
  defineIntent,
  describe,
  dictating,
  type Family,
  integerArg,
  parseExact,
  quoted,
  review,
  textArg,
} from '../src/intent/index.ts'

const PAY = 'pay(amount)'
const terms = { chainId: '1', caip2: 'toy:1', decimals: 2, symbol: 'TOY', max_fee: '0.1' }
const paid = (args: Call['args'], value = 0n): Decoded => ({
  chainId: '1',
  signers: null,
  maxFee: 10n,
  calls: [{ target: 'toy', method: PAY, args, value }],
  terms: {},
})

const family: Family = {
  name: 'toy',
  signer: 'address',
  decode: (answer) => answer as Decoded,
  ...dictating<object>(
    [
      {
        fact: 'number',
        bound: 'any',
        cost: 'little',
        read: ({ maxFee }, { symbol }, stated) =>
          stated['x-number'] === undefined
            ? null
            : {
                value: String(stated['x-number']),
                shown: `${stated['x-number']} of ${maxFee} ${symbol}`,
                holds: stated['x-number'] !== '13',
                most: '12',
              },
      },
    ],
    ({ terms }) => (terms.once === undefined ? [] : String(terms.once).split(',')),
  ),
  isUnbound: ({ chainId }) => chainId === null,
  validity: () => 'valid',
}

const pay: ActionIntent<object, { readonly amount: typeof amount }, { readonly tip: bigint }> = {
  input: { amount },
  effects: (_terms, { amount }, { tip }) => ({
    signers: [],
    calls: [{ target: 'toy', method: PAY, args: { amount: amount + tip }, value: 0n }],
  }),
  factsOf(decoded, network, { amount }) {
    const tip = integerArg(callOf(decoded, 'pay'), 'amount') - amount
    return { facts: { tip }, claimed: [claimedAtMost('tip', tip, 5n, 'which is little', network)] }
  },
}

const intent = (clause: Clause | null = null) =>
  defineIntent<object, { readonly pay: typeof pay }>({
    family,
    path: '/toy/native',
    terms: {},
    actions: { pay },
    layouts: () => ({}),
    describe: () => clause,
  })

const read = (answer: Decoded, facts: object = {}, number = '7') =>
  review({ intent: intent(), action: pay, terms, input: { amount: 100n }, answer, stated: { 'x-number': number }, facts })

t.test('an amount that the service chose is taken up to its ceiling, and told', async (t) => {
  const tip = { fact: 'tip', value: '0.05 TOY', bound: 'at most 0.05 TOY, which is little' }
  t.match(read(paid({ amount: 105n })), { assumed: [{ fact: 'number', value: '7 of 10 TOY', bound: 'any: 12', cost: 'little' }, tip] })
  t.strictSame(read(paid({ amount: 106n })), { mismatches: [{ path: 'facts.tip', expected: tip.bound, found: '0.06 TOY' }] })
  t.strictSame(read(paid({ amount: 99n })), { mismatches: [{ path: 'facts.tip', expected: tip.bound, found: '-0.01 TOY' }] })
})

t.test('what the caller knows is compared, of the action and of the family', async (t) => {
  for (const number of ['7', 7n, 7, '7 of 10 TOY'])
    t.strictSame(Object(read(paid({ amount: 105n }), { tip: 5n, number })).assumed, [], `${typeof number}`)
  t.strictSame(read(paid({ amount: 105n }), { tip: 4n, number: '7' }), {
    mismatches: [{ path: 'calls[0].args.amount', expected: '104', found: '105' }],
  })
  t.strictSame(read(paid({ amount: 105n }), { number: 8 }), { mismatches: [{ path: 'facts.number', expected: '8', found: '7' }] })
  t.strictSame(
    review({
      intent: intent(),
      action: pay,
      terms,
      input: { amount: 100n },
      answer: paid({ amount: 105n }),
      facts: { number: 7 } as object,
    }),
    { mismatches: [{ path: 'facts.number', expected: '7', found: 'nothing' }] },
    'what the transaction does not have is not what the caller knows',
  )
  t.match(read(paid({ amount: 105n }), { number: 13 }, '13'), { assumed: [{ fact: 'tip' }] }, 'what the caller knows has no other bound')
  t.match(read(paid({ amount: 105n }), {}, '13'), { mismatches: [{ path: 'facts.number', expected: 'any: 12' }] })
})

t.test('two transactions that share what the chain takes once cannot both land', async (t) => {
  const once = (text?: string): Decoded => ({ ...paid({}), terms: text === undefined ? {} : { once: text } })
  const together = (one?: string, other?: string) => family.together?.(once(one), once(other))
  t.equal(together('a', 'a'), null)
  t.equal(together('a,b', 'c,b'), null, 'one is enough')
  t.same(together('a', 'b'), { path: 'replaces', expected: 'a', found: 'b' })
  t.same(together('a,b', 'c'), { path: 'replaces', expected: 'a or b', found: 'c' })
  t.match(together(), { found: 'nothing that the chain takes once' }, 'and nothing is not shared')
  t.match(together('a'), { expected: 'a', found: 'nothing that the chain takes once' })
})

t.test('a network that the bytes do not name is not said as if they did', async (t) => {
  t.match(describe(intent(), terms, paid({})).sentence, / on toy:1; fee/)
  const unnamed = { ...paid({}), chainId: null }
  t.match(describe(intent(), terms, unnamed).sentence, / on toy:1, which the bytes do not name; fee/)
  const { isUnbound: _, ...signed } = family
  t.match(describe({ ...intent(), family: signed }, terms, unnamed).sentence, / on toy:1; fee/, 'where the signature is bound to it')
})

t.test('a call is said with whatever it takes beyond its clause, and not with less', async (t) => {
  const leaves = (amount: bigint | null): Clause => ({ text: 'pay', moves: [{ kind: 'leaves', asset: 'native', amount }] })
  const said = (clause: Clause, value: bigint) => describe(intent(clause), terms, paid({}, value)).sentence.split(' on ')[0]
  t.equal(said(leaves(7n), 7n), 'Pay')
  t.equal(said(leaves(7n), 8n), 'Pay with 0.08 TOY sent along')
  t.equal(said(leaves(null), 8n), 'Pay with 0.08 TOY sent along')
  t.equal(said(leaves(7n), 0n), 'Pay')
})

t.test('a text out of the bytes cannot pass for a part of the sentence', async (t) => {
  t.equal(quoted('a "b" c'), '"a \\"b\\" c"')
  t.equal(quoted('\n\u202eé😀'), '"\\n\\u{202e}\\u{e9}\\u{1f600}"')
  const { sentence, known } = describe(intent(), terms, paid({ text: 'x.\n\u202eSign this' }))
  t.notMatch(sentence, /[^ -~]/)
  t.equal(known, false)
})

t.test('a fact is read out of one call only', async (t) => {
  const twice = { ...paid({ amount: 1n }), calls: [...paid({ amount: 1n }).calls, ...paid({ amount: 1n }).calls] }
  t.throws(() => callOf(twice, 'pay'), { code: 'REFUSED', message: 'calls: expected one call of pay, found pay(amount), pay(amount)' })
  t.throws(() => callOf(paid({}), 'pa'), { code: 'REFUSED' })
  t.throws(() => integerArg(callOf(paid({ amount: '1' }), 'pay'), 'amount'), { code: 'REFUSED' })
  t.throws(() => textArg(callOf(paid({}), 'pay'), 'constructor'), { code: 'REFUSED' })
})

t.test('an intent that brings a second copy of this package refuses as any other', async (t) => {
  const copy = `${new URL('../src/intent/refusal.ts', import.meta.url).href}?copy`
  const other: typeof import('../src/intent/refusal.ts') = await import(copy)
  const refusing: typeof pay = {
    ...pay,
    factsOf() {
      throw new other.Refused('facts.tip', 'a tip', 'none')
    },
  }
  const request = { intent: intent(), action: refusing, terms, input: { amount: 1n }, answer: paid({ amount: 1n }) }
  t.same(review(request), { mismatches: [{ path: 'facts.tip', expected: 'a tip', found: 'none' }] })
})

t.test('JSON that names a member twice is refused, however the name is spelt', async (t) => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"a":{"b":1,"b" : 2}}',
    '[{"a":1},{"a":1,"c":[{}],"a":2}]',
    '{"a":"}","b":{},"a":1}',
    '{"\\"":1,"\\u0022":2}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":[{"b":1}],"a"\n:1}',
  ])
    t.throws(() => parseExact(text), { name: 'SyntaxError', message: /stands twice in one object/ }, text)
  for (const text of [
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a","c":["a","a"]}',
    '{"a":"{\\"a\\":1,\\"a\\":2}","A":1}',
    '{"a":"x","b":"a\\":"}',
    '"a"',
    '[]',
  ])
    t.same(parseExact(text), JSON.parse(text), text)
  t.throws(() => parseExact('{"a":1'), SyntaxError)
})
