import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { atMost, parseAmount } from '@svc/contract'
import { methods } from '@svc/intent-evm-vault'
import { encodeCall } from '@svc/verify/evm'
import { AbiCoder, Interface, id, keccak256, toBeHex } from 'ethers'
import t from 'tap'
import { keeperContract, registryContract, vaultContract } from '../sandbox/contracts.ts'
import { leafOf, scenarios, vaultAddresses } from '../sandbox/index.ts'
import { sharedAbi, vaultAbi } from '../src/abi.ts'
import { deployments } from '../src/addresses.ts'
import { checkpointsOf, progressOf } from '../src/chain/exit-queue.ts'
import { rootOf, updateState } from '../src/chain/harvest.ts'
import { kindOf } from '../src/chain/vault-kinds.ts'
import plugin from '../src/index.ts'
import { explain } from '../src/refusals.ts'
import { assetsOf, mostUnstakable, sharesFor } from '../src/shares.ts'
import { dayOf, itemOf } from '../src/subgraph/history.ts'
import { annualYield } from '../src/subgraph/rate.ts'
import bytes from './vectors/bytes.json' with { type: 'json' }
import numbers from './vectors/numbers.json' with { type: 'json' }
import selectors from './vectors/selectors.json' with { type: 'json' }

const U = bytes.address
const ZERO = '0x0000000000000000000000000000000000000000'
const SHARES = 982318271121579737n
const harvest = { ...bytes.harvest, reward: BigInt(bytes.harvest.reward), unlockedMevReward: BigInt(bytes.harvest.unlockedMevReward) }
const claims = [
  [0n, 1700000000n, 0n],
  [29889298893882667720n, 1700003600n, 1n],
] as const
const network = { vault: vaultAddresses[1]!, former_validators: [], referrer: ZERO }
const input = { address: U, amount: 10n ** 18n }
const { stake, unstake, withdraw } = plugin.protocol.actions

/** What an action crafts from facts that were read. */
const dataOf = (action: typeof stake, facts: unknown): string =>
  (action!.craft(network as never, input as never, facts as never) as { data: string }).data

t.test('every action has the calldata of the vectors', async (t) => {
  const claimed = claims.map(([ticket, timestamp, index]) => ({ ticket, timestamp, index }))
  const crafted = {
    deposit: dataOf(stake, { harvest: null }),
    updateStateAndDeposit: dataOf(stake, { harvest }),
    enterExitQueue: dataOf(unstake, { shares: SHARES, way: { redeems: false, harvest: null } }),
    harvestAndExit: dataOf(unstake, { shares: SHARES, way: { redeems: false, harvest } }),
    claim1: dataOf(withdraw, { claims: claimed.slice(0, 1), harvest: null }),
    claim2: dataOf(withdraw, { claims: claimed.slice(1), harvest: null }),
    claims: dataOf(withdraw, { claims: claimed, harvest: null }),
    updateState: updateState(harvest),
  }
  t.same(Object.keys(crafted).sort(), Object.keys(bytes.keccak).sort())
  for (const [name, hash] of Object.entries(bytes.keccak)) t.equal(keccak256(crafted[name as keyof typeof crafted]), hash, name)
  for (const name of ['deposit', 'enterExitQueue', 'claim1', 'claim2', 'updateState'] as const) t.equal(crafted[name], bytes[name], name)
})

t.test('what is promised encodes to the same bytes by another hand', async (t) => {
  // All that is owned leaves.
  const books = { owned: SHARES, totalAssets: SHARES, totalShares: SHARES, minted: null }
  const updates = methods.find((method) => method.startsWith('updateState('))!
  const values = [harvest.rewardsRoot, harvest.reward, harvest.unlockedMevReward, harvest.proof]
  t.equal(encodeCall(updates, { harvest: values }), bytes.updateState)
  for (const [action, facts] of [
    [unstake, { shares: SHARES, books, way: { redeems: false, harvest } }],
    [unstake, { shares: SHARES, books, way: { redeems: true } }],
    [withdraw, { claims: claims.map(([ticket, timestamp, index]) => ({ ticket, timestamp, index })), harvest }],
  ] as const) {
    const [promised] = action!.effects(network as never, input as never, facts as never).calls
    t.equal(encodeCall(promised!.method, promised!.args), dataOf(action, facts))
  }
})

