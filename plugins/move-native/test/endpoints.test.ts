import { GrpcTypes } from '@mysten/sui/grpc'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { Transaction } from '@mysten/sui/transactions'
import { type Interference, type Player, startStage } from '@svc/conformance'
import { type MoveWallet, moveFamily } from '@svc/conformance/move'
import { parseAmount } from '@svc/contract'
import t from 'tap'
import { operatorName, scenarios } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { altered } from './altered.ts'
import { onChain } from './chain.ts'

/** Of the gRPC status INTERNAL. @see https://grpc.io/docs/guides/status-codes (read 2026-11-21) */
const INTERNAL = 13
const STAKED_SUI = `0x${'3'.padStart(64, '0')}::staking_pool::StakedSui`

const { scenario, chain } = onChain(scenarios[1]!)
const stage = await startStage({ plugin, scenario, family: { ...moveFamily, otherChainId: 'mainnet' } })
t.teardown(() => stage.close())
const { upstream, client } = stage

const operator = () => chain().move.validator(operatorName).address

/** What a wallet did by itself. */
function byItself(player: Player, build: (tx: Transaction) => void): Promise<unknown> {
  const { key } = player.wallet as MoveWallet
  return chain().run(Ed25519Keypair.fromSecretKey(key.export({ format: 'der', type: 'pkcs8' }).subarray(-32)), build)
}

function stakes(player: Player, amounts: readonly bigint[], validator = operator()): Promise<unknown> {
  return byItself(player, (tx) => {
    for (const amount of amounts) {
      const [coin] = tx.splitCoins(tx.gas, [amount])
      const args = [tx.object.system({ mutable: true }), coin!, tx.pure.address(validator)]
      tx.moveCall({ target: '0x3::sui_system::request_add_stake', arguments: args })
    }
  })
}

async function converted(player: Player, id: string): Promise<void> {
  await byItself(player, (tx) => {
    const args = [tx.object.system({ mutable: true }), tx.object(id)]
    const [share] = tx.moveCall({ target: '0x3::sui_system::convert_to_fungible_staked_sui', arguments: args })
    tx.transferObjects([share!], player.wallet.address)
  })
}

/** Round trips of a position that is read by a client that has read nothing, or something, before. */
async function usageOf(player: Player) {
  const { result, usage } = await upstream.measure(() => client.get(`/staking-balance/${player.wallet.address}`))
  if (result.status !== 200) throw new Error(`the balance answered ${result.text}`)
  return usage
}

t.test('terms are those of the scenario', async (t) => {
  const { json } = await client.get('/staking-info')
  const { staking_apr: apr, staking_apy: apy, ...terms } = json as Record<string, number>
  t.same(
    { ...terms, tvl_token: Math.round(terms.tvl_token! / 1e6) },
    {
      stake_activation_max_time: 1440,
      stake_deactivation_max_time: 0,
      withdrawal_max_time: 0,
      staking_reward_fee: 4,
      withdrawal_fee: 0,
      max_slashing_percentage: 0,
      min_stake_amount: '1',
      max_stake_amount: null,
      users: null,
      tvl_usd: null,
      // 62 million, and forty days of about 1.5 %.
      tvl_token: 62,
    },
  )
  // 1.6 % of the first stake, less the commission of 4 %; the pool has grown by a hundredth of that since.
  t.ok(Math.abs(apr! - 1.6 * 0.96) < 0.01, `${apr}`)
  t.ok(Math.abs(apy! - 100 * ((1 + apr! / 36_500) ** 365 - 1)) < 1e-6, `${apy}`)
})

t.test('what a validator earned in epochs without a rate does not spoil the yield', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  const before = await stage.protocol.info(ctx)
  chain().safeMode()
  const after = await stage.protocol.info(ctx)
  t.ok(Math.abs(after.apyPercent! - before.apyPercent!) < 0.001, `${before.apyPercent} and ${after.apyPercent}`)
})

