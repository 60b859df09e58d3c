import { bcs } from '@mysten/sui/bcs'
import { Transaction } from '@mysten/sui/transactions'
import t from 'tap'
import { bench, clientOf, done, include, refusal, stakeTx, sui } from './support.ts'

const staked = '0x3::staking_pool::StakedSui'
const inFull = `0x${'3'.padStart(64, '0')}::staking_pool::StakedSui`
const StakedSui = bcs.struct('StakedSui', { id: bcs.Address, poolId: bcs.Address, activationEpoch: bcs.u64(), principal: bcs.u64() })

for (const format of ['binary', 'text'] as const) {
  t.test(`the unchanged client stakes, reads and unstakes in the ${format} format`, async (t) => {
    const { chain, client, address, validator, poolId, run, withdraw } = await bench(t, { format })
    t.equal((await client.getChainIdentifier()).chainIdentifier, '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S')
    const tx = stakeTx(15n * sui, validator)
    const sent = await run(tx)
    t.match(sent.status, { success: true })
    const id = sent.created('StakedSui')
    const { object } = await client.getObject({ objectId: id, include: { content: true, previousTransaction: true } })
    t.match(object, { type: inFull, owner: { $kind: 'AddressOwner', AddressOwner: address }, previousTransaction: sent.digest })
    t.same(StakedSui.parse(object.content), { id, poolId, activationEpoch: '1001', principal: String(15n * sui) })
    t.match(sent.events, [{ eventType: `${inFull.slice(0, 66)}::validator::StakingRequestEvent`, sender: address }])
    const spent = BigInt(sent.balanceChanges[0].amount)
    t.equal((await chain.balance(address)).coins, 1000n * sui + spent)
    const { balance } = await client.getBalance({ owner: address })
    t.match(balance, { balance: String(1000n * sui + spent), coinBalance: String(1000n * sui + spent), addressBalance: '0' })
    const looked = await client.waitForTransaction({ digest: sent.digest, include })
    t.same(done(looked).effects, sent.effects)
    t.equal(await withdraw(id), 15n * sui)
    t.match(await refusal(client.getObject({ objectId: id })), { message: `Object ${id} not found` })
  })
}

t.test('a build is one simulation, and its digest is the one that the node answers', async (t) => {
  const { chain, key, address, validator } = await bench(t)
  const calls: string[] = []
  const { SuiGrpcClient } = await import('@mysten/sui/grpc')
  const client = new SuiGrpcClient({
    network: 'mainnet',
    baseUrl: chain.rpcUrl,
    format: 'binary',
    fetch(url, init) {
      calls.push(String(url).split('/').at(-1)!)
      return fetch(url, init)
    },
  })
  const tx = stakeTx(2n * sui, validator)
  tx.setSender(address)
  const bytes = await tx.build({ client })
  t.same(calls, ['SimulateTransaction'])
  const { signature } = await key.signTransaction(bytes)
  const result = done(await client.executeTransaction({ transaction: bytes, signatures: [signature], include }))
  t.equal(result.digest, await tx.getDigest())
  const again = done(await client.executeTransaction({ transaction: bytes, signatures: [signature], include }))
  t.same(again.effects, result.effects)
  t.equal((await client.listOwnedObjects({ owner: address, type: staked })).objects.length, 1)
})

