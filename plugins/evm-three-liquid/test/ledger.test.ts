import { bookSince, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { Interface } from 'ethers'
import t from 'tap'
import { control, requestIdOf, rewardsFee, scenario, vaultAbi, vaultAddress } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import type { VaultEvent } from '../src/ledger/events.ts'
import { walk } from '../src/ledger/walk.ts'
import { onChain } from './chain.ts'

const { scenario: observed, chain } = onChain(scenario)
const stage = await startStage({ plugin, scenario: observed, family: evmFamily })
t.teardown(() => stage.close())

const MON = 10n ** 18n
const vault = new Interface(vaultAbi)
const by = (from: string, method: string, args: readonly unknown[], value = 0n) =>
  chain().evm.send({ from, to: vaultAddress, data: vault.encodeFunctionData(method, args), value })
const settle = () => stage.world.operate('mine', { blocks: 12 })

/** A wallet with gMON for 1,000.000000000000000001 MON, whose book was opened. */
async function opened() {
  const { wallet, advance } = await stage.player()
  await by(wallet.address, 'depositMON', [wallet.address, 0], 1_000n * MON + 1n)
  await settle()
  return { address: wallet.address, advance, first: await bookSince(stage, wallet.address, null) }
}

async function closed(address: string, since: Awaited<ReturnType<typeof bookSince>>) {
  await settle()
  const result = await bookSince(stage, address, since)
  if (result.kind !== 'closed') throw new TypeError('nothing has happened')
  return result
}

t.test('a half of the shares leaves: nothing grows while it waits, and the payment lacks the fee of a tenth of a percent', async (t) => {
  const { address, advance, first } = await opened()
  await advance({ epochs: 3 })
  const grown = await closed(address, first)
  t.same(
    grown.closing.entries.map(({ kind, from, to }) => `${kind} ${from} ${to}`),
    ['revaluation chain worth'],
  )
  const { shares = 0n, worth: before = 0n } = grown.reading.amounts
  await by(address, 'requestRedeem', [shares / 2n, address, address])
  const request = await closed(address, grown)
  const { exit = 0n, worth = 0n } = request.reading.amounts
  t.equal(request.closing.complete, true)
  t.ok(before - worth - exit <= 1n && worth - before + exit <= 1n, 'what leaves is what stays away, but for a wei')
  await advance({ epochs: 8 })
  await by(address, 'redeemMON', [await requestIdOf(chain().evm, address), address, address])
  const paid = await closed(address, request)
  const amountOf = (name: string) => paid.closing.entries.find(({ kind }) => kind === name)?.amount ?? 0n
  t.equal(amountOf('withdrawal') + amountOf('fee'), exit)
  t.equal(paid.reading.amounts.exit, undefined)
  t.equal(paid.closing.complete, true)
})

t.test('a pool that loses is a revaluation from the position to the chain', async (t) => {
  const { address, first } = await opened()
  const evm = chain().evm
  const assets = BigInt(await evm.call({ to: vaultAddress, data: vault.encodeFunctionData('totalAssets') }))
  await chain().drive(control('setTotalAssets', (assets * 99n) / 100n))
  const result = await closed(address, first)
  t.match(result.closing, { complete: true, entries: [{ kind: 'revaluation', from: 'worth', to: 'chain', asset: 'native', tx: null }] })
  await chain().drive(control('setTotalAssets', assets))
})

t.test('a request that is made and paid within one interval is told with its fee', async (t) => {
  const { address, advance, first } = await opened()
  await chain().drive(control('setFees', rewardsFee, 200))
  const shares = first.kind === 'opened' ? (first.reading.amounts.shares ?? 0n) : 0n
  await by(address, 'requestRedeem', [shares, address, address])
  await advance({ seconds: 60 * 86_400 })
  await by(address, 'redeemMON', [await requestIdOf(chain().evm, address), address, address])
  const { closing, reading } = await closed(address, first)
  t.equal(closing.complete, true)
  t.same(reading.amounts, {})
  const kinds = new Set(closing.entries.map(({ kind }) => kind))
  t.ok(kinds.has('exit_requested') && kinds.has('withdrawal'), [...kinds].join())
})

t.test('an event that no transfer of shares goes before, and an amount that is not known, leave the interval open', (t) => {
  const log = { address: vaultAddress, topics: [], data: '0x', block: 9n, blockHash: '0x', tx: '0xaa', index: 0 }
  const holder = `0x${'11'.repeat(20)}`
  const [nobody, other] = [`0x${'00'.repeat(20)}`, `0x${'22'.repeat(20)}`]
  const transfer = (from: string, to: string, shares = 5n): VaultEvent => ({ name: 'Transfer', from, to, shares, log })
  const deposit: VaultEvent = { name: 'Deposit', sender: holder, assets: 6n, shares: 5n, log }
  const request: VaultEvent = { name: 'RedeemRequest', controller: holder, id: 1n, shares: 5n, log }
  const none = () => 'pruned' as const
  const kinds = (...events: VaultEvent[]) => {
    const { moves, missing } = walk(holder, 0n, events, none)
    return [missing, ...moves.map(({ kind, amount, from, to }) => `${kind} ${amount} ${from} ${to}`)]
  }
  t.same(kinds(deposit), ['flow_missing'])
  t.same(kinds(transfer(nobody, holder), deposit), [null, 'deposit 5 chain shares', 'deposit 6 wallet worth'])
  t.same(kinds(transfer(nobody, holder, 4n), deposit), ['pruned', 'transfer_in 4 others shares'])
  t.same(
    kinds(transfer(nobody, holder), { ...deposit, log: { ...log, tx: '0xbb' } }),
    ['pruned', 'transfer_in 5 others shares'],
    'of another transaction',
  )
  t.same(kinds(transfer(holder, nobody), request), ['pruned', 'exit_requested 5 shares chain'])
  t.same(kinds(transfer(holder, other), request), ['pruned', 'transfer_out 5 shares others'])
  t.same(kinds(transfer(holder, holder)), [null])
  t.same(kinds({ name: 'Withdraw', receiver: holder, assets: 5n, log }), [null], 'what somebody else controlled')
  t.end()
})