t.test('an address without positions takes one round trip; another two, and one when its rates are known', async (t) => {
  const player = await stage.player()
  await usageOf(player)
  t.equal((await usageOf(player)).waves, 1)
  await stakes(player, [5_000_000_000n])
  t.equal((await usageOf(player)).waves, 1, 'a stake that waits needs no rate')
  await player.advance({ epochs: 3 })
  await usageOf(await stage.player())
  t.equal((await usageOf(player)).waves, 2)
  t.equal((await usageOf(player)).waves, 1)
})

t.test('stakes of many epochs are read in two round trips, and are worth what the chain pays', async (t) => {
  const player = await stage.player()
  for (let epoch = 0; epoch < 70; epoch++) {
    await stakes(player, [1_000_000_000n + BigInt(epoch), 3_000_000_000n])
    await player.advance({ epochs: 1 })
  }
  await usageOf(await stage.player())
  const { waves, calls } = await usageOf(player)
  t.equal(waves, 2, `in ${calls} calls`)
  const objects = (await player.position()).objects!
  t.equal(objects.length, 140)
  t.equal(new Set(objects.map(({ rewards }) => rewards)).size > 100, true, 'nearly each is worth something else')
  const paid = await chain().rewardsOf(objects.map(({ id }) => id))
  t.same(
    objects.map(({ rewards }) => parseAmount(rewards!, 9)),
    paid,
  )
})

t.test('more positions than a page holds are all listed, though pages be empty', async (t) => {
  const player = await stage.player()
  for (let lot = 0; lot < 5; lot++)
    await stakes(
      player,
      Array.from({ length: 250 }, () => 1_000_000_000n),
    )
  chain().move.node.knobs.emptyPageEvery = 2
  const { objects, activating } = await player.position()
  chain().move.node.knobs.emptyPageEvery = 0
  t.equal(objects?.length, 1250)
  t.equal(new Set(objects!.map(({ id }) => id)).size, 1250)
  t.equal(activating, '1250')
})

t.test('a list without an end is given up, in words that say what can be done though', async (t) => {
  const player = await stage.player()
  await player.act('stake', { amount: 2 })
  const [{ id } = { id: '' }] = (await player.position()).objects!
  let pages = 0
  const empty = altered('ListOwnedObjects', GrpcTypes.ListOwnedObjectsResponse, (page) => {
    Object.assign(page, { objects: [], nextPageToken: Buffer.from('more') })
  })
  let said: Promise<Response> | null = null
  upstream.interfere((call, pass) => {
    if (!call.url.endsWith('/ListOwnedObjects')) return null
    pages++
    said ??= empty(call, pass)
    return said!.then((response) => response.clone())
  })
  const answer = await client.get(`/staking-balance/${player.wallet.address}`)
  t.same([answer.status, answer.code], [502, 'UPSTREAM_ERROR'])
  t.match(answer.text, /not their end, .*can be withdrawn by its id/)
  t.notMatch(answer.text, /try again/)
  t.ok(pages >= 100 && pages <= 200, `${pages} pages of two types`)
  await player.act('unstake', { staked_sui_object_id: id })
  upstream.interfere(null)
  t.same((await player.position()).objects, [])
})

t.test('an object of another layout is listed as unknown, and rewards are not derivable', async (t) => {
  const player = await stage.player()
  await player.act('stake', { amount: 2 })
  const id = await chain().move.giveObject(player.wallet.address, STAKED_SUI, new Uint8Array(49))
  const { activating, rewards, objects } = await player.position()
  t.same([activating, rewards], ['2', null])
  const found = objects!.find((object) => object.id === id)
  t.match(found, { status: 'unknown', amount: null, rewards: null, validator: null, activationEpoch: null })
})

t.test('a position that is listed twice, or under the name of another, is no answer', async (t) => {
  const player = await stage.player()
  await player.act('stake', { amount: 2 })
  const lies: Record<string, (objects: GrpcTypes.Object[]) => unknown> = {
    twice: (objects) => objects.push(...objects),
    'under another name': ([object]) => object && Object.assign(object, { objectId: `0x${'9'.repeat(64)}` }),
    'under no name': ([object]) => object && Object.assign(object, { objectId: 'none' }),
  }
  for (const [name, lie] of Object.entries(lies)) {
    upstream.interfere(altered('ListOwnedObjects', GrpcTypes.ListOwnedObjectsResponse, ({ objects }) => void lie(objects)))
    const answer = await client.get(`/staking-balance/${player.wallet.address}`)
    upstream.interfere(null)
    t.same([answer.status, answer.code], [502, 'UPSTREAM_ERROR'], name)
  }
  t.equal((await player.position()).activating, '2')
})

