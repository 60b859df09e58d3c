import { startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { PublicKey } from '@svc/solana'
import t from 'tap'
import { fees, stake } from '../sandbox/index.ts'
import { freeLamports } from '../src/chain/accounts.ts'
import { tokenAccountOf } from '../src/chain/derived-addresses.ts'
import { readValidators } from '../src/chain/pool.ts'
import { mostTokens, withdrawalOf } from '../src/chain/price.ts'
import plugin from '../src/index.ts'
import { onChain, stale, withDepositAuthority, withPreferredWithdraw, withWithdrawAuthority } from './chain.ts'

const SOL = 1_000_000_000n
const SOMEBODY = 'mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v'

const { scenario, chain } = onChain()
const stage = await startStage({ plugin, scenario, family: svmFamily })
t.teardown(() => stage.close())
const player = await stage.player()
await player.act('stake', { amount: 5000 })
const { address } = player.wallet
const tokens = (units: bigint) => exactNumber(formatAmount(units, 9))

/** Changes the pool's account for one test. */
const changed = (edit: (data: Buffer) => Buffer, run: () => Promise<unknown>) => chain().whileChanged(edit, run)

t.test('while the pool waits for its update it takes and pays nothing, and says when to come back', async (t) => {
  const { staked } = await player.position()
  await changed(stale(1n), async () => {
    for (const [action, amount] of [
      ['stake', 1],
      ['unstake', 1],
    ] as const) {
      const answer = await player.craft(action, { amount })
      t.match(answer.json, { statusCode: 503, code: 'POOL_UPDATING', error: /in epoch \d+; until they are brought up to date/ })
      t.equal(answer.headers.get('retry-after'), '60')
    }
    t.equal((await player.position()).staked, staked, 'a balance is served all the same')
    t.match((await player.craft('unstake', { amount: 50_000 })).json, { code: 'INSUFFICIENT_TOKENS' }, 'what is never possible comes first')
  })
})

t.test('a pool that is not open to all takes no deposits, and pays stake only', async (t) => {
  await changed(withDepositAuthority(SOMEBODY), async () => {
    const answer = await player.craft('stake', { amount: 1 })
    t.match(answer.json, { statusCode: 400, code: 'POOL_CLOSED' })
    t.ok(answer.sentence.includes(SOMEBODY), answer.sentence)
    t.equal((await player.craft('unstake', { amount: 1 })).status, 200)
  })
  await changed(withWithdrawAuthority(SOMEBODY), async () => {
    t.equal((await player.craft('stake', { amount: 1 })).status, 200)
    t.match((await player.craft('unstake', { amount: 0.5 })).json, {
      code: 'POOL_RESERVE_TOO_SMALL',
      error: `the pool pays SOL out of its reserve only with a signature of ${SOMEBODY}, which cannot be given here, so that only stake can leave.`,
    } as never)
    await player.act('unstake', { amount: 2 }, 3)
    t.equal((await chain().stakesOf(address)).length, 1)
  })
})

t.test('the reserve pays to the last lamport that it can, and the sentence says how much that is', async (t) => {
  const reserve = chain().svm.account(chain().record().reserve)!.lamports
  t.teardown(() => chain().svm.setAccount(chain().record().reserve, { lamports: reserve }))
  const free = 700_000_001n
  chain().drain(free)
  const most = mostTokens(free, fees.solWithdrawal, chain().record())
  const refused = await player.craft('unstake', { amount: tokens(most + 1n) })
  t.match(refused.json, { statusCode: 400, code: 'POOL_RESERVE_TOO_SMALL' })
  t.ok(
    refused.sentence.includes(`can pay 0.700000001 SOL now, which is an amount of ${formatAmount(most, 9)} pool tokens.`),
    refused.sentence,
  )
  await player.act('unstake', { amount: tokens(most) }, 2)
  const paid = withdrawalOf(most, fees.solWithdrawal, chain().record()).lamports
  const left = chain().svm.account(chain().record().reserve)!.lamports - 2_282_880n
  t.ok(free - paid <= 2n && left <= 2n, `${left} are left`)
})

t.test('stake leaves from 1 SOL on, to the last lamport', async (t) => {
  chain().drain(0n)
  const fewer = mostTokens(SOL - 1n, fees.stakeWithdrawal, chain().record())
  await player.refused('unstake', { amount: tokens(fewer) }, 'POOL_RESERVE_TOO_SMALL')
  await player.act('unstake', { amount: tokens(fewer + 1n) }, 3)
  const delegated = (await chain().stakesOf(address)).map(({ data }) => data.readBigUInt64LE(156))
  t.ok(
    delegated.some((lamports) => lamports >= SOL && lamports <= SOL + 1n),
    delegated.join(),
  )
  chain().drain(10n ** 12n)
})

t.test('a higher minimum of the chain holds for stake that leaves, too', async (t) => {
  chain().drain(0n)
  t.teardown(() => chain().drain(10n ** 12n))
  t.equal((await player.craft('unstake', { amount: 1.5 })).status, 200)
  stage.upstream.interfere(({ body }) => {
    const { id, method } = JSON.parse(body) as { id: unknown; method: string }
    const result = { context: { slot: 1 }, value: 2_000_000_000 }
    return method === 'getStakeMinimumDelegation' ? Promise.resolve(Response.json({ jsonrpc: '2.0', id, result })) : null
  })
  t.teardown(() => stage.upstream.interfere(null))
  const answer = await player.craft('unstake', { amount: 1.5 })
  t.match(answer.json, { statusCode: 400, code: 'POOL_RESERVE_TOO_SMALL', error: /less than the 2 SOL that a stake account must have/ })
})

t.test('tokens that are worth nothing after the fee are not burnt', async (t) => {
  const answer = await player.craft('unstake', { amount: tokens(1n) })
  t.match(answer.json, {
    statusCode: 400,
    code: 'AMOUNT_TOO_SMALL',
    error: /amount 0\.000000001 pool tokens is so little that nothing would come out/,
  })
})

t.test(
  'a reserve keeps the rent that it has written down, also when that of today is lower, and that of today when it is higher',
  async (t) => {
    const account = chain().svm.account(chain().record().reserve)!
    const reserve = { lamports: 3_000_000n, owner: account.owner, data: Buffer.from(account.data) }
    t.equal(freeLamports(reserve, 228_288n), 3_000_000n - 2_282_880n)
    t.equal(freeLamports(reserve, 2_900_000n), 100_000n)
    t.equal(freeLamports(reserve, 3_000_001n), 0n)
  },
)

t.test('a wallet that holds less than the reserve pays is told its own amount', async (t) => {
  const poor = await stage.player()
  await poor.act('stake', { amount: 0.6 })
  chain().drain(SOL / 2n)
  const held = chain().tokens(poor.wallet.address)
  const answer = await poor.craft('unstake', { amount: tokens(held) })
  t.match(answer.json, { code: 'POOL_RESERVE_TOO_SMALL' })
  t.ok(answer.sentence.includes('can pay 0.5 SOL now'), answer.sentence)
  chain().drain(10n ** 12n)
})

t.test('stake leaves the validator with the most, unless the pool prefers another', async (t) => {
  chain().drain(0n)
  const { svm, settings, stakesOf, record } = chain()
  const validators = readValidators(Buffer.from(svm.account(record().validatorList)!.data))
  const [least, most] = [...validators].sort((a, b) => (a.activeLamports < b.activeLamports ? -1 : 1))
  t.ok(least!.activeLamports < most!.activeLamports && least!.vote === settings.validator)
  const leaver = await stage.player()
  await leaver.act('stake', { amount: 20 })
  chain().drain(0n)
  const voters = async () =>
    (await stakesOf(leaver.wallet.address)).map(({ data }) => new PublicKey(data.subarray(124, 156)).toBase58()).sort()
  await leaver.act('unstake', { amount: 3 }, 3)
  t.same(await voters(), [most!.vote])
  await changed(withPreferredWithdraw(least!.vote), () => leaver.act('unstake', { amount: 3 }, 3))
  t.same(await voters(), [most!.vote, least!.vote].sort())
  chain().drain(10n ** 12n)
})

t.test('a preferred validator that is being removed is named as the reason', async (t) => {
  const { svm, settings, record } = chain()
  const { validatorList } = record()
  const before = Buffer.from(svm.account(validatorList)!.data)
  const data = Buffer.from(before)
  // The status of an entry of 73 bytes stands before its vote account, at its fortieth.
  for (let at = 9; at < 9 + 73 * data.readUInt32LE(5); at += 73)
    if (new PublicKey(data.subarray(at + 41, at + 73)).toBase58() === settings.validator) data[at + 40] = 1
  svm.setAccount(validatorList, { data })
  chain().drain(0n)
  await changed(withPreferredWithdraw(settings.validator), async () => {
    const answer = await player.craft('unstake', { amount: 5 })
    t.match(answer.json, { statusCode: 400, code: 'POOL_STAKE_TOO_SMALL' })
    const why = `the pool takes stake from its preferred validator ${settings.validator} first, which is being removed from it and gives none until that is done`
    t.ok(answer.sentence.includes(`${why}; the pool's reserve can pay nothing now, so try again later.`), answer.sentence)
    t.notMatch(answer.sentence, /no validator of the pool has/)
  })
  svm.setAccount(validatorList, { data: before })
  chain().drain(10n ** 12n)
})

t.test('a validator with less to give than a stake account must have gives nothing', async (t) => {
  const { svm, record } = chain()
  const { validatorList } = record()
  const before = Buffer.from(svm.account(validatorList)!.data)
  const data = Buffer.from(before)
  // What must stay, and four lamports: behind nine bytes of head, at the start of each entry of 73.
  for (let at = 9; at < 9 + 73 * data.readUInt32LE(5); at += 73) data.writeBigUInt64LE(1_002_282_884n, at)
  svm.setAccount(validatorList, { data })
  chain().drain(SOL)
  const answer = await player.craft('unstake', { amount: 5 })
  t.match(answer.json, {
    statusCode: 400,
    code: 'POOL_STAKE_TOO_SMALL',
    error: /no validator of the pool has the 1 SOL to give that a stake account must have; the pool's reserve can pay 1 SOL now/,
  })
  svm.setAccount(validatorList, { data: before })
  chain().drain(10n ** 12n)
})

t.test('no more stake leaves at once than a single validator can give', async (t) => {
  const rich = await stage.player()
  await rich.fund('100000')
  await rich.act('stake', { amount: 80_000 })
  chain().drain(SOL)
  const record = chain().record()
  // More than either validator has, with what it has earned since.
  const most = mostTokens(stake + 1000n * SOL, fees.stakeWithdrawal, record)
  const answer = await rich.craft('unstake', { amount: tokens(most + SOL) })
  t.match(answer.json, {
    statusCode: 400,
    code: 'POOL_STAKE_TOO_SMALL',
    error: /at most \d+(\.\d+)? pool tokens can leave as a stake account at once/,
  })
  const said = parseAmount(/at most ([\d.]+) pool tokens can leave/.exec(answer.sentence)![1]!, 9)
  await rich.act('unstake', { amount: tokens(said) }, 3)
  const [taken] = await chain().stakesOf(rich.wallet.address)
  t.ok(taken, 'just that amount leaves')
  t.equal((await rich.craft('unstake', { amount: 10_000 })).status, 200, 'and the other validator gives more')
  chain().drain(10n ** 12n)
})

t.test('a reserve that is emptied between crafting and broadcast is a 400 that says so', async (t) => {
  chain().drain(10n ** 12n)
  const crafted = await player.craft('unstake', { amount: 10 })
  t.equal(crafted.status, 200, crafted.text)
  const body = await svmFamily.sign(crafted.json as never, player.wallet as never)
  const prepared = await stage.client.post('/action/prepare', body)
  t.equal(prepared.status, 200, prepared.text)
  chain().drain(SOL)
  const sent = await stage.client.post('/action/broadcast', prepared.json)
  t.match(sent.json, { statusCode: 400, code: 'POOL_RESERVE_TOO_SMALL' }, sent.text)
  chain().drain(10n ** 12n)
  t.equal((await stage.client.post('/action/broadcast', prepared.json)).status, 200, 'and lands when it has filled again')
})

t.test('the first deposit also needs the rent of the token account, a further one does not', async (t) => {
  const poor = stage.world.freshWallet(svmFamily)
  await stage.world.fund(poor.address, '1.003')
  const craft = (amount: number) => stage.client.post('/action/stake', { wallet_address: poor.address, amount })
  t.match((await craft(1.001)).json, { statusCode: 400, code: 'INSUFFICIENT_BALANCE' })
  t.equal((await craft(0.99)).status, 200)
})

t.test('lamports that somebody sends to the address of a token account do not hide what it still costs', async (t) => {
  const { svm, settings } = chain()
  const poor = stage.world.freshWallet(svmFamily)
  await stage.world.fund(poor.address, '1.003')
  const own = { mint: settings.mint, tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' }
  svm.setAccount(tokenAccountOf(poor.address, own).toBase58(), { lamports: 890_880n })
  const craft = (amount: number) => stage.client.post('/action/stake', { wallet_address: poor.address, amount })
  // 0.0011484 SOL are missing of 0.00203928.
  t.match((await craft(1.002)).json, { statusCode: 400, code: 'INSUFFICIENT_BALANCE', error: /amount and rent/ })
  const answer = await craft(0.9999)
  t.equal(answer.status, 200, answer.text)
})

t.test('a pool that has fewer tokens than a wallet, or books of a day to come, is not believed', async (t) => {
  const supplyOf = (units: bigint) => (data: Buffer) => {
    data.writeBigUInt64LE(units, 266)
    return data
  }
  const { staked } = await player.position()
  for (const edit of [supplyOf(0n), supplyOf(chain().tokens(address) - 1n), stale(-1n)])
    await changed(edit, async () => {
      t.match((await player.craft('unstake', { amount: 1 })).json, { statusCode: 502, code: 'POOL_UNREADABLE' })
      t.match((await stage.client.get(`/staking-balance/${address}`)).json, { statusCode: 502, code: 'POOL_UNREADABLE' })
    })
  await changed(supplyOf(chain().tokens(address)), async () => {
    t.equal((await stage.client.get(`/staking-balance/${address}`)).status, 200, 'all tokens that there are can be one wallet’s')
  })
  t.equal((await player.position()).staked, staked)
})

t.test('the accounts that a token account may be are told apart', async (t) => {
  const { svm, settings } = chain()
  const fresh = await stage.player()
  await fresh.act('stake', { amount: 10 })
  const { staked } = await fresh.position()
  t.not(staked, '0')
  const account = tokenAccountOf(fresh.wallet.address, {
    mint: settings.mint,
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  }).toBase58()
  const good = Buffer.from(svm.account(account)!.data)
  const given = Buffer.from(good)
  given.fill(7, 32, 64)
  svm.setAccount(account, { data: given })
  t.equal((await fresh.position()).staked, '0', 'one that was given away holds nothing of the wallet')
  await fresh.refused('unstake', { amount: 1 }, 'INSUFFICIENT_TOKENS')
  svm.setAccount(account, { data: good })
  t.equal((await fresh.position()).staked, staked)
})

t.test('what the players found was as expected', async (t) => {
  t.same(
    player.check.findings.filter(({ ok }) => !ok),
    [],
  )
})