t.test('selectors, topics and errors are those of the contracts, in the plugin and in the stand-ins', async (t) => {
  for (const [signature, selector] of Object.entries(selectors.functions)) t.equal(id(signature).slice(0, 10), selector, signature)
  const known = new Set(Object.values(selectors.functions))
  for (const abi of [vaultAbi.interface, sharedAbi.interface])
    abi.forEachFunction(({ selector, name }) => t.ok(known.has(selector) || name === 'ltvPercent', name))
  const standIns = [vaultContract.abi, keeperContract.abi, registryContract.abi]
  for (const [name, topic] of Object.entries(selectors.events)) {
    const event = name.split(' ').at(-1)!
    for (const abi of [vaultAbi.interface, ...standIns]) if (abi.hasEvent(event)) t.equal(abi.getEvent(event)!.topicHash, topic, name)
  }
  for (const name of ['ExitQueueEntered', 'V2ExitQueueEntered', 'ExitedAssetsClaimed', 'CheckpointCreated', 'Deposited', 'Redeemed'])
    t.ok(vaultContract.abi.hasEvent(name), name)
  for (const [name, selector] of Object.entries(selectors.errors)) {
    t.equal(id(`${name}()`).slice(0, 10), selector, name)
    t.match(explain(selector), new RegExp(`\\(${name}\\)$`))
    t.equal((vaultContract.abi.getError(name) ?? keeperContract.abi.getError(name))?.selector, selector, `${name} in the stand-ins`)
  }
  t.match(explain(new Interface(['error Panic(uint256 code)']).encodeErrorResult('Panic', [0x11])), /not that many shares/)
  t.equal(explain('0x4e487b71'.padEnd(74, '0')), null, 'another panic is not explained')
})

t.test('kinds are told by their ids, and addresses are those of the deployments', async (t) => {
  for (const [name, vaultId] of Object.entries(selectors.vaultIds)) t.equal(kindOf(vaultId)?.name, name)
  t.equal(kindOf(id('EthOtherVault')), undefined)
  t.same(Object.keys(deployments), ['1', '560048'])
  t.equal(deployments['1']?.keeper, '0x6B5815467da09DaA7DC83Db21c9239d98Bb487b5')
  t.equal(deployments['560048']?.keeper, '0xA7D1Ac9D6F32B404C75626874BA56f7654c1dC0f')
})

t.test('keys and leaves are hashed as the contracts do', async (t) => {
  const key = AbiCoder.defaultAbiCoder().encode(['address', 'uint256', 'uint256'], [U, 1700003600n, 29889298893882667720n])
  t.equal(keccak256(key), bytes.requestKey)
  t.equal(leafOf(vaultAddresses[1]!, -5n, 7n), bytes.leaf)
  t.equal(rootOf(vaultAddresses[1]!, { ...harvest, proof: [] }), bytes.leaf, 'a tree of one leaf has it for its root')
})

t.test('shares are rounded down for exits', async (t) => {
  const price = { totalAssets: BigInt(numbers.shares.totalAssets), totalShares: BigInt(numbers.shares.totalShares) }
  for (const [assets, shares] of numbers.shares.rows) t.equal(sharesFor(BigInt(assets!), price), BigInt(shares!), assets!)
  for (const [shares, assets] of numbers.shares.worth) t.equal(assetsOf(BigInt(shares!), price), BigInt(assets!), shares!)
  t.equal(sharesFor(7n, { totalAssets: 0n, totalShares: 0n }), 7n)
  t.equal(assetsOf(7n, { totalAssets: 0n, totalShares: 0n }), 7n)
})

t.test('the maximum of an exit beside a debt is the one of the protocol’s own tools', async (t) => {
  const it = numbers.maximum
  const price = { totalAssets: BigInt(it.totalAssets), totalShares: BigInt(it.totalShares) }
  const staked = assetsOf(BigInt(it.shares), price)
  t.equal(staked, BigInt(it.staked))
  const assets = (BigInt(it.debt) * BigInt(it.osAssets)) / BigInt(it.osShares)
  t.equal(assets, BigInt(it.minted))
  const debt = { shares: BigInt(it.debt), assets, ltv: BigInt(it.ltv), growth: BigInt(it.growth) }
  const most = mostUnstakable(staked, debt, 3600)
  t.equal(most, BigInt(it.maximum))
  t.equal(sharesFor(most, price), BigInt(it.maximumShares))
  t.equal(mostUnstakable(staked, { ...debt, shares: 0n }, 3600), staked, 'all of it without a debt')
  t.equal(mostUnstakable(staked, { ...debt, ltv: 0n }, 3600), 0n, 'nothing where osToken is switched off')
  t.equal(mostUnstakable(10n ** 13n - 1n, debt, 3600), 0n, 'nothing of a trifle')
  t.equal(mostUnstakable(((assets + 10n ** 13n) * 10n) / 9n, { ...debt, growth: 0n }, 0), 11_111_111_111_111n, 'a little above the least')
  t.equal(mostUnstakable((assets * 10n) / 9n + 10n ** 13n, { ...debt, growth: 0n }, 0), 0n, 'nothing at the least')
})

t.test('a number above the maximum by less than its precision means the maximum', async (t) => {
  const most = BigInt(numbers.numbers.maximum)
  for (const [text, expected] of numbers.numbers.rows)
    t.equal(atMost(parseAmount(text!, 18), most, 18), expected === null ? null : BigInt(expected!), text!)
  for (const text of numbers.numbers.tooFine) t.throws(() => parseAmount(text, 18), { statusCode: 400, code: 'AMOUNT_INVALID' }, text)
})

