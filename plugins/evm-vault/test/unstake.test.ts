import type { Answer, Player } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { exactNumber } from '@svc/contract'
import { id } from 'ethers'
import t from 'tap'
import { vaultContract } from '../sandbox/index.ts'
import { answering, callsOf, ether, refuses, reportMore, send, staked, startObserved, wei } from './support.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())
const WAD = 10n ** 18n
const number = (amount: bigint) => exactNumber(ether(amount))
const sharesOf = (answer: Answer): bigint => callsOf(answer).at(-1)!.args.shares as bigint
const convert = (amount: bigint) => world.read<bigint>('convertToShares', [amount])

/** A staker with a debt of half the stake in osToken. */
async function indebted(): Promise<Player> {
  const player = await stage.player()
  await staked(player, '100.000000000000000003')
  await world.control('vault', 'setOsTokenPosition', player.wallet.address, 50n * WAD + 1n)
  return player
}

/** The maximum by the rule of the protocol's own tools, from reads of its own. */
async function maximumOf(player: Player): Promise<bigint> {
  const { address } = player.wallet
  const assets = await world.read<bigint>('convertToAssets', [await world.read('getShares', [address])])
  const minted = await world.readShared<bigint>('os_token_controller', 'convertToAssets', [await world.read('osTokenPositions', [address])])
  const growth = await world.readShared<bigint>('os_token_controller', 'avgRewardPerSecond')
  const locked = ((minted + (growth * 3600n * minted) / WAD) * WAD) / (9n * 10n ** 17n)
  return assets - locked
}

/** The spacing of doubles at an amount, in ether units. */
function step(amount: bigint): number {
  const value = Number(ether(amount))
  return 2 ** (Math.floor(Math.log2(value)) - 52)
}

/** So few osToken that their price stands still between the reads of a test, while the reserve for their growth is above nothing. */
async function standStill(): Promise<void> {
  await world.control('os_token_controller', 'set', 10n ** 6n, 96n * 10n ** 4n, 1n)
}

t.test('the maximum itself is crafted, and a wei more means the maximum', async (t) => {
  await standStill()
  const player = await indebted()
  const most = await maximumOf(player)
  const shares = await convert(most)
  for (const amount of [number(most), ether(most), number(most + 1n)]) {
    const answer = await player.craft('unstake', { amount })
    t.equal(answer.status, 200, answer.text)
    t.equal(sharesOf(answer), shares)
  }
  const below = await player.craft('unstake', { amount: number(most - 1n) })
  t.ok(shares - sharesOf(below) <= 1n, 'a wei less is crafted as it is')
})

t.test('the maximum as a double is crafted, and a step of doubles above it is refused', async (t) => {
  const player = await indebted()
  const most = await maximumOf(player)
  const shares = await convert(most)
  const double = Number(ether(most))
  const answer = await player.craft('unstake', { amount: double })
  t.equal(answer.status, 200, answer.text)
  t.equal(sharesOf(answer), shares, 'whichever of the two is larger')
  const spacing = BigInt(Math.round(step(most) * 2 ** 52)) * WAD
  const oneStep = spacing / 2n ** 52n
  const just = await player.craft('unstake', { amount: number(most + oneStep) })
  t.equal(sharesOf(just), shares, 'less than a step more means the maximum')
  await refuses(t, player, 'unstake', { amount: number(most + oneStep + 1n) }, 'INSUFFICIENT_STAKE', 422)
  const refused = await player.craft('unstake', { amount: double + 2 * step(most) })
  t.match(refused.json, {
    statusCode: 422,
    code: 'INSUFFICIENT_STAKE',
    error: new RegExp(`can unstake, which is ${ether(most)} ETH; the rest of its stake`),
  })
})

t.test('more than eighteen decimals are 400, everything else that is wrong is 422', async (t) => {
  const player = await indebted()
  for (const text of ['1e-19', '1.5e-18', '0.0000000000000000001', '1000.0000000000000000001']) {
    const answer = await player.craft('unstake', { amount: exactNumber(text) })
    t.match(answer.json, { statusCode: 400, code: 'AMOUNT_INVALID' }, text)
  }
  for (const amount of [0, -1, exactNumber('1e400'), 'nothing', null, true, [], {}, exactNumber('1e+21'), 1e300]) {
    const answer = await player.craft('unstake', { amount })
    t.equal(answer.status, 422, `${JSON.stringify(amount)} ${answer.text}`)
  }
  for (const body of ['{}', '[]', 'null', `{"address":"${player.wallet.address}"}`, '{"amount":1}', '{"address":"0x12","amount":1}']) {
    const answer = await stage.client.post('/action/unstake', body)
    t.equal(answer.status, 422, body)
  }
  const dust = await player.craft('unstake', { amount: exactNumber('1e-18') })
  t.match(dust.json, { statusCode: 422, code: 'AMOUNT_DUST' })
  const exact = await player.craft('unstake', { amount: exactNumber('0.30000000000000004') })
  t.equal(sharesOf(exact), await convert(300000000000000040n))
})

t.test('a maximum crafted now still succeeds within the hour', async (t) => {
  await world.control('os_token_controller', 'set', 10n ** 24n, 96n * 10n ** 22n, 10n ** 9n)
  const player = await indebted()
  const { json } = await player.craft('unstake', { amount: ether(await maximumOf(player)) })
  await player.advance({ seconds: 3500 })
  const sent = await send(stage.client, json, player)
  t.equal(sent.status, 200, sent.text)
  await evmFamily.landed(stage.world.rpcUrl, (sent.json as { tx_hash: string }).tx_hash)
})

