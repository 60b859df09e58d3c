import { bcs } from '@mysten/sui/bcs'
import { Transaction } from '@mysten/sui/transactions'
import t from 'tap'
import { bench, refusal, stakeTx, sui } from './support.ts'

const SUI = ['0x2::sui::SUI']
const nobody = `0x${'0'.repeat(64)}`

type Call = (tx: Transaction, system: any) => void

const system = (tx: Transaction) => tx.object.system({ mutable: true })

t.test('several coins are staked together, and the change comes back', async (t) => {
  const { chain, address, validator, run } = await bench(t)
  const coins = await chain.giveCoins(address, 3, sui)
  const tx = new Transaction()
  const vector = tx.makeMoveVec({ elements: coins.map((id) => tx.object(id)) })
  const amount = tx.pure(bcs.option(bcs.u64()).serialize(2_500_000_000n))
  tx.moveCall({
    target: '0x3::sui_system::request_add_stake_mul_coin',
    arguments: [system(tx), vector, amount, tx.pure.address(validator)],
  })
  const { created, status } = await run(tx)
  t.match(status, { success: true })
  t.match(chain.node.state.objects.get(created('StakedSui')), { content: { principal: 2_500_000_000n } })
  const all = new Transaction()
  const more = await chain.giveCoins(address, 2, sui)
  const whole = all.makeMoveVec({ elements: more.map((id) => all.object(id)) })
  const none = all.pure(bcs.option(bcs.u64()).serialize(null))
  all.moveCall({
    target: '0x3::sui_system::request_add_stake_mul_coin',
    arguments: [system(all), whole, none, all.pure.address(validator)],
  })
  t.match(chain.node.state.objects.get((await run(all)).created('StakedSui')), { content: { principal: 2n * sui } })
})

t.test('stake is split, joined and staked without entry functions', async (t) => {
  const { chain, address, validator, run, stake } = await bench(t)
  const id = await stake(5n * sui)
  const split = new Transaction()
  split.moveCall({ target: '0x3::staking_pool::split_staked_sui', arguments: [split.object(id), split.pure.u64(2n * sui)] })
  const part = (await run(split)).created('StakedSui')
  t.match(chain.node.state.objects.get(id)!.content, { principal: 3n * sui })
  t.match(chain.node.state.objects.get(part), { owner: { address }, content: { principal: 2n * sui } })
  const join = new Transaction()
  join.moveCall({ target: '0x3::staking_pool::join_staked_sui', arguments: [join.object(id), join.object(part)] })
  await run(join)
  t.match(chain.node.state.objects.get(id)!.content, { principal: 5n * sui })
  t.notOk(chain.node.state.objects.has(part))
  const tx = new Transaction()
  const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(sui)])
  const made = tx.moveCall({
    target: '0x3::sui_system::request_add_stake_non_entry',
    arguments: [system(tx), coin!, tx.pure.address(validator)],
  })
  tx.transferObjects([made], tx.pure.address(address))
  t.ok((await run(tx)).created('StakedSui'))
})

t.test('fungible stake is split and joined', async (t) => {
  const { chain, address, run, stake } = await bench(t)
  const id = await stake(5n * sui)
  await chain.advance({ epochs: 1 })
  const tx = new Transaction()
  const whole = tx.moveCall({ target: '0x3::sui_system::convert_to_fungible_staked_sui', arguments: [system(tx), tx.object(id)] })
  const part = tx.moveCall({ target: '0x3::staking_pool::split_fungible_staked_sui', arguments: [whole, tx.pure.u64(7)] })
  tx.transferObjects([whole, part], tx.pure.address(address))
  const { status } = await run(tx)
  t.match(status, { success: true })
  const owned = chain.node.ownedBy(address).filter(({ content }) => content.kind === 'fungible')
  t.equal(owned.length, 2)
  const join = new Transaction()
  join.moveCall({ target: '0x3::staking_pool::join_fungible_staked_sui', arguments: owned.map((object) => join.object(object.id)) })
  await run(join)
  t.equal(chain.node.ownedBy(address).filter(({ content }) => content.kind === 'fungible').length, 1)
})

