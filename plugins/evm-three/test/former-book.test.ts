import { bookSince, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { resolveNetwork } from '@svc/core/plugins'
import t from 'tap'
import { scenario, validatorId } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import type { StakingNetwork } from '../src/network.ts'
import { elsewhere } from './support/wealth.ts'

const stage = await startStage({ plugin, scenario, family: evmFamily })
t.teardown(() => stage.close())

const MON = 10n ** 18n
const NEXT = validatorId + 1
const { world } = stage

/** The same chain with other settings. */
function after(settings: Readonly<Record<string, unknown>>): typeof stage {
  const place = { chainId: world.chainId, name: 'after', path: 'networks', settings: { ...world.settings, ...settings } }
  return { ...stage, direct: { ...stage.direct, memo: {}, network: resolveNetwork<StakingNetwork>(plugin.protocol, place) } }
}
const settle = () => world.operate('mine', { blocks: 4 })

/** A wallet with 1,000 MON and rewards with the validator that is present, and whose book was opened. */
async function opened() {
  const { wallet, advance } = await stage.player()
  const call = (method: string, args: readonly unknown[], value = 0n) => elsewhere(world.rpcUrl, wallet.address, method, args, value)
  await call('delegate', [validatorId], 1_000n * MON)
  await advance({ epochs: 2 })
  await settle()
  return { address: wallet.address, advance, call, first: await bookSince(stage, wallet.address, null) }
}

async function closed(of: typeof stage, address: string, since: Awaited<ReturnType<typeof bookSince>>) {
  const result = await bookSince(of, address, since)
  if (result.kind !== 'closed') throw new TypeError('something has happened')
  return result
}

t.test('a book goes on when another validator is named: stakes, exits and rewards of both are entries', async (t) => {
  const { address, advance, call, first } = await opened()
  const changed = after({ validator_id: NEXT, former_validators: [validatorId] })
  await call('claimRewards', [validatorId])
  await call('delegate', [NEXT], 700n * MON)
  await call('undelegate', [validatorId, 300n * MON, 7])
  await advance({ epochs: 2 })
  await call('undelegate', [NEXT, 50n * MON, 7])
  await settle()
  const second = await closed(changed, address, first)
  t.same([second.closing.complete, second.closing.reasons], [true, []])
  t.equal(second.reading.amounts.stake, 1_350n * MON, 'of both')
  t.equal(second.reading.amounts['exit:7'], 350n * MON, 'slots of one number are one bucket')
  t.match(
    second.closing.entries.map(({ kind }) => kind),
    ['claim', 'deposit', 'exit_requested', 'activation', 'exit_requested', 'reward'],
    'in their order',
  )

  await advance({ epochs: 2 })
  await call('withdraw', [validatorId, 7])
  await call('withdraw', [NEXT, 7])
  await call('claimRewards', [validatorId])
  await settle()
  const third = await closed(changed, address, second)
  t.same([third.closing.complete, third.closing.reasons], [true, []])
  const keep = { ...second.reading.keep }
  for (const [validator, units] of [
    [validatorId, 1n],
    [NEXT, -1n],
  ] as const)
    keep[`${validator}.stake`] = String(BigInt(keep[`${validator}.stake`] ?? '') + units)
  const shifted = await closed(changed, address, { ...second, reading: { ...second.reading, keep } })
  t.match(shifted.closing.reasons, ['flow_missing'], 'what is too much with one hides nothing that is too little with another')
  t.same(
    third.closing.entries.filter(({ kind }) => kind === 'withdrawal').map(({ amount }) => amount),
    [300n * MON, 50n * MON],
  )
})

t.test('a validator that no setting names is out of the book, and comes back as what nothing explains', async (t) => {
  const { address, advance, call, first } = await opened()
  await settle()
  const left = await closed(after({ validator_id: NEXT }), address, first)
  t.match(
    left.closing.entries.find(({ from }) => from === 'stake'),
    { kind: 'unexplained', amount: 1_000n * MON },
  )
  t.equal(left.closing.complete, false)
  await advance({ epochs: 1 })
  await settle()
  const named = after({ validator_id: NEXT, former_validators: [validatorId] })
  const back = await closed(named, address, left)
  t.match(
    back.closing.entries.find(({ to }) => to === 'stake'),
    { kind: 'unexplained', amount: 1_000n * MON },
  )
  await call('claimRewards', [validatorId])
  await settle()
  t.equal((await closed(named, address, back)).closing.complete, true, 'from then on it is followed')
})
