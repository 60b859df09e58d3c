import { bcs } from '@mysten/sui/bcs'
import { Transaction } from '@mysten/sui/transactions'
import { deriveDynamicFieldID, fromBase58, toBase58 } from '@mysten/sui/utils'
import t from 'tap'
import { accumulatorId, fungibleDataId, rateId, readReservation, writeReservation } from '../src/ids.ts'
import { bench, done, include, refusal, stakeTx, sui } from './support.ts'

const mainnet = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'

t.test('derived ids are those of the chain', async (t) => {
  const address = '0x160179a1565ea7cff27ead23f54cc7f50893bf58155cd7285156e57afa31c3ac'
  t.equal(rateId(`0x${'66'.repeat(32)}`, 900n), '0x7741c5a9fb8b8ad60198e2a069eb4d8b8d28e45b76e45ba4475f391669cf7098')
  t.equal(fungibleDataId(`0x${'77'.repeat(32)}`), '0x9db0beb0799cc450be873d0f4a3980bc370d638b178360ba73dfe7d851ebee0d')
  t.equal(accumulatorId(address), '0xf213e66ea59722bd3f5663e7e0ae5bd677ec914ec8bfe9764b569db30418d80f')
  const reservation = writeReservation({ address, amount: 1_600_000_000n, epoch: 999n, chainIdentifier: mainnet })
  t.same(reservation, {
    objectId: '0xc790ace464eb86328e1cab1e7cb992513005cc9eba2b4737ef3da59142bc9194',
    version: '0',
    digest: '1FUdxxuZePgRh26i55UcucQMVTav524gvNA7H3LJTz3',
  })
  t.same(readReservation(reservation, mainnet), { field: accumulatorId(address), amount: 1_600_000_000n, epoch: 999n })
  t.equal(readReservation({ ...reservation, digest: mainnet }, mainnet), undefined)
  t.equal(fromBase58(toBase58(new Uint8Array(32).fill(7))).length, 32)
  t.ok(deriveDynamicFieldID('0xacc', 'u64', bcs.u64().serialize(1).toBytes()))
})

t.test('every coin pays, though none that is an input, and they end as one', async (t) => {
  const { chain, client, address, validator, run } = await bench(t, { fund: 0n })
  const coins = await chain.giveCoins(address, 5, sui)
  const tx = stakeTx(3n * sui, validator)
  tx.mergeCoins(tx.gas, [tx.object(coins[0]!)])
  const { status, effects } = await run(tx)
  t.match(status, { success: true })
  const payment = tx.getData().gasData.payment!.map(({ objectId }) => objectId)
  t.same(payment.toSorted(), coins.slice(1).toSorted())
  t.match(tx.getData().expiration, { $kind: 'None' })
  t.equal(effects.changedObjects.filter(({ idOperation }: any) => idOperation === 'Deleted').length, 4)
  const left = await client.listCoins({ owner: address })
  t.equal(left.objects.length, 1)
})

t.test('a node selects no more than 255 coins', async (t) => {
  const { chain, client, address, validator } = await bench(t, { fund: 0n })
  await chain.giveCoins(address, 300, sui / 10n)
  const tx = stakeTx(2n * sui, validator)
  tx.setSender(address)
  const data = Transaction.from(await tx.build({ client })).getData()
  t.equal(data.gasData.payment!.length, 255)
  const all = stakeTx(26n * sui, validator)
  all.setSender(address)
  t.match(await refusal(all.build({ client })), { executionError: { message: /Insufficient coin balance/ } })
})

t.test('dust that anybody sends does not displace the coins that hold most', async (t) => {
  const { chain, client, address, validator } = await bench(t, { fund: 0n })
  await chain.giveCoins(address, 150, 1n)
  await chain.fund(address, 10n * sui)
  await chain.giveCoins(address, 150, 1n)
  const tx = stakeTx(9n * sui, validator)
  tx.setSender(address)
  const { payment } = Transaction.from(await tx.build({ client })).getData().gasData
  t.equal(payment!.length, 255)
  const { object } = await client.getObject({ objectId: payment![0]!.objectId, include: { content: true } })
  t.equal(BigInt(bcs.struct('Coin', { id: bcs.Address, balance: bcs.u64() }).parse(object.content).balance), 10n * sui)
})