t.test('coins and balances are split, joined, sent and destroyed', async (t) => {
  const { chain, address, run } = await bench(t)
  const other = `0x${'88'.repeat(32)}`
  const tx = new Transaction()
  const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(10n)])
  const balance = tx.moveCall({ target: '0x2::coin::into_balance', typeArguments: SUI, arguments: [coin!] })
  const three = tx.moveCall({ target: '0x2::balance::split', typeArguments: SUI, arguments: [balance, tx.pure.u64(3n)] })
  const none = tx.moveCall({ target: '0x2::balance::zero', typeArguments: SUI })
  tx.moveCall({ target: '0x2::balance::join', typeArguments: SUI, arguments: [none, three] })
  tx.moveCall({ target: '0x2::balance::send_funds', typeArguments: SUI, arguments: [none, tx.pure.address(other)] })
  const rest = tx.moveCall({ target: '0x2::coin::from_balance', typeArguments: SUI, arguments: [balance] })
  const two = tx.moveCall({ target: '0x2::coin::split', typeArguments: SUI, arguments: [rest, tx.pure.u64(2n)] })
  tx.moveCall({ target: '0x2::coin::send_funds', typeArguments: SUI, arguments: [two, tx.pure.address(other)] })
  const zero = tx.moveCall({ target: '0x2::coin::zero', typeArguments: SUI })
  tx.moveCall({ target: '0x2::coin::join', typeArguments: SUI, arguments: [rest, zero] })
  const empty = tx.moveCall({ target: '0x2::coin::zero', typeArguments: SUI })
  tx.moveCall({ target: '0x2::coin::destroy_zero', typeArguments: SUI, arguments: [empty] })
  tx.moveCall({
    target: '0x2::transfer::public_transfer',
    typeArguments: ['0x2::coin::Coin<0x2::sui::SUI>'],
    arguments: [rest, tx.pure.address(other)],
  })
  t.match((await run(tx)).status, { success: true })
  t.same(await chain.balance(other), { coins: 5n, address: 5n, total: 10n })
  const gift = new Transaction()
  gift.transferObjects([gift.gas], gift.pure.address(other))
  const { status, effects } = await run(gift)
  t.match(status, { success: true })
  const { computationCost, storageCost, storageRebate } = effects.gasUsed
  t.equal((await chain.balance(address)).total, 0n)
  t.ok((await chain.balance(other)).coins > 999n * sui - BigInt(computationCost) - BigInt(storageCost) + BigInt(storageRebate))
})

