import { type Player, randomAmount, testPlugin } from '@svc/conformance'
import { delegationLies, delegations, evmFamily, ordinaryChanges } from '@svc/conformance/evm'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { callers } from '@svc/testing/callers'
import t from 'tap'
import { control, scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'
import { moves } from './moves.ts'
import { terms } from './terms.ts'
import { ledger } from './wealth.ts'

const { scenario: observed, chain } = onChain(scenario)
/** Eighteen decimals, the last one set: no double can carry it. */
const EXACT = '1000.000000000000000001'
const amount = exactNumber(EXACT)
/** Into the six hours after the vault's own delay of six, and out of them; in seconds. */
const INTO_GRACE = 22_000
const OUT_OF_GRACE = 21_700

const wei = (text: string | null) => parseAmount(text ?? '0', 18)

async function delegated(player: Player): Promise<void> {
  await player.act('delegate', { amount })
}

async function requested(player: Player): Promise<void> {
  await delegated(player)
  await player.act('undelegate', { amount: exactNumber('100.123456789012345678') })
}

/** The open request's id, as `withdraw` wants it. */
async function requestId(player: Player): Promise<number> {
  return Number((await player.position()).objects?.[0]?.id)
}

/** Rounding down twice takes two wei at most at a price above one. */
function about(player: Player, found: string | null, expected: string, name: string): void {
  const missing = wei(expected) - wei(found)
  player.check.ok(missing >= 0n && missing <= 2n, name, `${found} instead of ${expected}`)
}

let ready = 0
await testPlugin(t, {
  plugin,
  scenario: observed,
  family: evmFamily,
  callers: callers(import.meta.url),
  budget: { craft: { delegate: 1, undelegate: 2, withdraw: 1 }, balance: 1, prepare: 0 },
  examples: {
    // A share's price rounds what went in by a wei.
    delegate: { body: { amount }, priced: true },
    undelegate: { setup: delegated, body: { amount: exactNumber('1.000000000000000001') }, converts: true, unrecorded: ['freed'] },
    withdraw: {
      async setup(player) {
        await requested(player)
        await player.advance({ epochs: 3 })
        ready = await requestId(player)
      },
      body: {
        get request_id() {
          return ready
        },
      },
    },
  },
  moves: moves(chain),
  ledger: ledger(chain),
  former:
    "shares are the vault's and depend on no validator, whatever validator_id is; the test of endpoints has whose stake a redemption takes",
  condition: {
    action: 'delegate',
    idle: [
      {
        state: 'paused',
        code: 'VAULT_PAUSED',
        async during(then) {
          await chain().drive(control('setPaused', true))
          await then()
          await chain().drive(control('setPaused', false))
        },
      },
    ],
  },
  control: {
    async begin(player, random) {
      await player.act('delegate', { amount: randomAmount(random, [200, 2_000], 18) })
    },
    changes: [...delegations, ...ordinaryChanges((followed) => followed.act('undelegate', { amount: 1 }))],
    lies: delegationLies,
  },
  terms: terms(() => chain().evm),
  journeys: [
    {
      name: 'a deposit counts at once and is worth more with every epoch',
      async run(player) {
        await player.act('delegate', { amount })
        const before = await player.position()
        about(player, before.staked, EXACT, 'it is all there, but for the rounding of a share')
        await player.expect('nothing else is', { activating: null, deactivating: '0', withdrawing: '0', rewards: null, objects: [] })
        await player.advance({ epochs: 1 })
        const after = await player.position()
        // 900,000 MON to 12 billion of stake, less a tenth twice: 0.006075 %.
        const grown = Number(wei(after.staked) - wei(before.staked)) / Number(wei(before.staked))
        player.check.ok(Math.abs(grown - 6.075e-5) < 1e-9, 'the price grew by the rewards of an epoch', grown)
        await player.act('delegate', { amount: 100 })
        about(player, (await player.position()).staked, formatAmount(wei(after.staked) + wei('100'), 18), 'deposits add up')
      },
    },
    {
      name: 'a request is held by the vault, then for six hours, and is paid after that',
      async run(player) {
        await delegated(player)
        await player.act('undelegate', { amount: 400 })
        const opened = await player.position()
        about(player, opened.deactivating, '400', 'it is the amount asked for')
        about(player, opened.staked, '600.000000000000000001', 'and the rest stays')
        const [object] = opened.objects ?? []
        const shape = { type: 'withdrawal_request', amount: opened.deactivating, rewards: null, validator: null, activationEpoch: null }
        const request = { ...shape, id: object!.id, withdrawableEpoch: null, withdrawableAt: object!.withdrawableAt }
        const request_id = Number(object!.id)
        await player.expect('it is one object', { withdrawing: '0', objects: [{ ...request, status: 'deactivating' }] })
        await player.refused('withdraw', { request_id }, 'WITHDRAWAL_NOT_READY')
        await player.refused('undelegate', { amount: 1 }, 'REQUEST_OPEN')

        await player.advance({ seconds: INTO_GRACE })
        await player.expect('the vault has released it, and it still waits', { objects: [{ ...request, status: 'deactivating' }] })
        await player.refused('withdraw', { request_id }, 'WITHDRAWAL_NOT_READY')

        await player.advance({ seconds: OUT_OF_GRACE })
        await player.expect('six hours later it is withdrawable, as much as it was', {
          deactivating: '0',
          withdrawing: opened.deactivating,
          objects: [{ ...request, status: 'withdrawable' }],
        })
        await player.refused('withdraw', { request_id: request_id + 1 }, 'REQUEST_UNKNOWN')
        await player.act('withdraw', { request_id })
        await player.expect('it is gone', { deactivating: '0', withdrawing: '0', objects: [] })
        await player.refused('withdraw', { request_id }, 'REQUEST_UNKNOWN')
        await player.act('undelegate', { amount: 1.5 })
        player.check.ok((await requestId(player)) > request_id, 'and another can be made')
      },
    },
    {
      name: 'everything leaves by the exact amount',
      async run(player) {
        await delegated(player)
        const { staked } = await player.position()
        await player.act('undelegate', { amount: exactNumber(staked) })
        await player.expect('not a share stays', { staked: '0', deactivating: staked })
      },
    },
    {
      name: 'everything leaves by the number that a double makes of it',
      async run(player) {
        await player.act('delegate', { amount: exactNumber('1234.567890123456789') })
        await player.advance({ epochs: 1 })
        const { staked } = await player.position()
        await player.refused('undelegate', { amount: exactNumber(`${BigInt(wei(staked)) / 10n ** 18n + 1n}`) }, 'INSUFFICIENT_STAKE')
        await player.act('undelegate', { amount: Number(staked) })
        await player.expect('not a share stays', { staked: '0', deactivating: staked })
      },
    },
    {
      name: 'an exact amount below the position leaves the rest behind, were it a thousandth of a gwei',
      async run(player) {
        await delegated(player)
        const { staked } = await player.position()
        const less = wei(staked) - 1_000_000n
        await player.act('undelegate', { amount: exactNumber(formatAmount(less, 18)) })
        const left = wei((await player.position()).staked)
        player.check.ok(left >= 1_000_000n - 3n && left <= 1_000_000n + 3n, 'that is what is left', String(left))
      },
    },
    {
      name: 'a vault that is paused takes no deposits',
      async run(player) {
        await chain().drive(control('setPaused', true))
        try {
          await player.refused('delegate', { amount: 200 }, 'VAULT_PAUSED')
        } finally {
          await chain().drive(control('setPaused', false))
        }
        await player.act('delegate', { amount: 200 })
      },
    },
  ],
  refusals: [
    {
      name: 'a wallet that is a contract',
      setup: (player) => chain().evm.setCode(player.wallet.address, '0x00'),
      action: 'delegate',
      body: { amount: 100 },
      code: 'WALLET_IS_CONTRACT',
    },
    { name: 'a deposit below 100', action: 'delegate', body: { amount: exactNumber('99.999999999999999999') }, code: 'AMOUNT_TOO_SMALL' },
    { name: 'more than the wallet holds', action: 'delegate', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
    { name: 'more than anybody could hold', action: 'delegate', body: { amount: exactNumber('1e20') }, code: 'INSUFFICIENT_BALANCE' },
    { name: 'all that the wallet holds', action: 'delegate', body: { amount: 100_000 }, code: 'INSUFFICIENT_BALANCE' },
    { name: 'no position at all', action: 'undelegate', body: { amount: 1 }, code: 'INSUFFICIENT_STAKE' },
    { name: 'more than the position', setup: delegated, action: 'undelegate', body: { amount: 1001 }, code: 'INSUFFICIENT_STAKE' },
    {
      name: 'more than anybody has',
      setup: delegated,
      action: 'undelegate',
      body: { amount: exactNumber('1e20') },
      code: 'INSUFFICIENT_STAKE',
    },
    {
      name: 'less than a share',
      setup: delegated,
      action: 'undelegate',
      body: { amount: '0.000000000000000001' },
      code: 'AMOUNT_WORTHLESS',
    },
    {
      name: "less than the pool's minimum",
      setup: delegated,
      action: 'undelegate',
      body: { amount: 0.999 },
      code: 'BELOW_MINIMUM_WITHDRAWAL',
    },
    { name: 'a second request', setup: requested, action: 'undelegate', body: { amount: 1 }, code: 'REQUEST_OPEN' },
    { name: 'a request of nobody', action: 'withdraw', body: { request_id: 999_999 }, code: 'REQUEST_UNKNOWN' },
    { name: "another's request", action: 'withdraw', body: { request_id: 1 }, code: 'REQUEST_UNKNOWN' },
    { name: 'request 0', action: 'withdraw', body: { request_id: 0 }, code: 'REQUEST_INVALID' },
    { name: 'half a request', action: 'withdraw', body: { request_id: 1.5 }, code: 'REQUEST_INVALID' },
  ],
})
