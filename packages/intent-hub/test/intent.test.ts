import { check, type Decoded, type Effects } from '@svc/verify'
import { type CraftReview, describe, hiddenIn, Refused, review } from '@svc/verify/intent'
import t from 'tap'
import { hubIntent, hubOne, hubTwo, layouts, type Terms } from '../src/index.ts'

const PUBKEY = '034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff'
const DELEGATOR = 'cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04'
const VALIDATOR = 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt'
const terms = { chainId: 'cosmoshub-4', caip2: 'cosmos:cosmoshub-4', decimals: 6, symbol: 'ATOM', max_fee: '0.1', validator: VALIDATOR }
const { stake, unstake, 'claim-rewards': claimRewards } = hubOne.actions

const decodedOf = ({ signers, calls }: Effects): Decoded => ({
  chainId: 'cosmoshub-4',
  signers,
  calls,
  maxFee: 3000n,
  terms: { sequence: 7n },
})

t.test('each action is one message of the account whose key it is', async (t) => {
  const args = { delegator: DELEGATOR, validator: VALIDATOR }
  const coins = { denom: 'uatom', amount: 5n }
  const cases = [
    [stake.effects(terms, { pubkey: PUBKEY, amount: 5n }), 'staking.v1beta1.MsgDelegate', { ...args, ...coins }, 5n],
    [unstake.effects(terms, { pubkey: PUBKEY, amount: 9n }, { amount: 5n }), 'staking.v1beta1.MsgUndelegate', { ...args, ...coins }, 0n],
    [claimRewards.effects(terms, { pubkey: PUBKEY }), 'distribution.v1beta1.MsgWithdrawDelegatorReward', args, 0n],
  ] as const
  for (const [effects, type, promised, value] of cases) {
    const method = `${type.split('.').at(-1)}(${Object.keys(promised).join(', ')})`
    t.strictSame(effects, { signers: [DELEGATOR], calls: [{ target: `/cosmos.${type}`, method, args: promised, value }], layouts })
    t.strictSame(check({ ...effects, chainId: null, maxFee: 0n, terms: {} }, effects, { chainId: '', maxFee: 0n }), [])
  }
})

t.test('every spelling of a key is the same account, and what is no key is nobody', async (t) => {
  for (const pubkey of [`0x${PUBKEY}`, PUBKEY.toUpperCase(), ` ${PUBKEY} `])
    t.strictSame(claimRewards.effects(terms, { pubkey }).signers, [DELEGATOR], pubkey)
  t.not(claimRewards.effects(terms, { pubkey: `02${PUBKEY.slice(2)}` }).signers[0], DELEGATOR)
  for (const pubkey of ['', PUBKEY.slice(2), `${PUBKEY}00`, 'key'])
    t.throws(() => claimRewards.effects(terms, { pubkey }), { name: Refused.name, message: /^input\.pubkey: expected a secp256k1 key/ })
})

t.test('each hub has its own names, path and actions', async (t) => {
  t.equal(hubOne.path, '/hub-one/native')
  t.equal(hubTwo.path, '/hub-two/native')
  t.match(hubTwo.actions.stake.effects(terms, { pubkey: PUBKEY, amount: 1n }).calls[0]?.args, { denom: 'utia' })
  t.match(hubTwo.actions.stake.effects(terms, { pubkey: PUBKEY, amount: 1n }).signers[0], /^celestia1/)
  t.strictSame(Object.keys(hubIntent({ prefix: 'a', denom: 'b', algorithm: 'secp256k1', path: '/c/d' }).actions), [
    'stake',
    'unstake',
    'claim-rewards',
  ])
})

function say(effects: Effects) {
  const { deed, ...rest } = describe(hubOne, terms, decodedOf(effects))
  t.equal(`${deed.slice(0, -1)};`, rest.sentence.slice(0, deed.length), 'without fee and validity')
  return rest
}
const END = 'on cosmos:cosmoshub-4; fee at most 0.003 ATOM; valid while the sequence of the account is 7.'

t.test('each action is said in a sentence, with what it moves', async (t) => {
  t.strictSame(say(stake.effects(terms, { pubkey: PUBKEY, amount: 1_500_000n })), {
    sentence: `Delegate 1.5 ATOM of ${DELEGATOR} to validator ${VALIDATOR} ${END}`,
    moves: [
      { kind: 'leaves', asset: 'native', amount: 1_500_000n },
      { kind: 'staked', asset: 'native', amount: 1_500_000n },
    ],
    known: true,
  })
  t.strictSame(say(unstake.effects(terms, { pubkey: PUBKEY, amount: 1n }, { amount: 1n })), {
    sentence: `Undelegate 0.000001 ATOM of ${DELEGATOR} from validator ${VALIDATOR} ${END}`,
    moves: [{ kind: 'freed', asset: 'native', amount: 1n }],
    known: true,
  })
  const claimed = say(claimRewards.effects(terms, { pubkey: PUBKEY }))
  const withdrawAddress = 'paid to the withdraw address that the account has set, which is its own unless it chose another'
  t.equal(claimed.sentence, `Claim the rewards of ${DELEGATOR} from validator ${VALIDATOR}, ${withdrawAddress} ${END}`)
  t.strictSame(claimed.moves, [{ kind: 'arrives', asset: 'native', amount: null }])
})

