import { startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { type Look, looksOf } from '@svc/core/plugins'
import { observe } from '@svc/sandbox'
import { Keypair, PublicKey, StakeProgram, SystemProgram, Transaction, type TransactionInstruction } from '@svc/solana'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const SOL = 1_000_000_000n
/** Lamports a byte that the chain has asked for and will. @see SIMD-0437 (read 2026-11-28) */
const RATES = [6960, 6333, 5080, 2575, 1322, 696]
const FEE = 5_000n

const { scenario: observed, chain } = observe(scenario)
const stage = await startStage({ plugin, scenario: observed, family: svmFamily })
t.teardown(() => stage.close())
const vote = new PublicKey(String(stage.world.settings.validator))
const { life } = plugin.protocol.kit
const looks = looksOf(plugin.protocol as never, stage.direct as never, () => [stage.direct.client] as never)

/** The engine's own book of an account: what is delegated there, past every answer of a node. */
const delegatedIn = (account: PublicKey) => Buffer.from(chain().account(account.toBase58())!.data).readBigUInt64LE(156)
const rent = () => BigInt(perByte) * 328n
let perByte = 6960
async function setRent(rate: number): Promise<void> {
  perByte = rate
  await stage.world.operate('rent', { lamports_per_byte: rate })
}
const tip = (account: PublicKey, amount: string) => stage.world.operate('tip', { account: account.toBase58(), amount })

async function newWallet(): Promise<Keypair> {
  const wallet = Keypair.generate()
  await chain().fund(wallet.publicKey.toBase58(), 1_000n * SOL)
  return wallet
}

interface Sent {
  readonly signed: string
  readonly hash: string
  /** Lamports of the wallet, without the fee. */
  readonly gain: bigint
}

/** Signed when it is made, so that anything can happen before it is sent. */
async function signedBy(wallet: Keypair, instructions: readonly TransactionInstruction[], more: readonly Keypair[] = []) {
  const { blockhash } = await asked<{ value: { blockhash: string } }>('getLatestBlockhash', []).then(({ value }) => value)
  const transaction = new Transaction({ feePayer: wallet.publicKey, recentBlockhash: blockhash } as never).add(...instructions)
  transaction.sign(wallet, ...more)
  return transaction.serialize()
}

async function send(wallet: Keypair, bytes: Buffer): Promise<Sent> {
  const address = wallet.publicKey.toBase58()
  const before = await chain().balance(address)
  const hash = await asked<string>('sendTransaction', [bytes.toString('base64'), { encoding: 'base64' }])
  return { signed: bytes.toString('hex'), hash, gain: (await chain().balance(address)) - before + BigInt(bytes[0] ?? 0) * FEE }
}

async function asked<T>(method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(stage.world.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result: T; error?: unknown }
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}

function look({ signed, hash }: Pick<Sent, 'signed' | 'hash'>): Promise<Look> {
  const bounds = life!.bounds({ signed_tx_hex: signed } as never, stage.direct.network as never)
  return looks.transaction!({ txHash: hash, bounds, keep: null, firstSeen: new Date(), accepted: true })
}
/** Amount of a kind that is told; a sentence where it is null, 0 where nothing is. */
async function told(sent: Pick<Sent, 'signed' | 'hash'>, kind: string): Promise<bigint | string> {
  const move = (await look(sent)).moved!.moves.find((each) => each.kind === kind)
  return move === undefined ? 0n : (move.amount ?? move.reason ?? 'null without a reason')
}

const delegation = (wallet: Keypair, stakePubkey: PublicKey) =>
  StakeProgram.delegate({ stakePubkey, authorizedPubkey: wallet.publicKey, votePubkey: vote }).instructions[0]!
const deactivation = (wallet: Keypair, stakePubkey: PublicKey) =>
  StakeProgram.deactivate({ stakePubkey, authorizedPubkey: wallet.publicKey }).instructions[0]!
const withdrawal = (wallet: Keypair, stakePubkey: PublicKey, toPubkey: PublicKey, lamports: bigint) =>
  StakeProgram.withdraw({ stakePubkey, authorizedPubkey: wallet.publicKey, toPubkey, lamports: Number(lamports) }).instructions[0]!
const splitting = (wallet: Keypair, stakePubkey: PublicKey, made: Keypair, lamports: bigint) =>
  StakeProgram.split(
    { stakePubkey, authorizedPubkey: wallet.publicKey, splitStakePubkey: made.publicKey, lamports: Number(lamports) },
    Number(rent()),
  ).instructions
const staking = (wallet: Keypair, account: Keypair, lamports: bigint) => [
  ...StakeProgram.createAccount({
    fromPubkey: wallet.publicKey,
    stakePubkey: account.publicKey,
    authorized: { staker: wallet.publicKey, withdrawer: wallet.publicKey } as never,
    lamports: Number(lamports),
  }).instructions,
  delegation(wallet, account.publicKey),
]
const payment = (from: Keypair, toPubkey: PublicKey, lamports: bigint) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey, lamports: Number(lamports) })

