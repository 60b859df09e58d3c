import fc from 'fast-check'
import t from 'tap'
import type { Context } from '../src/context.ts'
import { parseDec } from '../src/dec.ts'
import { decimals, minus, NO_COINS, plus } from '../src/dec-coins.ts'
import { ChainError } from '../src/errors.ts'
import type { CosmosGenesis } from '../src/genesis.ts'
import { moduleAddress } from '../src/modules/auth.ts'
import { balanceOf, mintCoins } from '../src/modules/bank.ts'
import { addFeeDenoms, communityPool, depositRewards, pendingRewards, withdrawRewards } from '../src/modules/distribution.ts'
import { jail, slashValidator, unjail } from '../src/modules/slashing.ts'
import { delegate, undelegate } from '../src/modules/staking.ts'
import { Node } from '../src/node.ts'
import { status } from '../src/state.ts'
import { bench, celestia, holds, hub, startTime } from './support.ts'

const yearMs = 31_556_952_000n
const unit = 10n ** 18n

t.test('a day of rewards is exact to the last place', async (t) => {
  const world = await bench(t, hub, { fund: '200000' })
  await world.run(world.delegate('100000000000'))
  const before = world.chain.node!.app.view()
  const supply = before.state.supply.get('uatom')!
  const validator = before.state.validators.get(world.validator)!
  t.equal(validator.tokens, 500_000_000_000n)
  // The fee of the delegation is shared out with what is minted for the day, and so is what the community tax leaves over.
  const collected = balanceOf(before.state, moduleAddress(hub, 'fee_collector'), 'uatom')
  await world.chain.advance({ epochs: 1 })

  // The same in whole numbers, each step cut off or rounded where the chain's specification says so.
  const minted = (((supply * unit) / 10n) * 86_400_000n) / yearMs / unit
  const shared = ((minted + collected) * unit * 98n) / 100n
  const powerShare = (500_000n * unit) / 1_100_000n
  const reward = (shared * powerShare) / unit
  const commission = roundHalfEven(reward * 5n, 100n)
  const perToken = ((reward - commission) * unit) / (500_000_000_000n * unit)
  t.equal(await world.pending(), (perToken * 100_000_000_000n * unit) / unit)

  const balance = await world.balance()
  const pending = await world.pending()
  await world.run(world.withdraw())
  // The claim's own block, of six seconds, accrued too.
  const paid = (await world.balance()) - balance + 2400n
  t.ok(paid >= pending / unit && paid < pending / unit + 5000n, `paid ${paid}, pending ${pending}`)
})

t.test('rewards are in proportion to the stake and to time', async (t) => {
  const world = await bench(t, hub, { fund: '200000' })
  await world.run(world.delegate('1000000000'))
  await world.chain.advance({ seconds: 1000 })
  const first = await world.pending()
  await world.chain.advance({ seconds: 1000 })
  const second = await world.pending()
  t.ok(second > 2n * first - first / 100n && second < 2n * first + first / 100n)
})

t.test('what a stranger pays has its commission taken and no community tax, and fees in another denomination both', async (t) => {
  const world = await bench(t, hub, { fund: '200000' })
  await world.run(world.delegate('100000000000'))
  await world.chain.operations.deposit!.run({ denominations: ['uother'], units: '1000000007' })
  const view = () => world.chain.node!.app.view()
  const pending = (denom: string) => pendingRewards(view(), world.address, world.validator)!.get(denom) ?? 0n
  const commission = roundHalfEven(1_000_000_007n * unit * 5n, 100n)
  // A fifth of the validator's stake is the delegation's.
  const perToken = ((1_000_000_007n * unit - commission) * unit) / (500_000_000_000n * unit)
  t.equal(pending('uother'), perToken * 100_000_000_000n)
  t.equal(view().state.rewards.get(world.validator)!.commission.get('uother'), commission)
  t.equal(communityPool(view().state).get('uother') ?? 0n, 0n)
  await world.chain.operations.rewards!.run({ denominations: ['ufee'] })
  await world.chain.advance({ epochs: 1 })
  const [supply, pool] = [view().state.supply.get('ufee')!, communityPool(view().state).get('ufee')!]
  t.ok(pool >= (supply * unit * 2n) / 100n && pool < (supply * unit * 2n) / 100n + 100n * unit, `${pool} of ${supply}`)
  t.ok(pending('ufee') > 0n)
  await world.run(world.withdraw())
  t.equal(
    await world.chain.operations.paid!.run({ address: world.address }).then(({ further }) => (further as any).uother.paid),
    String(perToken / 10n ** 7n),
  )
})