t.test('without the gas coin, an address balance that suffices pays, in a window of two epochs', async (t) => {
  const { chain, client, key, address, stake } = await bench(t)
  const id = await stake(5n * sui)
  await chain.fundAddressBalance(address, sui)
  const tx = new Transaction()
  tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake', arguments: [tx.object.system({ mutable: true }), tx.object(id)] })
  tx.setSender(address)
  const bytes = await tx.build({ client })
  const { gasData, expiration } = Transaction.from(bytes).getData()
  t.same(gasData.payment, [])
  t.match(expiration, { ValidDuring: { minEpoch: '1000', maxEpoch: '1001', chain: mainnet } })
  const { signature } = await key.signTransaction(bytes)
  const before = await chain.balance(address)
  const { status, effects, balanceChanges } = done(
    await client.executeTransaction({ transaction: bytes, signatures: [signature], include }),
  )
  t.match(status, { success: true })
  t.equal(effects.gasObject, null)
  const after = await chain.balance(address)
  t.equal(after.coins, before.coins + 5n * sui)
  const { computationCost, storageCost, storageRebate } = effects.gasUsed
  t.equal(after.address, before.address - BigInt(computationCost) - BigInt(storageCost) + BigInt(storageRebate))
  t.equal(BigInt(balanceChanges[0].amount), after.total - before.total)
})

t.test('with the gas coin, a reservation of the address balance comes before the coins', async (t) => {
  const { chain, client, key, address, validator } = await bench(t, { fund: 2n * sui })
  await chain.fundAddressBalance(address, 3n * sui)
  const tx = stakeTx(4n * sui, validator)
  tx.setSender(address)
  const bytes = await tx.build({ client })
  const { gasData, expiration } = Transaction.from(bytes).getData()
  t.equal(gasData.payment!.length, 2)
  const [first] = gasData.payment!
  const reserved = { objectId: first!.objectId, version: String(first!.version), digest: first!.digest }
  t.match(readReservation(reserved, mainnet), { amount: 3n * sui, epoch: 1000n, field: accumulatorId(address) })
  t.match(expiration, { ValidDuring: { minEpoch: '1000' } })
  const { signature } = await key.signTransaction(bytes)
  const { status, balanceChanges } = done(await client.executeTransaction({ transaction: bytes, signatures: [signature], include }))
  t.match(status, { success: true })
  const after = await chain.balance(address)
  t.equal(after.coins, 0n)
  t.equal(after.address, 5n * sui + BigInt(balanceChanges[0].amount))
})

t.test('an address balance alone pays for a stake', async (t) => {
  const { chain, address, validator, run } = await bench(t, { fund: 0n })
  await chain.fundAddressBalance(address, 3n * sui)
  const { status, created } = await run(stakeTx(2n * sui, validator))
  t.match(status, { success: true })
  t.ok(created('StakedSui'))
  const { coins, address: left } = await chain.balance(address)
  t.equal(coins, 0n)
  t.ok(left > sui / 2n && left < sui)
})

t.test('a withdrawal of the address balance is redeemed, split and sent on', async (t) => {
  const { chain, address, validator, run } = await bench(t, { fund: sui })
  await chain.fundAddressBalance(address, 5n * sui)
  const other = `0x${'77'.repeat(32)}`
  const tx = new Transaction()
  const coin = tx.moveCall({
    target: '0x2::coin::redeem_funds',
    typeArguments: ['0x2::sui::SUI'],
    arguments: [tx.withdrawal({ amount: 3n * sui })],
  })
  tx.moveCall({
    target: '0x3::sui_system::request_add_stake',
    arguments: [tx.object.system({ mutable: true }), coin, tx.pure.address(validator)],
  })
  const balance = tx.moveCall({
    target: '0x2::balance::redeem_funds',
    typeArguments: ['0x2::sui::SUI'],
    arguments: [tx.withdrawal({ amount: sui })],
  })
  tx.moveCall({ target: '0x2::balance::send_funds', typeArguments: ['0x2::sui::SUI'], arguments: [balance, tx.pure.address(other)] })
  const { status, created } = await run(tx)
  t.match(status, { success: true })
  t.ok(created('StakedSui'))
  t.equal((await chain.balance(other)).address, sui)
  const greedy = new Transaction()
  const much = greedy.moveCall({
    target: '0x2::coin::redeem_funds',
    typeArguments: ['0x2::sui::SUI'],
    arguments: [greedy.withdrawal({ amount: 9n * sui })],
  })
  greedy.transferObjects([much], greedy.pure.address(other))
  t.match(await refusal(run(greedy)), { code: 'INVALID_ARGUMENT', message: /withdraw reservation/ })
})

