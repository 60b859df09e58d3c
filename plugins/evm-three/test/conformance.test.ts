import { type Player, randomAmount, testPlugin } from '@svc/conformance'
import { delegationLies, delegations, evmFamily, ordinaryChanges } from '@svc/conformance/evm'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { observe } from '@svc/sandbox'
import { callers } from '@svc/testing/callers'
import t from 'tap'
import { scenario, whileLeaving } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { moves } from './support/moves.ts'
import { terms } from './support/terms.ts'
import { ledger } from './support/wealth.ts'

/** Eighteen decimals, the last one set: no double can carry it. */
const EXACT = '1000.000000000000000001'
const amount = exactNumber(EXACT)
const observed = observe(scenario)

/** Into the delay period from the start of an epoch, and from there into the next epoch; in seconds. */
const INTO_DELAY = 13_600
const OUT_OF_DELAY = 1_500

async function delegated(player: Player): Promise<void> {
  await player.act('delegate', { amount })
  await player.advance({ epochs: 2 })
}

async function inSlot7(player: Player): Promise<void> {
  await delegated(player)
  await player.act('undelegate', { amount: exactNumber('0.000000000000000001'), withdrawId: 7 })
}

function sum(...texts: readonly (string | null)[]): string {
  return formatAmount(
    texts.reduce((total, text) => total + parseAmount(text ?? '0', 18), 0n),
    18,
  )
}

