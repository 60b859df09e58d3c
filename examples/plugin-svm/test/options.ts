import type { ConformanceOptions, Player } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { observe } from '@svc/sandbox'
import vouchers from '#plugin'
import { anothersVoucher, programAddress, scenario } from '#sandbox'

/** The scenario, with its chain in the test's hands for what the issuer pays. */
const observed = observe(scenario)

/** Address of a wallet's only voucher. */
async function voucherOf(player: Player): Promise<string> {
  const [only, ...others] = (await player.position()).objects ?? []
  if (only === undefined || others.length > 0) throw new Error('the wallet has not one voucher')
  return only.id
}

/** The body of an example is given before its state is set up, and with it the voucher. */
const redeemed: { voucher?: string } = {}

export const options: ConformanceOptions = {
  plugin: vouchers,
  scenario: observed.scenario,
  family: svmFamily,
  budget: { craft: 2, balance: 1, prepare: 1 },
  examples: {
    deposit: { body: { amount: '1.500000001' } },
    redeem: {
      async setup(player) {
        await player.act('deposit', { amount: '1.5' })
        redeemed.voucher = await voucherOf(player)
      },
      body: redeemed,
    },
  },
  journeys: [
    {
      name: 'a voucher counts at once, and each has a place of its own',
      async run(player) {
        await player.act('deposit', { amount: '1.500000001' })
        await player.act('deposit', { amount: '2' })
        await player.expect('both count', { staked: '3.500000001' })
      },
    },
    {
      name: 'what came to a voucher is paid out with it',
      async run(player) {
        await player.act('deposit', { amount: '1.5' })
        const voucher = await voucherOf(player)
        await observed.chain().fund(voucher, '0.25')
        await player.expect('the issuer has paid', { staked: '1.5', rewards: '0.25' })
        const before = await observed.chain().balance(player.wallet.address)
        await player.act('redeem', { voucher })
        const fees = before + 1_750_000_000n - (await observed.chain().balance(player.wallet.address))
        player.check.ok(fees > 0n && fees < 100_000n, 'all of it has arrived, less the fee', String(fees))
        await player.expect('nothing is left', { staked: '0', rewards: '0', objects: [] })
      },
    },
  ],
  refusals: [
    {
      name: 'a ninth voucher',
      async setup(player) {
        for (let made = 0; made < 8; made++) await player.act('deposit', { amount: '1' })
      },
      action: 'deposit',
      body: { amount: '1' },
      code: 'VOUCHERS_EXHAUSTED',
    },
    { name: 'a voucher that there is not', action: 'redeem', body: { voucher: programAddress }, code: 'VOUCHER_UNKNOWN' },
    { name: "another's voucher", action: 'redeem', body: { voucher: anothersVoucher }, code: 'VOUCHER_OF_ANOTHER' },
  ],
}