async function staked(amount: bigint): Promise<{ wallet: Keypair; account: PublicKey; sent: Sent }> {
  const [wallet, made] = [await newWallet(), Keypair.generate()]
  const sent = await send(wallet, await signedBy(wallet, staking(wallet, made, amount + rent()), [made]))
  return { wallet, account: made.publicKey, sent }
}
const act = async (wallet: Keypair, ...instructions: readonly TransactionInstruction[]) =>
  send(wallet, await signedBy(wallet, instructions))

t.test('a tip is no stake: what is deactivated is the delegation', async (t) => {
  const { wallet, account } = await staked(2n * SOL)
  await chain().advance({ epochs: 2 })
  await tip(account, '0.5')
  const stake = delegatedIn(account)
  const sent = await act(wallet, deactivation(wallet, account))
  t.ok(stake > 2n * SOL && stake < 2n * SOL + SOL / 100n, String(stake))
  t.equal(await told(sent, 'freed'), stake)
})

t.test('an account of an older rent frees its delegation, and not what the rent has fallen by', async (t) => {
  const { wallet, account } = await staked(3n * SOL)
  await chain().advance({ epochs: 1 })
  await setRent(5080)
  const sent = await act(wallet, deactivation(wallet, account))
  t.equal(await told(sent, 'freed'), 3n * SOL)
  await setRent(6960)
})

for (const [from, to] of [
  [6960, 5080],
  [5080, 6960],
] as const)
  t.test(`a stake of the rent of ${from} that lands at ${to} and is read at another is told as delegated`, async (t) => {
    await setRent(from)
    const [wallet, made] = [await newWallet(), Keypair.generate()]
    const bytes = await signedBy(wallet, staking(wallet, made, 3n * SOL + rent()), [made])
    await setRent(to)
    const sent = await send(wallet, bytes)
    const stake = delegatedIn(made.publicKey)
    t.equal(stake, 3n * SOL + BigInt(from - to) * 328n)
    for (const rate of RATES) {
      await setRent(rate)
      t.equal(await told(sent, 'staked'), stake, `read at ${rate}`)
      t.equal(await told(sent, 'leaves'), 3n * SOL + BigInt(from) * 328n)
    }
    await chain().mine(40)
    t.match(await look(sent), { status: 'final', certainty: 'proven' })
    t.equal(await told(sent, 'staked'), stake, 'and when it is final')
    await setRent(6960)
  })

t.test('what came and went in between is never taken for what the transaction did', async (t) => {
  const { wallet, account, sent } = await staked(5n * SOL)
  const stake = delegatedIn(account)
  const rival = Keypair.generate()
  const parts = await send(wallet, await signedBy(wallet, splitting(wallet, account, rival, SOL), [rival]))
  t.equal(await told(parts, 'freed'), 0n)
  await act(wallet, payment(wallet, account, SOL))
  t.equal(await chain().balance(account.toBase58()), 5n * SOL + rent(), 'the balance is the one of then')
  t.not(delegatedIn(account), stake)
  t.match(await told(sent, 'staked'), /A later transaction names the stake account/)

  const freed = await act(wallet, deactivation(wallet, account))
  t.equal(await told(freed, 'freed'), 4n * SOL)
  await tip(account, '0.001')
  t.match(await told(freed, 'freed'), /held 5002282880 lamports after the transaction and holds 5003282880 now/)
})

t.test('a later transaction that failed has changed nothing', async (t) => {
  const { wallet, account, sent } = await staked(2n * SOL)
  const poor = await signedBy(wallet, [withdrawal(wallet, account, wallet.publicKey, 2n * SOL)])
  await asked('sendTransaction', [poor.toString('base64'), { encoding: 'base64', skipPreflight: true }])
  t.equal(await told(sent, 'staked'), 2n * SOL)
})

t.test('a stake that its own transaction splits, rewards, and an account that is gone are null, each with its reason', async (t) => {
  const [wallet, made, part] = [await newWallet(), Keypair.generate(), Keypair.generate()]
  const both = [...staking(wallet, made, 4n * SOL + rent()), ...splitting(wallet, made.publicKey, part, SOL)]
  const split = await send(wallet, await signedBy(wallet, both, [made, part]))
  t.match(await told(split, 'staked'), /The same transaction splits or merges the stake/)

  const { sent } = await staked(2n * SOL)
  await chain().advance({ epochs: 1 })
  t.equal(await told(sent, 'staked'), 2n * SOL, 'no epoch has paid it anything yet')
  await chain().advance({ epochs: 1 })
  await chain().mine(40)
  t.match(await told(sent, 'staked'), /as after rewards or a tip/)

  const own = await staked(2n * SOL)
  const gone = await act(own.wallet, deactivation(own.wallet, own.account))
  await act(own.wallet, withdrawal(own.wallet, own.account, own.wallet.publicKey, 2n * SOL + rent()))
  t.match(await told(own.sent, 'staked'), /closed or changed since/)
  t.match(await told(gone, 'freed'), /closed or changed since/)
})

