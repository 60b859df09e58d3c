import { randomAmount, testPlugin } from '@svc/conformance'
import { cosmosFamily, delegationControl } from '@svc/conformance/cosmos'
import { exactNumber } from '@svc/contract'
import { observe } from '@svc/sandbox'
import { callers } from '@svc/testing/callers'
import { amount, EXACT, earning, hubLives, micro, refusals, staked } from '@svc/testing/hub'
import { hubMoves } from '@svc/testing/hub-moves'
import { hubTerms } from '@svc/testing/hub-terms'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const chain = { prefix: 'celestia', denom: 'utia', algorithm: 'secp256k1', chainId: 'celestia', lookup: 'tx_status' } as const
/** As celestia-appd runs by itself: without an index, and without results of blocks, so that moves are not told. */
const family = cosmosFamily({ ...chain, results: false })
/** Unbonding takes 14 days and an hour. */
const UNBONDING = 1_213_200

const observed = observe(scenario)

await testPlugin(t, {
  plugin,
  scenario: observed.scenario,
  family,
  callers: callers(import.meta.url),
  budget: { craft: 2, balance: 1, prepare: 1 },
  examples: {
    stake: { body: { amount } },
    unstake: { setup: staked, body: { amount: exactNumber('1.000001') } },
    'claim-rewards': { setup: earning },
  },
  ledger: hubLives({ unbonding: UNBONDING, acts: false }),
  control: {
    begin: async (player, random) => void (await player.act('stake', { amount: randomAmount(random, [2, 1_000], 6) })),
    ...delegationControl(chain),
  },
  former: {
    async change() {
      const [before, now] = [undefined, 'aurora'].map((name) => observed.chain().validator(name))
      return { settings: { validator: now }, former: { former_validators: [before] }, choice: { validator: before } }
    },
  },
  condition: {
    action: 'stake',
    idle: [
      {
        state: 'jailed',
        code: 'VALIDATOR_JAILED',
        async during(then) {
          await observed.chain().operations.jail!.run({ seconds: 600 })
          await then()
          await observed.chain().operations.unjail!.run({})
        },
      },
    ],
  },
  terms: hubTerms({ unbonding: UNBONDING, entries: 7, least: '0.2', commission: '0.2' }),
  journeys: [
    {
      name: 'a delegation counts at once, earns, and its rewards are claimed',
      async run(player) {
        await staked(player)
        await player.expect('it is staked, to the last unit', { staked: EXACT, activating: null, withdrawing: null, objects: [] })
        await player.advance({ epochs: 10 })
        const { rewards } = await player.position()
        player.check.ok(micro(rewards) > 0n, 'ten days have earned something', rewards)
        await player.act('claim-rewards')
        await player.expect('nothing is left to claim', { staked: EXACT, rewards: '0' })
        await player.refused('claim-rewards', {}, 'NOTHING_TO_CLAIM')
      },
    },
    {
      name: 'rewards wait when a delegation changes, also when it is gone',
      async run(player) {
        await earning(player)
        const before = micro((await player.position()).rewards)
        await player.act('stake', { amount: 1 })
        const after = micro((await player.position()).rewards)
        player.check.ok(after >= before, 'staking more leaves them where they are', [before, after])
        await player.act('unstake', { amount: exactNumber('1001.000001') })
        const { staked: left, rewards } = await player.position()
        player.check.equal(left, '0', 'nothing is staked any more')
        player.check.ok(micro(rewards) >= after, 'and the rewards are still there', rewards)
        await player.advance({ seconds: UNBONDING + 60 })
        await player.act('claim-rewards')
        await player.expect('they are claimed', { staked: '0', deactivating: '0', rewards: '0', objects: [] })
      },
    },
    {
      name: 'a claim that would cost its fee and pay nothing is refused, and pays when nothing is staked any more',
      async run(player) {
        await earning(player)
        await player.act('unstake', { amount: 1000 })
        await player.advance({ seconds: 60 })
        const { rewards } = await player.position()
        player.check.ok(micro(rewards) > 0n, 'the chain keeps the rewards', rewards)
        await player.refused('claim-rewards', {}, 'CLAIM_PAYS_NOTHING')
        await player.act('unstake', { amount: exactNumber('0.000001') })
        await player.act('claim-rewards')
        await player.expect('they are paid', { staked: '0', rewards: '0' })
      },
    },
    {
      name: 'stake leaves, waits 14 days and an hour, and is paid out by itself',
      async run(player) {
        await staked(player)
        const { timestamp } = (await player.advance({ seconds: 60 })) as { timestamp: number }
        await player.act('unstake', { amount: '400.000001' })
        const [request] = (await player.position()).objects ?? []
        const wait = Date.parse(request?.withdrawableAt ?? '') / 1000 - timestamp
        player.check.ok(wait >= UNBONDING && wait < UNBONDING + 60, 'it comes back in 14 days and an hour', request?.withdrawableAt)
        await player.expect('what is left stays staked', {
          staked: '600',
          deactivating: '400.000001',
          objects: [{ type: 'withdrawal_request', status: 'deactivating', amount: '400.000001', withdrawableEpoch: null }],
        })
        await player.advance({ seconds: UNBONDING + 60 })
        await player.expect('then it is paid out', { staked: '600', deactivating: '0', objects: [] })
      },
    },
    {
      name: 'seven requests wait at once, an eighth has to',
      async run(player) {
        await staked(player)
        for (let request = 1; request <= 7; request++) await player.act('unstake', { amount: request })
        await player.refused('unstake', { amount: 8 }, 'TOO_MANY_UNBONDINGS')
      },
    },
    {
      name: 'a jailed validator takes no stake and lets it go',
      async run(player) {
        await earning(player)
        await observed.chain().operations.jail!.run({ seconds: 600 })
        try {
          await player.refused('stake', { amount: 1 }, 'VALIDATOR_JAILED')
          await player.act('unstake', { amount: 1 })
        } finally {
          await observed.chain().operations.unjail!.run({})
        }
        await player.act('stake', { amount: 1 })
      },
    },
  ],
  refusals: [
    { name: 'more than the wallet holds', action: 'stake', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
    { name: 'a seventh decimal', action: 'stake', body: { amount: exactNumber('1.0000001') }, code: 'AMOUNT_INVALID' },
    { name: 'a text that is no key', action: 'stake', body: { amount: 1, pubkey: 'zz' }, code: 'PUBLIC_KEY_INVALID' },
    ...refusals,
  ],
})

await t.test('on a node that keeps what came of blocks', async (t) => {
  const observedKeeping = observe({
    ...scenario,
    async install(started, ...rest) {
      const installed = await scenario.install(started, ...rest)
      await started.operations.keep!.run({ results: true })
      return installed
    },
  })
  await testPlugin(t, {
    plugin,
    scenario: observedKeeping.scenario,
    family: cosmosFamily(chain),
    groups: ['life', 'moves'],
    moves: hubMoves({ chain: observedKeeping.chain, denom: 'utia', unbonding: UNBONDING, hasFeeMarket: false }),
    budget: { craft: 2, balance: 1, prepare: 1 },
    examples: {
      stake: { body: { amount } },
      unstake: { setup: staked, body: { amount: exactNumber('1.000001') } },
      'claim-rewards': { setup: earning },
    },
    journeys: [],
    refusals: [],
  })
})
