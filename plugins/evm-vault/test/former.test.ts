import { resolveNetwork } from '@svc/core/plugins'
import t from 'tap'
import { deployments } from '../src/addresses.ts'
import plugin from '../src/index.ts'
import { contextOf, type VaultContext, type VaultNetwork } from '../src/network.ts'

const [PRESENT, FORMER] = ['0xAC0F906E433d58FA868F936E8A43230473652885', '0xba447498DC4c169f2b4f427B2c4D532320457E89']
const resolved = (settings: Readonly<Record<string, unknown>>) =>
  resolveNetwork<VaultNetwork>(plugin.protocol, { chainId: '1', name: 'x', path: 'networks', settings: { vault: PRESENT, ...settings } })

t.test('a vault that is named twice would be counted twice, and is refused in any spelling', async (t) => {
  t.same(resolved({ former_validators: [FORMER] }).former_validators.length, 1)
  t.throws(() => resolved({ former_validators: [PRESENT.toLowerCase()] }), {
    message: /former_validators names 0xAC0F906E433d58FA868F936E8A43230473652885, which is the present one/,
  })
  t.throws(() => resolved({ former_validators: [FORMER, FORMER.toLowerCase()] }), { message: /former_validators/ })
  t.throws(() => resolved({ former_validators: Array.from({ length: 9 }, (_, at) => `0x${String(at).repeat(40)}`) }), {
    message: /former_validators/,
  })
})

t.test('a former vault is read from the first block of the protocol, and what is read of it is kept apart', async (t) => {
  // The setting is of the present vault's creation, which is later than anything that the former one did.
  const network = resolved({ former_validators: [FORMER], first_block: 24_000_000 })
  const ctx = { network, memo: {} } as VaultContext
  const former = contextOf(ctx, FORMER)
  t.equal(former.network.vault, FORMER)
  t.equal(former.network.first_block, deployments['1']?.first_block)
  t.not(former.memo, ctx.memo)
  t.equal(contextOf(ctx, FORMER).memo, former.memo, 'with what was remembered of it before')
  t.equal(contextOf(ctx, PRESENT), ctx)
  t.equal(contextOf({ ...ctx, network: { ...network, first_block: 5 } }, FORMER).network.first_block, 5, 'or earlier, where the setting is')
  await former.store.put('exits', 1)
  t.equal(await former.store.get('exits'), undefined)
})
