import { bookSince, startStage } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const family = cosmosFamily({ prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1', chainId: 'cosmoshub-4' })
const stage = await startStage({ plugin, scenario, family })
t.teardown(() => stage.close())

/** Names of denominations, in their order. */
const names = (count: number, letter: string) => Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(3, '0')}`)
const deposit = (denominations: readonly string[]) => stage.world.operate('deposit', { denominations, units: '1000000000000' })

/** A look at a wallet whose interval is closed. */
async function closed(address: string, since: Awaited<ReturnType<typeof bookSince>>) {
  const look = await bookSince(stage, address, since)
  if (look.kind !== 'closed') throw new TypeError('something has happened')
  const { reading, closing } = look
  const keys = Object.keys(reading.amounts).filter((key) => key.startsWith('foreign:'))
  const of = (kind: string, asset?: string) =>
    closing.entries
      .filter((entry) => entry.kind === kind && (asset === undefined || entry.asset === asset))
      .reduce((sum, { amount }) => sum + amount, 0n)
  return { look, keys, closing, of }
}

t.test('denominations that a book keeps stay in it, whatever a stranger pays besides, and the own token stays explained', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await player.act('stake', { amount: 1_000 })
  await player.advance({ seconds: 60 })
  const opened = await bookSince(stage, address, null)

  await deposit(names(3, 'm'))
  await player.advance({ seconds: 60 })
  const first = await closed(address, opened)
  t.same(first.keys, ['foreign:denom:m000', 'foreign:denom:m001', 'foreign:denom:m002'])
  t.match(first.closing, { complete: true, reasons: [] })
  t.ok(first.of('reward', 'denom:m001') > 0n)
  t.equal(first.of('reward', 'denom:m001'), first.of('reward', 'denom:m002'), 'each by itself')

  // Names that come before those that are kept: a rule by names would put them in their place.
  await deposit(names(70, 'a'))
  await player.advance({ seconds: 60 })
  const second = await closed(address, first.look)
  t.equal(second.keys.length, 64)
  for (const key of first.keys) t.ok(second.keys.includes(key), key)
  t.match(second.closing, { complete: true, reasons: ['not_declared'] })
  t.equal(second.of('unexplained'), 0n)
  t.ok(second.of('reward', 'native') > 0n)

  await player.act('claim-rewards')
  const third = await closed(address, second.look)
  t.ok(third.of('claim', 'native') > 0n)
  t.ok(third.of('claim', 'denom:m001') >= first.of('reward', 'denom:m001'))
  t.equal(third.of('claim', 'denom:a069'), 0n, 'what is left out is in no entry')
  t.match(third.closing, { complete: true, reasons: ['not_declared'] })
  t.equal(third.of('unexplained'), 0n)

  await deposit(['a069', 'm001', 'zzz'])
  await player.advance({ seconds: 60 })
  const fourth = await closed(address, third.look)
  t.same(fourth.keys, ['foreign:denom:m001'], 'one that is paid out keeps its place, and one that was left out gets none')
})

t.test('what came and was claimed between two readings is a reward and a claim', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await player.act('stake', { amount: 1_000 })
  await player.advance({ seconds: 60 })
  const opened = await bookSince(stage, address, null)
  await deposit(['uquick'])
  await player.act('claim-rewards')
  const { of, closing, keys, look } = await closed(address, opened)
  t.same(keys, [])
  t.ok(of('claim', 'denom:uquick') > 0n)
  t.equal(of('reward', 'denom:uquick'), of('claim', 'denom:uquick'))
  t.match(closing, { complete: true, reasons: [] })
  t.match(look.reading.keep.denoms, /\buquick\b/, 'and is kept from then on')
})

t.test('a book from before other denominations were read takes what waits for no reward', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await player.act('stake', { amount: 1_000 })
  await deposit(['uearly'])
  await player.advance({ seconds: 60 })
  const opened = await bookSince(stage, address, null)
  if (opened.kind !== 'opened') throw new TypeError('the book begins')
  const { denoms: _, ...keep } = opened.reading.keep
  const older = { ...opened, reading: { ...opened.reading, amounts: { delegated: opened.reading.amounts.delegated ?? 0n }, keep } }
  await player.advance({ seconds: 60 })
  const { of, closing, look } = await closed(address, older)
  t.equal(of('reward', 'denom:uearly'), 0n)
  t.match(
    closing.entries.find(({ asset }) => asset === 'denom:uearly'),
    { kind: 'unexplained', reason: 'not_declared' },
  )
  await player.advance({ seconds: 60 })
  t.match((await closed(address, look)).closing, { complete: true, reasons: [] })
})