t.test('exits come as far as the vault says', async (t) => {
  const parts = numbers.queue.checkpoints.map(([burned, assets]) => ({ burned: BigInt(burned!), assets: BigInt(assets!) }))
  t.equal(checkpointsOf(parts).at(-1)?.totalTickets, 36861270890865646861n)
  for (const [count, ticket, tickets, index, left, exited, assets] of numbers.queue.rows) {
    const found = progressOf(checkpointsOf(parts.slice(0, count as number)), BigInt(ticket!), BigInt(tickets!))
    const expected = { index: BigInt(index!), left: BigInt(left!), exited: BigInt(exited!), assets: BigInt(assets!) }
    t.same(found, expected, `ticket ${ticket} after ${count} checkpoints`)
  }
  t.same(progressOf([], 0n, 5n), { index: -1n, left: 5n, exited: 0n, assets: 0n }, 'nothing in a fresh vault, also for ticket 0')
})

t.test('history and days are mapped as the vectors say', async (t) => {
  t.same(itemOf(numbers.action, 'https://etherscan.io'), numbers.item)
  t.same(itemOf({ ...numbers.action, shares: null }, 'https://etherscan.io/').shares, '0.0')
  t.equal(itemOf({ ...numbers.action, assets: '1000000000000000000' }, '').assets, '1.0')
  t.same(JSON.parse(JSON.stringify(dayOf(numbers.snapshot))), numbers.day)
  t.equal(annualYield(numbers.rate[0]!), numbers.rate[1])
})

for (const [index, scenario] of scenarios.entries())
  t.test(`the vectors of ${scenario.chain} are prepared and broadcast byte by byte`, async (t) => {
    const stage = await startStage({ plugin, scenario, family: evmFamily })
    t.teardown(() => stage.close())
    for (const each of bytes.transactions.filter(({ network: chainId }) => `evm:${chainId}` === scenario.chain)) {
      const { r, s, v, hash, txhash } = each
      const serialized_tx_hex = each.unsigned ?? serialize(each)
      t.equal(keccak256(serialized_tx_hex), hash)
      const signed = new Set<string>()
      for (const one of v) {
        const prepared = await stage.client.post('/action/prepare', { serialized_tx_hex, r, s, v: one })
        t.equal(prepared.status, 200, prepared.text)
        signed.add((prepared.json as { signed_tx_hex: string }).signed_tx_hex)
      }
      t.equal(signed.size, 1, 'each v gives the same bytes')
      const [signed_tx_hex] = [...signed]
      if (each.signed) t.equal(signed_tx_hex, each.signed)
      t.equal(keccak256(signed_tx_hex!), txhash)
      const other = await stage.client.post('/action/prepare', { serialized_tx_hex, r, s, v: index === 0 ? 1120131 : 37 })
      t.match(other.json, { statusCode: 400, code: 'SIGNATURE_INVALID' }, 'a v of another chain is refused')
      stage.upstream.interfere(async ({ body }) => {
        const call = JSON.parse(body)
        const results: Readonly<Record<string, string>> = {
          eth_sendRawTransaction: txhash,
          // Asked before anything is sent: which chain it is, and the time of its head.
          eth_chainId: toBeHex(BigInt(each.network)),
          eth_call: toBeHex(Math.floor(Date.now() / 1000), 32),
        }
        const answer = (one: { id: number; method: string }) => ({ jsonrpc: '2.0', id: one.id, result: results[one.method] })
        return Response.json(Array.isArray(call) ? call.map(answer) : answer(call))
      })
      const sent = await stage.client.post('/action/broadcast', { signed_tx_hex })
      stage.upstream.interfere(null)
      t.same(sent.json, { tx_hash: txhash })
    }
  })

/** T3 stands in the vectors by its members. */
function serialize(each: (typeof bytes.transactions)[number]): string {
  const word = (value: bigint) => value.toString(16)
  const data = dataOf(withdraw, {
    claims: claims.map(([ticket, timestamp, index]) => ({ ticket, timestamp, index })),
    harvest: null,
  }).slice(2)
  const field = (digits: string): string => {
    const even = digits.length % 2 === 0 ? digits : `0${digits}`
    if (even.length === 2 && Number.parseInt(even, 16) < 0x80) return even
    return lengthOf(even.length / 2, 0x80) + even
  }
  const numbers = [each.nonce, each.gasPrice, each.gasLimit].map((text) => field(BigInt(text) === 0n ? '' : word(BigInt(text))))
  const fields = [
    ...numbers,
    field(vaultAddresses[560048]!.slice(2).toLowerCase()),
    field(''),
    field(data),
    field(word(560048n)),
    '80',
    '80',
  ]
  const list = fields.join('')
  return `0x${lengthOf(list.length / 2, 0xc0)}${list}`
}

/** An RLP header. */
function lengthOf(length: number, offset: number): string {
  if (length < 56) return (offset + length).toString(16).padStart(2, '0')
  const digits = length.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return (offset + 55 + even.length / 2).toString(16) + even
}
