import type { ConformanceOptions, Player } from '@svc/conformance'
import { observe } from '@svc/sandbox'
import pool from '#plugin'
import { type NearScenario, poolAccount, scenario } from '#sandbox'
import { nearFamily } from './family/near.ts'

/** The scenario without rewards: what is staked stays the sum of what was. Rewards have a test of their own. */
const still: NearScenario = {
  ...scenario,
  async install(chain) {
    const installed = await scenario.install(chain)
    chain.node.rewards.clear()
    return installed
  },
}

export const observed = observe(still)

/** Lets something happen while an operation of the chain is on. */
const during = (operation: 'pause' | 'kick') => async (then: () => Promise<void>) => {
  const switched = (on: boolean) => observed.chain().operations[operation]?.run({ on })
  await switched(true)
  try {
    await then()
  } finally {
    await switched(false)
  }
}

const staked = (player: Player) => player.act('stake', { amount: '3' })

export const options: ConformanceOptions = {
  plugin: pool,
  scenario: observed.scenario,
  family: nearFamily,
  budget: { craft: 1, craftCalls: 6, balance: 1, prepare: 0 },
  former: 'the example stakes with one pool, and has no setting for those before it',
  agreement: 'its client says of no exchange how two answers are compared: the example is served by one endpoint after the other',
  condition: {
    action: 'stake',
    idle: [
      { state: 'paused', code: 'POOL_PAUSED', during: during('pause') },
      { state: 'inactive', code: 'POOL_IDLE', during: during('kick') },
    ],
  },
  examples: {
    stake: { body: { amount: '1.500000000000000000000001' } },
    unstake: {
      async setup(player) {
        await staked(player)
      },
      body: { amount: '2' },
    },
    'unstake-all': {
      async setup(player) {
        await staked(player)
      },
    },
    withdraw: {
      async setup(player) {
        await staked(player)
        await player.act('unstake', { amount: '2' })
        await player.advance({ epochs: 4 })
      },
    },
  },
  journeys: [
    {
      name: 'stake goes in, waits four epochs, and comes back',
      async run(player) {
        await player.act('stake', { amount: '1.500000000000000000000001' })
        await player.expect('it counts at once', { staked: '1.500000000000000000000001', deactivating: '0', withdrawing: '0' })
        await player.act('unstake', { amount: '0.5' })
        await player.expect('a part waits', { staked: '1.000000000000000000000001', deactivating: '0.5', withdrawing: '0' })
        await player.advance({ epochs: 3 })
        await player.refused('withdraw', {}, 'NOT_RELEASED')
        await player.advance({ epochs: 1 })
        await player.expect('it is free', { staked: '1.000000000000000000000001', deactivating: '0', withdrawing: '0.5' })
        await player.act('withdraw')
        await player.expect('it is back', { staked: '1.000000000000000000000001', withdrawing: '0' })
        await player.act('unstake-all')
        await player.expect('the rest waits', { staked: '0', deactivating: '1.000000000000000000000001' })
        await player.advance({ epochs: 4 })
        await player.act('withdraw')
        await player.expect('nothing is left', { staked: '0', deactivating: '0', withdrawing: '0' })
      },
    },
    {
      name: 'what waits begins to wait anew when more is taken out',
      async run(player) {
        await player.act('stake', { amount: '2' })
        await player.act('unstake', { amount: '1' })
        await player.advance({ epochs: 3 })
        await player.act('unstake', { amount: '0.5' })
        await player.advance({ epochs: 1 })
        await player.expect('the first would be free by now', { deactivating: '1.5', withdrawing: '0' })
        await player.advance({ epochs: 3 })
        await player.expect('both are', { deactivating: '0', withdrawing: '1.5' })
      },
    },
    {
      name: 'a pool that stakes nothing is not staked with',
      run: (player) => during('pause')(() => player.refused('stake', { amount: '1' }, 'POOL_PAUSED')),
    },
  ],
  refusals: [
    { name: 'more than the account has', action: 'stake', body: { amount: '200000' }, code: 'INSUFFICIENT_BALANCE' },
    {
      name: 'all that the account has, with nothing left for gas',
      action: 'stake',
      body: { amount: '100000' },
      code: 'INSUFFICIENT_BALANCE',
    },
    { name: 'a name without its key', action: 'stake', body: { account_id: 'alice.near', amount: '1' }, code: 'KEY_MISSING' },
    { name: 'a lockup', action: 'stake', body: { account_id: `${'11'.repeat(20)}.lockup.near`, amount: '1' }, code: 'ACCOUNT_UNSUITABLE' },
    {
      name: 'an account of another network',
      action: 'stake',
      body: { account_id: 'alice.testnet', amount: '1' },
      code: 'ACCOUNT_UNSUITABLE',
    },
    { name: 'an account that there is not', action: 'stake', body: { account_id: 'ab'.repeat(32), amount: '1' }, code: 'ACCOUNT_UNKNOWN' },
    { name: 'a key that is none', action: 'stake', body: { public_key: 'ed25519:1', amount: '1' }, code: 'KEY_UNKNOWN' },
    {
      name: "somebody else's key",
      action: 'stake',
      body: { public_key: 'ed25519:3Bmy2y8WtbRXNBYayR64kYqXN1XRi6Hqch6FwKFxmSWH', amount: '1' },
      code: 'KEY_UNKNOWN',
    },
    {
      name: 'more than is staked',
      setup: async (player) => void (await staked(player)),
      action: 'unstake',
      body: { amount: '4' },
      code: 'INSUFFICIENT_STAKE',
    },
    { name: 'nothing is staked', action: 'unstake-all', code: 'NOTHING_STAKED' },
    { name: 'nothing was taken out', action: 'withdraw', code: 'NOTHING_TO_WITHDRAW' },
  ],
}

export { poolAccount }
