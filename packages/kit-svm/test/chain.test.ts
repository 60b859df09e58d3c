import { layouts } from '@svc/intent-svm-native'
import { Keypair, PublicKey, StakeProgram, SystemProgram, TransactionInstruction } from '@svc/solana'
import t from 'tap'
import { type SvmDraft, svm } from '../src/index.ts'
import { type Stage, startStage } from './support/chain.ts'
import { drafts } from './support/drafts.ts'
import { pair, transactions, wallet } from './support/vectors.ts'

const from = wallet.publicKey
const address = from.toBase58()
const nonceAddress = transactions.nonceAccount.address
const withNonce = { nonce_account_address: nonceAddress }
const transfer = (lamports: number, toPubkey = new PublicKey(nonceAddress)): SvmDraft => ({
  feePayer: address,
  instructions: [SystemProgram.transfer({ fromPubkey: from, toPubkey, lamports })],
  unitLimit: 1000,
  spends: BigInt(lamports),
})

/** Stake in a fresh account, delegated to a validator of the chain. */
async function stakeWith(stage: Stage, name: string, ephemeral = Keypair.generate()): Promise<SvmDraft & { ephemeral: Keypair }> {
  const { vote } = await stage.chain.createValidator({ name, commissionBps: 500 })
  const [create, initialize] = drafts.stake.instructions
  const moved = [create!, initialize!].map(
    ({ keys, programId, data }) =>
      new TransactionInstruction({
        programId,
        data,
        keys: keys.map((key) => (key.pubkey.equals(pair(2).publicKey) ? { ...key, pubkey: ephemeral.publicKey } : key)),
      }),
  )
  const delegate = StakeProgram.delegate({ stakePubkey: ephemeral.publicKey, authorizedPubkey: from, votePubkey: new PublicKey(vote) })
  return { ...drafts.stake, instructions: [...moved, ...delegate.instructions], ephemeral }
}

const stage = await startStage()
t.teardown(() => stage.chain.close())
const { chain, ctx } = stage

t.test('the cluster is known by its first block', async (t) => {
  t.equal(await svm.identify(ctx), 'mainnet-beta')
})

t.test('a stake goes from the draft into a block, at a limit close to what it used', async (t) => {
  const draft = await stakeWith(stage, 'one')
  const before = await chain.balance(address)
  const signed = await stage.craft(draft)
  const hash = await stage.broadcast(signed)
  const { value } = await ctx.client.connection.getSignatureStatuses([hash])
  t.match(value, [{ err: null }])
  const stake = chain.account(draft.ephemeral.publicKey.toBase58())!
  t.equal(stake.lamports, 1_502_282_880n)
  const { terms, maxFee } = svm.decode({ unsigned_tx_hex: unsignedOf(signed) }, { signers: [], calls: [], layouts }, {} as never, {})
  t.ok(Number(terms.unitLimit) > 10_000 && Number(terms.unitLimit) < 60_000, String(terms.unitLimit))
  t.equal(await chain.balance(address), before - 1_502_282_880n - maxFee, 'the fee is what was decoded')

  t.equal(await stage.broadcast(signed), hash, 'sent again at once')
  await chain.mine(200)
  t.equal(await stage.broadcast(signed), hash, 'sent again when its block hash is no longer known')

  const unstake: SvmDraft = {
    ...drafts.unstake,
    instructions: StakeProgram.deactivate({ stakePubkey: draft.ephemeral.publicKey, authorizedPubkey: from }).instructions,
  }
  await stage.act(unstake)
  await t.rejects(stage.craft(unstake), { statusCode: 400, code: 'STAKE_DEACTIVATED' })
})

t.test('a transaction that is sent too late is told how long one lives', async (t) => {
  const signed = await stage.craft(transfer(1_000_000))
  await chain.mine(151)
  await t.rejects(stage.broadcast(signed), {
    statusCode: 400,
    code: 'TRANSACTION_EXPIRED',
    message: /150 blocks, which are about \d\d seconds/,
  })
})

