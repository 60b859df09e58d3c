import { Secp256k1 } from '@cosmjs/crypto'
import { QueryDelegationRewardsRequest, QueryDelegationRewardsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { Fee } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { bench, celestia, gas, privateKey } from './support.ts'

t.test('a simulation needs the sequence but neither signature nor fee, and says what the messages would', async (t) => {
  const world = await bench(t)
  const { client, address, delegate, undelegate, withdraw } = world
  const used = await client.simulate(address, [delegate('1000000')], 'memo')
  t.ok(used > 172_000 && used < 178_000, `used ${used}`)
  t.equal((await client.getSequence(address)).sequence, 0)
  await t.rejects(client.simulate(address, [delegate('1000000001')], ''), {
    message:
      /Query failed with \(6\): rpc error: code = Unknown desc = failed to execute message; message index: 0: failed to delegate; 1000000000uatom is smaller than 1000000001uatom: insufficient funds \[cosmos\/cosmos-sdk@v0\.53\.8\/x\/bank\/keeper\/keeper\.go:139\] with gas used: '7\d{4}': unknown request/,
  })
  await t.rejects(
    client.simulate(address, [undelegate('1')], ''),
    /no delegation for \(address, validator\) tuple \[.*baseapp\.go:1052\] with gas used/,
  )
  await t.rejects(client.simulate(address, [withdraw()], ''), /no delegation/)
  const stale = client.query.tx.simulate([], '', { type: 'tendermint/PubKeySecp256k1', value: '' }, 0)
  await t.rejects(stale, /rpc error: code = Unknown desc = must contain at least one message/)
  const registry = client.registry.encodeAsAny(delegate('1'))
  const key = {
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(Secp256k1.compressPubkey(Secp256k1.makeKeypair(privateKey).pubkey)).toString('base64'),
  }
  await t.rejects(client.query.tx.simulate([registry], '', key, 3), /desc = account sequence mismatch, expected 0, got 3/)
  const { gasInfo } = await client.query.tx.simulate([registry], '', key, 0)
  t.ok(gasInfo!.gasUsed > 150_000n)
  // The transaction then uses more: its fee is put aside, which a simulation on a fee market leaves out.
  const bytes = await world.sign(delegate('1'))
  await client.broadcastTxSync(bytes)
  const spent = world.chain.node!.latest.results[0]!.gasUsed
  const feeBytes = BigInt(Fee.encode(Fee.fromPartial({ amount: [...world.fee.amount], gasLimit: BigInt(gas) })).finish().length)
  const more = spent - gasInfo!.gasUsed
  t.ok(more > 16_000n && more <= 17_000n + 10n * (feeBytes + 4n), `used ${spent}, simulated ${gasInfo!.gasUsed}`)
})

t.test('Celestia counts the deduction of a fee that a simulation states', async (t) => {
  const { client, address, delegate, sign, chain } = await bench(t, celestia)
  const without = BigInt(await client.simulate(address, [delegate('1')], ''))
  const bytes = await sign(delegate('1'))
  const { gasUsed } = chain.node!.app.simulate(bytes)
  t.ok(gasUsed - without > 16_000n && gasUsed - without < 17_500n, `${gasUsed} with, ${without} without`)
  await client.broadcastTxSync(bytes)
  t.equal(chain.node!.latest.results[0]!.gasUsed, gasUsed, 'with fee and signature it is what is used')
})

t.test('a payout of rewards costs gas that a claim without one does not', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('100000000'))
  const claim = async () => Number(await world.client.simulate(world.address, [world.withdraw()], ''))
  await world.chain.advance({ epochs: 1 })
  const paying = await claim()
  await world.run(world.withdraw())
  t.equal(paying - (await claim()), 14_200)
})

t.test('rewards in further denominations are owed, paid and told together, and each takes gas', async (t) => {
  const world = await bench(t)
  await world.run(world.delegate('100000000'))
  const claim = async () => Number(await world.client.simulate(world.address, [world.withdraw()], ''))
  await world.chain.advance({ epochs: 1 })
  const alone = await claim()
  const operate = (denominations: unknown) => world.chain.operations.rewards!.run({ denominations })
  t.match(await operate(['uother', 'ibc/27']), { denominations: ['ibc/27', 'uatom', 'uother'] })
  t.equal(await claim(), alone, 'the first fees in them come with the next block')
  await world.chain.advance({ epochs: 1 })
  t.equal((await claim()) - alone, 19_000 + 35_000)
  const request = QueryDelegationRewardsRequest.encode({ delegatorAddress: world.address, validatorAddress: world.validator }).finish()
  const answer = await world.client.query.queryAbci('/cosmos.distribution.v1beta1.Query/DelegationRewards', request)
  const { rewards } = QueryDelegationRewardsResponse.decode(answer.value)
  const [first, own, other] = rewards.map(({ amount }) => BigInt(amount))
  t.ok(first === other && first! > 0n && first! < own!, 'what came before was in the one denomination')
  t.same(
    rewards.map(({ denom }) => denom),
    ['ibc/27', 'uatom', 'uother'],
  )
  t.match(await world.run(world.withdraw()), { code: 0 })
  const { events } = world.chain.node!.latest.results[0]!
  const told = events.find(({ type }) => type === 'withdraw_rewards')!.attributes[0]!.value
  t.match(told, /^(\d+)ibc\/27,\d+uatom,\1uother$/)
  const paid = Number.parseInt(told, 10)
  t.match(await world.client.getBalance(world.address, 'ibc/27'), { amount: String(paid) })
  t.equal(events.filter(({ type, attributes }) => type === 'transfer' && attributes.some(({ value }) => value === told)).length, 1)
  for (const wrong of [[], 'uother', ['u'], [7]]) await t.rejects(operate(wrong), { code: 'INVALID_INPUT', message: /list of names/ })
})
