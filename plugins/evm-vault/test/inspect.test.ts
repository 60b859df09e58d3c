import type { KitIo } from '@svc/contract'
import { singleEndpoint } from '@svc/contract/host'
import { inspectGroup, inspectNetwork } from '@svc/core/plugins'
import { id } from 'ethers'
import t from 'tap'
import { scenarios, vaultAddresses, vaultContract, worldOf } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { deploymentOf } from '../src/network.ts'
import { answering, callsOf, refuses, staked, startObserved } from './support.ts'

const { stage, world } = await startObserved()
t.teardown(() => stage.close())
const NOWHERE = '0x00000000000000000000000000000000deadbeef'
const nothing = () => {}
const log = {
  fatal: nothing,
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  trace: nothing,
  silent: nothing,
  level: 'silent',
}

/** A kit's io over one endpoint. */
function ioOf(url: string): KitIo {
  const send = ((_: unknown, init?: RequestInit) => fetch(url, init)) as typeof fetch
  return { ...singleEndpoint(send), log: log as unknown as KitIo['log'], now: () => new Date() }
}

/** What an installation's check says of the settings. */
async function inspected(settings: Readonly<Record<string, unknown>> = {}, chainId = '1') {
  const own = { chainId, name: 'x', path: 'plugins.x', settings: { vault: world.vault, ...settings } }
  const io = ioOf(stage.world.rpcUrl)
  return inspectNetwork(plugin.protocol, own, io)
}

t.test('a vault of the registry that can be served is well', async (t) => {
  for (const kind of [
    'EthVault',
    'EthErc20Vault',
    'EthPrivVault',
    'EthPrivErc20Vault',
    'EthBlocklistVault',
    'EthBlocklistErc20Vault',
    'EthGenesisVault',
    'EthFoxVault',
  ]) {
    await world.control('vault', 'setKind', kind)
    for (const version of [1, 2, 3, 4, 5]) {
      await world.control('vault', 'setVersion', version, 54_000)
      t.same(await inspected(), { chainId: '1', problems: [], unreachable: false, doubts: [] }, `${kind} ${version}`)
    }
  }
  await world.control('vault', 'setKind', 'EthVault')
})