t.test('an entry that the node cannot read makes rewards null, and none that it can is replaced by a guess', async (t) => {
  const player = await stage.player()
  await stakes(player, [5_000_000_000n])
  await player.advance({ epochs: 2 })
  for (const [name, change] of [
    ['an error in place of the object', () => ({ oneofKind: 'error', error: { code: INTERNAL, message: 'disk', details: [] } })],
    ['nothing in place of it', () => ({ oneofKind: undefined })],
    ['another object', (was: object) => ({ ...was, object: { ...(was as { object: object }).object, objectId: `0x${'9'.repeat(64)}` } })],
    ['no contents', (was: object) => ({ ...was, object: { ...(was as { object: object }).object, contents: undefined } })],
    [
      'contents of another layout',
      (was: object) => ({ ...was, object: { ...(was as { object: object }).object, contents: { value: new Uint8Array(57) } } }),
    ],
  ] as const) {
    const service = await stage.serve()
    upstream.interfere(
      altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects }) => {
        for (const object of objects) if (object.result.oneofKind === 'object') object.result = change(object.result) as never
      }),
    )
    const caller = await service.client()
    const answer = await caller.get(`/staking-balance/${player.wallet.address}`)
    upstream.interfere(null)
    t.equal(answer.status, 200, name)
    const { stake_rewards_amount, staked_amount } = answer.json as Record<string, unknown>
    t.same([stake_rewards_amount, staked_amount], [null, 5], name)
    const again = await caller.get(`/staking-balance/${player.wallet.address}`)
    t.type((again.json as Record<string, unknown>).stake_rewards_amount, 'number', `${name}, and it is not remembered`)
    await service.close()
  }
  const service = await stage.serve()
  t.teardown(() => service.close())
  upstream.interfere((call) => (call.url.endsWith('/BatchGetObjects') ? Promise.reject(new TypeError('fetch failed')) : null))
  const answer = await (await service.client()).get(`/staking-balance/${player.wallet.address}`)
  upstream.interfere(null)
  t.equal(answer.status, 502, 'where no node answers, it says so')
})

t.test('what one of two endpoints that have to agree cannot read is no answer, and what neither can read is left out', async (t) => {
  const player = await stage.player()
  await stakes(player, [5_000_000_000n])
  await player.advance({ epochs: 2 })
  const { rpcUrl } = chain().move
  const other = rpcUrl.replace('127.0.0.1', 'localhost')
  const service = await stage.serve({ endpoints: [rpcUrl, other], settings: { agreement: 2 } })
  t.teardown(() => service.close())
  const caller = await service.client()
  const mute = altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects }) => {
    for (const object of objects) object.result = { oneofKind: undefined }
  })
  const asked = async (...muted: readonly string[]) => {
    upstream.interfere((call, pass) => (muted.some((url) => call.url.startsWith(url)) ? mute(call, pass) : null))
    const answer = await caller.get(`/staking-balance/${player.wallet.address}`)
    upstream.interfere(null)
    return answer
  }
  for (const liar of [rpcUrl, other]) {
    const { status, code } = await asked(liar)
    t.same([status, code], [502, 'UPSTREAM_DISAGREES'], liar)
  }
  t.match(await asked(rpcUrl, other), { status: 200, json: { stake_rewards_amount: null, staked_amount: 5 } })
  t.match(await asked(), { status: 200, json: { stake_rewards_amount: Number } })
})

