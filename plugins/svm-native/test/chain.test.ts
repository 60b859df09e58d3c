import { type Player, startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { layouts } from '@svc/intent-svm-native'
import { observe } from '@svc/sandbox'
import { Keypair, PublicKey, StakeProgram, SystemProgram } from '@svc/solana'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import { leastStake } from '../src/chain/least-stake.ts'
import plugin from '../src/index.ts'
import { poke } from './chain.ts'

const SOL = 1_000_000_000n
const RENT = 2_282_880n

const { scenario: observed, chain } = observe(scenario)
const stage = await startStage({ plugin, scenario: observed, family: svmFamily })
t.teardown(() => stage.close())
const vote = String(stage.world.settings.validator)

const kit = plugin.protocol.kit
const decoded = (unsigned: unknown) => kit.decode(unsigned as never, { signers: [], calls: [], layouts }, {} as never, {})
const accountMade = (unsigned: unknown) =>
  String(decoded(unsigned).calls.find(({ method }: { method: string }) => method.startsWith('System.Create'))!.args.newAccount)

/** A fresh wallet with one stake account. */
async function staked(amount: number | string = 10, members: object = {}): Promise<{ player: Player; stake: string }> {
  const player = await stage.player()
  const { unsigned } = await player.act('stake', { amount: exactNumber(String(amount)), ...members })
  return { player, stake: accountMade(unsigned) }
}

async function deactivated(amount = 10): Promise<{ player: Player; stake: string }> {
  const { player, stake } = await staked(amount)
  await player.act('unstake', { stake_account_address: stake })
  return { player, stake }
}

for (const sign of [true, false])
  t.test(`every lamport of a stake comes back but the fees, with sign ${sign}`, async (t) => {
    const player = await stage.player()
    const { address } = player.wallet
    let expected = await chain().balance(address)
    const pay = async (action: string, members: object) => {
      const { unsigned } = await player.act(action, { ...members })
      expected -= decoded(unsigned).maxFee
      return unsigned
    }
    const unsigned = await pay('stake', { amount: exactNumber('12.345678901'), sign })
    const stake_account_address = accountMade(unsigned)
    t.equal(decoded(unsigned).signers!.length, sign ? 2 : 1)
    expected -= 12_345_678_901n + RENT
    t.equal(await chain().balance(address), expected, 'the wallet paid amount, rent and fee')
    await player.advance({ epochs: 2 })
    await pay('unstake', { stake_account_address })
    await player.advance({ epochs: 1 })
    const whole = await chain().balance(stake_account_address)
    t.ok(whole > 12_345_678_901n + RENT, 'it has earned')
    await pay('withdraw', { stake_account_address, amount: exactNumber('1.000000001') })
    await pay('withdraw', { stake_account_address })
    t.equal(await chain().balance(address), expected + whole)
    t.equal(chain().account(stake_account_address), undefined)
  })

t.test('a stake account is derived from the wallet by a seed that nobody foresees', async (t) => {
  const player = await stage.player()
  const seeds = new Set<unknown>()
  for (let i = 0; i < 3; i++) {
    const { json } = await player.craft('stake', { amount: 1, sign: false })
    const [made] = decoded(json).calls
    const { seed, newAccount } = made!.args
    seeds.add(seed)
    const derived = await PublicKey.createWithSeed(new PublicKey(player.wallet.address), String(seed), StakeProgram.programId)
    t.equal(newAccount, derived.toBase58())
  }
  t.equal(seeds.size, 3)
})

t.test('a key that a stake account is made with is never logged, and another each time', async (t) => {
  const made = new Set<string>()
  const { fromSecretKey } = Keypair
  const keys: Keypair[] = []
  Keypair.fromSecretKey = (...given) => {
    const key = fromSecretKey.apply(Keypair, given)
    keys.push(key)
    return key
  }
  t.teardown(() => {
    Keypair.fromSecretKey = fromSecretKey
  })
  const player = await stage.player()
  for (let i = 0; i < 3; i++) made.add(accountMade((await player.craft('stake', { amount: 1 })).json))
  // One that is refused, after its key was made.
  await player.craft('stake', { amount: 1_000_000 })
  t.equal(made.size, 3)
  t.ok(keys.length >= 3)
  const log = JSON.stringify(stage.service.log)
  for (const { secretKey } of keys) {
    const seed = Buffer.from(secretKey.subarray(0, 32))
    const spellings = [seed.toString('hex'), seed.toString('base64').slice(0, 42), new PublicKey(seed).toBase58(), [...seed].join(',')]
    for (const spelling of spellings) t.notOk(log.includes(spelling))
  }
})

t.test('once rent is known, a craft takes one round trip where the chain shapes no byte', async (t) => {
  const { player, stake } = await staked()
  for (const [action, body] of [
    ['stake', { amount: 1 }],
    ['stake', { amount: 1, sign: false }],
    ['unstake', { stake_account_address: stake }],
  ] as const) {
    const { result, usage } = await stage.upstream.measure(() => player.craft(action, body))
    t.equal(result.status, 200, result.text)
    t.equal(usage.waves, 1, `${action} in ${usage.calls} calls`)
  }
})

t.test('nonce accounts are made one after the other, at addresses that anybody can derive', async (t) => {
  const player = await stage.player()
  const wallet = new PublicKey(player.wallet.address)
  for (let i = 0; i < 2; i++) {
    const address = await PublicKey.createWithSeed(wallet, `nonce:${i}`, SystemProgram.programId)
    const { json } = await player.craft('create-nonce-account')
    t.equal(accountMade(json), address.toBase58(), 'the same until it has landed')
    const { unsigned } = await player.act('create-nonce-account')
    t.equal(accountMade(unsigned), address.toBase58())
    t.equal(chain().account(address.toBase58())?.lamports, 1_447_680n)
  }
  // Lamports that somebody sends to the next address do not stand in the way.
  await chain().fund((await PublicKey.createWithSeed(wallet, 'nonce:2', SystemProgram.programId)).toBase58(), 1_000_000n)
  const fourth = await PublicKey.createWithSeed(wallet, 'nonce:3', SystemProgram.programId)
  t.equal(accountMade((await player.craft('create-nonce-account')).json), fourth.toBase58())
})

t.test('with a durable nonce a transaction can be signed long after it was crafted, and only the first of two lands', async (t) => {
  const { player, stake } = await staked()
  const { unsigned } = await player.act('create-nonce-account')
  const nonce_account_address = accountMade(unsigned)
  await chain().mine(5)
  const members = { stake_account_address: stake, nonce_account_address }
  const first = (await player.craft('unstake', members)).json
  const second = (await player.craft('stake', { amount: 1, nonce_account_address })).json
  t.match(decoded(first).calls[0], { method: /^System\.AdvanceNonceAccount/, args: { nonceAccount: nonce_account_address } })
  t.equal(decoded(first).terms.nonce, decoded(second).terms.nonce)

  const late = (await player.craft('unstake', { stake_account_address: stake })).json
  await chain().mine(400)
  t.match(await send(player, late), { status: 400, code: 'TRANSACTION_EXPIRED' }, 'without one it has expired')
  t.equal((await send(player, first)).status, 200)
  await chain().mine(5)
  t.equal((await send(player, second)).status, 400, 'the nonce has been used')
})

async function send(player: Player, unsigned: unknown) {
  const body = await svmFamily.sign(unsigned as never, player.wallet as never)
  const prepared = await player.client.post('/action/prepare', body)
  return prepared.status === 200 ? player.client.post('/action/broadcast', prepared.json) : prepared
}

t.test('what belongs to somebody else is refused by name', async (t) => {
  const { stake, player: owner } = await staked()
  const { unsigned } = await owner.act('create-nonce-account')
  await chain().mine(5)
  const player = await stage.player()
  const own = (await player.act('stake', { amount: 1 })).unsigned
  const unstake = await player.craft('unstake', { stake_account_address: stake })
  t.match(unstake.json, { statusCode: 400, code: 'AUTHORITY_OTHER', error: new RegExp(owner.wallet.address) })
  t.match((await player.craft('withdraw', { stake_account_address: stake })).json, { statusCode: 400, code: 'AUTHORITY_OTHER' })
  const nonced = await player.craft('unstake', { stake_account_address: accountMade(own), nonce_account_address: accountMade(unsigned) })
  t.match(nonced.json, { statusCode: 400, code: 'NONCE_ACCOUNT_INVALID', error: new RegExp(owner.wallet.address) })
})

t.test('an address that nobody can sign for is refused as a wallet, and has a balance', async (t) => {
  const [derived] = PublicKey.findProgramAddressSync([Buffer.from('x')], SystemProgram.programId)
  const answer = await stage.client.post('/action/stake', { wallet_address: derived.toBase58(), amount: 1 })
  t.match(answer.json, { statusCode: 400, code: 'WALLET_CANNOT_SIGN' })
  const balance = await stage.client.get(`/staking-balance/${derived.toBase58()}`)
  t.same([balance.status, (balance.json as { staking_objects: unknown }).staking_objects], [200, []])
})

t.test('a stake account with another validator is unstaked and withdrawn as well', async (t) => {
  const { vote: elsewhere } = await chain().createValidator({ name: 'elsewhere', commissionBps: 0 })
  const { player, stake } = await staked()
  await player.advance({ epochs: 1 })
  poke(chain(), stake, (data) => data.set(new PublicKey(elsewhere).toBytes(), 124))
  await player.expect('it is in the balance', { objects: [{ id: stake, validator: elsewhere, status: 'active' }] })
  await player.act('unstake', { stake_account_address: stake })
  await player.advance({ epochs: 1 })
  await player.act('withdraw', { stake_account_address: stake })
  await player.expect('it is gone', { objects: [] })
  t.same(failures(player), [])
})

t.test('a lockup holds a withdrawal until it ends, and no unstake', async (t) => {
  const { player, stake } = await staked()
  const { epoch, timestamp } = chain().latest()
  const lock = (unixTimestamp: number, epoch: number) =>
    poke(chain(), stake, (data) => {
      data.writeBigInt64LE(BigInt(unixTimestamp), 76)
      data.writeBigUInt64LE(BigInt(epoch), 84)
    })
  lock(0, epoch + 2)
  await player.act('unstake', { stake_account_address: stake })
  await player.refused('withdraw', { stake_account_address: stake }, 'STAKE_LOCKED')
  const whole = formatAmount(10n * SOL + RENT, 9)
  await player.expect('the balance says until when, and does not count it as withdrawable', {
    deactivating: whole,
    withdrawing: '0',
    objects: [{ status: 'deactivating', amount: whole, withdrawableEpoch: epoch + 2 }],
  })
  const told = await player.craft('withdraw', { stake_account_address: stake })
  t.match(told.sentence, new RegExp(`is locked until epoch ${epoch + 2}; it has no custodian who could free it earlier\\.`))
  const custodian = new PublicKey(new Uint8Array(32).fill(7))
  poke(chain(), stake, (data) => data.set(custodian.toBytes(), 92))
  const named = await player.craft('withdraw', { stake_account_address: stake })
  t.match(named.sentence, new RegExp(`is locked until epoch ${epoch + 2}; only its custodian ${custodian} can free it earlier\\.`))
  lock(timestamp + 86_400, 0)
  await player.refused('withdraw', { stake_account_address: stake }, 'STAKE_LOCKED')
  const ends = new Date((timestamp + 86_400) * 1000).toISOString()
  t.ok((await player.craft('withdraw', { stake_account_address: stake })).sentence.includes(`is locked until ${ends};`))
  await player.expect('by time too', { deactivating: whole, withdrawing: '0', objects: [{ status: 'deactivating', withdrawableAt: ends }] })
  lock(0, epoch)
  await player.expect('equal is free', { deactivating: '0', withdrawing: whole, objects: [{ status: 'withdrawable' }] })
  await player.act('withdraw', { stake_account_address: stake })
  t.same(failures(player), [])
})

t.test('a wallet that is the custodian of its own lockup withdraws, and the stake program agrees', async (t) => {
  const { player, stake } = await deactivated()
  const { epoch, timestamp } = chain().latest()
  poke(chain(), stake, (data) => {
    data.writeBigInt64LE(BigInt(timestamp + 86_400), 76)
    data.writeBigUInt64LE(BigInt(epoch + 2), 84)
    data.set(new PublicKey(player.wallet.address).toBytes(), 92)
  })
  const whole = formatAmount(10n * SOL + RENT, 9)
  const free = { status: 'withdrawable', amount: whole, withdrawableEpoch: epoch, withdrawableAt: null }
  await player.expect('nothing holds it back', { deactivating: '0', withdrawing: whole, objects: [free] })
  const { unsigned } = await player.act('withdraw', { stake_account_address: stake, amount: 4 })
  t.match(decoded(unsigned).calls, [{ args: { custodian: player.wallet.address } }])
  await player.act('withdraw', { stake_account_address: stake })
  await player.expect('all of it is out', { objects: [] })
  t.same(failures(player), [])
})

t.test("a signature that is in its place already may be sent along, and nobody else's", async (t) => {
  const player = await stage.player()
  const { json } = await player.craft('stake', { amount: 1 })
  const signed = (await svmFamily.sign(json as never, player.wallet as never)) as unknown as {
    unsigned_tx_hex: string
    signatures: string[]
  }
  const own = signed.unsigned_tx_hex.slice(2 + 128, 2 + 256)
  const prepare = (...signatures: string[]) => player.client.post('/action/prepare', { ...signed, signatures })
  const [wallets] = signed.signatures as [string]
  const [alone, both, turned] = [await prepare(wallets), await prepare(wallets, own), await prepare(own, wallets)]
  t.equal(alone.status, 200)
  t.same([both.json, turned.json], [alone.json, alone.json])
  t.match((await prepare(own)).json, { code: 'SIGNATURE_MISSING' })
  for (const twice of [
    [own, own],
    [wallets, wallets],
    [wallets, own, own],
  ])
    t.match((await prepare(...twice)).json, { statusCode: 400, code: 'SIGNATURE_INVALID', error: /unexpected extra signature/ })
})

t.test('a nonce account gives its rent back to its authority, of whatever version it is', async (t) => {
  const player = await stage.player()
  const { unsigned } = await player.act('create-nonce-account')
  const account_address = accountMade(unsigned)
  const other = accountMade((await player.act('create-nonce-account')).unsigned)
  await chain().mine(5)
  const before = await chain().balance(player.wallet.address)
  const stranger = await stage.player()
  t.match((await stranger.craft('close-nonce-account', { account_address })).json, {
    statusCode: 400,
    code: 'NONCE_ACCOUNT_INVALID',
    error: new RegExp(`account_address ${account_address} can be used by ${player.wallet.address} only`),
  })
  const same = await player.craft('close-nonce-account', { account_address, nonce_account_address: account_address })
  t.match(same.json, { statusCode: 400, code: 'NONCE_ACCOUNT_INVALID', error: /cannot be used for it/ })
  const first = await player.act('close-nonce-account', { account_address, nonce_account_address: other })
  t.equal(chain().account(account_address), undefined)
  await chain().mine(5)
  poke(chain(), other, (data) => data.writeUInt32LE(0))
  t.match((await player.craft('stake', { amount: 1, nonce_account_address: other })).json, { error: /old version/ })
  const second = await player.act('close-nonce-account', { account_address: other })
  const fees = decoded(first.unsigned).maxFee + decoded(second.unsigned).maxFee
  t.equal(await chain().balance(player.wallet.address), before + 2n * 1_447_680n - fees)
  t.same(failures(player), [])
})

t.test('an account that was never delegated can be withdrawn, and not unstaked', async (t) => {
  const { player, stake } = await staked()
  poke(chain(), stake, (data) => data.fill(0, 124).writeUInt32LE(1))
  const all = formatAmount(10n * SOL + RENT, 9)
  await player.expect('all of it is withdrawable', {
    staked: '0',
    withdrawing: all,
    objects: [{ id: stake, status: 'withdrawable', amount: all, validator: null, activationEpoch: null, withdrawableEpoch: null }],
  })
  await player.refused('unstake', { stake_account_address: stake }, 'STAKE_NOT_DELEGATED')
  await player.act('withdraw', { stake_account_address: stake, amount: 4 })
  await player.act('withdraw', { stake_account_address: stake })
  t.same(failures(player), [])
})

t.test('lamports that came by can be withdrawn from an active account, and not one more', async (t) => {
  const { player, stake } = await staked()
  await player.advance({ epochs: 1 })
  await chain().fund(stake, 3n * SOL)
  await player.expect('they are not staked', { staked: '10', objects: [{ amount: '10' }] })
  await player.refused('withdraw', { stake_account_address: stake, amount: exactNumber('3.000000001') }, 'STAKE_NOT_DEACTIVATED')
  await player.refused('withdraw', { stake_account_address: stake }, 'STAKE_NOT_DEACTIVATED')
  const told = await player.craft('withdraw', { stake_account_address: stake, amount: 4 })
  t.match(told.sentence, /3 SOL of it is not staked/)
  await player.act('withdraw', { stake_account_address: stake, amount: 3 })
  await player.expect('the stake is untouched', { staked: '10', objects: [{ amount: '10', status: 'active' }] })
  t.same(failures(player), [])
})

t.test('a refusal offers nothing that the next request refuses: tips below the least part leave with the rest', async (t) => {
  const { player, stake } = await staked()
  await player.advance({ epochs: 1 })
  await chain().fund(stake, SOL - 1n)
  const told = await player.craft('withdraw', { stake_account_address: stake })
  t.match(told.sentence, /0.999999999 SOL of it is not staked, and leaves with the rest: a part is 1 SOL at least\./)
  await chain().fund(stake, 1n)
  t.match(
    (await player.craft('withdraw', { stake_account_address: stake })).sentence,
    /1 SOL of it is not staked and can be withdrawn now\./,
  )
  await player.act('withdraw', { stake_account_address: stake, amount: 1 })
  await player.act('unstake', { stake_account_address: stake })
  await player.advance({ epochs: 1 })
  const whole = await chain().balance(stake)
  await player.act('withdraw', { stake_account_address: stake, amount: exactNumber(formatAmount(whole - RENT - SOL + 1n, 9)) })
  const rest = await player.craft('withdraw', { stake_account_address: stake, amount: 1 })
  t.match(rest.json, {
    code: 'REMAINDER_TOO_SMALL',
    error: /below the rent reserve of 0.00228288 SOL\. Leave amount out to withdraw everything\./,
  })
  t.same(failures(player), [])
})

t.test('what a rent was is not what refuses: after a rise the next craft has the new one, after a fall none is refused', async (t) => {
  const rent = (lamports_per_byte: number) => stage.world.operate('rent', { lamports_per_byte })
  await rent(5080)
  const { player, stake } = await deactivated()
  const amount = exactNumber(formatAmount((await chain().balance(stake)) - 1_500_000n, 9))
  await player.refused('withdraw', { stake_account_address: stake, amount }, 'REMAINDER_TOO_SMALL')
  await rent(2575)
  await player.act('withdraw', { stake_account_address: stake, amount })
  t.equal((await player.craft('create-nonce-account')).status, 200, 'its rent is remembered')
  await rent(6333)
  const short = await player.craft('create-nonce-account')
  t.match(short.json, {
    statusCode: 400,
    code: 'INSUFFICIENT_BALANCE',
    error: /: an account .* would hold less than its rent, .*; craft again/,
  })
  await player.act('create-nonce-account')
  await rent(6960)
  t.same(failures(player), [])
})

t.test('what would be left below the rent reserve is refused to the lamport', async (t) => {
  const { player, stake } = await deactivated()
  const short = formatAmount(10n * SOL + 1n, 9)
  const answer = await player.craft('withdraw', { stake_account_address: stake, amount: exactNumber(short) })
  t.match(answer.json, { statusCode: 400, code: 'REMAINDER_TOO_SMALL', error: /Withdraw 10 SOL at most/ })
  await player.act('withdraw', { stake_account_address: stake, amount: 10 })
  await player.expect('exactly the reserve may stay', { withdrawing: formatAmount(RENT, 9) })
  await player.act('withdraw', { stake_account_address: stake })
  t.same(failures(player), [])
})

t.test('a wallet that cannot pay the fee is refused, and so is one that would be left with crumbs', async (t) => {
  const { player, stake } = await staked()
  const { address } = player.wallet
  chain().setAccount(address, { lamports: 890_880n + 4_999n })
  await player.refused('unstake', { stake_account_address: stake }, 'INSUFFICIENT_BALANCE')
  chain().setAccount(address, { lamports: SOL })
  await player.act('unstake', { stake_account_address: stake })
  chain().setAccount(address, { lamports: 5n * SOL + RENT + 100_000n })
  await player.refused('stake', { amount: 5 }, 'INSUFFICIENT_BALANCE')
  t.same(failures(player), [])
})

t.test('while rewards are paid out every craft says when to come back', async (t) => {
  const { player, stake } = await staked()
  const { stake: gone, player: leaver } = await deactivated()
  await operate('epoch-rewards', { blocks: 1000 })
  try {
    for (const [who, action, body] of [
      [player, 'stake', { amount: 1 }],
      [player, 'unstake', { stake_account_address: stake }],
      [leaver, 'withdraw', { stake_account_address: gone }],
    ] as const) {
      const answer = await who.craft(action, body)
      t.match(answer.json, { statusCode: 503, code: 'EPOCH_REWARDS' }, action)
      t.equal(answer.headers.get('retry-after'), '60', action)
    }
    t.equal((await player.craft('create-nonce-account')).status, 200, 'a nonce account is none of it')
    t.equal((await stage.client.get(`/staking-balance/${player.wallet.address}`)).status, 200)
    t.match((await stage.client.get(`/staking-balance/${leaver.wallet.address}`)).json, { staking_objects: [{ status: 'deactivating' }] })
  } finally {
    await operate('epoch-rewards', { blocks: 0 })
  }
  await player.act('unstake', { stake_account_address: stake })
})

async function operate(name: string, body: Record<string, unknown>): Promise<void> {
  await chain().operations[name]!.run(body)
}

t.test('a crowd holds a stake up for epochs, and the balance follows it', async (t) => {
  const { player, stake } = await staked(1000)
  chain().setCluster({ effective: 10_000_000n * SOL, activating: 3_000_000n * SOL, deactivating: 3_000_000n * SOL })
  const disperse = () => chain().setCluster({ effective: 400_000_000n * SOL, activating: 1_000_000n * SOL, deactivating: 1_000_000n * SOL })
  t.teardown(disperse)
  await player.advance({ epochs: 1 })
  const { activating } = await player.position()
  await player.expect('a part of it works, and the whole is activating', {
    staked: '0',
    objects: [{ status: 'activating', amount: activating }],
  })
  await player.refused('withdraw', { stake_account_address: stake }, 'STAKE_NOT_DEACTIVATED')
  await player.act('unstake', { stake_account_address: stake })
  await player.advance({ epochs: 1 })
  const left = { status: 'deactivating', withdrawableEpoch: chain().latest().epoch + 1 }
  await player.expect('part of what worked cools down still', { objects: [left] })

  // What has cooled down is there to be taken, and the stake program agrees to a lamport how much that is.
  const refused = await player.craft('withdraw', { stake_account_address: stake })
  t.match(refused.json, { code: 'STAKE_NOT_DEACTIVATED', error: /still cooling down/ })
  const spare = parseAmount(/ ([\d.]+) SOL of it is not staked/.exec(refused.sentence)![1]!, 9)
  const part = (lamports: bigint) => ({ stake_account_address: stake, amount: exactNumber(formatAmount(lamports, 9)) })
  await player.refused('withdraw', part(spare + 1n), 'STAKE_NOT_DEACTIVATED')
  await player.act('withdraw', part(spare - 1n))
  await player.expect('the rest goes on', { objects: [left] })
  disperse()
  await player.advance({ epochs: 1 })
  await player.act('withdraw', { stake_account_address: stake })
  await player.expect('until all of it is out', { objects: [] })
  t.same(failures(player), [])
})

t.test("the chain's own minimum is asked for, and left to the simulation where a node does not tell it", async (t) => {
  const player = await stage.player()
  const body = player.body({ amount: exactNumber('1.5') })
  for (const [answer, status, code] of [
    [{ result: { context: { slot: 1 }, value: 2_000_000_000 } }, 400, 'AMOUNT_TOO_SMALL'],
    [{ error: { code: -32_601, message: 'Method not found' } }, 200, undefined],
  ] as const) {
    const service = await stage.serve()
    stage.upstream.interfere(({ body: asked }) => {
      const { id, method } = JSON.parse(asked) as { id: unknown; method: string }
      return method === 'getStakeMinimumDelegation' ? Promise.resolve(Response.json({ jsonrpc: '2.0', id, ...answer })) : null
    })
    const crafted = await (await service.client()).post('/action/stake', body)
    stage.upstream.interfere(null)
    await service.close()
    t.same([crafted.status, crafted.code], [status, code], crafted.text)
  }
})

t.test("the chain's own minimum is asked for again after ten minutes", async (t) => {
  const ctx = stage.connect()
  let [asked, at] = [0, Date.now()]
  const rpc = (...given: Parameters<typeof ctx.client.rpc>) => {
    asked++
    return ctx.client.rpc(...given)
  }
  const watched = { ...ctx, client: { ...ctx.client, rpc }, memo: {}, now: () => new Date(at) }
  for (const [ms, times] of [
    [0, 1],
    [590_000, 1],
    [11_000, 2],
  ] as const) {
    at += ms
    t.equal(await leastStake(watched as never), SOL)
    t.equal(asked, times)
  }
})

t.test('a node that cannot search accounts is told apart from one that is down', async (t) => {
  const { player, stake } = await staked()
  await operate('program-accounts', { on: false })
  t.teardown(() => operate('program-accounts', { on: true }))
  const answer = await stage.client.get(`/staking-balance/${player.wallet.address}`)
  t.match(answer.json, { statusCode: 503, code: 'UPSTREAM_UNSEARCHABLE' })
  t.equal((await player.craft('unstake', { stake_account_address: stake })).status, 200, 'actions need no search')
  const info = await plugin.protocol.info(stage.connect())
  t.match(info, { users: undefined, rewardFeePercent: 5 }, 'and terms only the count of users')
})

t.test('delegators of whom one answer would be too long are counted by parts, over several refreshes and a restart', async (t) => {
  for (let wallets = 0; wallets < 3; wallets++) await staked(2)
  const again = await staked(2)
  await again.player.act('stake', { amount: exactNumber('3') })
  const ctx = stage.connect()
  const whole = await plugin.protocol.info(ctx)
  t.ok(whole.users! >= 5, `${whole.users}`)
  t.notOk(whole.unfinished)

  // The voter's filter, and none for the owner's first byte: all of them in one answer.
  let searches = 0
  stage.upstream.interfere(({ body }) => {
    if (!/getProgramAccounts/.test(body) || !body.includes(vote)) return null
    searches++
    return /"offset":44,"bytes"|"bytes":"\w{1,2}","offset":44/.test(body)
      ? null
      : Promise.resolve(new Response('too much', { status: 413 }))
  })
  const fresh = stage.connect()
  let info = await plugin.protocol.info(fresh)
  t.equal(info.users, undefined, 'one failure may be a passing one')
  info = await plugin.protocol.info(fresh)
  t.same([info.users, info.unfinished], [null, true], 'null until all parts are counted')
  // Each on what was kept alone, as after a restart: the first refresh made 8 parts.
  for (let refreshes = 1; refreshes < 32; refreshes++) {
    info = await plugin.protocol.info({ ...fresh, memo: {} })
    if (refreshes < 31) t.same([info.users, info.unfinished], [null, true])
  }
  t.same([info.users, info.unfinished], [whole.users, false], 'and then they are as many as in one answer')
  t.equal(searches, 2 + 256)
  t.equal((await plugin.protocol.info(ctx)).users, undefined)
  info = await plugin.protocol.info(ctx)
  t.same([info.users, info.unfinished], [whole.users, true], 'where a count is known it is shown until the next one is whole')
  stage.upstream.interfere(null)
})

t.test('staking-info is measured', async (t) => {
  await stage.client.get('/staking-info')
  const ctx = stage.connect()
  const info = await plugin.protocol.info(ctx)
  t.match(info, {
    withdrawalMinutes: 0,
    rewardFeePercent: 5,
    withdrawalFeePercent: 0,
    maxSlashingPercent: 0,
    minStake: SOL,
    maxStake: null,
  })
  // 432,000 slots of 350 ms, of which a sample counts the whole ones.
  t.ok(info.activationMinutes! >= 2520 && info.activationMinutes! < 2535, `${info.activationMinutes}`)
  t.equal(info.deactivationMinutes, info.activationMinutes)
  t.ok(info.aprPercent! > 0 && info.apyPercent! > info.aprPercent! && info.apyPercent! < 50, `${info.aprPercent} ${info.apyPercent}`)
  t.ok(info.tvl! >= 250_000n * SOL, `${info.tvl}`)
  t.ok(info.users! >= 1, `${info.users}`)
})

t.test('users are counted once each, while their stake works', async (t) => {
  const count = async () => (await plugin.protocol.info(stage.connect())).users!
  const before = await count()
  const { player, stake } = await staked()
  await player.act('stake', { amount: 1 })
  t.equal(await count(), before + 1, 'two accounts of one wallet are one user')
  await player.act('unstake', { stake_account_address: stake })
  t.equal(await count(), before + 1)
  const { objects } = await player.position()
  for (const { id, status } of objects!) if (status === 'activating') await player.act('unstake', { stake_account_address: id })
  t.equal(await count(), before, 'and none when all of it was deactivated')
})

t.test('an inspection finds a setting that is no validator, and one that pays nothing', async (t) => {
  await t.resolves(inspectWith(vote))
  await t.rejects(inspectWith(Keypair.generate().publicKey.toBase58()), { code: 'SETTINGS_INVALID', message: /does not exist/ })
  const greedy = await chain().createValidator({ name: 'greedy', commissionBps: 10_000 })
  await t.rejects(inspectWith(greedy.vote), { message: /commission of 100 %/ })
  await chain().fund(greedy.identity, SOL)
  await t.rejects(inspectWith(greedy.identity), { message: /no vote account: it belongs to the program 1{32}.*identity/ })
})

t.test('a validator that does not vote is found by an inspection, and earns nothing', async (t) => {
  await operate('validator', { vote, delinquent: true })
  t.teardown(() => operate('validator', { vote, delinquent: false }))
  await t.rejects(inspectWith(vote), { code: 'SETTINGS_INVALID', message: /delinquent/ })
  t.match(await plugin.protocol.info(stage.connect()), { aprPercent: 0, apyPercent: 0, rewardFeePercent: 5 })
  const player = await stage.player()
  t.match((await player.craft('stake', { amount: 1 })).json, {
    statusCode: 400,
    code: 'VALIDATOR_INACTIVE',
    error: new RegExp(`validator ${vote} is delinquent: .*; unstake and withdraw work all the same`),
  })
})

async function inspectWith(validator: string): Promise<void> {
  const ctx = stage.connect()
  await plugin.protocol.inspect({ ...ctx, network: { ...ctx.network, validator } })
}

t.test('a stake with a validator that is none is no fault of the caller', async (t) => {
  const nobody = Keypair.generate().publicKey.toBase58()
  const service = await stage.serve({ settings: { validator: nobody } })
  t.teardown(() => service.close())
  const player = await stage.player()
  const answer = await (await service.client()).post('/action/stake', player.body({ amount: 1 }))
  t.match(answer.json, { statusCode: 502, code: 'VALIDATOR_UNKNOWN' })
})

function failures(player: Player) {
  return player.check.findings.filter(({ ok }) => !ok)
}