t.test('the node tells its epoch, its gas price and its validators', async (t) => {
  const { chain, client, validator, poolId } = await bench(t, { commissionBps: 400 })
  const { response: info } = await client.ledgerService.getServiceInfo({})
  t.match(info, { chain: 'mainnet', epoch: 1000n })
  t.equal((await client.getReferenceGasPrice()).referenceGasPrice, '500')
  const { systemState } = await client.getCurrentSystemState()
  t.match(systemState, { epoch: '1000', parameters: { epochDurationMs: '86400000', stakeSubsidyStartEpoch: '20' } })
  const { response } = await client.ledgerService.getEpoch({ readMask: { paths: ['epoch', 'reference_gas_price', 'system_state'] } })
  const [found] = response.epoch!.systemState!.validators!.activeValidators
  t.match(found, { address: validator, name: 'Operator', commissionRate: 400n, nextEpochCommissionRate: 400n, votingPower: 10000n })
  t.match(found!.stakingPool, { id: poolId, suiBalance: 10_000_000n * sui, poolTokenBalance: 10_000_000n * sui, activationEpoch: 1000n })
  t.equal(found!.stakingPool!.deactivationEpoch, undefined)
  await chain.advance({ epochs: 2 })
  const { response: past } = await client.ledgerService.getEpoch({ epoch: 1001n, readMask: { paths: ['epoch', 'end', 'system_state'] } })
  t.match(past.epoch, { epoch: 1001n, systemState: { epoch: 1001n } })
  t.ok(past.epoch!.end)
  t.match(await refusal(client.ledgerService.getEpoch({ epoch: 7n }).response), { code: 'NOT_FOUND' })
  const { protocolConfig } = await client.getProtocolConfig()
  t.match(protocolConfig.featureFlags, { enable_address_balance_gas_payments: true })
})

t.test('read masks are taken at their word', async (t) => {
  const { client, address, run, validator } = await bench(t)
  const { response } = await client.ledgerService.getEpoch({ readMask: { paths: ['epoch'] } })
  t.same(response.epoch, { epoch: 1000n })
  const part = await client.ledgerService.getEpoch({ readMask: { paths: ['system_state.epoch'] } })
  t.ok(part.response.epoch!.systemState!.validators!.activeValidators[0]!.stakingPool)
  t.equal(part.response.epoch!.epoch, undefined)
  const listed = await client.stateService.listOwnedObjects({ owner: address, readMask: { paths: ['object_id', 'owner.kind'] } })
  const [object] = listed.response.objects
  t.same(Object.keys(object!).sort(), ['objectId', 'owner'])
  t.same(object!.owner, { kind: 1 })
  const byDefault = await client.ledgerService.getObject({ objectId: object!.objectId! })
  t.same(Object.keys(byDefault.response.object!).sort(), ['digest', 'objectId', 'version'])
  const { digest } = await run(stakeTx(sui, validator))
  const read = await client.ledgerService.getTransaction({
    digest,
    readMask: { paths: ['effects.changed_objects.object_id', 'checkpoint'] },
  })
  const { effects, checkpoint, signatures } = read.response.transaction!
  t.ok(checkpoint)
  t.same(signatures, [])
  t.same(Object.keys(effects!.changedObjects[0]!), ['objectId'])
  t.equal(effects!.status, undefined)
  const all = await client.ledgerService.getTransaction({ digest, readMask: { paths: ['*'] } })
  t.ok(all.response.transaction!.transaction!.bcs)
  for (const paths of [['nothing'], ['epoch.more'], ['system_state.validators.names'], [''], ['Epoch']]) {
    t.match(await refusal(client.ledgerService.getEpoch({ readMask: { paths } }).response), {
      code: 'INVALID_ARGUMENT',
      message: `invalid read_mask path: ${paths[0]}`,
    })
  }
})

t.test('a listing has 50 objects by default and 1000 at most, and an empty page can carry a token', async (t) => {
  const { chain, client, address } = await bench(t, { fund: 0n })
  await chain.giveCoins(address, 1100, sui)
  const type = '0x2::coin::Coin<0x2::sui::SUI>'
  const first = await client.listOwnedObjects({ owner: address, type })
  t.match(first, { hasNextPage: true })
  t.equal(first.objects.length, 50)
  t.equal((await client.listOwnedObjects({ owner: address, type, limit: 5000 })).objects.length, 1000)
  const ids = new Set<string>()
  let empty = 0
  let cursor: string | null = null
  do {
    const page: any = await client.listOwnedObjects({ owner: address, type: '0x2::coin::Coin', limit: 100, cursor })
    for (const { objectId } of page.objects) ids.add(objectId)
    if (page.objects.length === 0) empty += 1
    cursor = page.cursor
  } while (cursor !== null)
  t.equal(ids.size, 1100)
  t.ok(empty > 0)
  t.match(await refusal(client.listOwnedObjects({ owner: address, type: staked, cursor: first.cursor })), { code: 'INVALID_ARGUMENT' })
  await chain.operations.pages!.run({ emptyEvery: 0 })
  for (let asked = 0; asked < 12; asked++) t.same((await client.listOwnedObjects({ owner: address, type: staked })).hasNextPage, false)
  const coins = await client.listCoins({ owner: address, limit: 3 })
  t.same(
    coins.objects.map(({ balance }) => balance),
    [String(sui), String(sui), String(sui)],
  )
  t.match((await client.listBalances({ owner: address })).balances, [{ balance: String(1100n * sui) }])
})