t.test('a durable nonce keeps a transaction alive, once', async (t) => {
  await t.rejects(stage.craft(transfer(1), withNonce), {
    statusCode: 400,
    code: 'NONCE_ACCOUNT_INVALID',
    message: /does not exist|is no nonce/,
  })
  const own = await startStage()
  try {
    await own.act(drafts.nonce)
    await own.chain.mine()
    const to = Keypair.generate().publicKey
    const [first, second] = [await own.craft(transfer(1_000_000, to), withNonce), await own.craft(transfer(2_000_000, to), withNonce)]
    await own.chain.mine(500)
    const hash = await own.broadcast(first)
    t.equal(await own.chain.balance(to.toBase58()), 1_000_000n)
    await own.chain.mine()
    await t.rejects(own.broadcast(second), { statusCode: 400, code: 'NONCE_USED' })
    t.equal(await own.broadcast(first), hash, 'the one that landed is known for ever')
    await t.rejects(own.craft(await stakeWith(own, 'other'), { nonce_account_address: to.toBase58() }), { code: 'NONCE_ACCOUNT_INVALID' })
    await own.act(await stakeWith(own, 'two'), withNonce)
  } finally {
    await own.chain.close()
  }
})

t.test('a wallet that cannot pay is told so by figures, or by the program that found out', async (t) => {
  const poor = await startStage('0.002')
  try {
    await t.rejects(poor.craft(transfer(5_000_000)), {
      code: 'INSUFFICIENT_BALANCE',
      message: /holds 0\.002 SOL, which does not cover 0\.005005 SOL/,
    })
    await t.rejects(poor.craft(transfer(1_500_000)), { code: 'INSUFFICIENT_BALANCE', message: /left with 0\.000495 SOL/ })
    // The rent of a token account is paid by a call that the program makes itself, so that the number 1 is one of the System program.
    const { mint } = await poor.chain.createStakePool({ name: 'pool' })
    const create: SvmDraft = { feePayer: address, instructions: [tokenAccount(new PublicKey(mint))], unitLimit: 50_000, spends: 0n }
    await t.rejects(poor.craft(create), {
      statusCode: 400,
      code: 'INSUFFICIENT_BALANCE',
      message: /the wallet does not hold what is to be taken/,
    })
    await t.rejects(poor.craft(transfer(100)), {
      code: 'INSUFFICIENT_BALANCE',
      message: /an account would be left with less than the rent/,
    })
  } finally {
    await poor.chain.close()
  }
})

t.test('while an epoch pays its rewards, stake waits', async (t) => {
  await chain.operations['epoch-rewards']!.run({ blocks: 10 })
  await t.rejects(stage.craft(await stakeWith(stage, 'three')), { statusCode: 503, code: 'EPOCH_REWARDS', retryAfter: 60 })
})

t.test('a node that is gone is a 502, and the same transaction can be sent once it is back', async (t) => {
  const signed = await stage.craft(transfer(1_000_000))
  chain.fault({ kind: 'drop' })
  await t.rejects(stage.craft(transfer(1_000_000)), { statusCode: 502, code: 'UPSTREAM_UNAVAILABLE' })
  await t.rejects(stage.broadcast(signed), { statusCode: 502, code: 'UPSTREAM_UNAVAILABLE' })
  chain.fault({ kind: 'none' })
  await t.resolves(stage.broadcast(signed))
})

/** The signed transaction with the wallet's signature taken out again. */
function unsignedOf(signed: string): string {
  return signed.slice(0, 2) + '0'.repeat(128) + signed.slice(130)
}

const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED_TOKEN = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

function tokenAccount(mint: PublicKey): TransactionInstruction {
  const [account] = PublicKey.findProgramAddressSync([from.toBuffer(), TOKEN.toBuffer(), mint.toBuffer()], ASSOCIATED_TOKEN)
  const use = (pubkey: PublicKey, isSigner = false, isWritable = false) => ({ pubkey, isSigner, isWritable })
  const keys = [use(from, true, true), use(account, false, true), use(from), use(mint), use(SystemProgram.programId), use(TOKEN)]
  return new TransactionInstruction({ programId: ASSOCIATED_TOKEN, keys, data: Buffer.from([1]) })
}
