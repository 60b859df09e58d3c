import { type Player, randomAmount, testPlugin } from '@svc/conformance'
import { delegationLies, delegations, evmFamily, ordinaryChanges } from '@svc/conformance/evm'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { observe } from '@svc/sandbox'
import { callers } from '@svc/testing/callers'
import t from 'tap'
import { control, poolId, scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { moves } from './moves.ts'
import { terms } from './terms.ts'
import { ledger } from './wealth.ts'

/** Eighteen decimals, the last one set: no double can carry it. */
const EXACT = '1000.000000000000000001'
const amount = exactNumber(EXACT)
const observed = observe(scenario)
/** Does something while the staking contract is told otherwise. */
const whileTold =
  (name: string, ...[told, otherwise]: readonly (readonly unknown[])[]) =>
  async (then: () => Promise<void>) => {
    await control(observed.chain(), name, ...told!)
    await then()
    await control(observed.chain(), name, ...otherwise!)
  }
/** Epochs from an exit to its payment. */
const WINDOW = 84

async function delegated(player: Player): Promise<void> {
  await player.act('delegate', { amount })
  await player.advance({ epochs: 1 })
}

async function earning(player: Player): Promise<void> {
  await delegated(player)
  await player.advance({ epochs: 1 })
}

async function exiting(player: Player): Promise<void> {
  await delegated(player)
  await player.act('undelegate')
}

function sum(...texts: readonly (string | null)[]): string {
  return formatAmount(
    texts.reduce((total, text) => total + parseAmount(text ?? '0', 18), 0n),
    18,
  )
}

const above = (player: Player, name: string, text: string | null, floor: string) =>
  player.check.ok(parseAmount(text ?? '0', 18) > parseAmount(floor, 18), name, text)

await testPlugin(t, {
  plugin,
  scenario: observed.scenario,
  family: evmFamily,
  callers: callers(import.meta.url),
  budget: { craft: 1, balance: 1, prepare: 0 },
  examples: {
    delegate: { body: { amount } },
    undelegate: { setup: delegated },
    withdraw: {
      async setup(player) {
        await exiting(player)
        await player.advance({ epochs: WINDOW })
      },
    },
    'claim-rewards': { setup: earning },
    'compound-rewards': { setup: earning },
  },
  moves: moves(observed.chain),
  ledger: ledger(observed.chain),
  former: {
    change: async () => ({
      settings: { pool_id: `0x${'1'.padStart(64, '0')}` },
      former: { former_validators: [poolId] },
      choice: { poolId },
    }),
  },
  condition: {
    action: 'delegate',
    idle: [
      { state: 'inactive', code: 'POOL_INACTIVE', during: whileTold('setStatus', [poolId, 4], [poolId, 2]) },
      { state: 'left', code: 'POOL_LEAVING', during: whileTold('setStatus', [poolId, 3], [poolId, 2]) },
      { state: 'paused', code: 'DELEGATION_DISABLED', during: whileTold('setDelegationEnabled', [poolId, false], [poolId, true]) },
      { state: 'paused', code: 'STAKING_PAUSED', during: whileTold('setPaused', [true], [false]) },
    ],
  },
  control: {
    async begin(player, random) {
      await player.act('delegate', { amount: randomAmount(random, [10, 1_000], 18) })
      await player.advance({ epochs: 1 })
    },
    changes: [...delegations, ...ordinaryChanges((followed) => followed.act('undelegate'))],
    lies: delegationLies,
  },
  terms: terms(observed.chain),
  journeys: [
    {
      name: 'a delegation becomes active, earns, and its rewards are claimed',
      async run(player) {
        const before = await player.position()
        await player.act('delegate', { amount })
        await player.expect('it is activating, to the wei', { staked: '0', activating: EXACT, rewards: '0', objects: null })
        await player.advance({ epochs: 1 })
        await player.expect('it is active in the next epoch, although nothing touched it', { staked: EXACT, activating: '0', rewards: '0' })
        await player.refused('claim-rewards', {}, 'NOTHING_TO_CLAIM')
        await player.refused('compound-rewards', {}, 'NOTHING_TO_COMPOUND')
        await player.advance({ epochs: 1 })
        const { rewards } = await player.position()
        above(player, 'an epoch later it has earned, although nothing touched it', rewards, '0')
        await player.act('claim-rewards')
        await player.expect('nothing is left to claim', { ...before, staked: EXACT, rewards: '0' })
        await player.refused('claim-rewards', {}, 'NOTHING_TO_CLAIM')
        await player.advance({ epochs: 1 })
        await player.expect('each epoch earns the same', { rewards })
      },
    },
    {
      name: 'an epoch takes one delegation, and none leaves before its epoch',
      async run(player) {
        await player.act('delegate', { amount })
        await player.refused('delegate', { amount: 1 }, 'DELEGATION_PENDING')
        await player.refused('undelegate', {}, 'DELEGATION_PENDING')
        await player.advance({ epochs: 1 })
        await player.act('delegate', { amount: '2.5' })
        await player.expect('the second waits, the first is active', { staked: EXACT, activating: '2.5' })
        await player.refused('undelegate', {}, 'DELEGATION_PENDING')
        await player.advance({ epochs: 1 })
        const { rewards } = await player.position()
        above(player, 'the first has earned meanwhile', rewards, '0')
        await player.expect('both are active', { staked: sum(EXACT, '2.5'), activating: '0' })
        await player.advance({ epochs: 1 })
        above(player, 'both earn', (await player.position()).rewards, sum(rewards, rewards))
      },
    },
    {
      name: 'rewards are compounded',
      async run(player) {
        await earning(player)
        const { rewards } = await player.position()
        await player.act('compound-rewards')
        await player.expect('the rewards are activating', { staked: EXACT, activating: rewards, rewards: '0' })
        await player.refused('delegate', { amount: 1 }, 'DELEGATION_PENDING')
        await player.refused('undelegate', {}, 'DELEGATION_PENDING')
        await player.refused('compound-rewards', {}, 'NOTHING_TO_COMPOUND')
        await player.advance({ epochs: 1 })
        await player.expect('the rewards are staked', { staked: sum(EXACT, rewards), activating: '0' })
        await player.act('delegate', { amount: 1 })
        await player.refused('compound-rewards', {}, 'DELEGATION_PENDING')
      },
    },
    {
      name: 'everything leaves through the withdraw window, and the address can begin again',
      async run(player) {
        await earning(player)
        const { staked, rewards } = await player.position()
        const all = sum(staked, rewards)
        await player.act('undelegate')
        await player.expect('stake and rewards are deactivating', {
          staked: '0',
          activating: '0',
          deactivating: all,
          withdrawing: '0',
          rewards: '0',
          objects: null,
        })
        await player.refused('withdraw', {}, 'WITHDRAWAL_NOT_READY')
        await player.refused('undelegate', {}, 'UNDELEGATION_PENDING')
        await player.refused('delegate', { amount: 1 }, 'UNDELEGATION_PENDING')
        await player.advance({ epochs: WINDOW - 1 })
        await player.expect('an epoch before the end it is locked', { deactivating: all, withdrawing: '0' })
        await player.refused('withdraw', {}, 'WITHDRAWAL_NOT_READY')
        await player.advance({ epochs: 1 })
        await player.expect('then it is withdrawable', { deactivating: '0', withdrawing: all })
        await player.refused('delegate', { amount: 1 }, 'UNDELEGATION_PENDING')
        await player.act('withdraw')
        await player.expect('nothing is left', { staked: '0', activating: '0', deactivating: '0', withdrawing: '0', rewards: '0' })
        await player.refused('withdraw', {}, 'NOTHING_TO_WITHDRAW')
        await player.act('delegate', { amount: 1 })
        await player.expect('a new delegation begins as the first', { staked: '0', activating: '1' })
      },
    },
    {
      name: 'an epoch ends by time as well',
      async run(player) {
        await player.act('delegate', { amount })
        await player.advance({ seconds: 4 * 3600 })
        await player.expect('four hours later it is active', { staked: EXACT, activating: '0' })
      },
    },
  ],
  refusals: [
    {
      name: 'a wallet that is a contract',
      setup: (player) => observed.chain().setCode(player.wallet.address, '0x00'),
      action: 'delegate',
      body: { amount: 1 },
      code: 'WALLET_IS_CONTRACT',
    },
    {
      name: 'a wei below the minimum of the chain',
      action: 'delegate',
      body: { amount: '0.999999999999999999' },
      code: 'AMOUNT_TOO_SMALL',
    },
    { name: 'dust', action: 'delegate', body: { amount: exactNumber('1e-18') }, code: 'AMOUNT_TOO_SMALL' },
    { name: 'nineteen decimals', action: 'delegate', body: { amount: exactNumber('1.0000000000000000001') }, code: 'AMOUNT_INVALID' },
    { name: 'more than the wallet holds', action: 'delegate', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
    {
      name: 'a wei more than the wallet holds',
      action: 'delegate',
      body: { amount: exactNumber('100000.000000000000000001') },
      code: 'INSUFFICIENT_BALANCE',
    },
    {
      name: 'all that the wallet holds, with nothing left for the fee',
      action: 'delegate',
      body: { amount: 100_000 },
      code: 'INSUFFICIENT_BALANCE',
    },
    { name: 'more than the pool takes', action: 'delegate', body: { amount: 25_000_001 }, code: 'POOL_ROOM_EXCEEDED' },
    {
      name: 'a second delegation in the same epoch',
      setup: async (player) => void (await player.act('delegate', { amount })),
      action: 'delegate',
      body: { amount: 1 },
      code: 'DELEGATION_PENDING',
    },
    { name: 'a delegation during an exit', setup: exiting, action: 'delegate', body: { amount: 1 }, code: 'UNDELEGATION_PENDING' },
    { name: 'no stake to undelegate', action: 'undelegate', code: 'NOTHING_TO_UNDELEGATE' },
    {
      name: 'stake that is not active yet',
      setup: async (player) => void (await player.act('delegate', { amount })),
      action: 'undelegate',
      code: 'DELEGATION_PENDING',
    },
    { name: 'a second exit', setup: exiting, action: 'undelegate', code: 'UNDELEGATION_PENDING' },
    {
      name: 'an amount, which undelegate does not take',
      setup: delegated,
      action: 'undelegate',
      body: { amount: 1 },
      code: 'REQUEST_INVALID',
    },
    { name: 'nothing to withdraw', action: 'withdraw', code: 'NOTHING_TO_WITHDRAW' },
    { name: 'active stake, which is not withdrawn', setup: delegated, action: 'withdraw', code: 'NOTHING_TO_WITHDRAW' },
    { name: 'a withdrawal within the window', setup: exiting, action: 'withdraw', code: 'WITHDRAWAL_NOT_READY' },
    { name: 'no rewards to claim', action: 'claim-rewards', code: 'NOTHING_TO_CLAIM' },
    { name: 'no rewards to claim in the first epoch of a stake', setup: delegated, action: 'claim-rewards', code: 'NOTHING_TO_CLAIM' },
    { name: 'no rewards to compound', action: 'compound-rewards', code: 'NOTHING_TO_COMPOUND' },
    {
      name: 'rewards beside stake that waits',
      async setup(player) {
        await earning(player)
        await player.act('delegate', { amount: 1 })
      },
      action: 'compound-rewards',
      code: 'DELEGATION_PENDING',
    },
  ],
})
