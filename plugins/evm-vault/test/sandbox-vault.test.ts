import { SandboxError } from '@svc/sandbox'
import { type EvmReceipt, startEvmChain } from '@svc/sandbox-evm'
import { parseEther } from 'ethers'
import t, { type Test } from 'tap'
import { claimDelay, putVault, reportOf, vaultContract, type World } from '../sandbox/index.ts'
import numbers from './vectors/numbers.json' with { type: 'json' }
import selectors from './vectors/selectors.json' with { type: 'json' }

const [A, B, C] = [
  '0x00000000000000000000000000000000000000A1',
  '0x00000000000000000000000000000000000000B1',
  '0x00000000000000000000000000000000000000C1',
]
const ZERO = '0x0000000000000000000000000000000000000000'
const DAY = 86_400

/** A vault without depositors, and two accounts with money. */
async function start(t: Test): Promise<World> {
  const chain = await startEvmChain({ chainId: 1 })
  t.teardown(() => chain.close())
  for (const account of [A, B, C]) await chain.fund(account, '1000')
  return putVault(chain)
}

const deposit = (world: World, from: string, assets: bigint) => world.act(from, 'deposit', [from, ZERO], assets)
const exit = async (world: World, from: string, shares: bigint) => {
  const receipt = await world.act(from, 'enterExitQueue', [shares, from])
  const { ticket } = eventOf(receipt, 'ExitQueueEntered')
  return { ticket, timestamp: (await world.chain.latest()).timestamp }
}

/** Arguments of the one event of that name. */
function eventOf(receipt: EvmReceipt, name: string): Record<string, bigint> & { readonly ticket: bigint } {
  const events = receipt.logs.map((log) => vaultContract.abi.parseLog(log as never)).filter((event) => event?.name === name)
  if (events.length !== 1) throw new TypeError(`${events.length} events ${name}`)
  const args = events[0]!.args.toObject() as Record<string, bigint>
  return { ...args, ticket: args.positionTicket! }
}

/** Whether a call is refused with this error. */
async function refused(t: Test, call: Promise<unknown>, error: string): Promise<void> {
  const selector = (selectors.errors as Record<string, string>)[error] ?? error
  const thrown = await call.then(
    () => null,
    (cause: SandboxError) => cause,
  )
  t.ok(thrown?.data?.startsWith(selector), `${error}: ${thrown?.data ?? thrown?.message}`)
}

/** The address's exit, as the vault tells it. */
async function progress(world: World, receiver: string, ticket: bigint, timestamp: number) {
  const index = await world.read<bigint>('getExitQueueIndex', [ticket])
  const args = [receiver, ticket, timestamp, BigInt.asUintN(256, index)]
  const [left, exited, assets] = await world.read<readonly bigint[]>('calculateExitedAssets', args)
  return [index, left, exited, assets]
}

