import { startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { type Balance, parseAmount } from '@svc/contract'
import type { Book, BookReading } from '@svc/contract/book'
import t from 'tap'
import native from '../../svm-native/src/index.ts'
import { fees, scenarioOn } from '../sandbox/index.ts'
import { withdrawalOf } from '../src/chain/price.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'

const RENT = 2_282_880n

t.test('a deferred unstake is in the balance of native staking until it is withdrawn there', async (t) => {
  const { scenario, chain } = onChain(scenarioOn('devnet'))
  const stage = await startStage({ plugin, scenario, family: svmFamily })
  t.teardown(() => stage.close())
  const player = await stage.player()
  await player.act('stake', { amount: 100 })
  chain().drain(0n)
  const { lamports } = withdrawalOf(parseAmount('20', 9), fees.stakeWithdrawal, chain().record())
  await player.act('unstake', { amount: 20 })

  const { validator } = chain().settings
  const balance = (): Promise<Balance> =>
    native.protocol.balance({ ...stage.direct, network: { ...stage.direct.network, validator }, memo: {} }, player.wallet.address)
  const before = await balance()
  t.match(before, { staked: 0n, deactivating: lamports, withdrawing: 0n, objects: [{ status: 'deactivating', amount: lamports }] })
  t.equal(before.objects?.length, 1)

  await stage.world.advance({ epochs: 1 })
  const [object] = (await balance()).objects ?? []
  t.equal(object?.status, 'withdrawable')
  // It earned in the epoch in which it was given out, as stake does until it has cooled down.
  t.ok(object!.amount! >= lamports + RENT, 'with the rent that the wallet advanced')
})

t.test('stake that the pool gives out leaves this book as it comes into that of native staking, and is in one of the two', async (t) => {
  const { scenario, chain } = onChain(scenarioOn('devnet'))
  const stage = await startStage({ plugin, scenario, family: svmFamily })
  t.teardown(() => stage.close())
  const player = await stage.player()
  await player.act('stake', { amount: 100 })
  const { validator } = chain().settings
  const { address } = player.wallet
  const nativeContext = { ...stage.direct, network: { ...stage.direct.network, validator }, memo: {} } as never
  const bookOf = (book: Book<never> | undefined, ctx: never) => ({
    read: () => book!.reading(ctx, address),
    async told(since: BookReading) {
      const reading = await book!.reading(ctx, address)
      const { flows, missing } = await book!.flows!(ctx, address, since, reading)
      return { missing, flows: flows.map(({ kind, amount, from, to, asset }) => ({ kind, amount, from, to, asset: asset ?? 'native' })) }
    },
  })
  const [liquid, other] = [
    bookOf(plugin.protocol.book as never, stage.direct as never),
    bookOf(native.protocol.book as never, nativeContext),
  ]
  await chain().svm.mine(40)
  const [before, otherBefore] = [await liquid.read(), await other.read()]
  chain().drain(0n)
  const { lamports } = withdrawalOf(parseAmount('20', 9), fees.stakeWithdrawal, chain().record())
  await player.act('unstake', { amount: 20 })
  await chain().svm.mine(40)
  const [out, into] = [await liquid.told(before), await other.told(otherBefore)]
  t.match(out, { missing: null })
  t.match(
    out.flows.find(({ kind, asset }) => kind === 'withdrawal' && asset === 'native'),
    { amount: lamports, from: 'worth', to: 'wallet' },
  )
  t.same(into, {
    missing: null,
    flows: [
      { kind: 'deposit', amount: into.flows[0]?.amount, from: 'wallet', to: 'stake', asset: 'native' },
      { kind: 'transfer_in', amount: lamports, from: 'others', to: 'stake', asset: 'native' },
    ],
  })
  t.ok(into.flows[0]!.amount <= RENT, 'the rent that the wallet advanced')
})
