import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1'
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1'
import { MultiSigPublicKey } from '@mysten/sui/multisig'
import { startMoveChain } from '@svc/sandbox-move'
import { check, type Effects } from '@svc/verify'
import t, { type Test } from 'tap'
import { firstCheckpoint, type MoveDraft, move } from '../src/index.ts'
import { contextOf, refusal } from './support/node.ts'
import { keys } from './support/vectors.ts'

const SUI = 10n ** 9n
const SYSTEM = `0x${'5'.padStart(64, '0')}`
const secret = (hex: string) => Buffer.from(hex, 'hex')
const ed25519 = Ed25519Keypair.fromSecretKey(secret(keys.ed25519.secret))
const secp256k1 = Secp256k1Keypair.fromSecretKey(secret(keys.secp256k1.secret))
const secp256r1 = Secp256r1Keypair.fromSecretKey(secret(keys.secp256r1.secret))
const multisig = MultiSigPublicKey.fromPublicKeys({
  threshold: 2,
  publicKeys: [
    { publicKey: ed25519.getPublicKey(), weight: 1 },
    { publicKey: secp256k1.getPublicKey(), weight: 1 },
  ],
})
type Signer = readonly [address: string, sign: (bytes: Uint8Array) => Promise<string>]
const alone = (key: typeof ed25519 | typeof secp256k1 | typeof secp256r1): Signer => [
  key.toSuiAddress(),
  async (bytes) => (await key.signTransaction(bytes)).signature,
]
const together: Signer = [
  multisig.toSuiAddress(),
  async (bytes) =>
    multisig.combinePartialSignatures(
      await Promise.all([ed25519, secp256k1].map(async (key) => (await key.signTransaction(bytes)).signature)),
    ),
]

/** The kit on a chain of the sandbox, over a `fetch` that only puts the chain's address in. */
async function bench(t: Test, options: Parameters<typeof contextOf>[1] = {}) {
  const chain = await startMoveChain({ chainId: 'mainnet' })
  t.teardown(() => chain.close())
  const { address: validator } = await chain.createValidator({ name: 'Operator', commissionBps: 400 })
  const calls: string[] = []
  const ctx = contextOf(
    (async (url: string, init: RequestInit) => {
      const { pathname } = new URL(url)
      calls.push(pathname.split('/').at(-1)!)
      return fetch(chain.rpcUrl + pathname, init)
    }) as typeof fetch,
    options,
  )
  const craft = (draft: MoveDraft) => move.assemble(ctx, draft, move.preflight(ctx, draft.sender, {}))
  const send = async (unsigned_tx_b64: string, [, sign]: Signer) => {
    const signatures = [await sign(Buffer.from(unsigned_tx_b64, 'base64'))]
    const signed = await move.prepare(ctx, { unsigned_tx_b64, signatures })
    return { ...(await move.broadcast(ctx, signed)), signed }
  }
  return { chain, ctx, validator, calls, craft, send }
}

const staking = (sender: string, validator: string, amount: bigint): MoveDraft => ({
  sender,
  build(tx) {
    const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(amount)])
    tx.moveCall({
      target: '0x3::sui_system::request_add_stake',
      arguments: [tx.object.system({ mutable: true }), coin, tx.pure.address(validator)],
    })
  },
})
const stakingEffects = (sender: string, validator: string, amount: bigint): Effects => ({
  signers: [sender],
  calls: [
    { target: 'ptb', method: 'SplitCoins(argument coin, u64[] amounts)', args: { coin: 'GasCoin', amounts: [amount] }, value: 0n },
    {
      target: `0x${'3'.padStart(64, '0')}::sui_system`,
      method: 'request_add_stake(object system, argument stake, address validator)',
      args: { system: SYSTEM, stake: 'Result(0,0)', validator },
      value: 0n,
    },
  ],
})
const balanceOf = async (ctx: Awaited<ReturnType<typeof bench>>['ctx'], owner: string) =>
  BigInt((await ctx.client.exchange(({ sui }) => sui.getBalance({ owner }))).balance.balance)