t.test('the run of the vectors: shares, fee, queue, partial claims, to the wei', async (t) => {
  const world = await start(t)
  const { chain } = world
  await deposit(world, A, parseEther('100'))
  await deposit(world, B, parseEther('200.000000001'))
  await world.control('keeper', 'collateralize', world.vault)
  await world.publish(BigInt(numbers.fee.profit))
  const harvested = await world.harvest()
  const fee = eventOf(harvested, 'FeeSharesMinted')
  t.equal(fee.shares, BigInt(numbers.fee.shares))
  t.equal(fee.assets, BigInt(numbers.fee.assets))
  t.equal(await world.read('totalAssets'), BigInt(numbers.shares.totalAssets))
  t.equal(await world.read('totalShares'), BigInt(numbers.shares.totalShares))
  for (const [assets, floor] of numbers.shares.rows) t.equal(await world.read('convertToShares', [BigInt(assets!)]), BigInt(floor!))
  const snapshot = await chain.rpc('evm_snapshot')
  const bought = await deposit(world, C, 10n ** 19n)
  t.equal(eventOf(bought, 'Deposited').shares, BigInt(numbers.shares.rows[0]![2]!), 'a deposit rounds up')
  await chain.rpc('evm_revert', [snapshot])

  await world.control('vault', 'sweep')
  t.equal((await world.harvest()).logs.length, 0, 'harvesting again does nothing')
  const a1 = await exit(world, A, 9963099631294222573n)
  const b = await exit(world, B, 19926199262588445147n)
  const a2 = await exit(world, A, 4981549815647111286n)
  t.same([a1.ticket, b.ticket, a2.ticket], [0n, 9963099631294222573n, 29889298893882667720n], 'the first ticket is 0')
  t.same(await progress(world, A, a1.ticket, a1.timestamp), [-1n, 9963099631294222573n, 0n, 0n])

  const advance = async (assets: bigint, reward: bigint) => {
    await chain.fund(world.vault, assets)
    await world.publish(reward)
    return eventOf(await world.harvest(), 'CheckpointCreated')
  }
  const row = (count: number, ticket: bigint) => {
    const [, , , index, left, exited, assets] = numbers.queue.rows.find((each) => each[0] === count && each[1] === ticket.toString())!
    return [index, left, exited, assets].map((value) => BigInt(value!))
  }
  const checkpoint = (index: number) => numbers.queue.checkpoints[index]!.map(BigInt)
  const first = await advance(parseEther('12'), parseEther('1.5'))
  t.same([first.shares, first.assets], checkpoint(0))
  for (const [receiver, each] of [
    [A, a1],
    [B, b],
    [A, a2],
  ] as const)
    t.same(await progress(world, receiver, each.ticket, each.timestamp), row(1, each.ticket))

  const claim = (from: string, { ticket, timestamp }: { ticket: bigint; timestamp: number }, index: bigint) =>
    world.act(from, 'claimExitedAssets', [ticket, timestamp, index])
  const tooEarly = a1.timestamp + claimDelay - 1
  await chain.rpc('evm_setNextBlockTimestamp', [tooEarly])
  await chain.mine()
  const call = { from: A, to: world.vault, data: vaultContract.abi.encodeFunctionData('claimExitedAssets', [0n, a1.timestamp, 0n]) }
  await refused(t, chain.rpc('eth_call', [call, 'latest', {}, { time: `0x${tooEarly.toString(16)}` }]), 'ExitRequestNotProcessed')
  await chain.rpc('evm_setNextBlockTimestamp', [a1.timestamp + claimDelay])
  const paid = eventOf(await claim(A, a1, 0n), 'ExitedAssetsClaimed')
  t.equal(paid.withdrawnAssets, BigInt(numbers.queue.rows[0]![6]!), 'at the very second of its delay a claim is paid')
  t.equal(paid.newPositionTicket, 0n)
  t.equal((await chain.latest()).timestamp, a1.timestamp + claimDelay)
  await refused(t, claim(A, a1, 0n), 'ExitRequestNotProcessed')
  await refused(t, claim(A, b, 0n), 'ExitRequestNotProcessed')
  await refused(t, claim(B, { ...b, timestamp: b.timestamp + 1 }, 0n), 'ExitRequestNotProcessed')
  await chain.moveTime(DAY)
  const partly = eventOf(await claim(B, b, 0n), 'ExitedAssetsClaimed')
  t.equal(partly.withdrawnAssets, 1992069671832140114n)
  const rest = { ticket: partly.newPositionTicket!, timestamp: b.timestamp }
  t.equal(rest.ticket, 11946245792602142046n, 'the rest stands where the paid part ended')
  await refused(t, claim(B, rest, 0n), 'InvalidCheckpointIndex')
  t.same(await progress(world, A, a2.ticket, a2.timestamp), row(1, a2.ticket))

  const second = await advance(parseEther('100'), parseEther('1.6'))
  t.same([second.shares, second.assets], checkpoint(1))
  t.same(await progress(world, B, rest.ticket, b.timestamp), row(2, rest.ticket))
  t.same(await progress(world, A, a2.ticket, a2.timestamp), row(2, a2.ticket))
  await refused(t, claim(A, a2, 0n), 'InvalidCheckpointIndex')
  await refused(t, claim(A, a2, 2n), 'ExitRequestNotProcessed')
  const a3 = await exit(world, A, 1990422181335867856n)
  t.equal(a3.ticket, 34870848709529779006n, 'behind the one share that was left over')
  await world.control('vault', 'sweep')
  await chain.fund(world.vault, parseEther('100'))
  await chain.moveTime(DAY)
  const report = await world.publish(parseEther('1.7'))
  const claims = [a2, a3].map(({ ticket, timestamp }, index) =>
    vaultContract.abi.encodeFunctionData('claimExitedAssets', [ticket, timestamp, index === 0 ? 1n : 2n]),
  )
  await refused(t, world.act(A, 'multicall', [claims]), 'ExitRequestNotProcessed')
  const all = await world.act(A, 'multicall', [[vaultContract.abi.encodeFunctionData('updateState', [report]), ...claims]])
  const third = eventOf(all, 'CheckpointCreated')
  t.same([third.shares, third.assets], checkpoint(2))
  const payments = all.logs.map((log) => vaultContract.abi.parseLog(log as never)).filter((event) => event?.name === 'ExitedAssetsClaimed')
  t.same(
    payments.map((event) => event!.args.withdrawnAssets),
    [5005520800922499883n, 2000675257226669342n],
    'one left-over ticket is rounded away',
  )
})