t.test('changing a delegation pays what is pending, and where rewards are parked keeps it for a claim', async (t) => {
  const paying = await bench(t, hub)
  await paying.run(paying.delegate('100000000'))
  await paying.chain.advance({ epochs: 10 })
  const before = await paying.balance()
  const due = (await paying.pending()) / unit
  await paying.run(paying.delegate('1000000'))
  const gained = (await paying.balance()) - before + 1_000_000n + 2400n
  t.ok(due > 100n && gained >= due && gained < due + 10n, `due ${due}, gained ${gained}`)
  t.equal(await paying.pending(), 0n)

  const parking = await bench(t, celestia)
  await parking.run(parking.delegate('100000000'))
  await parking.chain.advance({ epochs: 10 })
  const balance = await parking.balance()
  const pending = (await parking.pending()) / unit
  t.match(await parking.run(parking.undelegate('100000000')), { code: 0 })
  t.equal(await parking.balance(), balance - 2400n)
  const parked = await parking.pending()
  t.ok(parked >= pending * unit && parked % unit === 0n)
  // The delegation is gone, and the rewards are not.
  t.equal(await parking.client.getDelegation(parking.address, parking.validator), null)
  const { rewards, total } = await totals(parking)
  t.match(rewards, [{ validatorAddress: parking.validator, reward: [{ denom: 'utia', amount: String(parked) }] }])
  t.same(total, [])
  t.match(await parking.run(parking.withdraw()), { code: 0 })
  t.equal(await parking.balance(), balance - 2400n * 2n + parked / unit)
  t.equal(await parking.pending(), 0n)
  t.match(await parking.run(parking.withdraw()), { code: 5, codespace: 'distribution' })
})

t.test('parked rewards are paid together with what has accrued since', async (t) => {
  const world = await bench(t, celestia)
  await world.run(world.delegate('100000000'))
  await world.chain.advance({ epochs: 10 })
  await world.run(world.undelegate('1000000'))
  const parked = (await world.pending()) / unit
  await world.chain.advance({ epochs: 10 })
  const before = await world.balance()
  const pending = (await world.pending()) / unit
  t.ok(pending > parked)
  await world.run(world.withdraw())
  const paid = (await world.balance()) - before + 2400n
  t.ok(paid >= pending && paid < pending + 10n)
})

t.test('rewards go to the address that the delegator has named', async (t) => {
  const world = await bench(t)
  const to = 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6'
  const value = { delegatorAddress: world.address, withdrawAddress: to }
  t.match(await world.run({ typeUrl: '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress', value }), { code: 0 })
  await world.run(world.delegate('100000000'))
  await world.chain.advance({ epochs: 5 })
  await world.run(world.withdraw())
  t.ok((await world.chain.balance(to)) > 100n)
})

t.test('a slash takes from the stake and not from rewards that were earned before it', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('100000000'))
  await world.chain.advance({ epochs: 5 })
  const earned = await world.pending()
  await world.chain.operations.slash!.run({ fraction: '0.5' })
  const after = await world.pending()
  t.ok(after >= earned && after < earned + unit * 5n)
  t.same(await world.client.getDelegation(world.address, world.validator), { denom: 'uatom', amount: '50000000' })
  t.match(await world.run(world.undelegate('50000001')), { code: 18, log: /invalid shares amount/ })
  t.match(await world.run(world.undelegate('50000000')), { code: 0 })
  t.equal(await world.client.getDelegation(world.address, world.validator), null)
})

/** Denominations that are not the chain's own: the first comes with fees, the others when a stranger pays them. */
const FOREIGN = ['constructor', 'ibc/27', 'uother']