t.test('what Move aborts is aborted, with its code and its place', async (t) => {
  const b = await bench(t)
  const stake = await b.stake(3n * sui)
  await b.chain.createValidator({ name: 'Leaves', commissionBps: 0 })
  const leaver = b.chain.validator('Leaves')
  const gone = (await b.run(stakeTx(2n * sui, leaver.address))).created('StakedSui')
  await b.chain.operations['deactivate-validator']!.run({ validator: 'Leaves' })
  await b.chain.advance({ epochs: 1 })
  const late = await b.stake(2n * sui)
  const aborts: [name: string, call: Call, code: string, module: string, functionName: string][] = [
    ['below 1 SUI', add(sui - 1n, b.validator), '10', 'validator_set', 'request_add_stake'],
    ['no validator', add(sui, `0x${'ab'.repeat(32)}`), '4', 'validator_set', 'get_validator_mut'],
    ['a validator that left', add(sui, leaver.address), '4', 'validator_set', 'get_validator_mut'],
    [
      'a part below 1 SUI',
      (tx) => tx.moveCall({ target: '0x3::staking_pool::split_staked_sui', arguments: [tx.object(stake), tx.pure.u64(2n * sui + 1n)] }),
      '18',
      'staking_pool',
      'split',
    ],
    [
      'more than there is',
      (tx) => tx.moveCall({ target: '0x3::staking_pool::split_staked_sui', arguments: [tx.object(stake), tx.pure.u64(9n * sui)] }),
      '3',
      'staking_pool',
      'split',
    ],
    [
      'stake of other epochs',
      (tx) => tx.moveCall({ target: '0x3::staking_pool::join_staked_sui', arguments: [tx.object(stake), tx.object(late)] }),
      '12',
      'staking_pool',
      'join_staked_sui',
    ],
    ['not active yet', convert(late), '19', 'staking_pool', 'convert_to_fungible_staked_sui'],
    ['an inactive pool', convert(gone), '15', 'staking_pool', 'convert_to_fungible_staked_sui'],
    [
      'no pool',
      (tx) => tx.moveCall({ target: '0x3::sui_system::validator_address_by_pool_id', arguments: [system(tx), tx.pure.address(nobody)] }),
      '1',
      'dynamic_field',
      'borrow_child_object_mut',
    ],
    [
      'more than a balance has',
      (tx) => {
        const balance = tx.moveCall({ target: '0x2::balance::zero', typeArguments: SUI })
        tx.moveCall({ target: '0x2::balance::split', typeArguments: SUI, arguments: [balance, tx.pure.u64(1)] })
      },
      '2',
      'balance',
      'split',
    ],
    [
      'a coin that is not empty',
      (tx) => {
        const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(1)])
        tx.moveCall({ target: '0x2::coin::destroy_zero', typeArguments: SUI, arguments: [coin!] })
      },
      '0',
      'balance',
      'destroy_zero',
    ],
  ]
  for (const [name, call, abortCode, module, functionName] of aborts) {
    const tx = new Transaction()
    call(tx, system)
    const { executionError, code } = await refusal(b.run(tx))
    t.equal(code, undefined, name)
    t.match(executionError, { $kind: 'MoveAbort', MoveAbort: { abortCode, location: { module, functionName } } }, name)
  }
})

const add =
  (amount: bigint, validator: string): Call =>
  (tx) => {
    const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(amount)])
    tx.moveCall({ target: '0x3::sui_system::request_add_stake', arguments: [system(tx), coin!, tx.pure.address(validator)] })
  }

const convert =
  (id: string): Call =>
  (tx) => {
    const made = tx.moveCall({ target: '0x3::sui_system::convert_to_fungible_staked_sui', arguments: [system(tx), tx.object(id)] })
    tx.transferObjects([made], tx.pure.address(nobody))
  }

t.test('arguments must fit, and results must be used', async (t) => {
  const b = await bench(t)
  const stake = await b.stake(3n * sui)
  const withdraw = '0x3::sui_system::request_withdraw_stake'
  const wrong: [name: string, call: Call, expected: object][] = [
    [
      'a private function',
      (tx) => tx.moveCall({ target: '0x3::sui_system::calculate_rewards', arguments: [system(tx), tx.object(stake)] }),
      { $kind: 'Unknown', message: /Non Entry Function/ },
    ],
    ['no function', (tx) => tx.moveCall({ target: '0x3::sui_system::nothing' }), { message: /Function Not Found/ }],
    ['too few arguments', (tx) => tx.moveCall({ target: withdraw, arguments: [system(tx)] }), { message: /Arity mismatch/ }],
    ['no type argument', (tx) => tx.moveCall({ target: '0x2::coin::zero' }), { message: /Type arity/ }],
    [
      'another type argument',
      (tx) => tx.moveCall({ target: '0x2::coin::zero', typeArguments: ['0x7::usd::USD'] }),
      { $kind: 'CommandArgumentError' },
    ],
    [
      'a coin for a stake',
      (tx) => tx.moveCall({ target: withdraw, arguments: [system(tx), tx.gas] }),
      { CommandArgumentError: { argument: 1, name: 'TypeMismatch' } },
    ],
    [
      'a stake twice',
      (tx) => {
        tx.moveCall({ target: withdraw, arguments: [system(tx), tx.object(stake)] })
        tx.moveCall({ target: withdraw, arguments: [system(tx), tx.object(stake)] })
      },
      { command: 1, CommandArgumentError: { argument: 1, name: 'InvalidValueUsage' } },
    ],
    [
      'a state that is only read',
      (tx) => tx.moveCall({ target: withdraw, arguments: [tx.object.system({ mutable: false }), tx.object(stake)] }),
      { CommandArgumentError: { argument: 0, name: 'InvalidObjectByMutRef' } },
    ],
    ['a number that is too short', (tx) => tx.splitCoins(tx.gas, [tx.pure.u32(5)]), { CommandArgumentError: { name: 'InvalidBcsBytes' } }],
    [
      'a value that a result has not',
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [tx.pure.u64(1)])[5]!], tx.pure.address(nobody)),
      { CommandArgumentError: { name: 'SecondaryIndexOutOfBounds' } },
    ],
    [
      'two values as one',
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [tx.pure.u64(1), tx.pure.u64(1)])], tx.pure.address(nobody)),
      { CommandArgumentError: { name: 'InvalidResultArity' } },
    ],
    [
      'a coin left over',
      (tx) => tx.splitCoins(tx.gas, [tx.pure.u64(5)]),
      { $kind: 'IndexError', message: /Unused result without the drop ability/ },
    ],
    [
      'the gas coin by value',
      (tx) => tx.moveCall({ target: '0x2::coin::into_balance', typeArguments: SUI, arguments: [tx.gas] }),
      { CommandArgumentError: { name: 'InvalidGasCoinUsage' } },
    ],
    [
      'the state by value',
      (tx) => tx.transferObjects([system(tx)], tx.pure.address(nobody)),
      { CommandArgumentError: { name: 'InvalidObjectByValue' } },
    ],
  ]
  for (const [name, call, expected] of wrong) {
    const tx = new Transaction()
    call(tx, system)
    t.match((await refusal(b.run(tx))).executionError, expected, name)
  }
  t.match(b.chain.node.state.objects.get(stake), { content: { principal: 3n * sui } })
})

