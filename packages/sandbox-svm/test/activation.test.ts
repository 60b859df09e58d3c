import t from 'tap'
import { never } from '../src/stake-account.ts'
import { activationAt } from '../src/stake-activation.ts'
import { bench, deactivate, sol, stakeOf, withdraw } from './support.ts'

const entry = (effective: bigint, activating: bigint, deactivating: bigint) => ({
  effective: effective * sol,
  activating: activating * sol,
  deactivating: deactivating * sol,
})
/** A cluster in which 9 % binds. */
const history = new Map([
  [800n, entry(400_000_000n, 100_000_000n, 0n)],
  [801n, entry(436_000_000n, 64_000_000n, 0n)],
  [802n, entry(475_240_000n, 24_760_000n, 90_000_000n)],
  [803n, entry(457_228_400n, 0n, 47_228_400n)],
  [804n, entry(416_000_000n, 0n, 6_000_000n)],
])
/** Effective, activating, deactivating of 1000 SOL since 800: deactivated in 802, and never. As the stake program v5.0.0 has them. */
const golden: readonly (readonly [epoch: bigint, ended: readonly bigint[], kept: readonly bigint[]])[] = [
  [799n, [0n, 0n, 0n], [0n, 0n, 0n]],
  [800n, [0n, 1_000_000_000_000n, 0n], [0n, 1_000_000_000_000n, 0n]],
  [801n, [360_000_000_000n, 640_000_000_000n, 0n], [360_000_000_000n, 640_000_000_000n, 0n]],
  [802n, [752_400_000_000n, 0n, 752_400_000_000n], [752_400_000_000n, 247_600_000_000n, 0n]],
  [803n, [394_829_424_000n, 0n, 394_829_424_000n], [1_000_000_000_000n, 0n, 0n]],
  [804n, [50_810_775_840n, 0n, 50_810_775_840n], [1_000_000_000_000n, 0n, 0n]],
  [805n, [0n, 0n, 0n], [1_000_000_000_000n, 0n, 0n]],
]

t.test('stake warms up and cools down as the program has it', (t) => {
  const delegation = { voter: '', stake: 1000n * sol, activationEpoch: 800n }
  for (const [epoch, ended, kept] of golden) {
    const known = new Map([...history].filter(([at]) => at < epoch))
    const at = (deactivationEpoch: bigint) => Object.values(activationAt({ ...delegation, deactivationEpoch }, epoch, known))
    t.same(at(802n), ended, `${epoch}, deactivated`)
    t.same(at(never), kept, `${epoch}, kept`)
  }
  t.end()
})

t.test('after more epochs than the chain remembers, everything still works', async (t) => {
  const { chain, wallet, send } = await bench(t)
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 500 })
  const { account, instructions } = await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 's' })
  await send(instructions)
  await chain.advance({ epochs: 600 })
  const history = chain.account('SysvarStakeHistory1111111111111111111111111')!
  t.equal(Buffer.from(history.data).readBigUInt64LE(0), 512n)
  await send(deactivate(wallet.publicKey, account))
  await chain.advance({ epochs: 1 })
  const all = chain.account(account.toBase58())!.lamports
  t.ok(all > 2n * sol)
  await send(withdraw(wallet.publicKey, account, all))
  t.equal(chain.account(account.toBase58()), undefined)
})
