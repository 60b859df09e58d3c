import { randomAmount, testPlugin } from '@svc/conformance'
import { cosmosFamily, delegationControl } from '@svc/conformance/cosmos'
import { exactNumber, formatAmount } from '@svc/contract'
import { observe } from '@svc/sandbox'
import { callers } from '@svc/testing/callers'
import { amount, EXACT, earning, hubLives, micro, refusals, staked } from '@svc/testing/hub'
import { hubMoves } from '@svc/testing/hub-moves'
import { hubTerms } from '@svc/testing/hub-terms'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const chain = { prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1', chainId: 'cosmoshub-4' } as const
const family = cosmosFamily(chain)
/** Unbonding takes 21 days. */
const UNBONDING = 1_814_400

const observed = observe(scenario)
const operate = (operation: string, body: Readonly<Record<string, unknown>> = {}) => observed.chain().operations[operation]!.run(body)

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
  ledger: hubLives({ unbonding: UNBONDING, acts: true }),
  moves: hubMoves({ chain: observed.chain, denom: 'uatom', unbonding: UNBONDING, hasFeeMarket: true }),
  control: {
    begin: async (player, random) => void (await player.act('stake', { amount: randomAmount(random, [2, 1_000], 6) })),
    ...delegationControl(chain),
  },
  former: {
    async change() {
      const [before, now] = [undefined, 'atlas'].map((name) => observed.chain().validator(name))
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
          await operate('jail', { seconds: 600 })
          await then()
          await operate('unjail')
        },
      },
    ],
  },
  terms: hubTerms({ unbonding: UNBONDING, entries: 7, least: '0.05', commission: '0.05' }),
  journeys: [
    {
      name: 'a delegation counts at once, earns, and its rewards are claimed',
      async run(player) {
        const empty = { activating: null, deactivating: '0', withdrawing: null, objects: [] }
        await player.expect('nothing is staked', { ...empty, staked: '0', rewards: '0' })
        await player.act('stake', { amount })
        await player.expect('it is staked, to the last unit', { ...empty, staked: EXACT })
        await player.act('stake', { amount: '2.5' })
        await player.expect('delegations add up', { ...empty, staked: '1002.500001' })
        await player.advance({ epochs: 10 })
        const { rewards } = await player.position()
        // 14.896 % a year of a stake of 1002.5, ten days of it: 4.09, less what the other stakers' share grew.
        player.check.ok(
          micro(rewards) > 3_500_000n && micro(rewards) < 4_600_000n,
          'ten days have earned about what staking-info says',
          rewards,
        )
        await player.act('claim-rewards')
        await player.expect('nothing is left to claim', { ...empty, staked: '1002.500001', rewards: '0' })
        await player.refused('claim-rewards', {}, 'NOTHING_TO_CLAIM')
      },
    },
    {
      name: 'stake leaves, waits 21 days, and is paid out by itself',
      async run(player) {
        await staked(player)
        const { timestamp } = (await player.advance({ seconds: 60 })) as { timestamp: number }
        await player.act('unstake', { amount: '400.000001' })
        const { objects } = await player.position()
        const [request] = objects ?? []
        const wait = Date.parse(request?.withdrawableAt ?? '') / 1000 - timestamp
        // A block comes some seconds after the one before.
        player.check.ok(wait >= UNBONDING && wait < UNBONDING + 60, 'it comes back in 21 days', request?.withdrawableAt)
        player.check.ok(/^[1-9]\d*$/.test(request?.id ?? ''), 'the chain has given it an identifier', request?.id)
        await player.expect('what is left stays staked', {
          staked: '600',
          activating: null,
          deactivating: '400.000001',
          withdrawing: null,
          objects: [
            {
              type: 'withdrawal_request',
              status: 'deactivating',
              amount: '400.000001',
              rewards: null,
              activationEpoch: null,
              withdrawableEpoch: null,
            },
          ],
        })
        await player.advance({ seconds: UNBONDING - 60 })
        await player.expect('shortly before it is still waiting', { deactivating: '400.000001' })
        await player.advance({ seconds: 120 })
        await player.expect('then it is paid out', { staked: '600', deactivating: '0', withdrawing: null, objects: [] })
      },
    },
    {
      name: 'all of it leaves, and the rewards with it',
      async run(player) {
        await earning(player)
        await player.act('unstake', { amount })
        await player.expect('nothing stays behind', { staked: '0', deactivating: EXACT, rewards: '0' })
        await player.refused('unstake', { amount: '0.000001' }, 'INSUFFICIENT_STAKE')
        await player.refused('claim-rewards', {}, 'NOTHING_TO_CLAIM')
      },
    },
    {
      name: 'seven requests wait at once, an eighth has to',
      async run(player) {
        await staked(player)
        for (let request = 1; request <= 7; request++) await player.act('unstake', { amount: request })
        const { objects, deactivating } = await player.position()
        player.check.equal(objects?.map((each) => each.amount).sort(), ['1', '2', '3', '4', '5', '6', '7'], 'each is listed')
        player.check.equal(new Set(objects?.map(({ id }) => id)).size, 7, 'each has an identifier of its own')
        player.check.equal(deactivating, '28', 'they add up')
        await player.refused('unstake', { amount: 8 }, 'TOO_MANY_UNBONDINGS')
        await player.advance({ seconds: UNBONDING + 60 })
        await player.act('unstake', { amount: 8 })
        await player.expect('then there is room', { staked: formatAmount(micro(EXACT) - 36_000_000n, 6), deactivating: '8' })
      },
    },
    {
      name: 'everything but the fee can be staked',
      async run(player) {
        await player.refused('stake', { amount: 100_000 }, 'INSUFFICIENT_BALANCE')
        await player.act('stake', { amount: '99999.99' })
        await player.expect('it is staked', { staked: '99999.99' })
      },
    },
    {
      name: 'what is staked with a jailed validator can leave, and what is not cannot come',
      async run(player) {
        await earning(player)
        await operate('jail', { seconds: 600 })
        await player.refused('stake', { amount: 1 }, 'VALIDATOR_JAILED')
        await player.act('unstake', { amount: 1 })
        await player.expect('one has left', { deactivating: '1' })
        await operate('unjail')
        await player.act('stake', { amount: 1 })
      },
    },
  ],
  refusals: [
    { name: 'more than the wallet holds', action: 'stake', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
    {
      name: 'all that the wallet holds, with nothing left for the fee',
      action: 'stake',
      body: { amount: 100_000 },
      code: 'INSUFFICIENT_BALANCE',
    },
    { name: 'a seventh decimal', action: 'stake', body: { amount: exactNumber('1.0000001') }, code: 'AMOUNT_INVALID' },
    { name: 'a text that is no key', action: 'stake', body: { amount: 1, pubkey: 'zz' }, code: 'PUBLIC_KEY_INVALID' },
    {
      name: 'a key that is no point of the curve',
      action: 'stake',
      body: { amount: 1, pubkey: `02${'0'.repeat(63)}5` },
      code: 'PUBLIC_KEY_INVALID',
    },
    ...refusals,
  ],
})

