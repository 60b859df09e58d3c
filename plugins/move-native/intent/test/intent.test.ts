import type { Call, Decoded, Effects } from '@svc/verify'
import { type CraftRejection, type CraftReview, describe, review } from '@svc/verify/intent'
import t from 'tap'
import { moveNative } from '../src/index.ts'

const address = (digit: string) => `0x${digit.repeat(64)}`
const [WALLET, VALIDATOR, STAKED, THIEF] = [address('a'), address('b'), address('c'), address('d')]
const CHAIN = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'
const terms = {
  chainId: 'mainnet',
  caip2: 'sui:mainnet',
  decimals: 9,
  symbol: 'SUI',
  max_fee: '0.5',
  chain_identifier: CHAIN,
  validator: VALIDATOR,
}
const { stake, unstake } = moveNative.actions
const staking = { wallet_address: WALLET, amount: 1_500_000_001n }
const leaving = { wallet_address: WALLET, staked_sui_object_id: STAKED }
const END = 'on sui:mainnet; fee at most 0.005 SUI; valid while its objects are at their versions.'
const OBJECTS = `${STAKED} owned@7#${CHAIN}`

const decodedOf = ({ signers, calls }: Effects): Decoded => ({
  chainId: 'mainnet',
  signers,
  calls,
  maxFee: 5_000_000n,
  terms: { gasPrice: 500n, expiration: 'none', [`object:${STAKED}`]: `owned@7#${CHAIN}` },
})

/** The check of a caller, of what the bytes say. */
function read(name: 'stake' | 'unstake', effects: Effects, facts: object = {}): CraftReview | CraftRejection {
  const intent = { ...moveNative, family: { ...moveNative.family, decode: () => decodedOf(effects) } }
  const input = name === 'stake' ? staking : leaving
  return review<never, never, never>({ intent, action: moveNative.actions[name], terms, input, answer: {}, facts } as never)
}

const paths = (found: CraftReview | CraftRejection) => ('mismatches' in found ? found.mismatches.map(({ path }) => path) : [])
/** What the action took on the service's word, and the objects, which the family does; the rest of it is of every transaction. */
const assumed = (found: CraftReview | CraftRejection) =>
  'assumed' in found
    ? found.assumed.flatMap(({ fact, value, cost }) => (cost === undefined || fact === 'objects' ? [`${fact} ${value}`] : []))
    : found
function said(effects: Effects) {
  const { deed, ...rest } = describe(moveNative, terms, decodedOf(effects))
  t.equal(`${deed.slice(0, -1)};`, rest.sentence.slice(0, deed.length), 'without fee and validity')
  return rest
}

/** Effects with arguments of one call changed. */
const changed = (effects: Effects, index: number, args: Call['args']): Effects => ({
  ...effects,
  calls: effects.calls.map((each, i) => (i === index ? { ...each, args: { ...each.args, ...args } } : each)),
})

const staked = stake.effects(terms, staking, undefined)
const plain = unstake.effects({}, leaving, { fungible: false })
const fungible = unstake.effects({}, leaving, { fungible: true })

t.test('a stake is said with its amount and its validator', async (t) => {
  t.strictSame(said(staked), {
    sentence: `Split 1.500000001 SUI off the coins that pay for gas, then stake what step 1 made with validator ${VALIDATOR}, as a position of the sender ${END}`,
    moves: [
      { kind: 'leaves', asset: 'native', amount: 1_500_000_001n },
      { kind: 'staked', asset: 'native', amount: null },
    ],
    known: true,
  })
  t.strictSame(assumed(read('stake', staked)), [`objects ${OBJECTS}`])
  const thefts: readonly (readonly [number, Call['args']])[] = [
    [0, { amounts: [1_500_000_002n] }],
    [0, { amounts: [1_500_000_001n, 1n] }],
    [0, { coin: STAKED }],
    [1, { validator: THIEF }],
    [1, { stake: 'Result(0,1)' }],
    [1, { stake: 'GasCoin' }],
    [1, { system: THIEF }],
  ]
  for (const [index, args] of thefts) t.not(paths(read('stake', changed(staked, index, args))).length, 0, Object.keys(args).join())
  t.strictSame(paths(read('stake', { ...staked, signers: [WALLET, THIEF] })), ['signers'], 'who else pays for gas signs too')
})

t.test('a position is withdrawn whole, to the sender', async (t) => {
  t.strictSame(said(plain), {
    sentence: `Withdraw the position ${STAKED}, whole and with its rewards, to the sender ${END}`,
    moves: [
      { kind: 'freed', asset: 'native', amount: null, objectId: STAKED },
      { kind: 'arrives', asset: 'native', amount: null },
    ],
    known: true,
  })
  t.strictSame(assumed(read('unstake', plain)), [`objects ${OBJECTS}`, 'fungible no'])
  t.strictSame(paths(read('unstake', changed(plain, 0, { stakedSui: THIEF }))), ['calls[0].args.stakedSui'])
})

t.test('fungible stake is redeemed, and what it paid is given to the wallet', async (t) => {
  t.equal(
    said(fungible).sentence,
    `Redeem the fungible position ${STAKED}, whole and with its rewards, then make a coin of what step 1 made, then transfer what step 2 made to ${WALLET} ${END}`,
  )
  t.strictSame(assumed(read('unstake', fungible)), [`objects ${OBJECTS}`, 'fungible yes'])
  t.strictSame(paths(read('unstake', changed(fungible, 2, { recipient: THIEF }))), ['calls[2].args.recipient'])
  t.match(said(changed(fungible, 2, { recipient: THIEF })).sentence, `transfer what step 2 made to ${THIEF}`)
  t.match(
    said(changed(fungible, 2, { objects: ['GasCoin', 'Result(1,1)', STAKED] })).sentence,
    `transfer the coins that pay for gas and what step 2 made as number 2 and the object ${STAKED} to`,
  )
  t.not(paths(read('unstake', { ...fungible, calls: fungible.calls.slice(0, 2) })).length, 0)
})

t.test('what the caller knows is compared exactly, and not assumed', async (t) => {
  t.strictSame(assumed(read('unstake', plain, { fungible: false, objects: OBJECTS })), [])
  t.not(paths(read('unstake', plain, { fungible: true })).length, 0)
  t.strictSame(paths(read('unstake', plain, { objects: `${STAKED} owned@8#${CHAIN}` })), ['facts.objects'])
  t.strictSame(paths(read('unstake', { ...plain, calls: [] })), ['calls'])
})

t.test('until when it is valid is said in epochs', async (t) => {
  const at = (expiration: string) => {
    const { terms: own, ...decoded } = decodedOf(plain)
    return describe(moveNative, terms, { ...decoded, terms: { ...own, expiration } })
      .sentence.split('; ')
      .at(-1)
  }
  t.equal(at('epoch:5'), 'valid while its objects are at their versions, until the end of epoch 5.')
  t.equal(at('valid-during:5-6:77'), 'valid while its objects are at their versions, in the epochs 5 to 6.')
  t.equal(at('valid-during:5-5:77'), 'valid while its objects are at their versions, in epoch 5 only.')
})

t.test('what is no function of the protocol is no call that it knows', async (t) => {
  const [withdrawal] = plain.calls
  for (const each of [
    { ...withdrawal, target: `${THIEF}::sui_system` },
    { ...withdrawal, method: 'request_withdraw_stake_non_entry(object system, object stakedSui)' },
    { target: 'ptb', method: 'MergeCoins(argument into, argument[] coins)', args: { into: 'GasCoin', coins: [] }, value: 0n },
  ])
    t.equal(said({ signers: [], calls: [each as Call] }).known, false)
})
