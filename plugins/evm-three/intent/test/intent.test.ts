import { evmAnswer } from '@svc/testing/evm-answer'
import { type CraftRejection, type CraftReview, type Intent, readInput, review } from '@svc/verify/intent'
import { Interface } from 'ethers'
import t from 'tap'
import { evmThree } from '../src/index.ts'

const STAKING = '0x0000000000000000000000000000000000001000'
const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const MON = 10n ** 18n
const network = {
  staking: STAKING,
  validator_id: 12,
  chainId: '143',
  caip2: 'eip155:143',
  decimals: 18,
  symbol: 'MON',
  max_fee: '1',
}
const abi = new Interface([
  'function delegate(uint64) payable',
  'function undelegate(uint64, uint256, uint8)',
  'function withdraw(uint64, uint8)',
  'function claimRewards(uint64)',
  'function compound(uint64)',
])

interface Tried {
  readonly given?: Readonly<Record<string, unknown>>
  readonly method: string
  readonly args: readonly unknown[]
  readonly value?: bigint
  readonly to?: string
  readonly facts?: Readonly<Record<string, unknown>>
}

/** What the action took on the service's word; what the family takes of every transaction has a cost. */
const ofAction = (found: object) => ('assumed' in found ? (found as CraftReview).assumed.filter(({ cost }) => cost === undefined) : found)

/** What the caller's own check makes of a call. */
function reviewed(name: string, { given, method, args, value = 0n, to = STAKING, facts }: Tried): CraftReview | CraftRejection {
  const intent: Intent = evmThree
  const action = intent.actions[name]
  if (!action) throw new Error(`there is no action ${name}`)
  const answer = evmAnswer('143', { to, value, data: abi.encodeFunctionData(method, args) })
  const input = readInput(action.input, { address: ADDRESS, ...given }, 18)
  return review({ intent, action, terms: network, input, answer, ...(facts && { facts }) })
}

const undelegated = (amount: bigint) => ({
  given: { amount: '100', withdrawId: 3 },
  method: 'undelegate',
  args: [12, amount, 3],
})

t.test('every action is taken and said word for word', async (t) => {
  const at = `validator 12 through ${STAKING} on eip155:143; fee at most 0.00024 MON; valid while the nonce of the account is 7.`
  const native = (kind: string, amount: bigint | null = null) => ({ kind, asset: 'native', amount })
  const cases: readonly (readonly [name: string, tried: Tried, sentence: string, moves: readonly object[]])[] = [
    [
      'delegate',
      { given: { amount: '1.5' }, method: 'delegate', args: [12], value: (3n * MON) / 2n },
      `Delegate 1.5 MON to ${at}`,
      [native('leaves', (3n * MON) / 2n), native('staked', (3n * MON) / 2n)],
    ],
    [
      'undelegate',
      undelegated(100n * MON),
      `Undelegate 100 MON from ${at.replace(' on ', ' into the withdrawal slot 3, and with it what would be left below 0.000000001 MON on ')}`,
      [native('freed', 100n * MON)],
    ],
    ['withdraw', { given: { withdrawId: 0 }, method: 'withdraw', args: [12, 0] }, `Withdraw the slot 0 from ${at}`, [native('arrives')]],
    ['claim-rewards', { method: 'claimRewards', args: [12] }, `Claim the rewards from ${at}`, [native('arrives')]],
    ['compound', { method: 'compound', args: [12] }, `Add the rewards to the stake with ${at}`, [native('staked')]],
  ]
  t.same(
    cases.map(([name]) => name),
    Object.keys(evmThree.actions),
  )
  for (const [name, tried, sentence, moves] of cases) {
    const found = reviewed(name, tried)
    t.match(found, { sentence, known: true }, name)
    t.same(ofAction(found), [], name)
    t.same('moves' in found && found.moves, moves, name)
    const [validator, ...rest] = tried.args
    t.match(reviewed(name, { ...tried, args: [Number(validator) + 1, ...rest] }), { mismatches: [{ path: 'calls[0].args.validator' }] })
    t.match(reviewed(name, { ...tried, to: ADDRESS }), { mismatches: [{ path: 'calls[0].target' }] })
    t.match(reviewed(name, { ...tried, value: (tried.value ?? 0n) + 1n }), { mismatches: [{ path: 'calls[0].value' }] })
  }
})

t.test('an undelegation may be less than what was asked for by the precision of a JSON number, and is told', async (t) => {
  const bound = '100 MON, or all that there is where that is less by 0.000000000001 at most'
  const found = reviewed('undelegate', undelegated(100n * MON - 1_000_000n))
  t.same(ofAction(found), [{ fact: 'amount', value: '99.999999999999 MON', bound }])
  for (const amount of [100n * MON - 1_000_001n, 100n * MON + 1n])
    t.match(reviewed('undelegate', undelegated(amount)), { mismatches: [{ path: 'facts.amount', expected: bound }] })
  t.match(reviewed('undelegate', { ...undelegated(100n * MON), args: [12, 100n * MON, 4] }), {
    mismatches: [{ path: 'calls[0].args.slot' }],
  })
})

t.test('the amount that the caller knows is compared exactly and not assumed', async (t) => {
  const facts = { amount: 70n * MON }
  const right = reviewed('undelegate', { ...undelegated(70n * MON), facts })
  t.match(right, { sentence: /^Undelegate 70 MON / })
  t.same(ofAction(right), [])
  t.match(reviewed('undelegate', { ...undelegated(100n * MON), facts }), { mismatches: [{ path: 'calls[0].args.amount' }] })
})

t.test('a call that is none of the protocol’s is not put into its words', async (t) => {
  const call = { target: STAKING, method: 'compound(uint64 validator)', args: { validator: 12n }, value: 0n }
  t.ok(evmThree.describe(call, network))
  t.equal(evmThree.describe({ ...call, target: ADDRESS }, network), null)
  t.equal(evmThree.describe({ ...call, method: '', args: {} }, network), null)
})

t.test('what leaves may be about a former validator that is pinned; a stake and compounding never are', (t) => {
  const effectsOf = (name: keyof typeof evmThree.actions, terms: object, input: object) =>
    (evmThree.actions[name].effects as (terms: object, input: object, facts: object) => { calls: readonly { args: object }[] })(
      terms,
      { address: ADDRESS, ...input },
      { amount: 5n },
    )
  const terms = { ...network, former_validators: [7] }
  const exits = { undelegate: { amount: 5n, withdrawId: 3 }, withdraw: { withdrawId: 3 }, 'claim-rewards': {} } as const
  for (const [name, input] of Object.entries(exits) as [keyof typeof exits, object][]) {
    t.match(effectsOf(name, terms, { ...input, validatorId: 7 }).calls, [{ args: { validator: 7n } }], name)
    t.match(effectsOf(name, terms, input).calls, [{ args: { validator: 12n } }], `${name} of the present one`)
    t.throws(() => effectsOf(name, network, { ...input, validatorId: 7 }), {
      message: /^input\.validatorId: expected one that is pinned: 12, found 7/,
    })
  }
  for (const name of ['delegate', 'compound'] as const) {
    t.throws(() => readInput(evmThree.actions[name].input, { address: ADDRESS, validatorId: 7 }, 18), { message: /input\.validatorId/ })
    t.match(effectsOf(name, terms, { amount: 5n, validatorId: 7 }).calls, [{ args: { validator: 12n } }])
  }
  t.end()
})
