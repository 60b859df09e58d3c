import { evmAnswer } from '@svc/testing/evm-answer'
import { type CraftRejection, type CraftReview, type Intent, readInput, review } from '@svc/verify/intent'
import { Interface } from 'ethers'
import fc from 'fast-check'
import t from 'tap'
import { type Books, evmThreeLiquid, type UndelegateFacts, undelegate } from '../src/index.ts'

const VAULT = '0x8498312a6b3cbd158bf0c93abdcf29e6e4f55081'
const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const THIEF = '0x000000000000000000000000000000000000dead'
const MON = 10n ** 18n
const pool = {
  vault: VAULT,
  referral_id: 5,
  chainId: '143',
  caip2: 'eip155:143',
  decimals: 18,
  symbol: 'MON',
  max_fee: '5',
}
const single = { ...pool, validator_id: 12 }
const abi = new Interface([
  'function depositMON(address, uint256) payable',
  'function depositMONGVault(address, uint64, uint256) payable',
  'function requestRedeem(uint256, address, address)',
  'function requestRedeemGVault(uint256, address, address, uint64)',
  'function redeemMON(uint256, address, address)',
])
const intent: Intent = evmThreeLiquid

interface Tried {
  readonly network?: typeof pool
  readonly given: Readonly<Record<string, unknown>>
  readonly method: string
  readonly args: readonly unknown[]
  readonly value?: bigint
  readonly facts?: UndelegateFacts
}

/** What the action took on the service's word; what the family takes of every transaction has a cost. */
const ofAction = (found: object) => ('assumed' in found ? (found as CraftReview).assumed.filter(({ cost }) => cost === undefined) : found)

/** What the caller's own check makes of a call. */
function reviewed(name: string, { network = pool, given, method, args, value = 0n, facts }: Tried): CraftReview | CraftRejection {
  const action = intent.actions[name]
  if (!action) throw new Error(`there is no action ${name}`)
  const answer = evmAnswer('143', { to: VAULT, value, data: abi.encodeFunctionData(method, args) })
  const input = readInput(action.input, { address: ADDRESS, ...given }, 18)
  return review({ intent, action, terms: network, input, answer, ...(facts && { facts }) })
}

const FEE = 'on eip155:143; fee at most 0.00024 MON; valid while the nonce of the account is 7.'
const moved = (kind: string, asset = 'native', amount: bigint | null = null) => ({ kind, asset, amount })
const redeem = (shares: bigint, whose: readonly string[] = [ADDRESS, ADDRESS]) => ({
  given: { amount: '100' },
  method: 'requestRedeem',
  args: [shares, ...whose],
})

t.test('every action is taken and said word for word', async (t) => {
  const deposits = [moved('leaves', 'native', 100n * MON), moved('staked', 'native', 100n * MON), moved('arrives', VAULT)]
  const redemption = [moved('leaves', VAULT, 90n * MON), moved('freed')]
  const cases: readonly (readonly [name: string, tried: Tried, sentence: string, moves: readonly object[]])[] = [
    [
      'delegate',
      { given: { amount: '100' }, method: 'depositMON', args: [ADDRESS, 5], value: 100n * MON },
      `Deposit 100 MON into the pool ${VAULT}, whose gMON goes to ${ADDRESS}, with the referral number 5 ${FEE}`,
      deposits,
    ],
    [
      'delegate',
      { network: single, given: { amount: '100' }, method: 'depositMONGVault', args: [ADDRESS, 12, 5], value: 100n * MON },
      `Deposit 100 MON for validator 12 into the pool ${VAULT}, whose gMON goes to ${ADDRESS}, with the referral number 5 ${FEE}`,
      deposits,
    ],
    [
      'undelegate',
      redeem(90n * MON),
      `Request the redemption of 90 gMON of ${ADDRESS} from the pool ${VAULT}, for ${ADDRESS} to claim ${FEE}`,
      redemption,
    ],
    [
      'undelegate',
      { network: single, given: { amount: '100' }, method: 'requestRedeemGVault', args: [90n * MON, ADDRESS, ADDRESS, 12] },
      `Request the redemption of 90 gMON of ${ADDRESS} from validator 12 through the pool ${VAULT}, for ${ADDRESS} to claim ${FEE}`,
      redemption,
    ],
    [
      'withdraw',
      { given: { request_id: 42 }, method: 'redeemMON', args: [42, ADDRESS, ADDRESS] },
      `Claim the redeem request 42 of ${ADDRESS} from the pool ${VAULT}, paid to ${ADDRESS} ${FEE}`,
      [moved('arrives')],
    ],
  ]
  for (const [name, tried, sentence, moves] of cases) {
    const found = reviewed(name, tried)
    t.match(found, { sentence, known: true }, name)
    t.same('moves' in found && found.moves, moves, name)
    t.match(ofAction(found), { length: name === 'undelegate' ? 1 : 0 }, name)
  }
})