t.test('fungible stake whose pool cannot be read is worth its tokens, and its reward is unknown', async (t) => {
  const player = await stage.player()
  await stakes(player, [50_000_000_000n])
  await player.advance({ epochs: 5 })
  await converted(player, (await player.position()).objects![0]!.id)
  const known = await player.position()
  upstream.interfere(
    altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects }) => {
      for (const object of objects) object.result = { oneofKind: 'error', error: { code: INTERNAL, message: 'disk', details: [] } }
    }),
  )
  const unknown = await player.position()
  upstream.interfere(null)
  t.equal(unknown.rewards, null)
  const whole = Number(known.staked) + Number(known.rewards)
  t.ok(Math.abs(Number(unknown.staked) - whole) < 1e-8, `${unknown.staked} is ${whole}`)
})

t.test('positions outside the active set are asked for by simulation; where that is refused they keep their principal', async (t) => {
  const player = await stage.player()
  const validator = chain().move.validator('halley').address
  await stakes(player, [9_000_000_000n], validator)
  await player.advance({ epochs: 2 })
  await converted(player, (await player.position()).objects![0]!.id)
  await stakes(player, [7_000_000_000n], validator)
  await player.advance({ epochs: 4 })
  const last = await player.position()
  t.match(last.objects, [
    { amount: '7', validator },
    { amount: '9', validator, activationEpoch: null },
  ])
  chain().leaves(validator)
  await player.advance({ epochs: 1 })
  const refusal = { code: 'INVALID_ARGUMENT', message: 'simulation is off', method: 'SimulateTransaction', left: 3 } as const
  chain().move.node.knobs.force({ ...refusal })
  const refused = await player.position()
  t.match(refused, { staked: '7', activating: '0', rewards: null })
  t.match(refused.objects, [
    { status: 'active', amount: '7', rewards: null, validator: null },
    { status: 'unknown', amount: null, rewards: null, validator: null },
  ])
  const [stake, share] = (await player.position()).objects!
  t.match(stake, { status: 'active', amount: '7', validator })
  t.ok(Number(stake!.rewards) > Number(last.objects![0]!.rewards), `${stake!.rewards} is what was earned until it left`)
  t.match(share, { status: 'active', rewards: null, validator })
  t.ok(Number(share!.amount) > 9 + Number(last.objects![1]!.rewards), `${share!.amount} is the whole payout`)
  t.equal((await usageOf(player)).waves, 2)
})

t.test('a validator that is not in the active set is told where an installation is checked, and its terms are null', async (t) => {
  const ctx = stage.connect()
  t.teardown(() => stage.kit.close?.(ctx.client))
  await stage.protocol.inspect(ctx)
  const nobody = `0x${'ab'.repeat(32)}`
  const wrong = { ...ctx, network: { ...ctx.network, validator: nobody } }
  await t.rejects(stage.protocol.inspect(wrong), { code: 'SETTINGS_INVALID', message: /0xabab.* is not in the active set of \d+/ })
  const terms = await stage.protocol.info(wrong)
  t.match(terms, { rewardFeePercent: null, aprPercent: null, apyPercent: null, tvl: null, activationMinutes: 1440 })

  const service = await stage.serve({ settings: { validator: nobody } })
  t.teardown(() => service.close())
  const player = await stage.player()
  const answer = await (await service.client()).post('/action/stake', player.body({ amount: 1 }))
  t.same([answer.status, answer.code], [400, 'VALIDATOR_INACTIVE'])
})

t.test('a position in the hands of an object is refused, and so is one that is shared', async (t) => {
  const player = await stage.player()
  await player.act('stake', { amount: 2 })
  const { id } = (await player.position()).objects![0]!
  for (const [kind, sentence] of [
    [GrpcTypes.Owner_OwnerKind.OBJECT, /belongs to no address but to the object 0x77/],
    [GrpcTypes.Owner_OwnerKind.SHARED, /belongs to no address but to everybody/],
    [GrpcTypes.Owner_OwnerKind.IMMUTABLE, /belongs to no address but to everybody/],
    [GrpcTypes.Owner_OwnerKind.ADDRESS, /belongs to 0x77.*, not to 0x/],
    [GrpcTypes.Owner_OwnerKind.CONSENSUS_ADDRESS, /belongs to 0x77.*, not to 0x/],
  ] as const) {
    upstream.interfere(
      altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects: [object] }) => {
        if (object?.result.oneofKind === 'object') object.result.object.owner = { kind, address: `0x${'77'.repeat(32)}`, version: 1n }
      }),
    )
    const answer = await player.craft('unstake', { staked_sui_object_id: id })
    upstream.interfere(null)
    t.same([answer.status, answer.code], [400, 'STAKE_NOT_OWNED'])
    t.match(answer.sentence, sentence)
  }
})