await t.test('what happens to the validator', async (t) => {
  await testPlugin(t, {
    plugin,
    scenario: observed.scenario,
    family,
    groups: ['journeys', 'state'],
    budget: { craft: 2, balance: 1, prepare: 1 },
    examples: { stake: { body: { amount } }, unstake: { setup: staked, body: { amount: 1 } }, 'claim-rewards': { setup: earning } },
    journeys: [
      {
        name: 'fees rise between craft and broadcast',
        async run(player) {
          const crafted = await player.craft('stake', { amount: 1 })
          const signed = await player.client.post('/action/prepare', await family.sign(crafted.json as never, player.wallet as never))
          await operate('gas-price', { price: '0.02' })
          const answer = await player.client.post('/action/broadcast', signed.json)
          player.check.equal([answer.status, answer.code], [400, 'FEE_TOO_LOW'], 'the chain refuses what pays too little')
          await player.act('stake', { amount: 1 })
          await operate('gas-price', { price: '0.9' })
          await player.refused('stake', { amount: 1 }, 'FEE_ABOVE_CAP', 503)
          await operate('gas-price', { price: '0.005' })
          await player.act('stake', { amount: 1 })
        },
      },
      {
        name: 'two crafts of one sequence',
        async run(player) {
          const both = [await player.craft('stake', { amount: 1 }), await player.craft('stake', { amount: 2 })]
          const sent = []
          for (const { json } of both) {
            const signed = await player.client.post('/action/prepare', await family.sign(json as never, player.wallet as never))
            sent.push(await player.client.post('/action/broadcast', signed.json))
          }
          player.check.equal(
            sent.map(({ status, code }) => [status, code]),
            [
              [200, undefined],
              [400, 'SEQUENCE_USED'],
            ],
            'the second one is refused, and says so',
          )
          await operate('blocks', { instant: false })
          const waiting = await player.craft('stake', { amount: 3 })
          const signed = await player.client.post('/action/prepare', await family.sign(waiting.json as never, player.wallet as never))
          await player.client.post('/action/broadcast', signed.json)
          await player.refused('stake', { amount: 4 }, 'TRANSACTION_PENDING')
          await operate('blocks', { instant: true })
          await observed.chain().mine()
          await player.act('stake', { amount: 4 })
          await player.expect('every one that was accepted counts', { staked: '8' })
        },
      },
      {
        name: 'rewards in many denominations, which no simulation has seen yet',
        async run(player) {
          await earning(player)
          await operate('rewards', {
            denominations: ['ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2', 'uone', 'utwo'],
          })
          await player.act('claim-rewards')
          // In the block of a change nothing is owed, in the next one all of it: each of these is crafted in the one and delivered in the other.
          await player.act('stake', { amount: 1 })
          await player.act('unstake', { amount: 1 })
        },
      },
      {
        name: 'rewards in denominations that nobody holds come between craft and block',
        async run(player) {
          await earning(player)
          const acts = [
            ['claim-rewards', {}],
            ['stake', { amount: 1 }],
            ['unstake', { amount: 1 }],
          ] as const
          for (const count of [1, 3])
            for (const [action, body] of acts) {
              // What is owed when it is crafted is of the block before.
              await player.advance({ seconds: 60 })
              const crafted = await player.craft(action, body)
              const signed = await player.client.post('/action/prepare', await family.sign(crafted.json as never, player.wallet as never))
              const names = Array.from({ length: count }, (_, index) =>
                `ibc/${`${action} ${count} ${index}`.replaceAll(/\W/g, '')}`.padEnd(68, '0'),
              )
              await operate('rewards', { denominations: names })
              const { tx_hash } = (await player.client.post('/action/broadcast', signed.json)).json as { tx_hash: string }
              await family.landed(observed.chain().rpcUrl, tx_hash)
              const { json } = await player.client.get(`/transaction/${tx_hash}`)
              const { status, moves } = json as { status: string; moves: readonly unknown[] }
              player.check.equal(status, 'final', `${action} into whose block ${count} came lands`)
              player.check.ok(moves.length > 0, 'and does what it says', moves)
            }
        },
      },
      {
        // Anybody can make a fresh address one. Of 1,000 periods a stake takes more gas than what one node alone is believed, seven times over.
        name: 'an account of a year of vesting in 365 periods, and one in 1,000, stakes, claims and leaves',
        async run(player) {
          for (const periods of [365, 1000]) {
            const vesting = player.newcomer()
            await operate('vest', {
              address: vesting.wallet.address,
              amount: String(periods),
              kind: 'periodic',
              seconds: 31_536_000,
              periods,
            })
            await vesting.fund('1')
            await vesting.act('stake', { amount: 300 }, 4)
            await observed.chain().advance({ epochs: 1 })
            await vesting.act('claim-rewards', {}, 4)
            await vesting.act('unstake', { amount: 1 }, 4)
          }
        },
      },
      {
        name: 'locked coins are staked, and pay no fee',
        async run({ client, check }) {
          // Only an account that is new can be made one whose coins are locked.
          const wallet = family.wallet(1_000_000)
          await operate('vest', { address: wallet.address, amount: '100', kind: 'permanent' })
          const stake = { pubkey: wallet.signer, amount: 100 }
          const refused = await client.post('/action/stake', stake)
          check.equal([refused.status, refused.code], [400, 'INSUFFICIENT_BALANCE'], 'there is nothing to pay the fee from')
          await observed.chain().fund(wallet.address, '1')
          const crafted = await client.post('/action/stake', stake)
          const signed = await client.post('/action/prepare', await family.sign(crafted.json as never, wallet))
          const sent = await client.post('/action/broadcast', signed.json)
          check.equal(sent.status, 200, 'with a coin that is not locked there is')
          await family.landed(observed.chain().rpcUrl, (sent.json as { tx_hash: string }).tx_hash)
        },
      },
      {
        name: 'a slashed delegation is shown and leaves by its present worth',
        async run(player) {
          await earning(player)
          await player.act('unstake', { amount: 500 })
          await operate('slash', { fraction: '0.05' })
          const { staked, deactivating } = await player.position()
          player.check.equal(deactivating, '475', 'a twentieth of what is leaving is gone')
          // The chain slashes whole tokens of a validator, so that a little less than a twentieth is taken from each delegation.
          player.check.ok(micro(staked) >= 475_000_000n && micro(staked) < 475_010_000n, 'and of what stays', staked)
          await player.refused('unstake', { amount: formatAmount(micro(staked) + 1n, 6) }, 'INSUFFICIENT_STAKE')
          await player.act('unstake', { amount: staked })
          await player.expect('all of it has left', { staked: '0' })
        },
      },
    ],
    refusals: [
      {
        name: 'a validator that was removed for good',
        async setup(player) {
          await staked(player)
          await operate('tombstone')
        },
        action: 'stake',
        body: { amount: 1 },
        code: 'VALIDATOR_TOMBSTONED',
      },
    ],
  })
})
