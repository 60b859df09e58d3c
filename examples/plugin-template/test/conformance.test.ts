import { testPlugin } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { observe, parseUnits } from '@svc/sandbox'
import t from 'tap'
import savings from '#plugin'
import { savings as savingsAbi, scenario, setClosed } from '#sandbox'
import { ledger } from './life.ts'

/** The scenario, with its chain in the test's hands for what the vault's keeper does there. */
const observed = observe(scenario)

await testPlugin(t, {
  plugin: savings,
  scenario: observed.scenario,
  family: evmFamily,
  examples: {
    deposit: { body: { amount: 1.5 } },
    withdraw: {
      async setup(saver) {
        await saver.act('deposit', { amount: 3 })
      },
      body: { amount: 2 },
    },
    close: {
      async setup(saver) {
        await saver.act('deposit', { amount: 3 })
      },
    },
  },
  former: 'the example saves in one vault, and has no setting for those before it',
  condition: {
    action: 'deposit',
    idle: [
      {
        state: 'paused',
        code: 'VAULT_CLOSED',
        async during(then) {
          await setClosed(observed.chain(), true)
          await then()
          await setClosed(observed.chain(), false)
        },
      },
    ],
  },
  ledger: ledger(() => observed.chain()),
  journeys: [
    {
      name: 'savings earn interest by the day, and closing pays out all of them',
      async run(saver) {
        await saver.act('deposit', { amount: 1000 })
        const first = parseUnits((await saver.position()).staked, 18)
        await saver.advance({ epochs: 1 })
        const second = parseUnits((await saver.position()).staked, 18)
        // 0.01 % of 1000; the price of a unit, the units and what they are worth are each rounded down.
        const short = first + first / 10_000n - second
        saver.check.ok(short >= 0n && short < 2000n, 'a day adds 0.01 %', String(short))
        await saver.act('close')
        await saver.expect('nothing is left', { staked: '0', objects: null })
      },
    },
    {
      name: 'an amount that a double rounded up means all savings, to the last wei',
      async run(saver) {
        // The nearest double is 7.123456789012346, which is more than there is.
        await saver.act('deposit', { amount: '7.123456789012345978' })
        const all = parseUnits((await saver.position()).staked, 18)
        const { json } = await saver.craft('withdraw', { amount: 7.123456789012346 })
        const { payload } = json as { payload: { data: string } }
        saver.check.equal(payload.data, savingsAbi.encodeFunctionData('withdraw', [all]), 'it is crafted for what there is')
      },
    },
    {
      name: 'a closed vault takes no deposits and goes on paying out',
      async run(saver) {
        await saver.act('deposit', { amount: 5 })
        await setClosed(observed.chain(), true)
        try {
          await saver.refused('deposit', { amount: 1 }, 'VAULT_CLOSED')
          await saver.act('withdraw', { amount: 1 })
        } finally {
          await setClosed(observed.chain(), false)
        }
      },
    },
  ],
  refusals: [
    {
      name: 'more than there is',
      async setup(saver) {
        await saver.act('deposit', { amount: 1 })
      },
      action: 'withdraw',
      body: { amount: 1.5 },
      code: 'INSUFFICIENT_SAVINGS',
    },
    { name: 'closing without savings', action: 'close', code: 'NO_SAVINGS' },
    { name: 'less than the minimum', action: 'deposit', body: { amount: 0.001 }, code: 'AMOUNT_TOO_SMALL' },
  ],
})
