import { evmAnswer } from '@svc/testing/evm-answer'
import { type CraftReview, hiddenIn, type Intent, readInput, review } from '@svc/verify/intent'
import { Interface } from 'ethers'
import t from 'tap'
import { evmTwo, terms } from '../src/index.ts'

const POOL = '0xaa6ddf1a61d8e4dce4b63737de9c188413c489a4b3e080dface9eca672650d62'
const STAKING = '0x4100000000000000000000000000000000000000'
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const network = {
  staking: STAKING,
  pool_id: POOL,
  chainId: '1672',
  caip2: 'eip155:1672',
  decimals: 18,
  symbol: 'PROS',
  max_fee: '0.1',
}
const abi = new Interface(
  ['delegate(bytes32) payable', 'undelegate(bytes32)', 'claimStake(bytes32)', 'claimReward(bytes32)', 'compoundRewards(bytes32)'].map(
    (method) => `function ${method}`,
  ),
)

interface Lie {
  readonly to?: string
  readonly value?: bigint
  readonly pool?: string
}

const wants = (name: string) => ({ address: ADDRESS, ...(name === 'delegate' && { amount: '1.5' }) })

/** What the caller's own check makes of a call. */
function reviewed(name: string, method: string, { to = STAKING, value = 0n, pool = POOL }: Lie = {}) {
  const { actions }: Intent = evmTwo
  const action = actions[name]
  if (!action) throw new Error(`there is no action ${name}`)
  const answer = evmAnswer('1672', { to, value, data: abi.encodeFunctionData(method, [pool]) })
  return review({ intent: evmTwo, action, terms: network, input: readInput(action.input, wants(name), 18), answer })
}

const WEI = 1_500_000_000_000_000_000n
const FEE = 'on eip155:1672; fee at most 0.00024 PROS; valid while the nonce of the account is 7.'
const native = (kind: string, amount: bigint | null = null) => ({ kind, asset: 'native', amount })
const cases: readonly (readonly [name: string, method: string, value: bigint, said: string, moves: readonly object[]])[] = [
  [
    'delegate',
    'delegate',
    WEI,
    `Delegate 1.5 PROS to the pool ${POOL} through ${STAKING} ${FEE}`,
    [native('leaves', WEI), native('staked', WEI)],
  ],
  [
    'undelegate',
    'undelegate',
    0n,
    `Undelegate the whole stake and the unclaimed rewards from the pool ${POOL} through ${STAKING} ${FEE}`,
    [native('freed')],
  ],
  ['withdraw', 'claimStake', 0n, `Withdraw what was undelegated from the pool ${POOL} through ${STAKING} ${FEE}`, [native('arrives')]],
  ['claim-rewards', 'claimReward', 0n, `Claim the rewards from the pool ${POOL} through ${STAKING} ${FEE}`, [native('arrives')]],
  [
    'compound-rewards',
    'compoundRewards',
    0n,
    `Add the rewards to the stake with the pool ${POOL} through ${STAKING} ${FEE}`,
    [native('staked')],
  ],
]

t.test('every action is taken and said word for word, and nothing is taken on the service’s word but nonce and gas', async (t) => {
  t.same(
    cases.map(([name]) => name),
    Object.keys(evmTwo.actions),
  )
  for (const [name, method, value, sentence, moves] of cases) {
    const found = reviewed(name, method, { value }) as CraftReview
    t.match(found, { sentence, known: true }, name)
    t.same(found.moves, moves, name)
    t.same(
      found.assumed.map(({ fact }) => fact),
      ['nonce', 'gasLimit', 'gasPrice'],
      `${name}: what every transaction has`,
    )
  }
})

