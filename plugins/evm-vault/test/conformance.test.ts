import { type Player, randomAmount, testPlugin } from '@svc/conformance'
import { delegationLies, delegations, evmFamily, ordinaryChanges } from '@svc/conformance/evm'
import { exactNumber } from '@svc/contract'
import { observe } from '@svc/sandbox'
import { callers } from '@svc/testing/callers'
import t from 'tap'
import { putAnotherVault, scenario, worldOf } from '../sandbox/index.ts'
import { deployments } from '../src/addresses.ts'
import plugin from '../src/index.ts'
import { moves } from './moves.ts'
import { ether, reportMore, staked, sum, wei } from './support.ts'
import { terms } from './terms.ts'
import { ledger } from './wealth.ts'

/** Eighteen decimals, the last one set: no double can carry it. */
const EXACT = '10.000000000000000001'
const amount = exactNumber(EXACT)
const observed = observe(scenario)
/** A vault that the operator changes to. */
const ANOTHER = '0x00000000000000000000000000000000000a0744'
const world = () => worldOf(observed.chain())

/** Two exits in the queue, which are processed and mature two updates later. */
async function exiting(player: Player): Promise<void> {
  await staked(player, amount)
  await player.act('unstake', { amount: 4 })
  await player.act('unstake', { amount: '2.5' })
}

async function withdrawable(player: Player): Promise<void> {
  await exiting(player)
  await player.advance({ epochs: 2 })
}