t.test('a stake goes all the way: crafted in one wave, read back, signed by each scheme, sent, and final', async (t) => {
  const { chain, ctx, validator, calls, craft, send } = await bench(t)
  for (const signer of [alone(ed25519), alone(secp256k1), alone(secp256r1), together]) {
    const [sender] = signer
    await chain.fund(sender, 10n * SUI)
    calls.length = 0
    const { unsigned, terms } = await craft(staking(sender, validator, 2n * SUI))
    t.same(calls.toSorted(), ['GetServiceInfo', 'SimulateTransaction'])
    const effects = stakingEffects(sender, validator, 2n * SUI)
    const decoded = move.decode(unsigned, effects, ctx.network, terms)
    t.same(check(decoded, effects, { chainId: 'mainnet', maxFee: ctx.network.maxFee, terms }), [])
    t.equal(terms.expiration, 'valid-during:1000-1001:0')
    t.equal(decoded.chainId, 'mainnet')
    calls.length = 0
    const { tx_hash, signed } = await send(unsigned.unsigned_tx_b64, signer)
    t.same(calls.toSorted(), ['ExecuteTransaction', 'GetServiceInfo'], 'prepare asks nothing')
    t.same(await move.broadcast(ctx, signed), { tx_hash }, 'sent again it is the same')
    const { response } = await ctx.client.exchange(({ sui }) =>
      sui.ledgerService.getTransaction({ digest: tx_hash, readMask: { paths: ['digest', 'effects.status'] } }),
    )
    t.equal(response.transaction?.effects?.status?.success, true)
    t.ok((await balanceOf(ctx, sender)) < 8n * SUI)
  }
})

t.test('what is not in coins is staked too, and the terms say what the node chose', async (t) => {
  const { chain, ctx, validator, craft, send } = await bench(t)
  const [sender] = alone(ed25519)
  await chain.fundAddressBalance(sender, 5n * SUI)
  for (const [name, amount] of [
    ['address balance only', 2n * SUI],
    ['address balance and a coin', 4n * SUI],
  ] as const) {
    const { unsigned, terms } = await craft(staking(sender, validator, amount))
    const effects = stakingEffects(sender, validator, amount)
    t.same(
      check(move.decode(unsigned, effects, ctx.network, terms), effects, { chainId: 'mainnet', maxFee: ctx.network.maxFee, terms }),
      [],
      name,
    )
    t.match(String(terms.expiration), /^valid-during:1000-1001:\d+$/)
    await send(unsigned.unsigned_tx_b64, alone(ed25519))
    await chain.fund(sender, 3n * SUI)
  }
})

t.test('a craft on a node without its index says what the node lacks, and how to switch it on', async (t) => {
  const { chain, ctx, validator, craft } = await bench(t)
  const [sender] = alone(ed25519)
  await chain.fund(sender, 10n * SUI)
  await chain.operations.index!.run({ on: false })
  t.match(await refusal(craft(staking(sender, validator, 2n * SUI))), {
    status: 502,
    code: 'NODE_WITHOUT_INDEX',
    message: /^The chain's node keeps no index of what owners have.*`enable-indexing: true` under `rpc` of its fullnode\.yaml\.$/,
  })
  const probe = move.requirements!.find(({ name }) => name === 'objects of an owner')!
  t.equal(await probe.probe({ ...ctx, upstream: undefined as never }), 'ListOwnedObjects: NOT_FOUND')
  t.equal(await ctx.client.exchange((node) => firstCheckpoint(node, 1000n)), null, 'when the epoch began is in the index, too')
  await chain.operations.index!.run({ on: true })
  t.ok(await craft(staking(sender, validator, 2n * SUI)))
})

t.test('ten thousand dust coins that anybody sends stop neither a stake nor its following', async (t) => {
  const { chain, ctx, validator, craft, send } = await bench(t)
  const signer = alone(ed25519)
  const [sender] = signer
  await chain.giveCoins(sender, 5_000, 1n)
  await chain.fund(sender, 10n * SUI)
  await chain.giveCoins(sender, 5_000, 1n)
  const { unsigned, terms } = await craft(staking(sender, validator, 9n * SUI))
  const effects = stakingEffects(sender, validator, 9n * SUI)
  t.same(check(move.decode(unsigned, effects, ctx.network, terms), effects, { chainId: 'mainnet', maxFee: ctx.network.maxFee, terms }), [])
  t.equal(String(terms.gasPayment).split(',').length, 255)
  t.ok(BigInt(terms.gasBudget ?? 0) < ctx.network.maxFee)
  const { tx_hash, signed } = await send(unsigned.unsigned_tx_b64, signer)
  const bounds = move.life!.bounds(signed, ctx.network)
  t.equal(bounds.facts.objects?.split(',').length, 255)
  const seen = await move.life!.look(ctx, { txHash: tx_hash, bounds, keep: null, accepted: true, firstSeen: ctx.now() })
  t.match(seen, { status: 'final' })
})

