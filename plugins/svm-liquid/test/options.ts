import { type ConformanceOptions, type Player, randomAmount } from '@svc/conformance'
import { svmFamily, tokenChanges, tokenLies } from '@svc/conformance/svm'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { fees } from '../sandbox/index.ts'
import { depositOf, lamportsFor, withdrawalOf } from '../src/chain/price.ts'
import plugin from '../src/index.ts'
import { feeOf, type onChain, withDepositAuthority } from './chain.ts'
import { moves } from './moves.ts'
import { terms } from './terms.ts'
import { ledger } from './wealth.ts'

/** Nine decimals, the last one set. */
const EXACT = '123.456789011'
const amount = exactNumber(EXACT)
const lamports = parseAmount(EXACT, 9)
const SOMEBODY = 'mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v'

async function staked(player: Player): Promise<void> {
  await player.act('stake', { amount })
}

/** Options of conformance for a pool, whatever its addresses are. */
export function optionsOf({ scenario, chain }: ReturnType<typeof onChain>): ConformanceOptions {
  return {
    plugin,
    scenario,
    family: svmFamily,
    budget: { craft: { stake: 2, unstake: 2 }, balance: 1, prepare: 0 },
    examples: {
      // The pool's fee, and the price of its tokens, which is what leaves.
      stake: { body: { amount }, priced: true },
      unstake: { setup: staked, body: { amount: exactNumber('1.000000001') }, priced: true },
    },
    moves: moves(chain),
    former:
      "a customer holds the pool's token, and the validators are the pool's own; another pool is another token, in an account of its own",
    condition: {
      action: 'stake',
      idle: [{ state: 'paused', code: 'POOL_CLOSED', during: (then) => chain().whileChanged(withDepositAuthority(SOMEBODY), then) }],
    },
    control: {
      begin: async (player, random) => void (await player.act('stake', { amount: randomAmount(random, [4, 1_000], 9) })),
      changes: tokenChanges,
      lies: tokenLies,
    },
    terms: terms(chain),
    ledger: ledger(chain),
    journeys: [
      {
        name: 'a deposit is worth its price at once, more with every epoch, and leaves to the last lamport',
        async run(player) {
          const { address } = player.wallet
          const { svm, record, tokens } = chain()
          const deposit = depositOf(lamports, record())
          await player.act('stake', { amount })
          // The depositor is the referrer, too.
          player.check.equal(tokens(address), deposit.user + deposit.referral, 'as many tokens as the formula says')
          await player.expect('they are worth the price of the pool', {
            staked: formatAmount(lamportsFor(tokens(address), record()), 9),
            activating: null,
            deactivating: null,
            withdrawing: null,
            rewards: null,
            objects: null,
          })
          const before = parseAmount((await player.position()).staked, 9)
          await player.advance({ epochs: 1 })
          const grown = parseAmount((await player.position()).staked, 9)
          player.check.ok(grown > before, 'an epoch later they are worth more', [before, grown].join())
          await player.act('stake', { amount: 1 })

          const held = tokens(address)
          const paid = withdrawalOf(held, fees.solWithdrawal, record())
          const wallet = await svm.balance(address)
          const { unsigned } = await player.act('unstake', { amount: exactNumber(formatAmount(held, 9)) })
          player.check.equal(tokens(address), 0n, 'not a token stays')
          player.check.equal(
            (await svm.balance(address)) - wallet,
            paid.lamports - feeOf(unsigned, chain().settings.program),
            'as many lamports as the formula says',
          )
          await player.expect('and nothing is left', { staked: '0' })
        },
      },
      {
        name: 'an exact part leaves, and the rest stays to the last unit',
        async run(player) {
          await staked(player)
          const held = chain().tokens(player.wallet.address)
          await player.act('unstake', { amount: exactNumber('0.000000007') })
          player.check.equal(chain().tokens(player.wallet.address), held - 7n, 'seven units are gone')
          await player.refused('unstake', { amount: exactNumber(formatAmount(held, 9)) }, 'INSUFFICIENT_TOKENS')
        },
      },
    ],
    refusals: [
      { name: 'a deposit below 0.003', action: 'stake', body: { amount: exactNumber('0.002999999') }, code: 'AMOUNT_TOO_SMALL' },
      { name: 'a deposit finer than a lamport', action: 'stake', body: { amount: exactNumber('1.0000000001') }, code: 'AMOUNT_INVALID' },
      { name: 'more than the wallet holds', action: 'stake', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
      { name: 'all that the wallet holds', action: 'stake', body: { amount: 100_000 }, code: 'INSUFFICIENT_BALANCE' },
      {
        name: 'more than an instruction carries',
        action: 'stake',
        body: { amount: exactNumber('18446744073.709551616') },
        code: 'AMOUNT_INVALID',
      },
      {
        name: 'the most that there can be',
        setup: staked,
        action: 'unstake',
        body: { amount: exactNumber('9223372036.854775807') },
        code: 'INSUFFICIENT_TOKENS',
      },
      { name: 'no pool tokens at all', action: 'unstake', body: { amount: 1 }, code: 'INSUFFICIENT_TOKENS' },
      { name: 'more than the pool tokens', setup: staked, action: 'unstake', body: { amount: 124 }, code: 'INSUFFICIENT_TOKENS' },
      { name: 'more than anybody has', setup: staked, action: 'unstake', body: { amount: exactNumber('1e58') }, code: 'AMOUNT_INVALID' },
    ],
  }
}
