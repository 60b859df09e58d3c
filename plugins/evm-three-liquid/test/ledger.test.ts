import { bookSince, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import type { EvmClient } from '@svc/kit-evm'
import { Interface } from 'ethers'
import t from 'tap'
import { control, requestIdOf, rewardsFee, scenario, vaultAbi, vaultAddress } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { book } from '../src/ledger/book.ts'
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

t.test('what a request is paid that no reading shows is asked twice, and believed where both answers are one', async (t) => {
  const { address, advance, first } = await opened()
  if (first.kind !== 'opened') throw new TypeError('the book was not opened')
  await by(address, 'requestRedeem', [first.reading.amounts.shares, address, address])
  const request = (await chain().evm.rpc('eth_getBlockByNumber', ['latest', false])) as { hash: string }
  const id = await requestIdOf(chain().evm, address)
  const answer = await chain().evm.call({ to: vaultAddress, data: vault.encodeFunctionData('pendingRedeemRequestData', [id, address]) })
  const { assets } = vault.decodeFunctionResult('pendingRedeemRequestData', answer)[0] as { assets: bigint }
  await advance({ epochs: 3 })
  await by(address, 'redeemMON', [id, address, address])
  const second = await closed(address, first)
  t.equal(second.closing.complete, true)

  const word = (amount: bigint) => amount.toString(16).padStart(64, '0')
  const { client } = stage.direct as { client: EvmClient }
  /** The chain's client, to which a wei more is told of what the request is paid, where it asks about one block. */
  const toldMore = new Proxy(client, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of)
      if (name !== 'ask') return typeof member === 'function' ? member.bind(of) : member
      return (method: string, params: readonly unknown[], read: (answer: unknown) => unknown) =>
        of.ask(method, params, (each) => {
          const isMeant = JSON.stringify(params[1] ?? '').includes(request.hash)
          return read(isMeant ? JSON.parse(JSON.stringify(each).replace(word(assets), word(assets + 1n))) : each)
        })
    },
  })
  const flowsBy = (by: EvmClient) =>
    book.flows?.({ ...stage.direct, client: by, memo: {} } as never, address, first.reading, second.reading)
  t.match(await flowsBy(client), { missing: null })
  t.match(await flowsBy(toldMore), { missing: 'endpoint_disagrees' })
})

const log = { address: vaultAddress, topics: [], data: '0x', block: 9n, blockHash: '0x', tx: '0xaa', index: 0 }
const holder = `0x${'11'.repeat(20)}`
const [nobody, other] = [`0x${'00'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const transfer = (from: string, to: string, shares = 5n): VaultEvent => ({ name: 'Transfer', from, to, shares, log })
const deposit: VaultEvent = { name: 'Deposit', sender: holder, assets: 6n, shares: 5n, log }
const request: VaultEvent = { name: 'RedeemRequest', controller: holder, id: 1n, shares: 5n, log }
const payment: VaultEvent = { name: 'Withdraw', receiver: holder, assets: 6n, log }
/** What a walk says, where a block says an amount. @param opening what an open request was to be paid */
function lines(amount: bigint | 'pruned', opening: bigint, ...events: VaultEvent[]) {
  const { moves, missing } = walk(holder, opening, events, () => amount)
  return [missing, ...moves.map(({ kind, amount: units, from, to }) => `${kind} ${units} ${from} ${to}`)]
}

t.test('who sent, controls and receives is told apart', (t) => {
  t.same(lines(7n, 0n, transfer(nobody, holder), deposit), [null, 'deposit 5 chain shares', 'deposit 6 wallet worth'])
  const given = [null, 'transfer_in 5 chain shares', 'transfer_in 6 others worth']
  t.same(lines(7n, 0n, transfer(nobody, holder), { ...deposit, sender: other }), given)
  const requested = [null, 'exit_requested 5 shares chain', 'exit_requested 7 worth exit']
  t.same(lines(7n, 0n, transfer(holder, nobody), request), requested)
  t.same(lines(7n, 0n, transfer(holder, nobody), request, payment), [...requested, 'withdrawal 6 exit wallet', 'fee 1 exit chain'])
  t.same(
    lines(7n, 0n, transfer(holder, nobody), { ...request, controller: other }, payment),
    [null, 'exit_requested 5 shares chain', 'exit_requested 7 worth others'],
    'what somebody else controls is no exit of the holder',
  )
  t.same(lines(0n, 7n, { ...payment, receiver: other }), [null, 'withdrawal 6 exit others', 'fee 1 exit chain'])
  t.same(lines(0n, 4n, payment), [null, 'withdrawal 4 exit wallet', 'reward 2 chain wallet'])
  t.same(lines(0n, 6n, payment, payment), [null, 'withdrawal 6 exit wallet'], 'a request is paid once')
  t.same(lines(8n, 0n, transfer(holder, other)), [null, 'transfer_out 5 shares others', 'transfer_out 8 worth others'])
  t.end()
})

t.test('an event that no transfer of shares goes before, and an amount that is not known, leave the interval open', (t) => {
  const kinds = (...events: VaultEvent[]) => lines('pruned', 0n, ...events)
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
