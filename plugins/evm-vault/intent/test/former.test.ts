import { hiddenIn, type Intent, readInput } from '@svc/verify/intent'
import t from 'tap'
import { evmVault } from '../src/index.ts'
import { ADDRESS, ETHER, network, REFERRER, VAULT } from './support.ts'

const FORMER = '0xba447498dc4c169f2b4f427b2c4d532320457e89'
/** As a trust document may spell it. */
const SPELLED = FORMER.toUpperCase().replace('X', 'x')
const pinned = { ...network, former_validators: [SPELLED] }
const actions = new Map(Object.entries<Intent['actions'][string]>(evmVault.actions))
const facts = { harvest: null, shares: ETHER, way: 'queue', claims: [{ ticket: 7n, timestamp: 1_700_000_000n, index: 4n }] }
const effectsOf = (name: string, terms: object, input: object) =>
  actions.get(name)?.effects(terms, { address: ADDRESS, amount: ETHER, ...input }, facts)

t.test('what leaves may be about a former vault that is pinned, and a stake never is', async (t) => {
  for (const name of ['unstake', 'withdraw']) {
    for (const vault of [FORMER, SPELLED]) t.match(effectsOf(name, pinned, { vault })?.calls, [{ target: FORMER }], name)
    t.match(effectsOf(name, pinned, {})?.calls, [{ target: VAULT }], `${name} of the present one`)
    t.throws(() => effectsOf(name, network, { vault: FORMER }), {
      message: /^input\.vault: expected one that is pinned: 0xac0f.*, found 0xba44/,
    })
    t.throws(() => effectsOf(name, pinned, { vault: REFERRER }), { message: /^input\.vault: .*, found 0x2222/ })
  }
  t.throws(() => readInput(actions.get('stake')?.input ?? {}, { address: ADDRESS, amount: '1', vault: FORMER }, 18), {
    message: /input\.vault/,
  })
  t.match(effectsOf('stake', pinned, { vault: FORMER })?.calls, [{ target: VAULT }], 'stake')
})

t.test('what leaves a former vault is no hidden call, and a stake there is', async (t) => {
  const hidden = (name: string, terms: typeof network) => {
    const own = effectsOf(name, pinned, { vault: FORMER })
    // As somebody crafts it elsewhere: a stake knows no other vault than the present one.
    const calls = (own?.calls ?? []).map((call) => ({ ...call, target: FORMER }))
    return hiddenIn(evmVault, terms, { decoded: { chainId: '1', signers: null, maxFee: 0n, calls, terms: {} }, signers: [ADDRESS] })
  }
  for (const name of ['unstake', 'withdraw']) {
    t.equal(hidden(name, pinned), null, name)
    t.match(hidden(name, network), { why: 'which no action of this protocol does' }, `${name} where it is not pinned`)
  }
  t.match(hidden('stake', pinned), { why: `where an action of this protocol has ${VAULT} in place of ${FORMER}` })
})