t.test('a listing has coins in the order of what they hold, and a page ends with half a mebibyte', async (t) => {
  const { chain, client, address } = await bench(t, { fund: 0n })
  for (const amount of [3n, 1n, 7n, 5n]) await chain.fund(address, amount * sui)
  const { objects } = await client.listCoins({ owner: address })
  t.same(
    objects.map(({ balance }) => BigInt(balance) / sui),
    [7n, 5n, 3n, 1n],
  )
  await chain.operations.pages!.run({ emptyEvery: 0 })
  const bytes = new Uint8Array(200_000)
  const type = `0x${'7'.padStart(64, '0')}::heavy::Heavy`
  for (let made = 0; made < 5; made++) await chain.giveObject(address, type, bytes)
  const list = (cursor: string | null) => client.listOwnedObjects({ owner: address, type, cursor, include: { content: true } })
  const first = await list(null)
  t.equal(first.objects.length, 3, 'the one that reaches it is the last')
  t.match(await list(first.cursor), { objects: { length: 2 }, hasNextPage: false })
})

t.test('a node without an index answers what rests on it by the status alone, and the rest as before', async (t) => {
  const { chain, client, address, validator, stake } = await bench(t)
  const position = await stake(2n * sui)
  await chain.advance({ epochs: 1 })
  await chain.operations.index!.run({ on: false })
  const { stateService, ledgerService } = client
  const type = '0x2::sui::SUI'
  for (const call of [
    () => stateService.listOwnedObjects({ owner: address }).response,
    () => stateService.listOwnedObjects({ owner: 'nobody' }).response,
    () => stateService.getBalance({ owner: address, coinType: type }).response,
    () => stateService.listBalances({ owner: address }).response,
    () => stateService.getCoinInfo({ coinType: type }).response,
    () => stateService.listDynamicFields({ parent: '0x5' }).response,
  ])
    t.match(await refusal(call()), { code: 'NOT_FOUND', message: 'NOT_FOUND' }, 'the library fills in the name')
  const tx = stakeTx(sui, validator)
  tx.setSender(address)
  t.match(await refusal(tx.build({ client })), { code: 'NOT_FOUND' }, 'no coin is found to pay with')
  t.match((await client.getObjects({ objectIds: [position] })).objects[0], { objectId: position })
  const { response } = await ledgerService.getEpoch({ readMask: { paths: ['epoch', 'first_checkpoint', 'start', 'system_state'] } })
  t.match(response.epoch, { epoch: 1001n, systemState: { epoch: 1001n } })
  t.same([response.epoch!.firstCheckpoint, response.epoch!.start], [undefined, undefined])
  t.match(await refusal(ledgerService.getEpoch({ epoch: 1000n }).response), { code: 'NOT_FOUND', message: 'Epoch 1000 not found' })
  await chain.operations.index!.run({ on: true })
  t.ok(await tx.build({ client }))
})