t.test('without checks anybody may look at anything, and nothing is kept', async (t) => {
  const { chain, client, stake, poolId, validator } = await bench(t)
  const id = await stake(3n * sui)
  await chain.advance({ epochs: 30 })
  const before = chain.node.state.objects.get(id)
  const tx = new Transaction()
  tx.moveCall({ target: '0x3::sui_system::calculate_rewards', arguments: [system(tx), tx.object(id)] })
  tx.moveCall({ target: '0x3::sui_system::validator_address_by_pool_id', arguments: [system(tx), tx.pure.address(poolId)] })
  tx.moveCall({ target: '0x3::sui_system::pool_exchange_rates', arguments: [system(tx), tx.pure.address(poolId)] })
  tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake_non_entry', arguments: [system(tx), tx.object(id)] })
  tx.setSender(nobody)
  const { commandResults } = await client.simulateTransaction({ transaction: tx, checksEnabled: false, include: { commandResults: true } })
  const [reward, address, rates, balance] = commandResults!.map(({ returnValues }) => returnValues[0]!.bcs!)
  t.ok(BigInt(bcs.u64().parse(reward!)) > 0n)
  t.equal(bcs.Address.parse(address!), validator)
  t.equal(rates!.length, 40)
  t.equal(BigInt(bcs.u64().parse(balance!)), 3n * sui + BigInt(bcs.u64().parse(reward!)))
  t.equal(chain.node.state.objects.get(id), before)
})

t.test('a party object is withdrawn like any other, by its owner alone', async (t) => {
  const { chain, client, address, stake, withdraw } = await bench(t)
  const id = await stake(3n * sui)
  await chain.makeParty(id)
  const { object } = await client.getObject({ objectId: id })
  t.match(object.owner, { $kind: 'ConsensusAddressOwner', ConsensusAddressOwner: { owner: address, startVersion: object.version } })
  t.equal((await client.listOwnedObjects({ owner: address, type: '0x3::staking_pool::StakedSui', limit: 10 })).objects.length, 1)
  const other = `0x${'99'.repeat(32)}`
  await chain.fund(other, '1')
  const tx = new Transaction()
  tx.transferObjects([tx.object(id)], tx.pure.address(other))
  tx.setSender(other)
  t.match(await refusal(tx.build({ client })), { code: 'INVALID_ARGUMENT', message: /is owned by account address/ })
  t.equal(await withdraw(id), 3n * sui)
})
