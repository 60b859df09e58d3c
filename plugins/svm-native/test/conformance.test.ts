import { type Example, type Player, randomAmount, testPlugin } from '@svc/conformance'
import { stakeChanges, stakeLies, svmFamily } from '@svc/conformance/svm'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { observe } from '@svc/sandbox'
import { PublicKey, SystemProgram } from '@svc/solana'
import { callers } from '@svc/testing/callers'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { terms } from './terms.ts'
import { ledger } from './wealth.ts'

let vote: unknown
const observed = observe({
  ...scenario,
  async install(chain) {
    const installed = await scenario.install(chain)
    vote = installed.settings.validator
    return installed
  },
})

/** Nine decimals, the last one set. */
const EXACT = '1000.000000001'
const amount = exactNumber(EXACT)

const lamports = (text: string | null) => parseAmount(text ?? '0', 9)
const sum = (...texts: readonly (string | null)[]) =>
  formatAmount(
    texts.reduce((total, text) => total + lamports(text), 0n),
    9,
  )

/** The wallet's only stake account. */
async function account(player: Player): Promise<string> {
  const { objects } = await player.position()
  if (objects?.length !== 1) throw new TypeError(`expected one stake account, found ${objects?.length}`)
  return objects[0]!.id
}

async function staked(player: Player): Promise<string> {
  await player.act('stake', { amount })
  await player.advance({ epochs: 1 })
  return account(player)
}

async function deactivated(player: Player): Promise<string> {
  const stake_account_address = await staked(player)
  await player.act('unstake', { stake_account_address })
  await player.advance({ epochs: 1 })
  return stake_account_address
}

/** An example whose body is known only when its state has been set up. */
function onAccount(setup: (player: Player) => Promise<string>, more: Readonly<Record<string, unknown>> = {}): Example {
  const body: Record<string, unknown> = { ...more }
  return {
    body,
    async setup(player) {
      body.stake_account_address = await setup(player)
    },
  }
}

/** The same for a refusal. */
function refusal(name: string, action: string, code: string, setup: (player: Player) => Promise<string>, more = {}) {
  return { name, action, code, ...onAccount(setup, more) } as const
}

async function nonceAccount(player: Player): Promise<string> {
  await player.act('create-nonce-account')
  // A nonce cannot be used in the block in which it was made.
  await player.advance({ seconds: 5 })
  const address = await PublicKey.createWithSeed(new PublicKey(player.wallet.address), 'nonce:0', SystemProgram.programId)
  return address.toBase58()
}

/** The same for a nonce account. */
const closing: Example & { readonly body: Record<string, unknown> } = {
  body: {},
  async setup(player) {
    closing.body.account_address = await nonceAccount(player)
  },
}