await testPlugin(t, {
  plugin,
  scenario: observed.scenario,
  family: evmFamily,
  callers: callers(import.meta.url),
  budget: { craft: 1, balance: 1, prepare: 0 },
  examples: {
    delegate: { body: { amount } },
    undelegate: { setup: delegated, body: { amount: exactNumber('1.000000000000000001'), withdrawId: 7 } },
    withdraw: {
      async setup(player) {
        await inSlot7(player)
        await player.advance({ epochs: 2 })
      },
      body: { withdrawId: 7 },
    },
    'claim-rewards': { setup: delegated },
    compound: { setup: delegated },
  },
  ledger,
  moves,
  former: {
    change: async () => ({ settings: { validator_id: 13 }, former: { former_validators: [12] }, choice: { validatorId: 12 } }),
  },
  condition: { action: 'delegate', idle: [{ state: 'left', code: 'VALIDATOR_INACTIVE', during: whileLeaving }] },
  control: {
    async begin(player, random) {
      await player.act('delegate', { amount: randomAmount(random, [10, 1_000], 18) })
      await player.advance({ epochs: 2 })
    },
    changes: [...delegations, ...ordinaryChanges((followed) => followed.act('undelegate', { amount: 1, withdrawId: 1 }))],
    lies: delegationLies,
  },
  terms: terms(observed.chain),
  journeys: [
    {
      name: 'while the validator is about to leave the active set nothing is staked, and everything can leave',
      async run(player) {
        await delegated(player)
        await whileLeaving(async () => {
          await player.refused('delegate', { amount: 1 }, 'VALIDATOR_INACTIVE')
          await player.refused('compound', {}, 'VALIDATOR_INACTIVE')
          await player.act('undelegate', { amount: 1, withdrawId: 7 })
          await player.act('claim-rewards')
        })
        await player.act('delegate', { amount: 1 })
      },
    },
    {
      name: 'a delegation becomes active, earns, and its rewards are claimed',
      async run(player) {
        const before = await player.position()
        await player.act('delegate', { amount })
        await player.expect('it is activating, to the wei', { staked: '0', activating: EXACT, rewards: '0', objects: [] })
        await player.act('delegate', { amount: '2.5' })
        await player.expect('two delegations of one epoch add up', { staked: '0', activating: sum(EXACT, '2.5') })
        await player.advance({ epochs: 1 })
        await player.expect('it is active in the next epoch', { staked: sum(EXACT, '2.5'), activating: '0', rewards: '0' })
        await player.advance({ epochs: 1 })
        const { rewards } = await player.position()
        player.check.ok(parseAmount(rewards ?? '0', 18) > 0n, 'an epoch later it has earned', rewards)
        await player.act('claim-rewards')
        await player.expect('nothing is left to claim', { ...before, staked: sum(EXACT, '2.5'), rewards: '0' })
        await player.refused('claim-rewards', {}, 'NOTHING_TO_CLAIM')
      },
    },
    {
      name: 'rewards are compounded',
      async run(player) {
        await delegated(player)
        const { rewards } = await player.position()
        await player.act('compound')
        await player.expect('the rewards are activating', { staked: EXACT, activating: rewards, rewards: '0' })
        await player.advance({ epochs: 1 })
        await player.expect('the rewards are staked', { staked: sum(EXACT, rewards), activating: '0' })
      },
    },
    {
      name: 'stake leaves through a slot, which is free again afterwards',
      async run(player) {
        await delegated(player)
        const { epoch } = (await player.advance({ seconds: 1 })) as { epoch: number }
        await player.act('undelegate', { amount, withdrawId: 7 })
        const request = { id: '7', type: 'withdrawal_request', amount: EXACT, validator: '12', rewards: null, withdrawableEpoch: epoch + 2 }
        await player.expect('all of it is deactivating', {
          staked: '0',
          deactivating: EXACT,
          withdrawing: '0',
          objects: [{ ...request, status: 'deactivating' }],
        })
        await player.refused('undelegate', { amount: 1, withdrawId: 7 }, 'SLOT_IN_USE')
        await player.refused('withdraw', { withdrawId: 7 }, 'WITHDRAWAL_NOT_READY')
        await player.advance({ epochs: 1 })
        await player.refused('withdraw', { withdrawId: 7 }, 'WITHDRAWAL_NOT_READY')
        await player.expect('the chain still holds it in the epoch in which it deactivates', { deactivating: EXACT, withdrawing: '0' })
        await player.advance({ epochs: 1 })
        await player.expect('it is withdrawable in the epoch after', {
          deactivating: '0',
          withdrawing: EXACT,
          objects: [{ ...request, status: 'withdrawable' }],
        })
        await player.act('withdraw', { withdrawId: 7 })
        await player.expect('the slot is free', { staked: '0', deactivating: '0', withdrawing: '0', objects: [] })
        await player.act('delegate', { amount: 1 })
        await player.advance({ epochs: 1 })
        await player.act('undelegate', { amount: 1, withdrawId: 7 })
      },
    },
    {
      name: 'every slot can be used, the first and the last too',
      async run(player) {
        await delegated(player)
        for (const [index, withdrawId] of [255, 0, 128].entries())
          await player.act('undelegate', { amount: exactNumber(`1.00000000000000000${index}`), withdrawId })
        await player.expect('each request has its slot and its amount', {
          staked: '996.999999999999999998',
          deactivating: '3.000000000000000003',
          objects: [
            { id: '0', amount: '1.000000000000000001' },
            { id: '128', amount: '1.000000000000000002' },
            { id: '255', amount: '1' },
          ],
        })
      },
    },
    {
      name: 'an amount a trifle above the stake is all of it',
      async run(player) {
        // The nearest double is 1234.567890123457, above the stake by 211,000 wei of the 227,373 of its last place.
        const stake = '1234.567890123456789'
        await player.act('delegate', { amount: exactNumber(stake) })
        await player.advance({ epochs: 1 })
        await player.refused('undelegate', { amount: exactNumber('1234.56789012345702'), withdrawId: 1 }, 'INSUFFICIENT_STAKE')
        await player.act('undelegate', { amount: Number(stake), withdrawId: 1 }, 2)
        await player.expect('nothing stays behind', { staked: '0', deactivating: stake, objects: [{ id: '1', amount: stake }] })
      },
    },
    {
      name: 'what would stay behind as dust leaves with the request',
      async run(player) {
        await delegated(player)
        await player.act('undelegate', { amount: 1000, withdrawId: 0 })
        await player.expect('the last wei is in the request', { staked: '0', deactivating: EXACT })
      },
    },
    {
      name: 'a delegation in the last part of an epoch counts one epoch later',
      async run(player) {
        await player.advance({ epochs: 1 })
        const { in_delay_period } = await player.advance({ seconds: INTO_DELAY })
        try {
          player.check.equal(in_delay_period, true, 'the delay period has begun')
          await player.act('delegate', { amount })
          await player.advance({ epochs: 1 })
          await player.expect('the next epoch is too early', { staked: '0', activating: EXACT })
          await player.advance({ epochs: 1 })
          await player.expect('the one after is not', { staked: EXACT, activating: '0' })
        } finally {
          await player.advance({ seconds: OUT_OF_DELAY })
        }
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
    { name: 'a delegation below a gwei', action: 'delegate', body: { amount: '0.000000000999999999' }, code: 'AMOUNT_TOO_SMALL' },
    { name: 'more than the wallet holds', action: 'delegate', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
    {
      name: 'all that the wallet holds, with nothing left for the fee',
      action: 'delegate',
      body: { amount: 100_000 },
      code: 'INSUFFICIENT_BALANCE',
    },
    { name: 'a slot in use', setup: inSlot7, action: 'undelegate', body: { amount: 1, withdrawId: 7 }, code: 'SLOT_IN_USE' },
    { name: 'no stake at all', action: 'undelegate', body: { amount: 1, withdrawId: 7 }, code: 'INSUFFICIENT_STAKE' },
    {
      name: 'more than the active stake',
      setup: delegated,
      action: 'undelegate',
      body: { amount: 1001, withdrawId: 7 },
      code: 'INSUFFICIENT_STAKE',
    },
    {
      name: 'stake that is not active yet',
      setup: async (player) => void (await player.act('delegate', { amount })),
      action: 'undelegate',
      body: { amount: 1, withdrawId: 7 },
      code: 'INSUFFICIENT_STAKE',
    },
    { name: 'slot 256', setup: delegated, action: 'undelegate', body: { amount: 1, withdrawId: 256 }, code: 'REQUEST_INVALID' },
    { name: 'an empty slot', action: 'withdraw', body: { withdrawId: 7 }, code: 'NOTHING_TO_WITHDRAW' },
    { name: 'a slot whose epoch has not come', setup: inSlot7, action: 'withdraw', body: { withdrawId: 7 }, code: 'WITHDRAWAL_NOT_READY' },
    { name: 'no rewards to claim', action: 'claim-rewards', code: 'NOTHING_TO_CLAIM' },
    { name: 'no rewards to compound', action: 'compound', code: 'NOTHING_TO_COMPOUND' },
    {
      name: 'rewards below a gwei, which the chain does not compound',
      async setup(player) {
        await player.act('delegate', { amount: '0.000000001' })
        await player.advance({ epochs: 2 })
        // They can be claimed, so they are there.
        const answer = await player.craft('claim-rewards')
        if (answer.status !== 200) throw new TypeError(answer.text)
      },
      action: 'compound',
      code: 'NOTHING_TO_COMPOUND',
    },
  ],
})
