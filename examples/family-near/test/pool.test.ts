import t from 'tap'
import { type Environment, Pool } from '../sandbox/chain/pool.ts'

// Figures of the compiled contract, which was run for the reference of 2026-11-23: fee 10 percent, 30 NEAR at the start.

const NEAR = 10n ** 24n

function world() {
  const pool = new Pool('owner', 30n * NEAR, 100n, { numerator: 10, denominator: 100 })
  let total = 30n * NEAR
  let epoch = 100n
  const logs: string[] = []
  const call = (method: string, { deposit = 0n, amount }: { deposit?: bigint; amount?: bigint } = {}) => {
    const environment: Environment = { epoch, total: total + deposit, caller: 'alice', deposit }
    const done = pool.call(method, amount === undefined ? '{}' : `{"amount":"${amount}"}`, environment)
    total += deposit - done.pays
    logs.push(...done.logs)
    return done
  }
  return {
    pool,
    call,
    logs,
    pays(reward: bigint) {
      total += reward
    },
    pass(epochs: bigint) {
      epoch += epochs
    },
    alice: () => pool.account('alice', epoch),
  }
}

t.test('the model tells what the contract told, to the yocto', async (t) => {
  const { call, logs, pays, pass, alice } = world()
  call('deposit_and_stake', { deposit: 1_500_000_000_000_000_000_000_000n })
  t.match(alice(), { staked_balance: '1500000000000000000000000', unstaked_balance: '0', can_withdraw: true })
  pays(7_777_777_777_777_777_777_777n)
  pass(1n)
  t.match(alice(), { staked_balance: '1500000000000000000000000' }, 'a view lags until somebody calls')
  call('ping')
  t.match(alice(), { staked_balance: '1500333333333333343915343' })
  call('deposit_and_stake', { deposit: 1_000_000_000_000_000_000_000_001n })
  t.match(
    logs.at(-1),
    /^@alice staking 1000000000000000000000000\. Received 999777827149522321319934 new staking shares\. Total 1 unstaked/,
  )
  call('unstake', { amount: 750_000_000_000_000_000_000_000n })
  t.match(logs.at(-1), /^@alice unstaking 750000000000000000000001\. /, 'a yocto more than was asked for')
  t.match(alice(), { unstaked_balance: '750000000000000000000002', can_withdraw: false })
  pass(3n)
  call('unstake', { amount: NEAR / 10n })
  t.match(alice(), { can_withdraw: false }, 'the first waits anew')
  pass(3n)
  t.match(alice(), { can_withdraw: false }, 'three epochs after')
  t.throws(() => call('withdraw_all'), /not yet available/)
  pass(1n)
  t.match(alice(), { can_withdraw: true }, 'four')
  call('withdraw', { amount: 1n })
  t.equal(call('withdraw_all').pays, 850_000_000_000_000_000_000_002n)
})

t.test('a call that the contract refuses changes nothing', async (t) => {
  const { call, pool, alice } = world()
  call('deposit_and_stake', { deposit: NEAR })
  const before = [alice(), pool.staked]
  for (const [method, given, words] of [
    ['unstake', { amount: 2n * NEAR }, /Not enough staked balance/],
    ['unstake', { amount: 0n }, /should be positive/],
    ['unstake', {}, /Failed to deserialize/],
    ['withdraw_all', {}, /Withdrawal amount should be positive/],
    ['stake', { amount: NEAR }, /Not enough unstaked balance to stake/],
    ['unstake_all', { deposit: 1n }, /doesn't accept deposit/],
    ['transfer_ownership', {}, /MethodNotFound/],
  ] as const)
    t.throws(() => call(method, given), words, method)
  t.same([alice(), pool.staked], before)
  call('unstake_all')
  t.match(alice(), { staked_balance: '0', unstaked_balance: String(NEAR) })
})
