import { differences } from '@svc/core/plugins'
import fc from 'fast-check'
import t from 'tap'
import { emptyingAmount, sharesOf, worthOf } from '../../src/staking/shares.ts'
import { answersOne, nodeOf, notFound, type Table } from '../support/node.ts'
import {
  alone,
  DELEGATION,
  delegation,
  OUTSTANDING,
  outstanding,
  PARAMS,
  params,
  REWARDS,
  rewards,
  stakingOn,
  UNBONDING,
  VALIDATOR,
  validator,
} from '../support/staking.ts'
import { key, one } from '../support/vectors.ts'

const E18 = 10n ** 18n

/** Tokens, shares, an amount, its shares and their worth, by cosmossdk.io/math v1.5.3 itself: MulInt and QuoInt, then MulInt, Quo and TruncateInt (made 2026-11-25). */
const VECTORS: readonly (readonly [tokens: bigint, shares: bigint, amount: bigint, sharesOfIt: bigint, worth: bigint])[] = [
  [758619n, 758619390258362354208906n, 2n, 2000001028865246860n, 1n],
  [3343217n, 3343220320766665471658223n, 2n, 2000001986569621697n, 1n],
  [2807452n, 2807457704241473981644857n, 33n, 33000067050111147543n, 32n],
  [20897258n, 20897275503127363943452266n, 122n, 122000102184771724649n, 122n],
  [104113751n, 104113847058697892973895499n, 30n, 30000027678965642004n, 29n],
  [508418914n, 508419175923696640107730692n, 220n, 220000113338059765462n, 219n],
  [2492675820n, 2492680076182598942740514899n, 6387n, 6387010905645267360632n, 6387n],
  [10424548584n, 10424564718576150129142231044n, 32550n, 32550050379203421121834n, 32549n],
  [14667206867n, 14667252537009732320545255145n, 60869n, 60869189530825303291828n, 60868n],
  [19164169836n, 19164416709449898254277196430n, 58168n, 58168749322039857216322n, 58167n],
  [768102902668n, 768103011529777156549586777666n, 1954953n, 1954953277071805220759494n, 1954952n],
  [3973411222641n, 3973415400557893001719413733464n, 1882124n, 1882125978994172442449724n, 1882123n],
  [15562878899883n, 15562889882269368699870316315507n, 25975980n, 25975998330686147520247530n, 25975979n],
  [20268815356668n, 20268843149510603070760793881731n, 132804223n, 132804405102742657224350963n, 132804222n],
  [2529093075807n, 2529354910515547185390690546065n, 254356426n, 254382759289710013050247065n, 254356425n],
  [369311464498101n, 369312378509026483758528993633489n, 1681955927n, 1681960089681750346983698150n, 1681955927n],
  [1114430455793954n, 1114433976900214513874417986794485n, 3805867420n, 3805879444854067453321812814n, 3805867419n],
  [14321304192163832n, 14321311696753522563478108082027308n, 12079471928n, 12079478257834160489474429455n, 12079471927n],
  [27462291119639063n, 27462329383714069447154421255248612n, 77927689213n, 77927797792103328816690399500n, 77927689213n],
  [286100961239130863n, 286101016650931180984365575366514808n, 364828826700n, 364828897359748949420677605366n, 364828826700n],
  [768025505525851725n, 768026421899262060944976646029741166n, 87438655580n, 87438759907862072983785441009n, 87438655580n],
  [2110598111144706219n, 2110600297417687583429885525205488641n, 3681499046613n, 3681502860111104650332858932286n, 3681499046613n],
  [18222828892604758672n, 18222843972000271524401613893379604651n, 5561907568303n, 5561912170782918055122623961781n, 5561907568303n],
  [8168780495506718146n, 8168783322434411154594232432856596315n, 72247362479362n, 72247387481633740816238521706033n, 72247362479361n],
]

t.test('shares and their worth are those of the chain', async (t) => {
  t.equal(VECTORS.length, 24)
  for (const [tokens, shares, amount, of, worth] of VECTORS) {
    t.equal(sharesOf(amount, { tokens, shares }), of)
    t.equal(worthOf(of, { tokens, shares }), worth)
  }
  const halves = { tokens: 5n, shares: 10n * E18 }
  t.equal(worthOf(2n * E18, halves), 1n)
  t.equal(worthOf(2n * E18 - 1n, halves), 1n, 'half of the last place is rounded to even, which is up here')
  t.equal(worthOf(2n * E18 - 2n, halves), 0n)
})

/** A validator that was slashed, by any part, and a stake in it. */
const pools = fc
  .record({
    tokens: fc.bigInt({ min: 1_000n, max: 10n ** 16n }),
    lost: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    part: fc.bigInt({ min: 1n, max: 10n ** 18n }),
  })
  .map(({ tokens, lost, part }) => ({ pool: { tokens, shares: tokens * E18 + (tokens * lost) / 7n }, amount: (tokens * part) / E18 + 1n }))