t.test('a stranger among receiver, controller and owner is refused, and so is a call of the other vault', async (t) => {
  const deposit = { given: { amount: '100' }, value: 100n * MON }
  const claim = { given: { request_id: 42 }, method: 'redeemMON' }
  const lies: readonly (readonly [string, Tried, string])[] = [
    ['delegate', { ...deposit, method: 'depositMON', args: [THIEF, 5] }, 'calls[0].args.receiver'],
    ['delegate', { ...deposit, method: 'depositMON', args: [ADDRESS, 6] }, 'calls[0].args.referral'],
    ['delegate', { ...deposit, method: 'depositMONGVault', args: [ADDRESS, 12, 5] }, 'calls[0].method'],
    ['delegate', { ...deposit, network: single, method: 'depositMON', args: [ADDRESS, 5] }, 'calls[0].method'],
    ['delegate', { ...deposit, network: single, method: 'depositMONGVault', args: [ADDRESS, 13, 5] }, 'calls[0].args.validator'],
    ['undelegate', redeem(90n * MON, [THIEF, ADDRESS]), 'calls[0].args.controller'],
    ['undelegate', redeem(90n * MON, [ADDRESS, THIEF]), 'calls[0].args.owner'],
    ['undelegate', { ...deposit, method: 'depositMON', args: [ADDRESS, 5] }, 'calls'],
    ['withdraw', { ...claim, args: [43, ADDRESS, ADDRESS] }, 'calls[0].args.request'],
    ['withdraw', { ...claim, args: [42, THIEF, ADDRESS] }, 'calls[0].args.controller'],
    ['withdraw', { ...claim, args: [42, ADDRESS, THIEF] }, 'calls[0].args.receiver'],
  ]
  for (const [name, tried, path] of lies) t.match(reviewed(name, tried), { mismatches: [{ path }] }, `${name} ${path}`)
})

t.test('shares are taken within what a gMON may be worth, and refused just beyond', async (t) => {
  const bound = 'from 50 to 111.111111111111111112 gMON, since one is worth from 0.9 to 2 MON'
  const most = 111_111_111_111_111_111_112n
  for (const [shares, value] of [
    [50n * MON, '50 gMON'],
    [most, '111.111111111111111112 gMON'],
  ] as const) {
    t.same(ofAction(reviewed('undelegate', redeem(shares))), [{ fact: 'shares', value, bound }], value)
  }
  for (const shares of [0n, 50n * MON - 1n, most + 1n]) {
    t.match(reviewed('undelegate', redeem(shares)), { mismatches: [{ path: 'facts.shares', expected: bound }] }, String(shares))
  }
})

t.test('shares, or the books of the pool, that the caller knows are compared exactly and not assumed', async (t) => {
  const books: Books = { all: false, position: 500n * MON, pool: { shares: 10n * MON - 1n, assets: 40n * MON - 1n }, minimum: 0n }
  for (const shares of [25n * MON, { ...books }]) {
    const right = reviewed('undelegate', { ...redeem(25n * MON), facts: { shares } })
    t.match(right, { sentence: /^Request the redemption of 25 gMON / })
    t.same(ofAction(right), [])
    t.match(reviewed('undelegate', { ...redeem(25n * MON + 1n), facts: { shares } }), { mismatches: [{ path: 'calls[0].args.shares' }] })
  }
  const all = reviewed('undelegate', { ...redeem(500n * MON), facts: { shares: { ...books, all: true } } })
  t.match(all, { sentence: /^Request the redemption of 500 gMON / })
})

t.test('what the books of an honest pool make of an amount is within the bound', async (t) => {
  const amounts = (min: bigint) => fc.bigInt({ min, max: 10n ** 28n })
  fc.assert(
    fc.property(
      amounts(100n),
      amounts(10n ** 18n),
      fc.bigInt({ min: 901n, max: 1999n }),
      fc.boolean(),
      (amount, shares, permille, isLeast) => {
        const assets = (shares * permille) / 1000n
        const minimum = isLeast ? amount : 0n
        const { calls } = undelegate.effects(
          pool,
          { address: ADDRESS, amount },
          { shares: { all: false, position: shares, pool: { shares, assets }, minimum } },
        )
        const burned = calls[0]?.args.shares
        return 'sentence' in reviewed('undelegate', { ...redeem(BigInt(String(burned))), given: { amount } })
      },
    ),
  )
  t.pass('held')
})

t.test('a call that is none of the protocol’s is not put into its words', async (t) => {
  const call = { target: VAULT, method: 'redeemMON(uint256 request, address controller, address receiver)', value: 0n }
  const args = { request: 1n, controller: ADDRESS, receiver: ADDRESS }
  t.ok(evmThreeLiquid.describe({ ...call, args }, pool))
  t.equal(evmThreeLiquid.describe({ ...call, args, target: THIEF }, pool), null)
  t.equal(evmThreeLiquid.describe({ ...call, method: '', args: {} }, pool), null)
})