t.test('what is no message of the protocol, or of another token, is said to be unknown', async (t) => {
  const [call] = stake.effects(terms, { pubkey: PUBKEY, amount: 1n }).calls
  for (const change of [{ target: '/cosmos.bank.v1beta1.MsgSend' }, { args: { ...call?.args, denom: 'uosmo' } }]) {
    const { known, sentence } = say({ signers: [], calls: [{ ...call, ...change } as Effects['calls'][number]] })
    t.equal(known, false)
    t.match(sentence, /^Make a call that this protocol does not know/)
  }
})

t.test('an exit may be all that there is, less by what a JSON number cannot carry, and no less', async (t) => {
  const asked = 17_179_869_184_000_004n
  const read = (found: bigint, facts = {}) =>
    review({
      intent: {
        ...hubOne,
        family: {
          ...hubOne.family,
          // The gas of an exit: without it the family says that the limit is too little for any transaction.
          decode: () => ({
            ...decodedOf(unstake.effects(terms, { pubkey: PUBKEY, amount: asked }, { amount: found })),
            terms: { gasLimit: 300_000n },
          }),
        },
      },
      action: unstake,
      terms,
      input: { pubkey: PUBKEY, amount: asked },
      answer: {},
      stated: { 'x-account-number': '5' },
      facts,
    })
  const facts = (found: bigint, own = {}) =>
    (read(found, own) as CraftReview).assumed
      ?.filter(({ fact }) => ['accountNumber', 'amount'].includes(fact))
      .map(({ fact, value }) => `${fact} ${value}`)
  t.strictSame(facts(asked), ['accountNumber 5'])
  t.strictSame(facts(asked - 100n), ['accountNumber 5', 'amount 17179869183.999904 ATOM'])
  t.match(read(asked - 101n), { mismatches: [{ path: 'facts.amount' }] })
  t.match(read(asked + 1n), { mismatches: [{ path: 'facts.amount' }] })
  t.strictSame(facts(asked - 100n, { amount: asked - 100n }), ['accountNumber 5'], 'what the caller knows is not assumed')
  t.match(read(asked - 99n, { amount: asked - 100n }), { mismatches: [{ path: 'calls[0].args.amount' }] }, 'and compared exactly')
})

t.test('an exit and a claim may be about a former validator that is pinned, and a stake never is', (t) => {
  const former = 'cosmosvaloper1xvenxvenxvenxvenxvenxvenxvenxvene23vre'
  const pinned = { ...terms, former_validators: [former] }
  const exit = unstake.effects(pinned, { pubkey: PUBKEY, amount: 5n, validator: former }, { amount: 5n })
  const claim = claimRewards.effects(pinned, { pubkey: PUBKEY, validator: former })
  for (const { calls } of [exit, claim]) t.match(calls, [{ args: { validator: former } }])
  for (const validator of [undefined, VALIDATOR])
    t.match(claimRewards.effects(pinned, { pubkey: PUBKEY, validator }).calls, [{ args: { validator: VALIDATOR } }], 'else the present one')
  for (const agreed of [terms, { ...pinned, former_validators: [] }]) {
    const refused = { name: Refused.name, message: /^input\.validator: expected one that is pinned: cosmosvaloper1yg3/ }
    t.throws(() => unstake.effects(agreed, { pubkey: PUBKEY, amount: 5n, validator: former }, { amount: 5n }), refused)
    t.throws(() => claimRewards.effects(agreed, { pubkey: PUBKEY, validator: former }), refused)
  }

  const hidden = (effects: Effects, agreed: Parameters<typeof hiddenIn<Terms>>[1]) =>
    hiddenIn<Terms>(hubOne, agreed, { decoded: decodedOf(effects), signers: [PUBKEY] })
  for (const effects of [exit, claim]) {
    t.equal(hidden(effects, pinned), null, 'what leaves a former one is no hidden call')
    t.match(
      hidden(effects, terms),
      { why: `where an action of this protocol has ${VALIDATOR} in place of ${former}` },
      'of one that is not pinned it is',
    )
  }
  const staked = stake.effects({ ...terms, validator: former }, { pubkey: PUBKEY, amount: 5n })
  t.match(hidden(staked, pinned), { why: `where an action of this protocol has ${VALIDATOR} in place of ${former}` })
  t.end()
})
