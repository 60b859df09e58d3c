import { readFileSync } from 'node:fs'
import { bcs } from '@mysten/sui/bcs'
import { Transaction } from '@mysten/sui/transactions'
import { deriveDynamicFieldID } from '@mysten/sui/utils'
import fc from 'fast-check'
import t from 'tap'
import { addStake, depositRewards, type Pool, processPending, suiOf, tokensOf, withdrawActive, withdrawPending } from '../src/pool.ts'
import { type Bench, bench, sui } from './support.ts'

const vectors = JSON.parse(readFileSync(new URL('vectors/pool.json', import.meta.url), 'utf8'))

const Rate = bcs.struct('Field', { id: bcs.Address, epoch: bcs.u64(), sui: bcs.u64(), tokens: bcs.u64() })
const Fungible = bcs.struct('FungibleStakedSui', { id: bcs.Address, poolId: bcs.Address, value: bcs.u64() })
const FungibleData = bcs.struct('Field', {
  id: bcs.Address,
  name: bcs.u8(),
  dataId: bcs.Address,
  totalSupply: bcs.u64(),
  principal: bcs.u64(),
})

/** The story of the vectors, through the real client, up to its last epoch. */
async function story(b: Bench): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (let epoch = 0; epoch <= 6; epoch++) {
    for (const { name } of vectors.converts.filter(({ at }: any) => at === epoch)) ids.set(name, await convert(b, ids.get(name)!))
    for (const { name, amount } of vectors.stakes.filter(({ at }: any) => at === epoch)) ids.set(name, await b.stake(BigInt(amount)))
    if (epoch === 6) break
    b.chain.setReward(b.validator, BigInt(vectors.rewards[epoch]))
    await b.chain.advance({ epochs: 1 })
  }
  return ids
}

async function convert({ run }: Bench, id: string): Promise<string> {
  const tx = new Transaction()
  const made = tx.moveCall({
    target: '0x3::sui_system::convert_to_fungible_staked_sui',
    arguments: [tx.object.system({ mutable: true }), tx.object(id)],
  })
  tx.transferObjects([made], tx.pure.address('0x160179a1565ea7cff27ead23f54cc7f50893bf58155cd7285156e57afa31c3ac'))
  return (await run(tx)).created('FungibleStakedSui')
}

async function poolOf({ client, poolId }: Bench) {
  const { response } = await client.ledgerService.getEpoch({ readMask: { paths: ['system_state'] } })
  return response.epoch!.systemState!.validators!.activeValidators.map(({ stakingPool }) => stakingPool!).find(({ id }) => id === poolId)!
}

const started = (t: any) => bench(t, { epoch: 0n, stake: 0n, rewardPerEpoch: 0n, fund: 500n * sui })

t.test('rates, payouts and rewards are those of the Move code, to the MIST', async (t) => {
  const b = await started(t)
  const ids = await story(b)
  const pool = await poolOf(b)
  const epochs: bigint[] = vectors.rates.map(({ epoch }: any) => BigInt(epoch))
  const fields = epochs.map((epoch) => deriveDynamicFieldID(pool.exchangeRates!.id!, 'u64', bcs.u64().serialize(epoch).toBytes()))
  const { objects } = await b.client.getObjects({ objectIds: fields, include: { content: true } })
  t.same(
    objects.map((object: any) => {
      const { epoch, sui: amount, tokens } = Rate.parse(object.content)
      return { epoch: Number(epoch), sui: amount, tokens }
    }),
    vectors.rates,
  )
  t.equal(pool.exchangeRates!.size, 7n)
  const last = vectors.rates.at(-1)
  t.match(pool, { suiBalance: BigInt(last.sui), poolTokenBalance: BigInt(last.tokens), activationEpoch: 0n })
  for (const { name, payout } of vectors.positions) {
    const tx = new Transaction()
    tx.moveCall({
      target: '0x3::sui_system::calculate_rewards',
      arguments: [tx.object.system({ mutable: true }), tx.object(ids.get(name)!)],
    })
    const { reward } = vectors.positions.find((position: any) => position.name === name)
    tx.setSender(`0x${'0'.repeat(64)}`)
    const asked = await b.client.simulateTransaction({ transaction: tx, checksEnabled: false, include: { commandResults: true } })
    t.equal(bcs.u64().parse(asked.commandResults![0]!.returnValues[0]!.bcs!), reward, `reward of ${name}`)
    t.equal(await b.withdraw(ids.get(name)!), BigInt(payout), `payout of ${name}`)
  }
})