t.test('the limit of an exit beside a debt is exact to the share', async (t) => {
  const world = await start(t)
  const it = numbers.maximum
  await world.control('keeper', 'collateralize', world.vault)
  await world.control('vault', 'setState', BigInt(it.totalAssets), BigInt(it.totalShares), A, BigInt(it.shares))
  await world.control('os_token_controller', 'set', BigInt(it.osAssets), BigInt(it.osShares), 0n)
  await world.control('vault', 'setOsTokenPosition', A, BigInt(it.debt))
  const tried = (shares: bigint) => {
    const data = vaultContract.abi.encodeFunctionData('enterExitQueue', [shares, A])
    return world.chain.call({ from: A, to: world.vault, data })
  }
  await tried(BigInt(it.exactShares))
  await refused(t, tried(BigInt(it.exactShares) + 1n), 'LowLtv')
  await tried(BigInt(it.maximumShares))

  // With the osToken growing, the exact limit is one only in this block; the maximum holds for an hour.
  await world.control('os_token_controller', 'set', BigInt(it.osAssets), BigInt(it.osShares), BigInt(it.growth))
  await world.chain.moveTime(3500)
  await refused(t, tried(BigInt(it.exactShares)), 'LowLtv')
  await tried(BigInt(it.maximumShares))
  await world.chain.moveTime(3600)
  await refused(t, tried(BigInt(it.maximumShares)), 'LowLtv')
})

t.test('deposits are refused in the order of the vault', async (t) => {
  const world = await start(t)
  await refused(t, deposit(world, A, 0n), 'InvalidAssets')
  await refused(t, world.act(A, 'deposit', [ZERO, ZERO], 1n), 'ZeroAddress')
  await world.control('vault', 'setCapacity', parseEther('2'))
  await refused(t, deposit(world, A, parseEther('2') + 1n), 'CapacityExceeded')
  await deposit(world, A, parseEther('2'))
  await refused(t, deposit(world, A, 1n), 'CapacityExceeded')
  await world.control('vault', 'setCapacity', parseEther('100'))
  await world.control('keeper', 'collateralize', world.vault)
  await world.publish(10n)
  await deposit(world, A, 1n)
  t.equal(await world.read('isStateUpdateRequired'), false, 'one update behind it still takes deposits')
  const stale = world.report!
  await world.publish(20n)
  t.equal(await world.read('isStateUpdateRequired'), true)
  await refused(t, deposit(world, A, 1n), 'NotHarvested')

  const params = (report: typeof stale) => [A, ZERO, report]
  await world.chain.call({
    from: A,
    to: world.vault,
    value: 1n,
    data: vaultContract.abi.encodeFunctionData('updateStateAndDeposit', params(stale)),
  })
  await world.publish(30n)
  await refused(t, world.act(A, 'updateStateAndDeposit', params(stale), 1n), 'InvalidRewardsRoot')
  await refused(t, world.act(A, 'updateStateAndDeposit', params({ ...world.report!, reward: 31n }), 1n), 'InvalidProof')
  await refused(t, world.act(A, 'updateStateAndDeposit', params(reportOf(world.vault, 30n, 9n)), 1n), 'InvalidRewardsRoot')
  await world.act(A, 'updateStateAndDeposit', params(world.report!), 1n)
  await world.act(A, 'updateStateAndDeposit', params(world.report!), 1n)
  t.equal(await world.read('totalAssets'), parseEther('2') + 33n, 'the second harvest did nothing')
})