t.test('an endpoint of the subgraph is asked whether it is one, and how far it is behind', async (t) => {
  const own = { chainId: '1', name: 'x', path: 'plugins.x', settings: { vault: world.vault } }
  const ask = (url: string, now?: Date) => {
    const io = ioOf(url)
    return inspectGroup(plugin.protocol, own, 'subgraph', io, now ? () => now : undefined)
  }
  const [subgraph] = stage.world.endpoints.subgraph!
  const { timestamp } = await world.chain.latest()
  t.same(await ask(subgraph!), { chainId: null, problems: [], unreachable: false, doubts: [] })
  const later = await ask(subgraph!, new Date((timestamp + 901) * 1000))
  t.same(later, { chainId: null, problems: ['the subgraph is 901 seconds behind.'], unreachable: false, doubts: [] })
  t.match(await ask(stage.world.rpcUrl), { problems: [/^The vault's indexer could not be read/], unreachable: true })
})

t.test('what cannot be served is named, and every request to it is a fault of the settings', async (t) => {
  t.teardown(async () => {
    await world.control('vault', 'setKind', 'EthVault')
    await world.control('vault', 'setVersion', 5, 54_000)
  })
  const player = await stage.player()
  for (const [kind, version, problem] of [
    ['EthMetaVault', 5, /is an EthMetaVault, a vault of vaults/],
    ['EthPrivMetaVault', 5, /vault of vaults/],
    ['EthNewVault', 5, new RegExp(`kind that is not known here \\(vaultId ${id('EthNewVault')}\\)`)],
    ['EthVault', 6, /version 6, which is not known/],
    ['EthVault', 0, /version 0, which is not known/],
  ] as const) {
    await world.control('vault', 'setKind', kind)
    await world.control('vault', 'setVersion', version, 54_000)
    t.match(await inspected(), { problems: [problem], unreachable: false }, `${kind} ${version}`)
    await refuses(t, player, 'stake', { amount: 1 }, 'VAULT_UNSUPPORTED', 502)
    await refuses(t, player, 'withdraw', {}, 'VAULT_UNSUPPORTED', 502)
    t.match((await player.client.get(`/staking-balance/${player.wallet.address}`)).json, { statusCode: 502, code: 'VAULT_UNSUPPORTED' })
  }
})

t.test('contracts that are not those meant are named', async (t) => {
  for (const [setting, problem] of [
    ['vault', /is no vault/],
    ['vaults_registry', /is no registry of vaults/],
    ['keeper', /^keeper is not the contract meant: it does not answer rewardsRoot\(\)/],
    ['os_token_controller', /^os_token_controller is not the contract meant/],
    ['os_token_config', /^os_token_config is not the contract meant/],
  ] as const)
    t.match(await inspected({ [setting]: NOWHERE }), { problems: [problem], unreachable: false }, setting)
  await world.control('vaults_registry', 'setVault', world.vault, false)
  t.match(await inspected(), { problems: [/is not in the registry .* never be harvested/] })
  await world.control('vaults_registry', 'setVault', world.vault, true)
  t.match(await inspected({}, '560048'), { problems: [/serves chain 1, not 560048/] })
})

t.test('another chain is served when its settings name everything, and otherwise told what they lack', async (t) => {
  t.throws(() => deploymentOf({ chainId: '100', keeper: NOWHERE } as never), {
    code: 'SETTINGS_INVALID',
    message: /vaults_registry, |os_token_controller/,
  })
  const { shared } = world
  t.same(deploymentOf({ chainId: '100', ...shared } as never), shared)
  t.equal(deploymentOf({ chainId: '1', keeper: NOWHERE } as never).keeper, NOWHERE, 'a setting wins over what is known')
})

t.test('Hoodi has a vault of its own', async (t) => {
  const hoodi = await startObserved({}, scenarios[1])
  t.teardown(() => hoodi.stage.close())
  const player = await hoodi.stage.player()
  await staked(player, 10)
  await player.act('unstake', { amount: 4 })
  await player.advance({ epochs: 2 })
  const { unsigned } = await player.act('withdraw')
  t.match(unsigned, { payload: { chainId: '0x88bb0', to: vaultAddresses[560048] } })
  t.equal(hoodi.world, worldOf(hoodi.world.chain))
  const [item] = (await player.client.get(`/historic/${player.wallet.address}`)).json as { link: string }[]
  t.match(item?.link, /^https:\/\/hoodi\.etherscan\.io\/tx\/0x/)
})

t.test('lists of private vaults and blocklists keep stakes out, and nobody in', async (t) => {
  const player = await stage.player()
  await staked(player, 10)
  const { address } = player.wallet
  await world.control('vault', 'setKind', 'EthPrivVault')
  await refuses(t, player, 'stake', { amount: 1 }, 'NOT_WHITELISTED', 422)
  t.equal((await player.craft('unstake', { amount: 1 })).status, 200, 'an exit needs no list')
  await world.control('vault', 'setListed', address, true)
  t.equal((await player.craft('stake', { amount: 1 })).status, 200)
  await world.control('vault', 'setKind', 'EthBlocklistErc20Vault')
  await refuses(t, player, 'stake', { amount: 1 }, 'BLOCKED', 422)
  t.equal((await player.craft('unstake', { amount: 1 })).status, 200)
  await world.control('vault', 'setListed', address, false)
  t.match(callsOf(await player.craft('stake', { amount: 1 })), [{ name: 'deposit' }])
  await world.control('vault', 'setKind', 'EthVault')
})

t.test('the last wei of room is taken, and one more is refused', async (t) => {
  const player = await stage.player()
  const total = await world.read<bigint>('totalAssets')
  t.teardown(() => world.control('vault', 'setCapacity', 2n ** 256n - 1n))
  await world.control('vault', 'setCapacity', total + 10n ** 18n)
  t.equal((await player.craft('stake', { amount: 1 })).status, 200)
  const more = await player.craft('stake', { amount: '1.000000000000000001' })
  t.match(more.json, {
    statusCode: 422,
    code: 'VAULT_FULL',
    error: /1\.000000000000000001 ETH is more than the vault still takes, which is 1 ETH\./,
  })
  await world.control('vault', 'setCapacity', total - 1n)
  await refuses(t, player, 'stake', { amount: '0.000000000000000001' }, 'VAULT_FULL', 422)
  await world.control('vault', 'setCapacity', 2n ** 256n - 1n)
  const service = await stage.serve()
  t.teardown(() => service.close())
  t.match((await (await service.client()).get('/staking-info')).json, { max_stake_amount: null }, 'no capacity, no maximum')
})

t.test('a stake that the chain refuses after all is 422 with its reason', async (t) => {
  const player = await stage.player()
  t.teardown(() => stage.upstream.interfere(null))
  // Somebody takes the room between the read and the simulation.
  const data = vaultContract.abi.encodeErrorResult('CapacityExceeded')
  answering(stage, ({ method }) => (method === 'eth_estimateGas' ? { error: { code: 3, message: 'execution reverted', data } } : undefined))
  const answer = await player.craft('stake', { amount: 1 })
  t.match(answer.json, { statusCode: 422, code: 'CHAIN_WOULD_REFUSE', error: /the vault is full \(CapacityExceeded\)/ })
})
