import fc from 'fast-check'
import t from 'tap'
import { activationAt } from '../src/chain/activation.ts'
import { NEVER } from '../src/chain/stake-account.ts'
import type { ClusterStake, StakeHistory } from '../src/chain/sysvars.ts'
import warmup from './vectors/warmup.json' with { type: 'json' }

const HISTORY: StakeHistory = new Map(
  warmup.history.map(({ epoch, effective, activating, deactivating }) => [
    BigInt(epoch),
    { effective: BigInt(effective), activating: BigInt(activating), deactivating: BigInt(deactivating) },
  ]),
)
const before = (epoch: bigint) => new Map([...HISTORY].filter(([of]) => of < epoch))
const stake = BigInt(warmup.stake)
const activationEpoch = BigInt(warmup.activationEpoch)

for (const [name, deactivationEpoch, rows] of [
  ['a delegation that is deactivated while it warms up', BigInt(warmup.deactivated.deactivationEpoch), warmup.deactivated.epochs],
  ['a delegation that is kept', NEVER, warmup.kept.epochs],
] as const)
  t.test(`${name} counts as the table says, epoch by epoch`, async (t) => {
    for (const { epoch, effective, activating, deactivating } of rows)
      t.same(
        activationAt({ stake, activationEpoch, deactivationEpoch }, BigInt(epoch), before(BigInt(epoch))),
        { effective: BigInt(effective), activating: BigInt(activating), deactivating: BigInt(deactivating) },
        `epoch ${epoch}`,
      )
  })

t.test('stake since genesis counts whole, until it was deactivated', async (t) => {
  const genesis = { stake: 5n, activationEpoch: NEVER, deactivationEpoch: NEVER }
  t.same(activationAt(genesis, 0n, new Map()), { effective: 5n, activating: 0n, deactivating: 0n })
  t.same(activationAt({ ...genesis, deactivationEpoch: 7n }, 7n, new Map()), { effective: 5n, activating: 0n, deactivating: 5n })
  t.equal(activationAt({ ...genesis, deactivationEpoch: 7n }, 8n, new Map()).effective, 0n)
})

t.test('what was deactivated in the epoch of its delegation never counts', async (t) => {
  for (const epoch of [799n, 800n, 801n, 900n])
    t.same(activationAt({ stake, activationEpoch: 800n, deactivationEpoch: 800n }, epoch, HISTORY), {
      effective: 0n,
      activating: 0n,
      deactivating: 0n,
    })
})

t.test('an epoch in which nobody activates ends a warm-up where it is', async (t) => {
  const history = new Map([[1n, { effective: 100n, activating: 0n, deactivating: 0n }]])
  t.same(activationAt({ stake: 10n, activationEpoch: 1n, deactivationEpoch: NEVER }, 3n, history), {
    effective: 0n,
    activating: 10n,
    deactivating: 0n,
  })
})

t.test('a change goes on by a lamport an epoch at least', async (t) => {
  const crowded: ClusterStake = { effective: 1n, activating: 10n ** 18n, deactivating: 10n ** 18n }
  const history = new Map([1n, 2n, 3n].map((epoch) => [epoch, crowded]))
  t.equal(activationAt({ stake: 100n, activationEpoch: 1n, deactivationEpoch: NEVER }, 4n, history).effective, 3n)
  t.equal(activationAt({ stake: 100n, activationEpoch: 0n, deactivationEpoch: 1n }, 4n, history).effective, 97n)
})

const lamports = fc.bigInt({ min: 0n, max: 6n * 10n ** 17n })
const cluster = fc.record({ effective: lamports, activating: lamports, deactivating: lamports })
const epochs = fc.bigInt({ min: 0n, max: 30n })
/** Contiguous, as the chain keeps it: from the epoch `first` on. */
const histories = fc
  .tuple(epochs, fc.array(cluster, { maxLength: 30 }))
  .map(([first, all]) => new Map(all.map((each, index) => [first + BigInt(index), each])))
/** The chain deactivates nothing before it was delegated. */
const delegations = fc
  .record({
    stake: lamports,
    activationEpoch: fc.oneof(epochs, fc.constant(NEVER)),
    deactivationEpoch: fc.oneof(epochs, fc.constant(NEVER)),
  })
  .filter(({ activationEpoch, deactivationEpoch }) => activationEpoch === NEVER || activationEpoch <= deactivationEpoch)

t.test('nothing counts that is not there, whatever the cluster does', async (t) => {
  fc.assert(
    fc.property(delegations, epochs, histories, (delegation, epoch, history) => {
      const { effective, activating, deactivating } = activationAt(delegation, epoch, history)
      const parts = [effective, activating, deactivating]
      return (
        parts.every((part) => part >= 0n && part <= delegation.stake) &&
        effective + activating <= delegation.stake &&
        deactivating <= effective
      )
    }),
  )
  t.pass('no counter-example')
})

t.test('a delegation that is kept only grows, and one that was deactivated only shrinks', async (t) => {
  fc.assert(
    fc.property(delegations, epochs, histories, (delegation, epoch, history) => {
      const at = (of: bigint) => activationAt(delegation, of, new Map([...history].filter(([each]) => each < of))).effective
      if (delegation.deactivationEpoch === NEVER || epoch + 1n <= delegation.deactivationEpoch) return growing(at, epoch, delegation.stake)
      return epoch < delegation.deactivationEpoch || at(epoch + 1n) <= at(epoch)
    }),
  )
  t.pass('no counter-example')

  /** Without history there is nothing that holds it up, so that growth stops only at the whole. */
  function growing(at: (epoch: bigint) => bigint, epoch: bigint, whole: bigint): boolean {
    return at(epoch + 1n) >= at(epoch) || at(epoch) === whole
  }
})

t.test('whole lamports differ from doubles by no more than the doubles are wrong', async (t) => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.bigInt({ min: 10n ** 16n, max: 5n * 10n ** 17n }),
      fc.bigInt({ min: 10n ** 15n, max: 10n ** 17n }),
      (stake, effective, activating) => {
        const history = new Map([[1n, { effective, activating, deactivating: 0n }]])
        const found = activationAt({ stake, activationEpoch: 1n, deactivationEpoch: NEVER }, 2n, history).effective
        const double = Math.min(Number(stake), Math.max(1, Math.trunc((Number(stake) / Number(activating)) * (Number(effective) * 0.09))))
        return Math.abs(Number(found) - double) <= 2
      },
    ),
  )
  t.pass('no counter-example')
})