t.test('fungible stake is worth what the Move code makes of it, to the MIST', async (t) => {
  const b = await started(t)
  const ids = await story(b)
  const bag = (await poolOf(b)).extraFields!
  t.equal(bag.size, 1n)
  const field = deriveDynamicFieldID(bag.id!, '0x3::staking_pool::FungibleStakedSuiDataKey', new Uint8Array([0]))
  const data = async () => {
    const { objects } = await b.client.getObjects({ objectIds: [field], include: { content: true } })
    const { content } = objects[0] as { content: Uint8Array }
    t.equal(content.length, 81)
    const { totalSupply, principal } = FungibleData.parse(content)
    return { totalSupply, principal }
  }
  t.same(await data(), vectors.fungible.data)
  for (const name of ['d', 'g']) {
    const { object } = await b.client.getObject({ objectId: ids.get(name)!, include: { content: true } })
    t.equal(Fungible.parse(object.content).value, vectors.fungible.values[name])
    t.equal(await redeem(b, ids.get(name)!), BigInt(vectors.fungible.redeemed[name]))
    if (name === 'd') t.same(await data(), vectors.fungible.between)
  }
})

async function redeem({ run, address }: Bench, id: string): Promise<bigint> {
  const tx = new Transaction()
  const system = tx.object.system({ mutable: true })
  const balance = tx.moveCall({ target: '0x3::sui_system::redeem_fungible_staked_sui', arguments: [system, tx.object(id)] })
  const coin = tx.moveCall({ target: '0x2::coin::from_balance', typeArguments: ['0x2::sui::SUI'], arguments: [balance] })
  tx.transferObjects([coin], tx.pure.address(address))
  const { balanceChanges, effects } = await run(tx)
  const { computationCost, storageCost, storageRebate } = effects.gasUsed
  return BigInt(balanceChanges[0].amount) + BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate)
}

t.test('commission is staked for the validator, and the rest grows the pool', async (t) => {
  const b = await bench(t, { stake: 1000n * sui, rewardPerEpoch: 10n * sui, commissionBps: 800 })
  await b.chain.advance({ epochs: 1 })
  const pool = await poolOf(b)
  t.match(pool, { rewardsPool: 9_200_000_000n, suiBalance: 1_010_000_000_000n, pendingStake: 0n })
  t.equal(pool.poolTokenBalance, (1000n * sui * 1_010_000_000_000n) / 1_009_200_000_000n)
  const { objects } = await b.client.listOwnedObjects({ owner: b.validator, type: '0x3::staking_pool::StakedSui' })
  t.equal(objects.length, 2)
})

t.test('a stake that is not active yet comes back as it was', async (t) => {
  const b = await bench(t)
  const id = await b.stake(3n * sui)
  t.equal((await poolOf(b)).pendingStake, 3n * sui)
  t.equal(await b.withdraw(id), 3n * sui)
  t.equal((await poolOf(b)).pendingStake, 0n)
})

t.test('an epoch that ends in safe mode writes no rate, and rewards are computed from the one before', async (t) => {
  const b = await bench(t, { stake: 1000n * sui, rewardPerEpoch: 10n * sui })
  const id = await b.stake(100n * sui)
  await b.chain.advance({ epochs: 2 })
  const before = await poolOf(b)
  await b.chain.operations['safe-mode']!.run({})
  const { systemState } = await b.client.getCurrentSystemState()
  t.match(systemState, { epoch: '1003', safeMode: true })
  t.same(await poolOf(b), before)
  const missing = deriveDynamicFieldID(before.exchangeRates!.id!, 'u64', bcs.u64().serialize(1003n).toBytes())
  const { objects } = await b.client.getObjects({ objectIds: [missing] })
  t.match(objects[0], { reason: 'notFound', message: `Object ${missing} not found` })
  const tokens = tokensOf({ sui: 1010n * sui, tokens: 1000n * sui }, 100n * sui)
  const paid = suiOf({ sui: before.suiBalance!, tokens: before.poolTokenBalance! }, tokens)
  t.ok(paid >= 100n * sui)
  t.equal(await b.withdraw(id), paid)
  await b.chain.advance({ epochs: 1 })
  t.match((await b.client.getCurrentSystemState()).systemState, { epoch: '1004', safeMode: false })
})