t.test('losses lower the price, and an unregistered vault cannot be harvested', async (t) => {
  const world = await start(t)
  await deposit(world, A, parseEther('10'))
  await world.control('keeper', 'collateralize', world.vault)
  await world.publish(-parseEther('1'))
  await world.harvest()
  t.equal(await world.read('convertToAssets', [parseEther('1')]), parseEther('0.9'))
  await world.control('vaults_registry', 'setVault', world.vault, false)
  await world.publish(0n)
  await refused(t, world.harvest(), 'AccessDenied')
})

t.test('exits are refused, and without validators paid at once', async (t) => {
  const world = await start(t)
  await deposit(world, A, parseEther('10'))
  await refused(t, exit(world, A, 0n), 'InvalidShares')
  await refused(t, world.act(A, 'enterExitQueue', [1n, ZERO]), 'ZeroAddress')
  await refused(t, exit(world, A, parseEther('11')), '0x4e487b71')
  const before = await world.chain.balance(B)
  const receipt = await world.act(A, 'enterExitQueue', [parseEther('4'), B])
  t.equal(eventOf(receipt, 'Redeemed').assets, parseEther('4'))
  t.equal((await world.chain.balance(B)) - before, parseEther('4'))
  t.notOk(
    receipt.logs.some((log) => vaultContract.abi.parseLog(log as never)?.name === 'ExitQueueEntered'),
    'no ticket',
  )

  await world.control('vault', 'setVersion', 1, DAY)
  await refused(t, exit(world, A, 1n), 'NotCollateralized')
  await world.act(A, 'redeem', [parseEther('1'), A])
  await world.control('vault', 'sweep')
  await refused(t, world.act(A, 'redeem', [parseEther('1'), A]), 'InsufficientAssets')
  await world.control('keeper', 'collateralize', world.vault)
  const { ticket, timestamp } = await exit(world, A, parseEther('1'))
  await refused(t, world.act(A, 'claimExitedAssets', [ticket, timestamp, 0n]), 'ClaimTooEarly')
})

t.test('an exit with a debt needs a vault that is not behind', async (t) => {
  const world = await start(t)
  await deposit(world, A, parseEther('10'))
  await deposit(world, B, parseEther('10'))
  await world.control('keeper', 'collateralize', world.vault)
  await world.control('vault', 'setOsTokenPosition', A, parseEther('1'))
  for (const reward of [10n, 20n]) await world.publish(reward)
  await refused(t, exit(world, A, 1n), 'NotHarvested')
  await exit(world, B, 1n)
  const before = await world.read<bigint>('osTokenPositions', [A])
  await world.control('os_token_controller', 'setCumulativeFeePerShare', 2n * 10n ** 18n)
  t.equal(await world.read('osTokenPositions', [A]), 2n * before, "the protocol's fee makes a debt grow")
})

t.test('kinds and versions have what theirs have, and revert without a reason where they have not', async (t) => {
  const world = await start(t)
  const absent = (method: string, ...args: unknown[]) => t.rejects(world.read(method, args), SandboxError, method)
  for (const method of ['queuedShares', 'totalExitingAssets', 'getSubVaults']) await absent(method)
  for (const method of ['whitelistedAccounts', 'blockedAccounts']) await absent(method, A)
  await world.control('vault', 'setVersion', 4, DAY)
  await absent('getExitQueueData')
  t.equal(await world.read('queuedShares'), 0n)
  for (const [name, vaultId] of Object.entries(selectors.vaultIds)) {
    await world.control('vault', 'setKind', name)
    t.equal(await world.read('vaultId'), vaultId, name)
  }
  await world.control('vault', 'setKind', 'EthPrivVault')
  await refused(t, deposit(world, A, 1n), 'AccessDenied')
  await world.control('vault', 'setListed', A, true)
  await deposit(world, A, 1n)
  await refused(t, world.act(A, 'deposit', [B, ZERO], 1n), 'AccessDenied')
  await world.control('vault', 'setKind', 'EthBlocklistVault')
  await refused(t, deposit(world, A, 1n), 'AccessDenied')
  await deposit(world, B, 1n)
  await world.control('vault', 'setKind', 'EthFoxVault')
  await absent('osTokenPositions', A)
  await world.act(A, 'enterExitQueue', [1n, A])
})

/** The names of the events of a receipt, in their order. */
const namesOf = ({ logs }: EvmReceipt) => logs.map((log) => vaultContract.abi.parseLog(log as never)?.name)