t.test('whatever a node fills in, the bytes are those of an honest one, or there are none', async (t) => {
  const player = await stage.player()
  await player.act('stake', { amount: 2 })
  const { id } = (await player.position()).objects![0]!
  const thief = `0x${'66'.repeat(32)}`
  const strange = { objectId: thief, version: 7n, digest: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi' }
  const pure = { kind: GrpcTypes.Input_InputKind.PURE, pure: Buffer.from(thief.slice(2), 'hex') }
  const chain = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'
  const during = { kind: GrpcTypes.TransactionExpiration_TransactionExpirationKind.VALID_DURING, minEpoch: 1n, epoch: 2n, chain, nonce: 1 }
  const toThief = (input: number): GrpcTypes.Command => ({
    command: {
      oneofKind: 'transferObjects',
      transferObjects: {
        objects: [{ kind: GrpcTypes.Argument_ArgumentKind.GAS }],
        address: { kind: GrpcTypes.Argument_ArgumentKind.INPUT, input },
      },
    },
  })
  type Forge = (tx: GrpcTypes.Transaction, kind: GrpcTypes.ProgrammableTransaction) => unknown
  const withheld: Record<string, Forge> = {
    'another owner of the gas': ({ gasPayment }) => Object.assign(gasPayment!, { owner: thief }),
    'a fortune as budget': ({ gasPayment }) => Object.assign(gasPayment!, { budget: 10n ** 12n }),
    'no budget': ({ gasPayment }) => Object.assign(gasPayment!, { budget: 0n }),
    'no price': ({ gasPayment }) => Object.assign(gasPayment!, { price: 0n }),
    'a gas coin twice': ({ gasPayment }) => gasPayment!.objects.push(gasPayment!.objects[0]!),
    'epochs of another chain': (tx) => Object.assign(tx, { expiration: during }),
    'an epoch that is over': (tx) =>
      Object.assign(tx, { expiration: { kind: GrpcTypes.TransactionExpiration_TransactionExpirationKind.EPOCH, epoch: 0n } }),
    'no gas coins': ({ gasPayment }) => Object.assign(gasPayment!, { objects: [] }),
    'a gas coin that there is not': ({ gasPayment }) => gasPayment!.objects.push(strange),
    'a price of ten times the maximum': ({ gasPayment }) => Object.assign(gasPayment!, { price: 30_000n }),
  }
  const ignored: Record<string, Forge> = {
    'another sender': (tx) => Object.assign(tx, { sender: thief }),
    'an input that nothing uses': (_, { inputs }) => inputs.push(pure),
    'an object that nothing uses': (_, { inputs }) => inputs.push({ kind: GrpcTypes.Input_InputKind.IMMUTABLE_OR_OWNED, ...strange }),
    'the gas coin to a thief besides': (_, { inputs, commands }) => commands.push(toThief(inputs.push(pure) - 1)),
    'the gas coin to a thief instead': (_, { inputs, commands }) => commands.splice(0, 9, toThief(inputs.push(pure) - 1)),
    'other pure values': (_, { inputs }) => inputs.filter((input) => input.pure).map((input) => input.pure!.fill(7)),
    'the last command left out': (_, { commands }) => commands.pop(),
  }
  const position = {
    'another position': ((_, { inputs }) => inputs.map((input) => input.objectId === id && Object.assign(input, strange))) as Forge,
  }
  for (const [action, body, refused] of [
    ['stake', { amount: 3 }, withheld],
    ['unstake', { staked_sui_object_id: id }, { ...withheld, ...position }],
  ] as const) {
    const honest = await player.craft(action, body)
    t.equal(honest.status, 200)
    for (const [name, forge] of Object.entries({ ...refused, ...ignored })) {
      let forged = 0
      upstream.interfere(
        altered('SimulateTransaction', GrpcTypes.SimulateTransactionResponse, ({ transaction: executed }) => {
          const tx = executed!.transaction!
          const { data } = tx.kind!
          if (data.oneofKind === 'programmableTransaction') forge(tx, data.programmableTransaction)
          forged++
        }),
      )
      const { status, json } = await player.craft(action, body)
      upstream.interfere(null)
      t.equal(forged, 1)
      if (name in ignored) t.same([status, json], [200, honest.json], `${action}: ${name}`)
      else t.same([status, 'unsigned_tx_b64' in (json as object)], [502, false], `${action}: ${name}`)
    }
  }
})

t.test('while one endpoint fails, in whatever way, the other one serves every read and every craft', async (t) => {
  const player = await stage.player()
  await player.act('stake', { amount: 2 })
  await player.advance({ epochs: 3 })
  const { id } = (await player.position()).objects![0]!
  const { rpcUrl } = chain().move
  const bad = rpcUrl.replace('127.0.0.1', 'localhost')
  t.not(bad, rpcUrl)
  const types = { 'content-type': 'application/grpc-web+proto' }
  const status = (code: number, message: string) => {
    const text = Buffer.from(`grpc-status: ${code}\r\ngrpc-message: ${encodeURIComponent(message)}\r\n`)
    const head = Buffer.alloc(5)
    head.writeUInt8(0x80)
    head.writeUInt32BE(text.length, 1)
    return new Response(Buffer.concat([head, text]), { headers: types })
  }
  const state = (change: (info: GrpcTypes.GetServiceInfoResponse) => void) =>
    altered('GetServiceInfo', GrpcTypes.GetServiceInfoResponse, change)
  const failures: Record<string, Interference> = {
    'another chain': state((info) => void Object.assign(info, { chainId: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' })),
    'forty days behind': state(({ timestamp }) => void Object.assign(timestamp!, { seconds: timestamp!.seconds - 40n * 86_400n })),
    'no time': state((info) => void delete info.timestamp),
    'epochs ahead': state((info) => void Object.assign(info, { epoch: info.epoch! + 50n })),
    'a system state without validators': altered(
      'GetEpoch',
      GrpcTypes.GetEpochResponse,
      ({ epoch }) => void delete epoch!.systemState!.validators,
    ),
    'a system state of another epoch': altered(
      'GetEpoch',
      GrpcTypes.GetEpochResponse,
      ({ epoch }) => void Object.assign(epoch!, { epoch: epoch!.epoch! + 7n }),
    ),
    'a commission of 200 %': altered('GetEpoch', GrpcTypes.GetEpochResponse, ({ epoch }) => {
      for (const each of epoch!.systemState!.validators!.activeValidators) each.commissionRate = 20_000n
    }),
    'objects of somebody else': altered('ListOwnedObjects', GrpcTypes.ListOwnedObjectsResponse, ({ objects }) => {
      for (const object of objects) object.owner = { kind: GrpcTypes.Owner_OwnerKind.ADDRESS, address: `0x${'77'.repeat(32)}` }
    }),
    'objects of another type': altered('ListOwnedObjects', GrpcTypes.ListOwnedObjectsResponse, ({ objects }) => {
      for (const object of objects) object.objectType = '0x2::coin::Coin<0x2::sui::SUI>'
    }),
    'objects without contents': altered('ListOwnedObjects', GrpcTypes.ListOwnedObjectsResponse, ({ objects }) => {
      for (const object of objects) delete object.contents
    }),
    'an object of a type that is none': altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects }) => {
      for (const { result } of objects) if (result.oneofKind === 'object') result.object.objectType = '0x3::staking_pool'
    }),
    'an object of an owner that is none': altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects }) => {
      for (const { result } of objects)
        if (result.oneofKind === 'object') result.object.owner = { kind: GrpcTypes.Owner_OwnerKind.ADDRESS, address: '0x' }
    }),
    'entries that cannot be read': altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects }) => {
      for (const object of objects) object.result = { oneofKind: 'error', error: { code: INTERNAL, message: 'disk', details: [] } }
    }),
    'a simulation without effects': altered(
      'SimulateTransaction',
      GrpcTypes.SimulateTransactionResponse,
      ({ transaction }) => void delete transaction!.effects,
    ),
    'half a message': () =>
      Promise.resolve(new Response(Buffer.from('00000000020a2080000000100d677270632d7374617475733a20300d0a', 'hex'), { headers: types })),
    ...Object.fromEntries(
      [1, 2, 4, 7, 8, 12, 13, 14, 15, 16].map((code) => [`the status ${code}`, () => Promise.resolve(status(code, 'a bad day'))]),
    ),
  }
  const honest = (await client.get(`/staking-balance/${player.wallet.address}`)).json
  for (const [name, fail] of Object.entries(failures)) {
    let failed = 0
    upstream.interfere((call, pass) => {
      const answer = call.url.startsWith(bad) ? fail(call, pass) : null
      if (answer) failed++
      return answer
    })
    const service = await stage.serve({ endpoints: [bad, rpcUrl] })
    const caller = await service.client()
    const answers = [
      await caller.get('/staking-info'),
      await caller.get(`/staking-balance/${player.wallet.address}`),
      await caller.post('/action/stake', player.body({ amount: 1 })),
      await caller.post('/action/unstake', player.body({ staked_sui_object_id: id })),
    ]
    upstream.interfere(null)
    t.same([answers.map((answer) => answer.status), failed > 0], [[200, 200, 200, 200], true], name)
    t.same(answers[1]!.json, honest, `${name}: the position`)
    await service.close()
  }
})