t.test('two crafts in a row share their coins: the second one is stale, and says so', async (t) => {
  const { chain, validator, craft, send } = await bench(t)
  const signer = alone(ed25519)
  await chain.fund(signer[0], 10n * SUI)
  const [one, two] = [await craft(staking(signer[0], validator, SUI)), await craft(staking(signer[0], validator, 2n * SUI))]
  await send(one.unsigned.unsigned_tx_b64, signer)
  t.match(await refusal(send(two.unsigned.unsigned_tx_b64, signer)), {
    status: 400,
    code: 'TRANSACTION_STALE',
    message: /before you craft another/,
  })
  const again = await craft(staking(signer[0], validator, 2n * SUI))
  await send(again.unsigned.unsigned_tx_b64, signer)
})

t.test('what the chain would refuse is refused when it is crafted', async (t) => {
  const { chain, validator, craft } = await bench(t)
  const [sender] = alone(ed25519)
  t.match(
    await refusal(craft(staking(sender, validator, SUI))),
    { status: 400, code: 'INSUFFICIENT_BALANCE', message: sender },
    'nothing at all',
  )
  await chain.fund(sender, SUI)
  t.match(await refusal(craft(staking(sender, validator, SUI))), { status: 400, code: 'INSUFFICIENT_BALANCE' }, 'nothing for gas')
  await chain.fund(sender, 9n * SUI)
  t.match(await refusal(craft(staking(sender, validator, SUI - 1n))), { status: 400, code: 'AMOUNT_TOO_SMALL' })
  t.match(await refusal(craft(staking(sender, `0x${'cd'.repeat(32)}`, SUI))), { status: 400, code: 'VALIDATOR_INACTIVE' })
  const missing = `0x${'33'.repeat(32)}`
  const withdrawal: MoveDraft = {
    sender,
    build: (tx) =>
      tx.moveCall({
        target: '0x3::sui_system::request_withdraw_stake',
        arguments: [tx.object.system({ mutable: true }), tx.object(missing)],
      }),
  }
  t.match(await refusal(craft(withdrawal)), { status: 400, code: 'OBJECT_NOT_FOUND', message: missing })
})

t.test('a cap below the budget is a 503', async (t) => {
  const { chain, validator, craft } = await bench(t, { maxFee: 1000n })
  const [sender] = alone(ed25519)
  await chain.fund(sender, 10n * SUI)
  t.match(await refusal(craft(staking(sender, validator, SUI))), { status: 503, code: 'FEE_ABOVE_CAP' })
})

t.test('the chain tells which it is, and its epoch moves on', async (t) => {
  const { chain, ctx, validator, calls } = await bench(t)
  t.equal(await move.identify(ctx), 'mainnet')
  const before = await ctx.client.exchange(({ systemState }) => systemState())
  t.ok(before.validators.some(({ address, commissionBps }) => address === validator && commissionBps === 400n))
  await chain.advance({ epochs: 1 })
  calls.length = 0
  const after = await ctx.client.exchange(({ systemState }) => systemState())
  t.equal(after.epoch, before.epoch + 1n)
  t.equal(await ctx.client.exchange(({ systemState }) => systemState()), after)
  t.same(calls, ['GetServiceInfo', 'GetEpoch', 'GetServiceInfo'])
})

t.test('a chain that is another one is noticed before anything is crafted', async (t) => {
  const { chain, validator, craft } = await bench(t, { chainId: 'testnet' })
  const [sender] = alone(ed25519)
  await chain.fund(sender, 10n * SUI)
  t.match(await refusal(craft(staking(sender, validator, SUI))), {
    status: 502,
    code: 'UPSTREAM_OTHER_CHAIN',
    message: /mainnet instead of testnet/,
  })
})