t.test('an exit frees what it says or a unit less, and never anything else', async (t) => {
  let less = 0
  fc.assert(
    fc.property(pools, ({ pool, amount }) => {
      const freed = worthOf(sharesOf(amount, pool), pool)
      if (freed < amount) less++
      const move = (units: bigint) => ({ kind: 'freed' as const, asset: 'native', amount: units })
      return differences([move(amount)], { moves: [move(freed)], cuts: ['freed'] }).length === 0
    }),
    { numRuns: 2_000 },
  )
  t.ok(less > 0, `${less} times a unit less`)
})

t.test('the amount that empties a delegation does, and where there is none a unit more is refused by the chain', async (t) => {
  let [found, none, above] = [0, 0, 0]
  fc.assert(
    fc.property(pools, fc.bigInt({ min: 0n, max: 2n * E18 }), fc.boolean(), ({ pool, amount }, odd, whole) => {
      const delegated = sharesOf(amount, pool) + (whole ? 0n : odd)
      const worth = worthOf(delegated, pool)
      const emptying = emptyingAmount(worth, delegated, pool)
      if (emptying !== null) {
        found++
        if (emptying > worth) above++
        return sharesOf(emptying, pool) === delegated && (!whole || emptying === amount)
      }
      none++
      // The chain takes an amount whose shares are not above those of the delegation.
      return !whole && sharesOf(worth, pool) !== delegated && sharesOf(worth + 1n, pool) !== delegated
    }),
    { numRuns: 2_000 },
  )
  t.ok(found > 0 && none > 0 && above > 0, `${found} found, ${above} of them above the worth, ${none} without`)
  t.equal(emptyingAmount(5n, 5n * E18, { tokens: 0n, shares: E18 }), null, 'slashed to nothing')
  t.equal(emptyingAmount(0n, 0n, { tokens: 5n, shares: 5n * E18 }), null, 'nothing is delegated')
})

// 758,619 units with 758,619.39… shares: two units are 2.000001… shares, which the chain tells to be worth one.
const [tokens, shares, , sharesOfTwo] = VECTORS[0]!
const slashed: Table = {
  ...answersOne(300_000n),
  [VALIDATOR]: validator({ tokens: String(tokens), delegatorShares: String(shares) }),
  [DELEGATION]: delegation(1n, { shares: sharesOfTwo }),
  [UNBONDING]: notFound('unbonding delegation'),
  [PARAMS]: params(),
  ...alone,
  [REWARDS]: rewards([]),
  [OUTSTANDING]: outstanding({}),
}
const unstake = (amount: bigint, change: Table = {}) =>
  stakingOn(nodeOf({ ...slashed, ...change })).act('unstake', { pubkey: key.compressed, amount })

t.test('all of a stake leaves by the amount that takes all of its shares, and the balance says that amount', async (t) => {
  const node = nodeOf(slashed)
  const { ctx, protocol } = stakingOn(node)
  t.equal((await protocol.balance(ctx, one.address)).staked, 2n)
  t.equal(node.requests.length, 2, 'the first time, a wave for the rate')
  t.equal((await protocol.balance(ctx, one.address)).staked, 2n)
  t.equal(node.requests.length, 3, 'from then on it is asked along')
  t.same(
    [(await unstake(2n)).effects.calls[0]?.args.amount, (await unstake(1n)).effects.calls[0]?.args.amount],
    [2n, 1n],
    'or what was asked for',
  )
  await t.rejects(unstake(3n), { code: 'INSUFFICIENT_STAKE' })
  const another = { [VALIDATOR]: validator({ tokens: String(tokens + 1n), delegatorShares: String(shares) }) }
  await t.rejects(unstake(2n, another), { code: 'INSUFFICIENT_STAKE' }, 'a rate of another height, or a lie: the worth stands')
  for (const gone of [notFound('validator'), validator({ tokens: '0', delegatorShares: String(shares) })])
    await t.rejects(unstake(2n, { [VALIDATOR]: gone }), { code: 'INSUFFICIENT_STAKE' })
  t.ok(await unstake(1n, { [VALIDATOR]: notFound('validator') }), 'and what the chain tells can leave')
})

t.test('a stake of one unit can leave, and what is worth less than one is told to be stuck', async (t) => {
  const unit = { tokens, shares }
  const one_ = { [DELEGATION]: delegation(0n, { shares: sharesOf(1n, unit) }) }
  t.ok(await unstake(1n, one_), 'the chain tells it to be worth nothing')
  const dust = { [DELEGATION]: delegation(0n, { shares: E18 / 2n }) }
  await t.rejects(unstake(1n, dust), { statusCode: 400, code: 'INSUFFICIENT_STAKE', message: /worth less than a base unit since a slash/ })
  await t.rejects(unstake(1n, { [DELEGATION]: notFound('delegation') }), {
    code: 'INSUFFICIENT_STAKE',
    message: /more than the 0 ATOM staked/,
  })
})
