import { createHash, createPrivateKey, sign } from 'node:crypto'
import { parseAmount } from '@svc/contract'
import { singleEndpoint } from '@svc/contract/host'
import { svm } from '@svc/kit-svm'
import { Keypair, PublicKey, StakeProgram, SystemProgram } from '@svc/solana'
import t from 'tap'
import {
  createAccount,
  createAccountWithSeed,
  deactivate,
  delegateStake,
  initializeNonce,
  initializeStake,
  withdrawNonce,
  withdrawStake,
} from '../src/actions/instructions.ts'
import plugin from '../src/index.ts'
import vectors from './vectors/transactions.json' with { type: 'json' }

type Vector = (typeof vectors.transactions)[number] & { readonly seed?: string; readonly whole?: string }

const keyOf = (byte: number) => Keypair.fromSeed(Buffer.alloc(32, byte))
const log = { warn() {}, info() {}, error() {}, debug() {} }
const base = { name: 'vectors', chainId: 'mainnet-beta', maxFee: 1_000_000n }
// No limit to the age of a head, and no genesis hash that is known: these nodes know nothing of either.
const network = {
  ...base,
  chainId: 'vectors',
  validator: vectors.vote,
  unit_price: vectors.unitPrice,
  unit_limit_percent: 100,
  fee_ceiling: 25,
  max_block_age: 0,
}

for (const vector of vectors.transactions as readonly Vector[])
  t.test(`${vector.name} has the bytes of the vector, and does what is promised`, async (t) => {
    const action = plugin.protocol.actions[vector.action]!
    const input = inputOf(vector)
    const facts = factsOf(vector)
    const nonce = (input as { nonce_account_address?: string }).nonce_account_address
    const client = svm.connect(network as never, { ...singleEndpoint(node(vector)), log, now: () => new Date() } as never)
    const ctx = { client, network, log, now: () => new Date() } as never
    const preflight = Promise.resolve({
      blockhash: nonce ? vectors.nonceValue : vectors.blockhash,
      nonce: nonce ? { account: nonce, value: vectors.nonceValue } : null,
      balance: 10_000_000_000n,
      leastBalance: 890_880n,
    })
    const { unsigned } = await svm.assemble(ctx, action.craft(network as never, input, facts) as never, preflight)
    t.equal(unsigned.unsigned_tx_hex, vector.unsigned_tx_hex)

    const effects = action.effects(network as never, input, facts)
    const decoded = svm.decode(unsigned, effects, network as never, {})
    t.same(decoded.signers, effects.signers)
    t.same(decoded.calls, effects.calls)

    const signed = await svm.prepare(ctx, { ...unsigned, signatures: [vector.wallet_signature] })
    const bytes = Buffer.from(signed.signed_tx_hex, 'hex')
    t.equal(createHash('sha256').update(bytes).digest('hex'), vector.signed_sha256)
    const message = bytes.subarray(1 + 64 * bytes[0]!)
    t.equal(createHash('sha256').update(message).digest('hex'), vector.message_sha256)
    t.equal(walletSignature(message), vector.wallet_signature, "and the signature is the wallet's")
  })

t.test('an address promised for a seed is the one of the vectors', async (t) => {
  const wallet = new PublicKey(vectors.wallet)
  for (const [seed, program] of [
    ['stake:0', StakeProgram.programId],
    ['nonce:0', SystemProgram.programId],
  ] as const)
    t.equal((await PublicKey.createWithSeed(wallet, seed, program)).toBase58(), vectors.seeded[seed])
})