await testPlugin(t, {
  plugin,
  scenario: observed.scenario,
  family: evmFamily,
  callers: callers(import.meta.url),
  // Named in full, since on a chain that is not known the settings have to.
  settings: { ...deployments['1'], first_block: 0 },
  budget: { craft: { stake: 1, unstake: 2, withdraw: 2 }, balance: 2, prepare: 0 },
  examples: {
    stake: { body: { amount } },
    unstake: {
      setup: (player) => staked(player, amount),
      body: { amount: exactNumber('1.000000000000000001') },
      converts: true,
      unrecorded: ['freed'],
    },
    withdraw: { setup: withdrawable },
  },
  moves: moves(world),
  ledger: ledger(world),
  former: {
    async change() {
      await putAnotherVault(world(), ANOTHER)
      return { settings: { vault: ANOTHER }, former: { former_validators: [world().vault] }, choice: { vault: world().vault } }
    },
  },
  condition: { action: 'stake', idle: 'a vault takes deposits, but for one that nobody harvests, which other tests have' },
  control: {
    begin: (player, random) => staked(player, randomAmount(random, [2, 1_000], 18)),
    changes: [...delegations, ...ordinaryChanges((followed) => followed.act('unstake', { amount: 1 }))],
    lies: delegationLies,
  },
  terms: terms(world),
  journeys: [
    {
      name: 'a stake earns, leaves through the queue and is withdrawn',
      async run(player) {
        await player.expect('a fresh address has nothing', {
          staked: '0',
          activating: null,
          deactivating: '0',
          withdrawing: '0',
          objects: [],
        })
        await player.act('stake', { amount })
        const bought = await player.position()
        // Shares are rounded up, so that the stake is worth what was paid, or a wei less for the price's own rounding.
        player.check.ok(wei(EXACT) - wei(bought.staked) <= 1n, 'the stake counts at once', bought.staked)
        await player.expect('nothing else', { activating: null, deactivating: '0', withdrawing: '0', rewards: null, objects: [] })
        await player.refused('withdraw', {}, 'NOTHING_TO_WITHDRAW')
        await player.advance({ epochs: 2 })
        const { staked: earned } = await player.position()
        player.check.ok(wei(earned) > wei(EXACT), 'after two oracle updates it has earned', earned)

        await player.act('unstake', { amount: '4' })
        const queued = await player.position()
        player.check.ok(wei(earned) - wei(sum(queued.staked, queued.deactivating)) <= 2n, 'nothing is lost in between', queued)
        player.check.equal(
          queued.objects?.map(({ type, status, withdrawableAt }) => [type, status, withdrawableAt !== null]),
          [['withdrawal_request', 'deactivating', true]],
          'one exit waits, with an estimate',
        )
        await player.refused('withdraw', {}, 'WITHDRAWAL_NOT_READY')

        await player.advance({ epochs: 2 })
        const ready = await player.position()
        player.check.equal(
          ready.objects?.map(({ status, amount: held }) => [status, held]),
          [['withdrawable', ready.withdrawing]],
          'a day later it can be withdrawn',
        )
        player.check.ok(wei(ready.withdrawing) > wei('4') - 1n, 'with what it earned in the queue', ready.withdrawing)
        const { chain } = world()
        const before = await chain.balance(player.wallet.address)
        const { hash } = await player.act('withdraw')
        const { gasUsed, effectiveGasPrice } = (await chain.rpc('eth_getTransactionReceipt', [hash])) as Record<string, string>
        const paid = (await chain.balance(player.wallet.address)) - before + BigInt(gasUsed!) * BigInt(effectiveGasPrice!)
        player.check.equal(ether(paid), ready.withdrawing, 'the wallet got it to the wei')
        await player.expect('nothing waits any more', { staked: ready.staked, deactivating: '0', withdrawing: '0', objects: [] })
        await player.refused('withdraw', {}, 'NOTHING_TO_WITHDRAW')
      },
    },
    {
      name: 'the whole stake leaves by the number that the balance shows',
      async run(player) {
        await staked(player, amount)
        const { staked: all } = await player.position()
        // What a client with doubles sends back, which may be above or below.
        await player.act('unstake', { amount: Number(all) })
        await player.expect('nothing stays that a double cannot say', { staked: '0' })
        await player.refused('unstake', { amount: 1 }, 'INSUFFICIENT_STAKE', 422)
      },
    },
    {
      name: 'exits are claimed together, each at its own price',
      async run(player) {
        await withdrawable(player)
        const { withdrawing, objects } = await player.position()
        player.check.equal(objects?.length, 2, 'two exits')
        player.check.equal(sum(...(objects ?? []).map(({ amount: held }) => held)), withdrawing, 'they are the bucket')
        await player.act('withdraw')
        await player.expect('both are paid', { withdrawing: '0', deactivating: '0', objects: [] })
      },
    },
    {
      name: 'a pending oracle update travels with every action',
      async run(player) {
        await withdrawable(player)
        await reportMore(world())
        // The first to meet the new report asks for it; the values are then known.
        const before = await player.position()
        await player.act('stake', { amount: 1 }, 2)
        const { staked: after } = await player.position()
        player.check.ok(wei(after) - wei(before.staked) >= wei('1') - 2n, 'the balance showed the price after it already', [before, after])
        await reportMore(world())
        await player.position()
        await player.act('unstake', { amount: 1 })
        await reportMore(world())
        await player.position()
        await player.act('withdraw')
        player.check.equal(await world().readShared('keeper', 'canHarvest', [world().vault]), false, 'nothing is left to harvest')
      },
    },
    {
      name: 'updates pass by time as well',
      async run(player) {
        await exiting(player)
        await player.advance({ seconds: 2 * 43_200 + 60 })
        const { withdrawing } = await player.position()
        player.check.ok(wei(withdrawing) > wei('6.4'), 'a day later both exits can be withdrawn', withdrawing)
      },
    },
  ],
  refusals: [
    {
      name: 'a wallet that is a contract',
      setup: (player) => observed.chain().setCode(player.wallet.address, '0x00'),
      action: 'stake',
      body: { amount: 1 },
      code: 'WALLET_IS_CONTRACT',
    },
    {
      name: 'nineteen decimals in a stake',
      action: 'stake',
      body: { amount: exactNumber('1.0000000000000000001') },
      code: 'AMOUNT_INVALID',
    },
    { name: 'a stake of nothing', action: 'stake', body: { amount: 0 }, code: 'AMOUNT_INVALID' },
    { name: 'a negative stake', action: 'stake', body: { amount: -1 }, code: 'AMOUNT_INVALID' },
    { name: 'a malformed address in a stake', action: 'stake', body: { address: '0x1234', amount: 1 }, code: 'ADDRESS_INVALID' },
    { name: 'more than the wallet holds', action: 'stake', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
    {
      name: 'a wei more than the wallet holds',
      action: 'stake',
      body: { amount: exactNumber('100000.000000000000000001') },
      code: 'INSUFFICIENT_BALANCE',
    },
    {
      name: 'all that the wallet holds, with nothing left for the fee',
      action: 'stake',
      body: { amount: 100_000 },
      code: 'INSUFFICIENT_BALANCE',
    },
    {
      name: 'more than the vault takes',
      setup: (player) => player.fund('30000000'),
      action: 'stake',
      body: { amount: 20_000_000 },
      status: 422,
      code: 'VAULT_FULL',
    },
    { name: 'nineteen decimals in an exit', action: 'unstake', body: { amount: exactNumber('1e-19') }, code: 'AMOUNT_INVALID' },
    { name: 'an exit of nothing', action: 'unstake', body: { amount: 0 }, status: 422, code: 'AMOUNT_INVALID' },
    { name: 'a negative exit', action: 'unstake', body: { amount: -1 }, status: 422, code: 'AMOUNT_INVALID' },
    { name: 'an exit without an amount', action: 'unstake', body: {}, status: 422, code: 'REQUEST_INVALID' },
    {
      name: 'a malformed address in an exit',
      action: 'unstake',
      body: { address: '0x1234', amount: 1 },
      status: 422,
      code: 'ADDRESS_INVALID',
    },
    { name: 'an exit without a stake', action: 'unstake', body: { amount: 1 }, status: 422, code: 'INSUFFICIENT_STAKE' },
    {
      name: 'more than the stake',
      setup: (player) => staked(player, amount),
      action: 'unstake',
      body: { amount: 10.1 },
      status: 422,
      code: 'INSUFFICIENT_STAKE',
    },
    {
      name: 'dust that is less than a share',
      setup: (player) => staked(player, amount),
      action: 'unstake',
      body: { amount: exactNumber('1e-18') },
      status: 422,
      code: 'AMOUNT_DUST',
    },
    { name: 'nothing to withdraw', action: 'withdraw', code: 'NOTHING_TO_WITHDRAW' },
    { name: 'exits that are not processed', setup: exiting, action: 'withdraw', code: 'WITHDRAWAL_NOT_READY' },
  ],
})