t.test('a node of another chain, or one that is behind, does not make a position seem gone', async (t) => {
  const player = await stage.player()
  for (const [change, status, code] of [
    [{ chainId: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' }, 502, 'UPSTREAM_OTHER_CHAIN'],
    [{ timestamp: { seconds: 1n, nanos: 0 } }, 503, 'UPSTREAM_BEHIND'],
    [{}, 400, 'STAKE_NOT_FOUND'],
  ] as const) {
    upstream.interfere(altered('GetServiceInfo', GrpcTypes.GetServiceInfoResponse, (info) => void Object.assign(info, change)))
    const answer = await player.craft('unstake', { staked_sui_object_id: `0x${'12'.repeat(32)}` })
    const { status: balance } = await client.get(`/staking-balance/${player.wallet.address}`)
    upstream.interfere(null)
    t.same([answer.status, answer.code], [status, code])
    t.equal(balance, status === 400 ? 200 : status, 'one rule for reads and crafts')
  }
})

t.test('an object without an owner is an answer of another form', async (t) => {
  const player = await stage.player()
  await player.act('stake', { amount: 2 })
  const { id } = (await player.position()).objects![0]!
  const { ADDRESS, OBJECT, CONSENSUS_ADDRESS } = GrpcTypes.Owner_OwnerKind
  for (const owner of [undefined, { kind: ADDRESS }, { kind: OBJECT }, { kind: CONSENSUS_ADDRESS }]) {
    upstream.interfere(
      altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects: [object] }) => {
        if (object?.result.oneofKind === 'object') Object.assign(object.result.object, { owner })
      }),
    )
    const answer = await player.craft('unstake', { staked_sui_object_id: id })
    upstream.interfere(null)
    t.same([answer.status, answer.code], [502, 'UPSTREAM_ERROR'])
  }
})

t.test('a simulation that returns too few or too many bytes told nothing', async (t) => {
  const player = await stage.player()
  const validator = chain().move.validator('fermata').address
  await stakes(player, [9_000_000_000n], validator)
  await player.advance({ epochs: 2 })
  chain().leaves(validator)
  await player.advance({ epochs: 1 })
  for (const bytes of [0, 7, 33]) {
    upstream.interfere(
      altered('SimulateTransaction', GrpcTypes.SimulateTransactionResponse, ({ commandOutputs }) => {
        for (const { returnValues } of commandOutputs) returnValues[0]!.value!.value = new Uint8Array(bytes)
      }),
    )
    const { staked, rewards, objects } = await player.position()
    upstream.interfere(null)
    t.same([staked, rewards, objects![0]!.validator], ['9', null, null], `${bytes} bytes`)
  }
  t.match((await player.position()).objects, [{ validator }])
})