t.test("instructions have the bytes of the library's own builders", async (t) => {
  const [wallet, stake, vote] = [1, 2, 3].map((byte) => keyOf(byte).publicKey) as [PublicKey, PublicKey, PublicKey]
  const seed = '0123456789abcdef0123456789abcdef'
  const derived = await PublicKey.createWithSeed(wallet, seed, StakeProgram.programId)
  // The largest that the library encodes: it takes lamports as doubles.
  const lamports = BigInt(Number.MAX_SAFE_INTEGER)
  const made = { lamports: Number(lamports), space: 200, programId: StakeProgram.programId }
  const ours = { lamports, space: 200, owner: StakeProgram.programId }
  const pairs = [
    [
      createAccount({ from: wallet, account: stake, ...ours }),
      SystemProgram.createAccount({ fromPubkey: wallet, newAccountPubkey: stake, ...made }),
    ],
    [
      createAccountWithSeed({ base: wallet, account: derived, seed, ...ours }),
      SystemProgram.createAccountWithSeed({ fromPubkey: wallet, basePubkey: wallet, newAccountPubkey: derived, seed, ...made }),
    ],
    [initializeNonce(stake, wallet), SystemProgram.nonceInitialize({ noncePubkey: stake, authorizedPubkey: wallet })],
    [initializeStake(stake, wallet), StakeProgram.initialize({ stakePubkey: stake, authorized: { staker: wallet, withdrawer: wallet } })],
    [
      delegateStake(stake, vote, wallet),
      StakeProgram.delegate({ stakePubkey: stake, authorizedPubkey: wallet, votePubkey: vote }).instructions[0],
    ],
    [deactivate(stake, wallet), StakeProgram.deactivate({ stakePubkey: stake, authorizedPubkey: wallet }).instructions[0]],
    [
      withdrawStake({ stake, to: wallet, authority: wallet, lamports }),
      StakeProgram.withdraw({ stakePubkey: stake, authorizedPubkey: wallet, toPubkey: wallet, lamports: Number(lamports) }).instructions[0],
    ],
    [
      withdrawNonce({ nonce: stake, to: wallet, authority: wallet, lamports }),
      SystemProgram.nonceWithdraw({ noncePubkey: stake, authorizedPubkey: wallet, toPubkey: wallet, lamports: Number(lamports) }),
    ],
  ] as const
  for (const [own, library] of pairs) t.same({ ...own }, { ...library })
})

t.test('every u64 is encoded, also what a double cannot hold', async (t) => {
  const [wallet, stake] = [keyOf(1).publicKey, keyOf(2).publicKey]
  const most = 2n ** 64n - 1n
  for (const lamports of [9_007_199_254_740_993n, most])
    t.equal(withdrawStake({ stake, to: wallet, authority: wallet, lamports }).data.readBigUInt64LE(4), lamports)
  t.throws(() => withdrawStake({ stake, to: wallet, authority: wallet, lamports: most + 1n }))
})

function inputOf({ input }: Vector): Readonly<Record<string, unknown>> {
  const { amount, ...rest } = input as { amount?: string }
  return { wallet_address: vectors.wallet, ...rest, ...(amount === undefined ? {} : { amount: parseAmount(amount, 9) }) }
}

/** What `read` would have found, with keys and seeds that are known. */
function factsOf({ action, seed, whole }: Vector): unknown {
  const account = new PublicKey(vectors.seeded[(seed ?? 'stake:0') as keyof typeof vectors.seeded])
  if (action === 'withdraw') return { whole: BigInt(whole!), locked: false }
  if (action === 'create-nonce-account') return { seed, account, rent: BigInt(vectors.rent.nonce) }
  const key = keyOf(vectors.stakeKeySeedByte)
  const made = seed === undefined ? { by: 'key', key, address: key.publicKey.toBase58() } : { by: 'seed', seed, account }
  return { rent: BigInt(vectors.rent.stake), made }
}

/** A node that answers to a simulation what makes the unit limit that of the vector. */
function node({ unitLimit, input }: Vector): typeof fetch {
  // Advancing the nonce is not simulated: the kit adds its 150 units.
  const units = 'nonce_account_address' in input ? unitLimit - 150 : unitLimit
  return async (_url, init) => {
    const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string }
    const result = method === 'simulateTransaction' ? { context: { slot: 1 }, value: { err: null, logs: [], unitsConsumed: units } } : null
    return Response.json({ jsonrpc: '2.0', id, result })
  }
}

function walletSignature(message: Uint8Array): string {
  // PKCS #8 of an ed25519 seed, RFC 8410.
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = createPrivateKey({ key: Buffer.concat([prefix, Buffer.alloc(32, vectors.walletSeedByte)]), format: 'der', type: 'pkcs8' })
  return sign(null, message, key).toString('hex')
}
