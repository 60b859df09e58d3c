import { startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { type Balance, parseAmount } from '@svc/contract'
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