await testPlugin(t, {
  plugin,
  scenario: observed.scenario,
  family: svmFamily,
  callers: callers(import.meta.url),
  budget: { craft: { 'create-nonce-account': 2, 'close-nonce-account': 2, stake: 2, unstake: 1, withdraw: 2 }, balance: 1, prepare: 0 },
  examples: {
    'create-nonce-account': { unlisted: true },
    // The account is made with its rent beside the amount.
    stake: { body: { amount }, converts: true },
    unstake: onAccount(staked),
    withdraw: onAccount(deactivated, { amount: exactNumber('1.000000001') }),
    'close-nonce-account': closing,
  },
  former: {
    leaving: ['unstake', 'withdraw'],
    async change() {
      const { vote: another } = await observed.chain().createValidator({ name: 'another', commissionBps: 500, stake: 10n ** 15n })
      return { settings: { validator: another }, former: {} }
    },
  },
  condition: {
    action: 'stake',
    idle: [
      {
        state: 'inactive',
        code: 'VALIDATOR_INACTIVE',
        async during(then) {
          const turn = (delinquent: boolean) => observed.chain().operations.validator?.run({ vote, delinquent })
          await turn(true)
          await then()
          await turn(false)
        },
      },
    ],
  },
  terms: terms(observed.chain, () => String(vote)),
  ledger: ledger(observed.chain, () => String(vote)),
  control: {
    async begin(player, random) {
      for (let more = random(3); more >= 0; more--) await player.act('stake', { amount: randomAmount(random, [4, 1_000], 9) })
      await player.advance({ epochs: 1 })
    },
    changes: stakeChanges,
    lies: stakeLies,
  },
  journeys: [
    {
      name: 'with a validator that does not vote nothing is staked, and what is staked comes back',
      async run(player) {
        const stake_account_address = await staked(player)
        const turn = (delinquent: boolean) => observed.chain().operations.validator?.run({ vote, delinquent })
        await turn(true)
        try {
          await player.refused('stake', { amount }, 'VALIDATOR_INACTIVE')
          await player.act('unstake', { stake_account_address })
        } finally {
          await turn(false)
        }
      },
    },
    {
      name: 'a stake earns from the next epoch on, is deactivated, and comes back whole',
      async run(player) {
        const { epoch } = (await player.advance({ seconds: 1 })) as { epoch: number }
        await player.act('stake', { amount })
        const { id, validator } = (await player.position()).objects![0]!
        const object = { id, type: 'delegation', rewards: null, validator, activationEpoch: epoch + 1, withdrawableAt: null }
        await player.expect('it is activating, to the lamport', {
          staked: '0',
          activating: EXACT,
          deactivating: '0',
          withdrawing: '0',
          rewards: null,
          objects: [{ ...object, status: 'activating', amount: EXACT, withdrawableEpoch: null }],
        })
        await player.refused('withdraw', { stake_account_address: id }, 'STAKE_NOT_DEACTIVATED')
        await player.advance({ epochs: 1 })
        await player.expect('it is active an epoch later', {
          staked: EXACT,
          activating: '0',
          objects: [{ ...object, status: 'active', amount: EXACT }],
        })
        await player.advance({ epochs: 1 })
        const { staked: grown } = await player.position()
        player.check.ok(lamports(grown) > lamports(EXACT), 'another epoch later it has earned', grown)
        await player.refused('withdraw', { stake_account_address: id }, 'STAKE_NOT_DEACTIVATED')
        await player.act('unstake', { stake_account_address: id })
        await player.expect('it cools down', {
          staked: '0',
          deactivating: grown,
          objects: [{ ...object, status: 'deactivating', amount: grown, withdrawableEpoch: epoch + 3 }],
        })
        await player.refused('unstake', { stake_account_address: id }, 'STAKE_DEACTIVATED')
        await player.refused('withdraw', { stake_account_address: id }, 'STAKE_NOT_DEACTIVATED')
        await player.advance({ epochs: 1 })
        const { withdrawing } = await player.position()
        player.check.ok(lamports(withdrawing) >= lamports(grown), 'it is withdrawable, with rent and the last rewards', withdrawing)
        await player.expect('its object says so', {
          deactivating: '0',
          objects: [{ ...object, status: 'withdrawable', amount: withdrawing, withdrawableEpoch: epoch + 3 }],
        })
        await player.act('withdraw', { stake_account_address: id })
        await player.expect('nothing is left', { staked: '0', deactivating: '0', withdrawing: '0', objects: [] })
        await player.refused('withdraw', { stake_account_address: id }, 'STAKE_ACCOUNT_MISSING')
        await player.refused('unstake', { stake_account_address: id }, 'STAKE_ACCOUNT_MISSING')
      },
    },
    {
      name: 'several stakes are several accounts, with and without a key of their own',
      async run(player) {
        await player.act('stake', { amount: '1', sign: true })
        await player.act('stake', { amount: exactNumber('2.000000001'), sign: false })
        await player.act('stake', { amount: exactNumber('2.000000001'), sign: false })
        const { objects, activating } = await player.position()
        player.check.equal(objects?.map((each) => each.amount).sort(), ['1', '2.000000001', '2.000000001'], 'each has its amount')
        player.check.equal(activating, '5.000000002', 'and together they make the bucket')
        await player.advance({ epochs: 1 })
        const [first, second] = objects!
        await player.act('unstake', { stake_account_address: first!.id })
        await player.expect('one cools down and the others stay', {
          staked: sum(second!.amount, objects![2]!.amount),
          deactivating: first!.amount,
        })
      },
    },
    {
      name: 'a stake that is deactivated in its own epoch comes back at once',
      async run(player) {
        await player.act('stake', { amount: 3, sign: false })
        const stake_account_address = await account(player)
        await player.act('unstake', { stake_account_address })
        const { withdrawing } = await player.position()
        player.check.ok(lamports(withdrawing) > lamports('3'), 'with its rent', withdrawing)
        await player.act('withdraw', { stake_account_address })
        await player.expect('the account is closed', { withdrawing: '0', objects: [] })
      },
    },
    {
      name: 'a stake account is withdrawn in parts, the last of which leaves nothing',
      async run(player) {
        const stake_account_address = await deactivated(player)
        const { withdrawing } = await player.position()
        await player.act('withdraw', { stake_account_address, amount: exactNumber('999.5') })
        const left = formatAmount(lamports(withdrawing) - lamports('999.5'), 9)
        await player.expect('the rest is there still', { withdrawing: left })
        await player.refused('withdraw', { stake_account_address, amount: exactNumber(sum(left, '0.000000001')) }, 'AMOUNT_TOO_SMALL')
        await player.refused('withdraw', { stake_account_address, amount: 1000 }, 'INSUFFICIENT_STAKE')
        await player.act('withdraw', { stake_account_address })
        await player.expect('nothing is left', { withdrawing: '0', objects: [] })
      },
    },
    {
      name: 'all of it can be named as an amount too',
      async run(player) {
        const stake_account_address = await deactivated(player)
        const { withdrawing } = await player.position()
        const least = formatAmount(lamports(withdrawing) - 1n, 9)
        await player.refused('withdraw', { stake_account_address, amount: exactNumber(least) }, 'REMAINDER_TOO_SMALL')
        await player.act('withdraw', { stake_account_address, amount: exactNumber(withdrawing!) })
        await player.expect('nothing is left', { withdrawing: '0', objects: [] })
      },
    },
    {
      name: 'a durable nonce carries every action, long after a block hash has expired',
      async run(player) {
        const nonce_account_address = await nonceAccount(player)
        await player.act('stake', { amount, nonce_account_address })
        await player.advance({ epochs: 1 })
        await player.act('stake', { amount: 1, sign: false, nonce_account_address })
        await player.advance({ epochs: 1 })
        const { objects } = await player.position()
        for (const { id } of objects!) {
          await player.act('unstake', { stake_account_address: id, nonce_account_address })
          await player.advance({ seconds: 5 })
        }
        await player.advance({ epochs: 1 })
        for (const { id } of objects!) {
          await player.act('withdraw', { stake_account_address: id, nonce_account_address })
          await player.advance({ seconds: 5 })
        }
        await player.expect('nothing is left', { staked: '0', withdrawing: '0', objects: [] })
        await player.act('close-nonce-account', { account_address: nonce_account_address })
        await player.refused('close-nonce-account', { account_address: nonce_account_address }, 'NONCE_ACCOUNT_INVALID')
        await player.refused('stake', { amount, nonce_account_address }, 'NONCE_ACCOUNT_INVALID')
        await player.act('create-nonce-account')
      },
    },
  ],
  refusals: [
    {
      name: 'a nonce account that does not exist',
      action: 'close-nonce-account',
      body: { account_address: 'GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse' },
      code: 'NONCE_ACCOUNT_INVALID',
    },
    { name: 'less than the minimum', action: 'stake', body: { amount: exactNumber('0.999999999') }, code: 'AMOUNT_TOO_SMALL' },
    { name: 'more than the wallet holds', action: 'stake', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
    {
      name: 'all that the wallet holds, with nothing left for rent and fee',
      action: 'stake',
      body: { amount: 100_000 },
      code: 'INSUFFICIENT_BALANCE',
    },
    { name: 'more than the chain can carry', action: 'stake', body: { amount: '18446744073.709551615' }, code: 'AMOUNT_INVALID' },
    {
      name: 'a nonce account that does not exist',
      action: 'stake',
      body: { amount: 1, nonce_account_address: 'GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse' },
      code: 'NONCE_ACCOUNT_INVALID',
    },
    refusal('a wallet in place of a stake account', 'unstake', 'STAKE_ACCOUNT_INVALID', async (player) => player.wallet.address),
    refusal('a wallet in place of a stake account', 'withdraw', 'STAKE_ACCOUNT_INVALID', async (player) => player.wallet.address),
    refusal('a stake that is active', 'withdraw', 'STAKE_NOT_DEACTIVATED', staked),
    refusal('a part of a stake that is active', 'withdraw', 'STAKE_NOT_DEACTIVATED', staked, { amount: 1 }),
    refusal('a stake that was deactivated', 'unstake', 'STAKE_DEACTIVATED', deactivated),
    refusal('less than the minimum', 'withdraw', 'AMOUNT_TOO_SMALL', deactivated, { amount: exactNumber('0.5') }),
    refusal('more than there is', 'withdraw', 'INSUFFICIENT_STAKE', deactivated, { amount: 1001 }),
  ],
})
