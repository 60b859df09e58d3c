import { Transaction } from '@mysten/sui/transactions'
import t from 'tap'
import { bench, refusal, stakeTx, sui } from './support.ts'

/** A transaction of the bench's wallet, signed and not sent. */
async function signed(b: Awaited<ReturnType<typeof bench>>, tx: Transaction) {
  tx.setSenderIfNotSet(b.address)
  const bytes = await tx.build({ client: b.client })
  const { signature } = await b.key.signTransaction(bytes)
  return { digest: await tx.getDigest(), send: () => b.client.executeTransaction({ transaction: bytes, signatures: [signature] }) }
}

t.test('what is held waits, and is executed in its order or refused', async (t) => {
  const b = await bench(t)
  const { hold, drop } = b.chain.operations
  const { client } = b
  const found = (digest: string) =>
    client.getTransaction({ digest }).then(
      () => true,
      () => false,
    )
  // Two of the same coin: the first of them takes it.
  const first = await signed(b, stakeTx(sui, b.validator))
  const second = await signed(b, stakeTx(2n * sui, b.validator))
  t.match(await hold!.run({ on: true }), { held: true, waiting: [] })
  for (const each of [first, second])
    t.match(
      await refusal(each.send()),
      { code: 'UNAVAILABLE', message: 'timed-out before finality could be reached' },
      'as a node that waits for the chain in vain',
    )
  t.match(await hold!.run({ on: true }), { waiting: [first.digest, second.digest] })
  t.equal(await found(first.digest), false)
  t.match(await hold!.run({ on: false }), { held: false, executed: [first.digest], waiting: [] })
  t.same([await found(first.digest), await found(second.digest)], [true, false])
  t.match(await refusal(second.send()), { code: 'INVALID_ARGUMENT', message: /unavailable for consumption/ })

  const third = await signed(b, stakeTx(sui, b.validator))
  await hold!.run({ on: true })
  await refusal(third.send())
  t.match(await drop!.run({ hash: third.digest }), { waiting: [] })
  await t.rejects(drop!.run({ hash: third.digest }), { code: 'INVALID_INPUT' })
  await t.rejects(hold!.run({ on: 'yes' }), { code: 'INVALID_INPUT' })
  t.match(await hold!.run({ on: false }), { executed: [] })
  await third.send()
  t.equal(await found(third.digest), true, 'the same bytes land all the same')
})

t.test('what was pruned is not found, and a node says from where on it has anything, in every answer', async (t) => {
  const b = await bench(t)
  const { prune, reorganise } = b.chain.operations
  const { digest } = await b.run(stakeTx(sui, b.validator))
  const info = async () => await b.client.ledgerService.getServiceInfo({}).response
  const before = await info()
  t.equal(before.lowestAvailableCheckpoint, 0n)
  const { lowest, block } = (await prune!.run({})) as { lowest: number; block: number }
  t.equal(BigInt(lowest), before.checkpointHeight! + 1n)
  t.match(await info(), { lowestAvailableCheckpoint: BigInt(lowest), checkpointHeight: BigInt(block) })
  const call = b.client.ledgerService.getTransaction({ digest })
  t.match(await refusal(Promise.resolve(call.response)), { code: 'NOT_FOUND', message: `Transaction ${digest} not found` })
  t.match(await call.headers, {
    'x-sui-chain-id': b.chain.chainIdentifier,
    'x-sui-checkpoint-height': String(block),
    'x-sui-lowest-available-checkpoint': String(lowest),
    'x-sui-epoch': '1000',
  })
  const later = await b.run(stakeTx(sui, b.validator))
  t.ok((await b.client.getTransaction({ digest: later.digest })).Transaction)
  await t.rejects(reorganise!.run({}), { code: 'NOT_SUPPORTED', message: /never takes back/ })
})

t.test('what is cancelled for congestion fails, and pays its gas', async (t) => {
  const b = await bench(t)
  const { congest } = b.chain.operations
  await congest!.run({ times: 1 })
  const { status, effects, balanceChanges, digest } = await b.run(stakeTx(sui, b.validator))
  t.match(status, { success: false, error: { message: /congestion on shared objects/ } })
  const { computationCost, storageCost, storageRebate } = effects.gasUsed
  t.equal(BigInt(balanceChanges[0].amount), -(BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate)))
  const { response } = await b.client.ledgerService.getTransaction({ digest, readMask: { paths: ['effects.status'] } })
  t.match(response.transaction?.effects?.status?.error, { kind: 34, errorDetails: { congestedObjects: { objects: [/^0x0+5$/] } } })
  t.match((await b.run(stakeTx(sui, b.validator))).status, { success: true })
  await t.rejects(congest!.run({ times: -1 }), { code: 'INVALID_INPUT' })
})

t.test('a redeemed fungible position leaves its event', async (t) => {
  const b = await bench(t)
  const id = await b.stake(5n * sui)
  await b.chain.advance({ epochs: 2 })
  const tx = new Transaction()
  const system = tx.object.system({ mutable: true })
  const [share] = tx.moveCall({ target: '0x3::sui_system::convert_to_fungible_staked_sui', arguments: [system, tx.object(id)] })
  const [paid] = tx.moveCall({ target: '0x3::sui_system::redeem_fungible_staked_sui', arguments: [system, share!] })
  const [coin] = tx.moveCall({ target: '0x2::coin::from_balance', typeArguments: ['0x2::sui::SUI'], arguments: [paid!] })
  tx.transferObjects([coin!], b.address)
  const { events, balanceChanges, effects } = await b.run(tx)
  const event = events.find(({ eventType }) => eventType.endsWith('::validator::RedeemingFungibleStakedSuiEvent'))
  const { computationCost, storageCost, storageRebate } = effects.gasUsed
  const gas = BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate)
  t.equal(Buffer.from(event.bcs).readBigUInt64LE(40), BigInt(balanceChanges[0].amount) + gas)
})
