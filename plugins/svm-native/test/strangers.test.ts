// What anybody can do to a wallet that he does not hold: send lamports to its accounts, and make accounts for it.
import { type Player, startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { layouts } from '@svc/intent-svm-native'
import { observe } from '@svc/sandbox'
import { PublicKey, SystemProgram } from '@svc/solana'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const { scenario: observed, chain } = observe(scenario)
const stage = await startStage({ plugin, scenario: observed, family: svmFamily })
t.teardown(() => stage.close())
const vote = String(stage.world.settings.validator)

const accountMade = (unsigned: unknown) => {
  const { calls } = plugin.protocol.kit.decode(unsigned as never, { signers: [], calls: [], layouts }, {} as never, {})
  return String(calls.find(({ method }: { method: string }) => method.startsWith('System.Create'))!.args.newAccount)
}
const failures = (player: Player) => player.check.findings.filter(({ ok }) => !ok)

async function staked(): Promise<{ player: Player; stake: string }> {
  const player = await stage.player()
  const { unsigned } = await player.act('stake', { amount: 10 })
  return { player, stake: accountMade(unsigned) }
}

async function deactivated(): Promise<{ player: Player; stake: string }> {
  const { player, stake } = await staked()
  await player.act('unstake', { stake_account_address: stake })
  return { player, stake }
}

t.test('a lamport that a stranger sends to an account before all of it is withdrawn is told as the reason', async (t) => {
  const { player, stake } = await deactivated()
  await player.advance({ epochs: 1 })
  const { json } = await player.craft('withdraw', { stake_account_address: stake })
  const prepared = await stage.client.post('/action/prepare', await svmFamily.sign(json as never, player.wallet as never))
  await chain().fund(stake, 1n)
  const sent = await stage.client.post('/action/broadcast', prepared.json)
  t.match(sent.json, { statusCode: 400, code: 'INSUFFICIENT_STAKE', error: /as when lamports came in meanwhile/ })
  t.equal((await player.craft('withdraw', { stake_account_address: stake })).status, 200, 'with the lamport it is all again')
  t.same(failures(player), [])
})

t.test('a stake account that a stranger locks for ever hides no position', async (t) => {
  const { player, stake } = await staked()
  const before = await player.position()
  const given = chain().giveStake({
    name: 'of a stranger',
    wallet: player.wallet.address,
    vote: vote,
    amount: 1_000_000_000n,
    cooledDown: true,
  })
  const data = Buffer.from(chain().account(given)!.data)
  data.writeBigUInt64LE(2n ** 64n - 1n, 84)
  data.fill(7, 92, 124)
  chain().setAccount(given, { data })
  const after = await player.position()
  t.equal(after.staked, before.staked)
  const { text } = await stage.client.get(`/staking-balance/${player.wallet.address}`)
  t.match(text, `"withdrawable_epoch":${Number.MAX_SAFE_INTEGER}`)
  t.ok(after.objects?.some(({ id }) => id === stake))
  t.match((await player.craft('withdraw', { stake_account_address: given })).json, {
    code: 'STAKE_LOCKED',
    error: /locked until epoch 18446744073709551615/,
  })
  t.same(failures(player), [])
})

t.test('whoever puts lamports on the addresses of nonce accounts stands in the way of nobody', async (t) => {
  const player = await stage.player()
  const wallet = new PublicKey(player.wallet.address)
  for (let i = 0; i < 20; i++) {
    const address = await PublicKey.createWithSeed(wallet, `nonce:${i}`, SystemProgram.programId)
    if (i === 19) t.equal(accountMade((await player.craft('create-nonce-account')).json), address.toBase58(), 'the last one in a row')
    chain().setAccount(address.toBase58(), { lamports: 890_880n })
  }
  const { result, usage } = await stage.upstream.measure(() => player.craft('create-nonce-account'))
  t.equal(usage.waves, 2, 'as many as ever')
  const { unsigned } = await player.act('create-nonce-account')
  const made = accountMade(unsigned)
  t.not(made, accountMade(result.json), 'nobody can say where the next one will be')
  t.match(chain().account(made), { lamports: 1_447_680n, owner: '11111111111111111111111111111111' })
  t.same(failures(player), [])
})