t.test('what is deactivated and delegated again in one epoch is told of the epoch of each', async (t) => {
  const { wallet, account } = await staked(2n * SOL)
  await chain().advance({ epochs: 1 })
  await act(wallet, deactivation(wallet, account))
  const again = await act(wallet, delegation(wallet, account))
  t.match(await told(again, 'staked'), /says that it was delegated in epoch \d+, and the block is of epoch \d+/)
})

/** A generator that a seed repeats: xorshift of 32 bits. @see https://www.jstatsoft.org/article/view/v008i14 (read 2026-11-28) */
function seeded(seed: number) {
  let state = seed * 2_654_435_761 || 1
  const below = (count: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % count
  }
  return { below, oneOf: <T>(list: readonly T[]): T => list[below(list.length)]! }
}

/** Lives that are played; SVC_LIVES raises it. */
const LIVES = Number(process.env.SVC_LIVES ?? 200)

t.test(
  `${LIVES} lives with tips, splits, epochs and rents up and down: told as the engine's book has it, or null with its reason`,
  async (t) => {
    const counts = { exact: 0, open: 0 }
    const wrong: string[] = []
    for (let seed = 1; seed <= LIVES; seed++) {
      const random = seeded(seed)
      const lamports = (most: bigint) => SOL + SOL / 10n + (BigInt(random.below(2 ** 31)) * most) / 2n ** 31n
      const wallet = await newWallet()
      const accounts: PublicKey[] = []
      const history: string[] = []
      /** What may come between the landing and the reading. */
      const disturb = {
        nothing: async () => undefined,
        rent: () => setRent(random.oneOf(RATES)),
        final: () => chain().mine(40),
        tip: (account: PublicKey) => tip(account, random.oneOf(['0.000000001', '0.5', '1'])),
        epoch: async () => {
          await chain().advance({ epochs: 1 + random.below(2) })
          await chain().mine(40)
        },
        again: (account: PublicKey) => act(wallet, delegation(wallet, account)),
        split: async (account: PublicKey) => {
          const part = Keypair.generate()
          await send(wallet, await signedBy(wallet, splitting(wallet, account, part, SOL), [part]))
          if (random.below(2) === 0) await act(wallet, payment(wallet, account, SOL))
        },
      }
      /** Lands it, and compares what is told with what the engine has written. */
      const judged = async (what: string, bytes: Buffer, account: PublicKey, kind: 'staked' | 'freed') => {
        if (random.below(3) === 0) await setRent(random.oneOf(RATES))
        let sent: Sent
        try {
          sent = await send(wallet, bytes)
        } catch {
          // The chain has rules of its own on what may follow on what, and the life goes on without it.
          return
        }
        const expected = delegatedIn(account)
        const name = random.oneOf(Object.keys(disturb) as (keyof typeof disturb)[])
        await disturb[name](account).catch(() => undefined)
        const { moves } = (await look(sent)).moved!
        const move = moves.find((each) => each.kind === kind)
        history.push(`${what}, then ${name}`)
        const isOpen = move?.amount === null && (move.reason ?? '').length > 0
        const harmless = name === 'nothing' || name === 'rent' || name === 'final'
        if (isOpen ? harmless && !/was delegated in epoch/.test(move.reason ?? '') : move?.amount !== expected)
          wrong.push(`${seed}: ${history.join('; ')}: told ${move?.amount} (${move?.reason}), is ${expected}`)
        counts[isOpen ? 'open' : 'exact']++
        const [leaves, arrives] = ['leaves', 'arrives'].map((each) => moves.find((other) => other.kind === each)?.amount ?? 0n)
        if ((arrives ?? 0n) - (leaves ?? 0n) !== sent.gain) wrong.push(`${seed}: ${history.join('; ')}: gained ${sent.gain}`)
      }
      for (let step = 0; step < 4; step++) {
        const deed = accounts.length === 0 ? 'stake' : random.oneOf(['stake', 'unstake', 'unstake', 'delegate', 'tip', 'epoch'] as const)
        const account = accounts.length === 0 ? wallet.publicKey : random.oneOf(accounts)
        if (deed === 'stake') {
          const made = Keypair.generate()
          await judged(deed, await signedBy(wallet, staking(wallet, made, lamports(20n * SOL) + rent()), [made]), made.publicKey, 'staked')
          if (chain().account(made.publicKey.toBase58())) accounts.push(made.publicKey)
        } else if (deed === 'unstake') await judged(deed, await signedBy(wallet, [deactivation(wallet, account)]), account, 'freed')
        else if (deed === 'delegate') await judged(deed, await signedBy(wallet, [delegation(wallet, account)]), account, 'staked')
        else await (deed === 'tip' ? disturb.tip(account) : disturb.epoch())
      }
    }
    await setRent(6960)
    t.same(wrong, [])
    t.comment(`${counts.exact} amounts as the engine has them, ${counts.open} null with a reason`)
    t.ok(counts.exact > LIVES && counts.open > LIVES / 10, JSON.stringify(counts))
  },
)