t.test('shares that are a token tell of each move, and move by transfers, but for what covers a debt', async (t) => {
  const world = await start(t)
  t.same(namesOf(await deposit(world, A, parseEther('10'))), ['Deposited'])
  await t.rejects(world.act(A, 'transfer', [B, 1n]), SandboxError, 'a vault without a token')
  await world.control('vault', 'setKind', 'EthErc20Vault')
  t.same(namesOf(await deposit(world, A, parseEther('10'))), ['Transfer', 'Deposited'])
  t.same(eventOf(await world.act(A, 'transfer', [B, 7n]), 'Transfer'), { from: A, to: B, value: 7n, ticket: undefined })
  t.equal(await world.read('getShares', [B]), 7n)
  await refused(t, world.act(A, 'transfer', [ZERO, 1n]), 'ZeroAddress')
  await refused(t, world.act(B, 'transfer', [A, 8n]), '0x4e487b71')
  t.same(namesOf(await world.act(B, 'enterExitQueue', [2n, B])), ['Transfer', 'Redeemed', 'Transfer'], 'without validators')
  await world.control('keeper', 'collateralize', world.vault)
  t.same(namesOf(await world.act(B, 'enterExitQueue', [5n, B])), ['ExitQueueEntered', 'Transfer'])
  await world.publish(parseEther('1'))
  t.same(namesOf(await world.harvest()).slice(1), ['Transfer', 'FeeSharesMinted', 'CheckpointCreated', 'Transfer'])
  await world.control('vault', 'setOsTokenPosition', A, parseEther('10'))
  await refused(t, world.act(A, 'transfer', [B, parseEther('10')]), 'LowLtv')
  await world.control('vault', 'setKind', 'EthPrivErc20Vault')
  await refused(t, world.act(A, 'transfer', [B, 1n]), 'AccessDenied')
})

t.test('shares are redeemed and liquidated for osToken, at its worth and a hundredth above', async (t) => {
  const world = await start(t)
  await deposit(world, A, parseEther('10'))
  await world.control('os_token_controller', 'set', 10n ** 24n, 10n ** 24n, 0n)
  const taking = (method: string, from: string, osToken: bigint) => world.act(from, method, [osToken, A, C])
  await refused(t, taking('redeemOsToken', B, 1n), 'AccessDenied')
  await world.control('os_token_config', 'setTakers', B, B)
  await refused(t, taking('redeemOsToken', B, 1n), 'InvalidPosition')
  await world.control('vault', 'setOsTokenPosition', A, parseEther('5'))
  await refused(t, world.act(B, 'redeemOsToken', [1n, A, ZERO]), 'ZeroAddress')
  await refused(t, taking('redeemOsToken', B, parseEther('11')), 'InvalidReceivedAssets')
  const before = await world.chain.balance(C)
  const redeemed = eventOf(await taking('redeemOsToken', B, parseEther('1')), 'OsTokenRedeemed')
  t.same([redeemed.shares, redeemed.assets], [parseEther('1'), parseEther('1')])
  t.equal((await world.chain.balance(C)) - before, parseEther('1'))
  t.equal(await world.read('osTokenPositions', [A]), parseEther('4'))
  await refused(t, taking('liquidateOsToken', B, parseEther('1')), 'InvalidHealthFactor')
  await world.control('vault', 'setOsTokenPosition', A, parseEther('8.5'))
  const taken = eventOf(await taking('liquidateOsToken', B, parseEther('1')), 'OsTokenLiquidated')
  t.same([taken.shares, taken.receivedAssets], [parseEther('1.01'), parseEther('1.01')])
  t.equal(await world.read('getShares', [A]), parseEther('7.99'))
  await world.control('vault', 'sweep')
  await refused(t, taking('redeemOsToken', B, 1n), 'InvalidReceivedAssets')
  for (const reward of [10n, 20n]) {
    await world.control('keeper', 'collateralize', world.vault)
    await world.publish(reward)
    await world.publish(reward + 1n)
  }
  await refused(t, taking('redeemOsToken', B, 1n), 'NotHarvested')
})

t.test('who does not take ETH cannot claim', async (t) => {
  const world = await start(t)
  await deposit(world, A, parseEther('10'))
  // A contract that refuses whatever it is sent.
  await world.chain.setCode(C, '0x60006000fd')
  await refused(t, world.act(A, 'enterExitQueue', [1n, C]), '0xd6bda275')
})
