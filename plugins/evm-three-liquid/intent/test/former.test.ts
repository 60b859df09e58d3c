import { hiddenIn, type Intent } from '@svc/verify/intent'
import t from 'tap'
import { evmThreeLiquid } from '../src/index.ts'

const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const pool = {
  vault: '0x8498312a6b3cbd158bf0c93abdcf29e6e4f55081',
  referral_id: 5,
  chainId: '143',
  caip2: 'eip155:143',
  decimals: 18,
  symbol: 'MON',
  max_fee: '5',
}
const changed = { ...pool, validator_id: 13, former_validators: [12] }
const actions = new Map(Object.entries<Intent['actions'][string]>(evmThreeLiquid.actions))
const callsOf = (name: string, terms: object, input: object) =>
  actions.get(name)?.effects(terms, { address: ADDRESS, amount: 5n, ...input }, { shares: 5n }).calls ?? []

t.test('a redemption may take the stake with a former validator that is pinned, and a deposit goes to none', async (t) => {
  t.match(callsOf('undelegate', changed, { validatorId: 12 }), [{ args: { validator: 12n } }])
  t.match(callsOf('undelegate', changed, {}), [{ args: { validator: 13n } }])
  t.match(callsOf('undelegate', { ...pool, former_validators: [12] }, { validatorId: 12 }), [{ args: { validator: 12n } }])
  t.notOk('validator' in (callsOf('undelegate', { ...pool, former_validators: [12] }, {})[0]?.args ?? {}), 'the pool chooses')
  t.throws(() => callsOf('undelegate', changed, { validatorId: 11 }), {
    message: /^input\.validatorId: expected one that is pinned: 13, 12, found 11/,
  })
  t.throws(() => callsOf('undelegate', pool, { validatorId: 12 }), {
    message: /^input\.validatorId: expected one that is pinned: none is, found 12/,
  })
  t.match(callsOf('delegate', changed, { validatorId: 12 }), [{ args: { validator: 13n } }])
})

t.test('a redemption from a former validator is no hidden call, and a deposit to one is', async (t) => {
  const hidden = (name: string, terms: typeof pool) => {
    const calls = callsOf(name, changed, {}).map((call) => ({ ...call, args: { ...call.args, validator: 12n } }))
    return hiddenIn(evmThreeLiquid, terms, { decoded: { chainId: '143', signers: null, maxFee: 0n, calls, terms: {} }, signers: [ADDRESS] })
  }
  t.equal(hidden('undelegate', changed), null)
  for (const terms of [pool, { ...changed, former_validators: [11] }]) t.ok(hidden('undelegate', terms), 'of one that is not pinned it is')
  t.match(hidden('delegate', changed), { why: 'where an action of this protocol has 13 in place of 12' })
})