t.test('stake with a validator that left keeps its reward, and is paid at once', async (t) => {
  const b = await bench(t, { stake: 1000n * sui, rewardPerEpoch: 10n * sui })
  const id = await b.stake(100n * sui)
  await b.chain.createValidator({ name: 'Stays', commissionBps: 0 })
  await b.chain.advance({ epochs: 2 })
  t.match(await b.chain.operations['deactivate-validator']!.run({ validator: 'Operator' }), { validator: b.validator, leaving: true })
  await b.chain.advance({ epochs: 1 })
  t.same((await poolOf(b)) ?? 'gone', 'gone')
  const tx = new Transaction()
  const system = tx.object.system({ mutable: true })
  tx.moveCall({ target: '0x3::sui_system::validator_address_by_pool_id', arguments: [system, tx.pure.address(b.poolId)] })
  tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake_non_entry', arguments: [system, tx.object(id)] })
  tx.setSender(`0x${'0'.repeat(64)}`)
  const asked = await b.client.simulateTransaction({ transaction: tx, checksEnabled: false, include: { commandResults: true } })
  const [address, balance] = asked.commandResults!.map(({ returnValues }) => returnValues[0]!.bcs!)
  t.equal(bcs.Address.parse(address!), b.validator)
  const worth = BigInt(bcs.u64().parse(balance!))
  t.ok(worth > 101n * sui)
  await b.chain.advance({ epochs: 5 })
  const { sui: pooled } = b.chain.node.state.pools.get(b.poolId)!
  t.equal(await b.withdraw(id), worth)
  t.equal(b.chain.node.state.pools.get(b.poolId)!.sui, pooled - worth)
})

t.test('nothing is made or lost in a pool, whatever stakers do', async (t) => {
  const amount = fc.bigInt({ min: sui, max: 10_000_000n * sui })
  const steps = fc.array(
    fc.oneof(
      fc.record({ stake: amount }),
      fc.record({ leave: fc.nat(20) }),
      fc.record({ reward: fc.bigInt({ min: 0n, max: 1000n * sui }) }),
    ),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(steps, (taken) => {
        let pool: Pool = { ...empty }
        let epoch = 0n
        let put = 0n
        let paid = 0n
        const rates = new Map<bigint, { sui: bigint; tokens: bigint }>([[0n, { sui: 0n, tokens: 0n }]])
        const stakes: { principal: bigint; from: bigint }[] = []
        for (const step of taken) {
          if ('stake' in step) {
            pool = addStake(pool, step.stake)
            put += step.stake
            stakes.push({ principal: step.stake, from: epoch + 1n })
          } else if ('leave' in step) {
            const [stake] = stakes.splice(step.leave % Math.max(1, stakes.length), 1)
            if (stake === undefined) continue
            const { principal, from } = stake
            const left =
              from > epoch
                ? withdrawPending(pool, principal)
                : withdrawActive(pool, principal, { activation: rates.get(from)!, now: rates.get(epoch)! })
            pool = left.pool
            paid += left.paid
            if (left.paid < principal) return false
          } else {
            const reward = pool.sui === 0n ? 0n : step.reward
            put += reward
            pool = processPending(depositRewards(pool, reward))
            epoch += 1n
            rates.set(epoch, { sui: pool.sui, tokens: pool.tokens })
          }
        }
        const principals = stakes.reduce((sum, { principal }) => sum + principal, 0n)
        return paid <= put && pool.rewards >= 0n && pool.pendingStake >= 0n && put - paid === principals + pool.rewards
      }),
      { numRuns: 200 },
    ),
  )
})

const empty: Pool = {
  id: '0x1',
  exchangeRatesId: '0x2',
  extraFieldsId: '0x3',
  activationEpoch: 0n,
  deactivationEpoch: undefined,
  sui: 0n,
  tokens: 0n,
  rewards: 0n,
  pendingStake: 0n,
  pendingSuiWithdraw: 0n,
  pendingTokenWithdraw: 0n,
  rates: 1n,
  extraFields: 0n,
}