t.test('without a debt the whole stake is all of its shares', async (t) => {
  const player = await stage.player()
  await staked(player, '33.333333333333333333')
  const shares = await world.read<bigint>('getShares', [player.wallet.address])
  const { staked: all } = await player.position()
  for (const amount of [all, exactNumber(all), number(wei(all) + 1n)]) {
    const answer = await player.craft('unstake', { amount })
    t.equal(sharesOf(answer), shares)
  }
  await player.act('unstake', { amount: exactNumber(all) })
  t.equal(await world.read('getShares', [player.wallet.address]), 0n, 'nothing is stranded')
})

t.test('a debt that takes everything, or nearly, leaves nothing to unstake', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await world.control('vault', 'setOsTokenPosition', player.wallet.address, 9n * WAD)
  await refuses(t, player, 'unstake', { amount: exactNumber('0.001') }, 'INSUFFICIENT_STAKE', 422)
  await world.control('os_token_config', 'setLtv', 0n)
  await world.control('vault', 'setOsTokenPosition', player.wallet.address, 1n)
  await refuses(t, player, 'unstake', { amount: 1 }, 'INSUFFICIENT_STAKE', 422)
  await world.control('os_token_config', 'setLtv', 9n * 10n ** 17n)
})

t.test('what the simulation refuses is 422, with the vault’s reason', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  const panic = `0x4e487b71${'11'.padStart(64, '0')}`
  for (const [data, reason] of [
    [vaultContract.abi.encodeErrorResult('LowLtv'), /minted osToken \(LowLtv\)/],
    [vaultContract.abi.encodeErrorResult('NotHarvested'), /must be harvested first/],
    [panic, /not that many shares any more/],
  ] as const) {
    answering(stage, ({ method }) =>
      method === 'eth_estimateGas' ? { error: { code: 3, message: 'execution reverted', data } } : undefined,
    )
    const answer = await player.craft('unstake', { amount: 1 })
    t.match(answer.json, { statusCode: 422, code: 'CHAIN_WOULD_REFUSE', error: reason })
    stage.upstream.interfere(null)
  }
})

t.test('an exit without money for the fee is refused as everywhere', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  await world.chain.rpc('anvil_setBalance', [player.wallet.address, '0x1'])
  await refuses(t, player, 'unstake', { amount: 1 }, 'INSUFFICIENT_BALANCE', 400)
})

t.test('a debt that cannot be read is no debt of zero', async (t) => {
  const player = await indebted()
  await world.control('vault', 'setKind', 'EthFoxVault')
  const free = await player.craft('unstake', { amount: 99 })
  t.equal(free.status, 200, 'a kind without osToken has no debts')
  await world.control('vault', 'setKind', 'EthVault')
  const service = await stage.serve({ settings: { os_token_controller: '0x00000000000000000000000000000000deadbeef' } })
  t.teardown(() => service.close())
  const answer = await (await service.client()).post('/action/unstake', player.body({ amount: 1 }))
  t.match(answer.json, { statusCode: 502, code: 'VAULT_UNREADABLE' })
})

t.test('a vault of version 1 counts its limit in its own unit, and without validators redeems', async (t) => {
  const player = await indebted()
  await standStill()
  const { keeper, os_token_controller, os_token_config_v1 } = world.shared
  await world.control('vault', 'configure', keeper, os_token_controller, os_token_config_v1, 86_400, 10n ** 24n, 1000)
  await world.control('vault', 'setVersion', 1, 86_400)
  const most = await maximumOf(player)
  const answer = await player.craft('unstake', { amount: ether(most) })
  t.equal(answer.status, 200, answer.text)
  await refuses(t, player, 'unstake', { amount: number(most + 10n ** 6n) }, 'INSUFFICIENT_STAKE', 422)

  const fresh = await startObserved()
  t.teardown(() => fresh.stage.close())
  // A vault whose validators are forgotten: the Keeper's record of it is at another address.
  const other = await fresh.stage.player()
  await other.act('stake', { amount: 5 })
  await fresh.world.control('vault', 'setVersion', 1, 86_400)
  const slot = fresh.world.shared.keeper
  await fresh.world.chain.setCode(slot, ALWAYS_FALSE)
  const redeemed = await other.craft('unstake', { amount: 2 })
  t.equal(redeemed.status, 200, redeemed.text)
  t.match(callsOf(redeemed), [{ name: 'redeem', args: { receiver: other.wallet.address } }])
  await fresh.world.control('vault', 'setKind', 'EthFoxVault')
  const fox = await other.craft('unstake', { amount: 2 })
  t.match(callsOf(fox), [{ name: 'enterExitQueue' }], 'a kind with version numbers of its own is no vault of version 1')
})

t.test('a node that says a vault has no validators and rewards of theirs to harvest is not believed', async (t) => {
  const { stage, world } = await startObserved({ multicall: '0x00000000000000000000000000000000deadbeef' })
  t.teardown(() => stage.close())
  const player = await stage.player()
  await player.act('stake', { amount: 5 })
  await world.control('vault', 'setVersion', 1, 86_400)
  await reportMore(world)
  const selector = id('isCollateralized(address)').slice(0, 10)
  answering(stage, ({ method, params }) =>
    method === 'eth_call' && (params[0] as unknown as { data: string }).data.startsWith(selector)
      ? { result: `0x${'0'.repeat(64)}` }
      : undefined,
  )
  const answer = await player.craft('unstake', { amount: 2 })
  t.match(answer.json, { statusCode: 502, code: 'VAULT_UNREADABLE', error: /no validators, and rewards/ })
})

/** Answers 32 zero bytes to every call: a Keeper that knows no vault. */
const ALWAYS_FALSE = '0x60206000f3'