t.test('a wallet that has too little is told so', async (t) => {
  const poor = await bench(t, { fund: 0n })
  const nothing = await refusal(poor.run(stakeTx(sui, poor.validator)))
  t.match(nothing, { code: 'INVALID_ARGUMENT', message: /insufficient SUI balance .* required budget \d+/ })
  await poor.chain.fund(poor.address, '1')
  const some = await refusal(poor.run(stakeTx(sui, poor.validator)))
  t.match(some, { code: undefined, executionError: { message: 'Insufficient coin balance for operation.' } })
})

t.test('budget, price and payment keep to the rules of the network', async (t) => {
  const { chain, client, key, address, validator } = await bench(t)
  await chain.operations.pages!.run({ emptyEvery: 0 })
  const sent = async (change: (tx: Transaction) => void) => {
    const tx = stakeTx(sui, validator)
    tx.setSender(address)
    const { objects } = await client.listCoins({ owner: address })
    const { objectId, version, digest } = objects[0]!
    tx.setGasPrice(500)
    tx.setGasBudget(20_000_000)
    tx.setGasPayment([{ objectId, version, digest }])
    change(tx)
    const bytes = await tx.build({ client })
    const { signature } = await key.signTransaction(bytes)
    return client.executeTransaction({ transaction: bytes, signatures: [signature], include })
  }
  t.match(await refusal(sent((tx) => tx.setGasPrice(499))), {
    code: 'INVALID_ARGUMENT',
    message: /Gas price 499 under reference gas price \(RGP\) 500/,
  })
  t.match(await refusal(sent((tx) => tx.setGasBudget(50_000_000_001))), {
    message: /Gas budget: 50000000001 is higher than max: 50000000000/,
  })
  t.match(await refusal(sent((tx) => tx.setGasBudget(499_999))), { message: /Gas budget: 499999 is lower than min: 500000/ })
  const [small] = await chain.giveCoins(address, 1, 1_000_000n)
  const ref = chain.node.state.objects.get(small!)!
  const poor = (tx: Transaction) => tx.setGasPayment([{ objectId: ref.id, version: String(ref.version), digest: ref.digest }])
  t.match(await refusal(sent(poor)), { message: /Balance of gas object 1000000 is lower than the needed amount: 20000000/ })
  const id = await chain.giveObject(address, `0x${'9'.padStart(64, '0')}::thing::Thing`, new Uint8Array([1]))
  const thing = chain.node.state.objects.get(id)!
  const wrong = (tx: Transaction) => tx.setGasPayment([{ objectId: id, version: String(thing.version), digest: thing.digest }])
  t.match(await refusal(sent(wrong)), { message: /Invalid gas object/ })
  const tight = done(await sent((tx) => tx.setGasBudget(1_600_000)))
  t.match(tight.status, { success: false, error: { message: /Insufficient Gas/ } })
  await chain.operations['gas-price']!.run({ price: 750 })
  t.match(await refusal(sent(() => {})), { message: /reference gas price \(RGP\) 750/ })
})

t.test('a failed transaction costs its gas and moves the versions on', async (t) => {
  const { chain, client, key, address, validator } = await bench(t)
  const tx = stakeTx(sui - 1n, validator)
  tx.setSender(address)
  const { objects } = await client.listCoins({ owner: address })
  const { objectId, version, digest } = objects[0]!
  tx.setGasPrice(500)
  tx.setGasBudget(20_000_000)
  tx.setGasPayment([{ objectId, version, digest }])
  const built = Transaction.from(await stub(tx))
  const bytes = await built.build()
  const { signature } = await key.signTransaction(bytes)
  const failed = done(await client.executeTransaction({ transaction: bytes, signatures: [signature], include }))
  t.match(failed.status, {
    success: false,
    error: {
      $kind: 'MoveAbort',
      command: 1,
      MoveAbort: { abortCode: '10', location: { module: 'validator_set', functionName: 'request_add_stake' } },
    },
  })
  const after = await client.getObject({ objectId })
  t.equal(BigInt(after.object.version), BigInt(version) + 1n)
  const spent = 1000n * sui - (await chain.balance(address)).total
  t.ok(spent > 0n && spent <= 20_000_000n)
  t.same(failed.events, [])
})

/** Bytes of a transaction that is whole already, without a simulation that would refuse it. */
async function stub(tx: Transaction): Promise<Uint8Array> {
  return tx.build()
}