t.test('another pool, contract, method or value is refused, for each action', async (t) => {
  for (const [name, method, value] of cases) {
    const other = cases.find((each) => each[1] !== method)?.[1] ?? ''
    const lies: readonly (readonly [string, string, Lie])[] = [
      ['calls[0].args.pool', method, { value, pool: `0x${'11'.repeat(32)}` }],
      ['calls[0].target', method, { value, to: ADDRESS }],
      ['calls[0].value', method, { value: value + 1n }],
      ['calls[0].method', other, { value }],
    ]
    for (const [path, called, lie] of lies) t.match(reviewed(name, called, lie), { mismatches: [{ path }] }, `${name} ${path}`)
  }
})

t.test('a call that is none of the protocol’s is not put into its words', async (t) => {
  const call = { target: STAKING, method: 'delegate(bytes32 pool)', args: { pool: POOL }, value: 0n }
  t.ok(evmTwo.describe({ ...call, target: STAKING.toUpperCase().replace('X', 'x') }, network))
  t.equal(evmTwo.describe({ ...call, target: ADDRESS }, network), null)
  t.equal(evmTwo.describe({ ...call, method: '', args: {} }, network), null)
})

t.test('the terms are those that the effects read', async (t) => {
  const read = new Set<string>()
  const watched = new Proxy(network, {
    get(target, name) {
      read.add(String(name))
      return Reflect.get(target, name)
    },
  })
  for (const [name, { input, effects }] of Object.entries<Intent['actions'][string]>(evmTwo.actions)) {
    effects(watched, readInput(input, wants(name), 18), undefined)
  }
  t.same([...read].sort(), Object.keys(terms).sort())
})

t.test('what leaves may be about a former pool that is pinned; a stake and compounding never are', async (t) => {
  const former = `0x${'ab'.repeat(32)}`
  const actions = new Map(Object.entries<Intent['actions'][string]>(evmTwo.actions))
  const effectsOf = (name: string, terms: object, input: object) =>
    actions.get(name)?.effects(terms, { address: ADDRESS, amount: 5n, ...input }, undefined)?.calls
  const pinned = { ...network, former_validators: [former.toUpperCase().replace('X', 'x')] }
  for (const name of ['undelegate', 'withdraw', 'claim-rewards']) {
    for (const poolId of pinned.former_validators.concat(former))
      t.match(effectsOf(name, pinned, { poolId }), [{ args: { pool: former } }], name)
    t.match(effectsOf(name, pinned, {}), [{ args: { pool: POOL } }], `${name} of the present one`)
    t.match(effectsOf(name, pinned, { poolId: POOL }), [{ args: { pool: POOL } }], `${name} of the present one by its name`)
    t.throws(() => effectsOf(name, network, { poolId: former }), {
      message: /^input\.poolId: expected one that is pinned: 0xaa6d.*, found 0xabab/,
    })
    t.throws(() => effectsOf(name, pinned, { poolId: `0x${'cd'.repeat(32)}` }), { message: /^input\.poolId: .*, found 0xcdcd/ })
  }
  for (const name of ['delegate', 'compound-rewards']) {
    t.throws(() => readInput(actions.get(name)?.input ?? {}, { ...wants(name), poolId: former }, 18), { message: /input\.poolId/ })
    t.match(effectsOf(name, pinned, { poolId: former }), [{ args: { pool: POOL } }], name)
  }
})

t.test('what leaves a former pool is no hidden call, and a stake there is', async (t) => {
  const former = `0x${'ab'.repeat(32)}`
  const pinned = { ...network, former_validators: [former] }
  const hidden = (method: string, terms: typeof network) =>
    hiddenIn(evmTwo, terms, {
      decoded: {
        chainId: '1672',
        signers: null,
        maxFee: 0n,
        calls: [{ target: STAKING, method: `${method}(bytes32 pool)`, args: { pool: former }, value: 0n }],
        terms: {},
      },
      signers: [ADDRESS],
    } as never)
  for (const method of ['undelegate', 'claimStake', 'claimReward']) {
    t.equal(hidden(method, pinned), null, method)
    t.ok(hidden(method, network), `${method} where it is not pinned`)
  }
  for (const method of ['delegate', 'compoundRewards']) t.ok(hidden(method, pinned), method)
})