t.test('errors of a batch stand in their place', async (t) => {
  const { client, address } = await bench(t)
  const { objects } = await client.listCoins({ owner: address })
  const id = objects[0]!.objectId
  const missing = `0x${'ab'.repeat(32)}`
  const found = await client.getObjects({ objectIds: [missing, id, 'nonsense'] })
  t.match(found.objects[0], { reason: 'notFound', message: `Object ${missing} not found` })
  t.match(found.objects[1], { objectId: id })
  t.match(found.objects[2], { code: 'INVALID_ARGUMENT' })
  t.match(await refusal(client.ledgerService.getObject({ objectId: missing }).response), {
    code: 'NOT_FOUND',
    message: `Object ${missing} not found`,
  })
  const requests = Array.from({ length: 201 }, () => ({ objectId: id }))
  t.match(await refusal(client.ledgerService.batchGetObjects({ requests }).response), { code: 'INVALID_ARGUMENT' })
  t.match(await refusal(client.getTransaction({ digest: '239CnnRU86J6xVJQSivpKrWTLMR2QhrSCnuWUKn7Vvdq' })), { code: 'NOT_FOUND' })
  t.match(await refusal(client.getTransaction({ digest: 'nonsense' })), { code: 'INVALID_ARGUMENT' })
  t.match(await refusal(client.listOwnedObjects({ owner: 'nobody', type: staked })), { code: 'INVALID_ARGUMENT' })
})

t.test('fields of a pool are listed, and coin metadata is that of SUI', async (t) => {
  const { chain, client, poolId } = await bench(t)
  await chain.advance({ epochs: 3 })
  const table = chain.node.state.pools.get(poolId)!.exchangeRatesId
  const { dynamicFields, hasNextPage } = await client.listDynamicFields({ parentId: table, include: { value: true } } as never)
  t.equal(hasNextPage, false)
  t.same(dynamicFields.map(({ name }: any) => bcs.u64().parse(name.bcs)).sort(), ['1000', '1001', '1002', '1003'])
  t.equal((dynamicFields[0] as any).value.bcs.length, 16)
  t.match(await client.getCoinMetadata({ coinType: '0x2::sui::SUI' }), { coinMetadata: { decimals: 9, symbol: 'SUI' } })
  t.same(await client.getCoinMetadata({ coinType: '0x7::usd::USD' }), { coinMetadata: null })
})

t.test('methods that are not modelled are UNIMPLEMENTED, and other paths and types are refused', async (t) => {
  const { chain, client } = await bench(t)
  const call = client.movePackageService.getFunction({ packageId: '0x3', moduleName: 'sui_system', name: 'x' })
  t.match(await refusal(call.response), { code: 'UNIMPLEMENTED' })
  t.match(await refusal(client.nameService.lookupName({}).response), { code: 'UNIMPLEMENTED' })
  const url = `${chain.rpcUrl}/sui.rpc.v2.LedgerService/GetServiceInfo`
  t.equal((await fetch(url)).status, 405)
  t.equal((await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status, 415)
  const headers = { 'content-type': 'application/grpc-web+proto' }
  const broken = await fetch(url, { method: 'POST', headers, body: new Uint8Array([0, 0, 0, 0, 9, 1]) })
  t.match(Buffer.from(await broken.arrayBuffer()).toString('latin1'), /grpc-status: 13/)
})

t.test('what is resolved comes back as the transaction that was built', async (t) => {
  const { chain, client, address, validator } = await bench(t)
  const tx = stakeTx(sui, validator)
  tx.setSender(address)
  const result = await client.simulateTransaction({
    transaction: tx,
    doGasSelection: true,
    include: { transaction: true, effects: true, bcs: true } as const,
  })
  const { transaction, effects, bcs: bytes } = (result as any).Transaction
  t.match(transaction.gasData, { owner: address, price: '500', payment: [{ version: '2' }] })
  t.same(Transaction.from(bytes).getData().commands.length, 2)
  const spent = BigInt(effects.gasUsed.computationCost) + BigInt(effects.gasUsed.storageCost) - BigInt(effects.gasUsed.storageRebate)
  t.ok(BigInt(transaction.gasData.budget) > spent)
  t.equal((await chain.balance(address)).total, 1000n * sui)
  t.equal((await clientOf(chain).listOwnedObjects({ owner: address, type: staked })).objects.length, 0)
})
