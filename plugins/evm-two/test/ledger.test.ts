import { bookSince, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { resolveNetwork } from '@svc/core/plugins'
import { observe } from '@svc/sandbox'
import t from 'tap'
import { act, configure, control, poolId, scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import type { StakingNetwork } from '../src/network.ts'

const observed = observe(scenario)
const stage = await startStage({ plugin, scenario: observed.scenario, family: evmFamily })
t.teardown(() => stage.close())

const PROS = 10n ** 18n
const NEXT = `0x${'1'.padStart(64, '0')}`
const { world } = stage
const settle = () => world.operate('mine', { blocks: 12 })
await configure(observed.chain(), 'staking.delegation_withdraw_effective_epoch', '1')

/** The same chain with other settings. */
function withSettings(settings: Readonly<Record<string, unknown>>): typeof stage {
  const place = { chainId: world.chainId, name: 'after', path: 'networks', settings: { ...world.settings, ...settings } }
  return { ...stage, direct: { ...stage.direct, memo: {}, network: resolveNetwork<StakingNetwork>(plugin.protocol, place) } }
}

/** A wallet with 1,000 PROS that have earned for two epochs with the pool, and whose book was opened. */
async function opened() {
  const { wallet, advance } = await stage.player()
  const call = (method: string, pool: string, value = 0n) => act(observed.chain(), wallet.address, method, [pool], value)
  await call('delegate', poolId, 1_000n * PROS)
  await advance({ epochs: 2 })
  await settle()
  return { address: wallet.address, advance, call, first: await bookSince(stage, wallet.address, null) }
}

type Look = Awaited<ReturnType<typeof bookSince>>

async function closed(of: typeof stage, address: string, since: Look) {
  await settle()
  const result = await bookSince(of, address, since)
  if (result.kind !== 'closed') throw new TypeError('nothing has happened')
  return result
}

/** The same look with another fact of the pool. */
function shifted(look: Look, fact: string, by: bigint): Look {
  if (look.kind === 'behind') throw new TypeError('no reading')
  const key = `${poolId}.${fact}`
  const keep = { ...look.reading.keep, [key]: String(BigInt(look.reading.keep[key] ?? '') + by) }
  return { ...look, reading: { ...look.reading, keep } }
}

t.test('a book goes on when another pool is named: stakes, exits and rewards of both are entries', async (t) => {
  const { address, advance, call, first } = await opened()
  const changed = withSettings({ pool_id: NEXT, former_validators: [poolId] })
  await call('claimReward', poolId)
  await call('delegate', NEXT, 700n * PROS)
  await advance({ epochs: 2 })
  await call('undelegate', poolId)
  const second = await closed(changed, address, first)
  t.same([second.closing.complete, second.closing.reasons], [true, []])
  t.equal(second.reading.amounts.stake, 700n * PROS)
  t.ok((second.reading.amounts.exit ?? 0n) > 1_000n * PROS, 'the exit has its rewards with it')
  t.same(
    second.closing.entries.map(({ kind, from, to }) => `${kind} ${from} ${to}`),
    [
      'claim rewards wallet',
      'deposit wallet pending',
      'activation pending stake',
      'exit_requested stake exit',
      'compound rewards exit',
      'reward chain rewards',
    ],
    'in their order',
  )
  await advance({ epochs: 1 })
  await call('claimStake', poolId)
  const third = await closed(changed, address, second)
  t.equal(third.closing.complete, true)
  t.same(third.reading.amounts.exit, undefined, 'all of it was paid')
  for (const fact of ['stake', 'pending', 'exit'])
    t.match(
      (await closed(changed, address, shifted(second, fact, 1n))).closing.reasons,
      ['flow_missing'],
      `${fact} of one pool, though the sum is right`,
    )
})

t.test('a claim that nobody has found is noticed by the count of the contract', async (t) => {
  const { address, advance, call, first } = await opened()
  await call('claimReward', poolId)
  await advance({ epochs: 1 })
  t.equal((await closed(stage, address, first)).closing.complete, true)
  const other = await closed(stage, address, shifted(first, 'claimed', -1n))
  t.same(other.closing.reasons, ['claims_not_known'])
  t.same(other.closing.entries.at(-1)?.kind, 'unexplained')
})

t.test('an interval of more epochs than have begun is not believed', async (t) => {
  const { address, advance, first } = await opened()
  await advance({ epochs: 1 })
  if (first.kind === 'behind') throw new TypeError('no reading')
  const { reading } = first
  const keep = { ...reading.keep, epoch: String(BigInt(reading.keep.epoch ?? '') - 1n) }
  t.match((await closed(stage, address, { ...first, reading: { ...reading, keep } })).closing.reasons, ['endpoint_disagrees'])
})

t.test('an interval of weeks is looked through in several looks, and one of which no logs are kept is not', async (t) => {
  const { address, advance, first } = await opened()
  await world.operate('mine', { blocks: 700 })
  await advance({ epochs: 1 })
  const narrow = withSettings({ log_blocks: 1 })
  await t.rejects(closed(narrow, address, first), { code: 'LOGS_INCOMPLETE', message: /600 of 7\d\d ranges/ })
  const now = await bookSince(stage, address, null)
  if (now.kind === 'behind') throw new TypeError('no reading')
  const { reading } = now
  const long = { ...reading, mark: { ...reading.mark, height: -20_000n } }
  t.match(await plugin.protocol.book?.flows?.(narrow.direct as never, address, long, reading), { flows: [], missing: 'flow_missing' })
})

t.test('a book is kept while the contract is paused, when no claim can be simulated', async (t) => {
  const { address, advance, first } = await opened()
  await advance({ epochs: 1 })
  const chain = observed.chain()
  await control(chain, 'setPaused', true)
  t.teardown(() => control(chain, 'setPaused', false))
  const result = await closed(stage, address, first)
  t.same([result.closing.complete, result.closing.entries.map(({ kind }) => kind)], [true, ['reward']])
})