t.test('a node that names validators binds nobody to them', async (t) => {
  const { chain, ctx, validator, craft, send } = await bench(t)
  const signer = alone(ed25519)
  const [sender] = signer
  chain.node.knobs.restrictProposers = true
  await chain.fund(sender, 10n * SUI)
  const coins = await craft(staking(sender, validator, 2n * SUI))
  t.match(String(coins.terms.expiration), /^valid-during:1000-1001:\d+$/)
  await chain.advance({ epochs: 1 })
  await send(coins.unsigned.unsigned_tx_b64, signer)
  await chain.advance({ epochs: 2 })

  await chain.fundAddressBalance(sender, 5n * SUI)
  const { unsigned, terms } = await craft(staking(sender, validator, 10n * SUI))
  t.match(String(terms.expiration), /^valid-during:1003-1004:\d+$/)
  const effects = stakingEffects(sender, validator, 10n * SUI)
  t.same(check(move.decode(unsigned, effects, ctx.network, terms), effects, { chainId: 'mainnet', maxFee: ctx.network.maxFee, terms }), [])
  await send(unsigned.unsigned_tx_b64, signer)
})

t.test('what was crafted before the gas price rose is refused', async (t) => {
  const { chain, validator, craft, send } = await bench(t)
  const signer = alone(ed25519)
  await chain.fund(signer[0], 10n * SUI)
  const { unsigned } = await craft(staking(signer[0], validator, SUI))
  const price = chain.node.gasPrice
  chain.node.gasPrice = price * 2n
  t.match(await refusal(send(unsigned.unsigned_tx_b64, signer)), { status: 400, code: 'FEE_TOO_LOW' })
  chain.node.gasPrice = price
  await send(unsigned.unsigned_tx_b64, signer)
})

t.test('the same transaction under other signatures is final already', async (t) => {
  const { chain, ctx, validator, craft } = await bench(t)
  const any = MultiSigPublicKey.fromPublicKeys({
    threshold: 1,
    publicKeys: multisig.getPublicKeys().map(({ publicKey }) => ({ publicKey, weight: 1 })),
  })
  const sender = any.toSuiAddress()
  await chain.fund(sender, 10n * SUI)
  const { unsigned_tx_b64 } = (await craft(staking(sender, validator, SUI))).unsigned
  const bytes = Buffer.from(unsigned_tx_b64, 'base64')
  const parts = await Promise.all([ed25519, secp256k1].map(async (key) => (await key.signTransaction(bytes)).signature))
  const [one, two] = parts.map((part) => any.combinePartialSignatures([part]))
  const first = await move.broadcast(ctx, { unsigned_tx_b64, signatures: [one!] })
  t.same(await move.broadcast(ctx, { unsigned_tx_b64, signatures: [two!] }), first)
})

t.test('a node that takes nothing now, or answers nothing sound, is no refusal of the chain', async (t) => {
  const { chain, ctx, validator, craft, send } = await bench(t)
  const signer = alone(ed25519)
  await chain.fund(signer[0], 10n * SUI)
  const { unsigned } = await craft(staking(signer[0], validator, SUI))
  chain.node.knobs.force({ code: 'UNAVAILABLE', message: 'overloaded', method: 'ExecuteTransaction', left: 1 })
  t.match(await refusal(send(unsigned.unsigned_tx_b64, signer)), { status: 503, code: 'UPSTREAM_BUSY' })
  chain.node.knobs.force({ code: 'RESOURCE_EXHAUSTED', message: 'quota', method: 'SimulateTransaction', left: 1 })
  t.match(await refusal(craft(staking(signer[0], validator, SUI))), { status: 503, code: 'UPSTREAM_BUSY' })
  chain.node.knobs.force({ code: 'INTERNAL', message: 'panic', method: 'GetServiceInfo', left: 1 })
  t.match(await refusal(ctx.client.exchange(({ systemState }) => systemState())), { status: 502, code: 'UPSTREAM_ERROR' })
  await send(unsigned.unsigned_tx_b64, signer)
})