/** What may happen to a chain, in some order. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('delegate' as const),
    who: fc.nat(1),
    to: fc.nat(1),
    amount: fc.bigInt({ min: 10n ** 6n, max: 10n ** 10n }),
  }),
  fc.record({ kind: fc.constant('undelegate' as const), who: fc.nat(1), to: fc.nat(1), amount: fc.bigInt({ min: 1n, max: 10n ** 7n }) }),
  fc.record({ kind: fc.constant('claim' as const), who: fc.nat(1), to: fc.nat(1) }),
  fc.record({ kind: fc.constant('slash' as const), to: fc.nat(1), permille: fc.integer({ min: 1, max: 999 }) }),
  fc.record({ kind: fc.constant('deposit' as const), to: fc.nat(1), denoms: fc.nat(3), amount: fc.bigInt({ min: 1n, max: 10n ** 12n }) }),
  fc.record({ kind: fc.constant('jail' as const), to: fc.nat(1) }),
  fc.record({ kind: fc.constant('unjail' as const), to: fc.nat(1) }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 1_000_000 }) }),
)

for (const genesis of [hub, celestia]) {
  t.test(`${genesis.prefix}: whatever happens, no coin is lost or made twice`, async (t) => {
    holds(
      t,
      fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (steps) => {
        const node = new Node(genesis.prefix, genesis, startTime)
        const operators = node.app
          .view()
          .state.validators.entries()
          .map(([operator]) => operator)
        const people = ['ann', 'bob']
        node.makeBlock({
          begin(ctx) {
            for (const person of people) mintCoins(ctx, person, 10n ** 11n)
            addFeeDenoms(ctx.state, FOREIGN.slice(0, 1))
          },
        })
        for (const one of steps) {
          const begin = (ctx: Context) => play(ctx, one, operators, people)
          try {
            if (one.kind === 'wait') node.makeBlock({ time: node.latest.time + one.seconds * 1000 })
            else node.makeBlock({ begin })
          } catch (error) {
            // A refusal leaves nothing behind.
            if (!(error instanceof ChainError)) throw error
          }
          checkBooks(node.app.view(), genesis)
        }
      }),
      { numRuns: 60 },
    )
  })
}

function play(ctx: Context, happening: typeof step extends fc.Arbitrary<infer S> ? S : never, operators: string[], people: string[]): void {
  if (happening.kind === 'wait') return
  const operator = operators[happening.to]!
  switch (happening.kind) {
    case 'delegate':
      return void delegate(ctx, people[happening.who]!, operator, happening.amount)
    case 'undelegate':
      return void undelegate(ctx, people[happening.who]!, operator, happening.amount)
    case 'claim':
      return void withdrawRewards(ctx, people[happening.who]!, operator)
    case 'slash':
      return void slashValidator(ctx, operator, parseDec(`0.${String(happening.permille).padStart(3, '0')}`), 1n)
    case 'deposit':
      return void depositRewards(ctx, operator, new Map(FOREIGN.slice(0, happening.denoms).map((denom) => [denom, happening.amount])))
    case 'jail':
      return void jail(ctx, operator, 0)
    case 'unjail':
      return void unjail(ctx, operator)
  }
}

/** The invariants that the SDK itself registers for bank, staking and distribution. */
function checkBooks(ctx: Context, genesis: CosmosGenesis): void {
  const { state } = ctx
  const held = (name: 'bonded_tokens_pool' | 'not_bonded_tokens_pool' | 'distribution', denom = genesis.denom) =>
    balanceOf(state, moduleAddress(genesis, name), denom)
  const validators = state.validators.entries().map(([, validator]) => validator)
  const unbonding = sum(state.unbondings.entries().flatMap(([, entries]) => entries.map(({ balance }) => balance)))
  const tokensOf = (bonded: boolean) =>
    sum(validators.filter((validator) => (validator.status === status.bonded) === bonded).map(({ tokens }) => tokens))
  expect(held('bonded_tokens_pool'), tokensOf(true), 'the bonded pool holds the bonded tokens')
  expect(held('not_bonded_tokens_pool'), tokensOf(false) + unbonding, 'the other pool holds the rest')
  for (const { operator, shares } of validators) {
    expect(sum(state.delegations.entries(`${operator}/`).map(([, held]) => held)), shares, 'delegations add up to the shares')
  }
  const all = [...state.rewards.entries().map(([, { outstanding }]) => outstanding), communityPool(state)]
  const parked = state.parked.entries().map(([, coins]) => decimals(coins))
  const owed = [...all, ...parked].reduce(plus, NO_COINS)
  for (const denom of [genesis.denom, ...FOREIGN]) {
    const balances = state.balances.entries().filter(([key]) => key.slice(key.indexOf('/') + 1) === denom)
    expect(sum(balances.map(([, amount]) => amount)), state.supply.get(denom) ?? 0n, `balances of ${denom} add up to the supply`)
    expect(held('distribution', denom) * unit, owed.get(denom) ?? 0n, `distribution holds what it owes of ${denom}`)
  }
  for (const { operator } of validators) {
    const delegators = state.delegations.entries(`${operator}/`).map(([key]) => key.split('/')[1]!)
    const pending = delegators.map((delegator) =>
      minus(pendingRewards(ctx, delegator, operator)!, decimals(state.parked.get(`${operator}/${delegator}`) ?? NO_COINS)),
    )
    const { outstanding, commission } = state.rewards.get(operator)!
    // More than there is would be below zero.
    minus(outstanding, pending.reduce(plus, commission))
  }
}

function expect(found: bigint, wanted: bigint, what: string): void {
  if (found !== wanted) throw new Error(`${what}: found ${found}, wanted ${wanted}`)
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  const [whole, rest] = [numerator / denominator, (numerator % denominator) * 2n]
  return rest > denominator || (rest === denominator && whole % 2n === 1n) ? whole + 1n : whole
}

async function totals({ client, address }: Awaited<ReturnType<typeof bench>>) {
  const { QueryDelegationTotalRewardsRequest: Request, QueryDelegationTotalRewardsResponse: Response } = await import(
    'cosmjs-types/cosmos/distribution/v1beta1/query'
  )
  const request = Request.encode({ delegatorAddress: address }).finish()
  return Response.decode((await client.query.queryAbci('/cosmos.distribution.v1beta1.Query/DelegationTotalRewards', request)).value)
}
