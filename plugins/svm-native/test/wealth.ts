import type { LedgerStep, LedgerTest, WalletLife } from '@svc/conformance'
import type { SvmWallet } from '@svc/conformance/svm'
import { exactNumber, formatAmount } from '@svc/contract'
import type { SvmChain } from '@svc/sandbox-svm'
import {
  Authorized,
  Keypair,
  Lockup,
  PublicKey,
  StakeAuthorizationLayout,
  StakeProgram,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@svc/solana'
import { askNode, paidFees } from '@svc/testing/svm-lives'

const SOL = 1_000_000_000n
/** Blocks on top of one before it is final, and some more. */
const FINAL_BLOCKS = 40
/** Place of the withdrawer in a stake account. */
const WITHDRAWER_AT = 44
const STRANGER = Keypair.fromSeed(new Uint8Array(32).fill(77))

interface Account {
  readonly id: string
  readonly lamports: bigint
  readonly isDelegated: boolean
}

/** Everything that happens to stake accounts, at random, and what a wallet has by the node's own state. */
export function ledger(chain: () => SvmChain, vote: () => string): LedgerTest {
  /** Lamports that went to others, less what came from them, by wallet. */
  const elsewhere = new Map<string, bigint>()
  const left = ({ player: { wallet } }: WalletLife, lamports: bigint) =>
    void elsewhere.set(wallet.address, (elsewhere.get(wallet.address) ?? 0n) + lamports)
  const keyOf = ({ player: { wallet } }: WalletLife) => (wallet as SvmWallet).key
  const ownerOf = ({ player: { wallet } }: WalletLife) => new PublicKey(wallet.address)
  let count = 0
  const newKey = () => {
    const seed = new Uint8Array(32).fill(78)
    new DataView(seed.buffer).setUint32(0, ++count)
    return Keypair.fromSeed(seed)
  }

  const ask = <T>({ rpcUrl }: WalletLife, method: string, params: readonly unknown[]) => askNode<T>(rpcUrl, method, params)

  /** Runs instructions past the service. @param by whose they are: the wallet's own, or the stranger's. @throws where the chain refuses them */
  async function run(life: WalletLife, by: 'wallet' | 'stranger', instructions: readonly TransactionInstruction[], others: Keypair[] = []) {
    const { value } = await ask<{ value: { blockhash: string; lastValidBlockHeight: number } }>(life, 'getLatestBlockhash', [])
    const feePayer = by === 'wallet' ? ownerOf(life) : STRANGER.publicKey
    const transaction = new Transaction({ feePayer, ...value }).add(...instructions)
    const signers = by === 'wallet' ? others : [STRANGER, ...others]
    if (by === 'wallet') transaction.addSignature(feePayer, Buffer.from(keyOf(life).sign(transaction.serializeMessage())))
    if (signers.length > 0) transaction.partialSign(...signers)
    const bytes = transaction.serialize({ requireAllSignatures: true, verifySignatures: true })
    const signature = await ask<string>(life, 'sendTransaction', [bytes.toString('base64'), { encoding: 'base64' }])
    await chain().mine(1)
    const [status] = (await ask<{ value: ({ err: unknown } | null)[] }>(life, 'getSignatureStatuses', [[signature]])).value
    if (status?.err !== null) throw new Error(`${signature} failed: ${JSON.stringify(status?.err)}`)
  }

  async function accountsOf(life: WalletLife, owner = life.player.wallet.address): Promise<readonly Account[]> {
    const filters = [{ memcmp: { offset: WITHDRAWER_AT, bytes: owner } }]
    const options = { encoding: 'base64', commitment: 'processed', filters }
    const list = await ask<{ pubkey: string; account: { lamports: number; data: [string] } }[]>(life, 'getProgramAccounts', [
      StakeProgram.programId.toBase58(),
      options,
    ])
    return list
      .map(({ pubkey: id, account: { lamports, data } }) => ({
        id,
        lamports: BigInt(lamports),
        isDelegated: Buffer.from(data[0], 'base64').readUInt32LE() === 2,
      }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }
  const one = async (life: WalletLife, owner?: string): Promise<Account> => {
    const accounts = await accountsOf(life, owner)
    const account = accounts[life.random(accounts.length)]
    if (account === undefined) throw new RangeError('there is no stake account')
    return account
  }
  const rentOf = async (life: WalletLife) => BigInt(await ask<number>(life, 'getMinimumBalanceForRentExemption', [200]))
  const some = ({ random }: WalletLife) => BigInt(2 + random(400)) * SOL + BigInt(random(10 ** 9))

  /** Makes a stake account and delegates it. @returns what it holds */
  async function create(
    life: WalletLife,
    by: 'wallet' | 'stranger',
    owner: PublicKey,
    isDelegated = true,
  ): Promise<{ id: PublicKey; lamports: bigint }> {
    const [key, lamports] = [newKey(), some(life) + (await rentOf(life))]
    const payer = by === 'wallet' ? ownerOf(life) : STRANGER.publicKey
    const authorized = new Authorized(payer, owner)
    const made = StakeProgram.createAccount({
      fromPubkey: payer,
      stakePubkey: key.publicKey,
      authorized,
      lockup: new Lockup(0, 0, PublicKey.default),
      lamports: Number(lamports),
    })
    const delegated = StakeProgram.delegate({ stakePubkey: key.publicKey, authorizedPubkey: payer, votePubkey: new PublicKey(vote()) })
    await run(life, by, [...made.instructions, ...(isDelegated ? delegated.instructions : [])], [key])
    return { id: key.publicKey, lamports }
  }
  const give = (life: WalletLife, id: string, from: PublicKey, to: PublicKey) =>
    run(
      life,
      from.equals(STRANGER.publicKey) ? 'stranger' : 'wallet',
      StakeProgram.authorize({
        stakePubkey: new PublicKey(id),
        authorizedPubkey: from,
        newAuthorizedPubkey: to,
        stakeAuthorizationType: StakeAuthorizationLayout.Withdrawer,
      }).instructions,
    )
  /** Splits an account. @returns the new one */
  async function split(life: WalletLife, account: Account, lamports: bigint): Promise<PublicKey> {
    const part = newKey()
    const { instructions } = StakeProgram.split(
      {
        stakePubkey: new PublicKey(account.id),
        authorizedPubkey: ownerOf(life),
        splitStakePubkey: part.publicKey,
        lamports: Number(lamports),
      },
      Number(await rentOf(life)),
    )
    await run(life, 'wallet', instructions, [part])
    return part.publicKey
  }
  const withdraw = (life: WalletLife, id: string, to: PublicKey, lamports: bigint) =>
    run(
      life,
      'wallet',
      StakeProgram.withdraw({ stakePubkey: new PublicKey(id), authorizedPubkey: ownerOf(life), toPubkey: to, lamports: Number(lamports) })
        .instructions,
    )
  const step = (name: string, play: LedgerStep['run']): LedgerStep => ({ name, run: play })
  const inService = async (life: WalletLife, action: string) => {
    const { id } = await one(life)
    await life.player.act(action, { stake_account_address: id })
  }
  return {
    async begin(life) {
      await chain().fund(STRANGER.publicKey.toBase58(), 100_000n * SOL)
      for (const amount of ['1234.567890123', '77.000000007']) await life.player.act('stake', { amount: exactNumber(amount) })
      await life.player.advance({ epochs: 2 })
    },
    steps: [
      step('stakes', async (life) => void (await life.player.act('stake', { amount: exactNumber(formatAmount(some(life), 9)) }))),
      step('stakes by another front end', async (life) => void (await create(life, 'wallet', ownerOf(life)))),
      step('unstakes', (life) => inService(life, 'unstake')),
      step('withdraws', (life) => inService(life, 'withdraw')),
      step('deactivates, and withdraws to somebody else two epochs later', async (life) => {
        const { id } = await one(life)
        await run(life, 'wallet', StakeProgram.deactivate({ stakePubkey: new PublicKey(id), authorizedPubkey: ownerOf(life) }).instructions)
        await life.player.advance({ epochs: 2 })
        const lamports = await chain().balance(id)
        await withdraw(life, id, STRANGER.publicKey, lamports)
        left(life, lamports)
      }),
      step('is given a stake account', async (life) => {
        const { lamports } = await create(life, 'stranger', ownerOf(life))
        left(life, -lamports)
      }),
      step('is given an account that has earned', async (life) => {
        const { id } = await create(life, 'stranger', STRANGER.publicKey)
        await life.player.advance({ epochs: 2 })
        await give(life, id.toBase58(), STRANGER.publicKey, ownerOf(life))
        left(life, -(await chain().balance(id.toBase58())))
      }),
      step('gives an account away', async (life) => {
        const { id } = await one(life)
        await give(life, id, ownerOf(life), STRANGER.publicKey)
        left(life, await chain().balance(id))
      }),
      step('splits an account', async (life) => {
        const account = await one(life)
        await split(life, account, account.lamports / 3n)
      }),
      step('splits a part off and gives it away', async (life) => {
        const account = await one(life)
        const part = await split(life, account, account.lamports / 4n)
        await give(life, part.toBase58(), ownerOf(life), STRANGER.publicKey)
        left(life, await chain().balance(part.toBase58()))
      }),
      step('merges two accounts', async (life) => {
        const [into, from] = (await accountsOf(life)).toSorted(() => life.random(3) - 1)
        if (into === undefined || from === undefined) throw new RangeError('there are no two accounts')
        await run(
          life,
          'wallet',
          StakeProgram.merge({
            stakePubkey: new PublicKey(into.id),
            sourceStakePubKey: new PublicKey(from.id),
            authorizedPubkey: ownerOf(life),
          }).instructions,
        )
      }),
      step('makes an account and takes everything out at once', async (life) => {
        const { id, lamports } = await create(life, 'wallet', ownerOf(life), false)
        await withdraw(life, id.toBase58(), ownerOf(life), lamports)
      }),
      step('has an account for two epochs', async (life) => {
        const { id } = await create(life, 'wallet', ownerOf(life))
        await life.player.advance({ epochs: 2 })
        await run(life, 'wallet', StakeProgram.deactivate({ stakePubkey: id, authorizedPubkey: ownerOf(life) }).instructions)
        await life.player.advance({ epochs: 2 })
        await withdraw(life, id.toBase58(), ownerOf(life), await chain().balance(id.toBase58()))
      }),
      step('is tipped', async (life) => {
        const { id } = await one(life)
        const lamports = BigInt(1 + life.random(10 ** 8))
        await run(life, 'stranger', [
          SystemProgram.transfer({ fromPubkey: STRANGER.publicKey, toPubkey: new PublicKey(id), lamports: Number(lamports) }),
        ])
        left(life, -lamports)
      }),
      step('lets an epoch pass', async ({ player }) => void (await player.advance({ epochs: 1 }))),
      step('lets three epochs pass', async ({ player }) => void (await player.advance({ epochs: 3 }))),
      step(
        'sees another commission',
        async ({ operate, random }) => void (await operate('validator', { vote: vote(), commission_bps: random(2_000) })),
      ),
      step('sees its validator miss an epoch', async ({ operate, player }) => {
        await operate('validator', { vote: vote(), delinquent: true })
        await player.advance({ epochs: 1 })
        await operate('validator', { vote: vote(), delinquent: false })
      }),
    ],
    async wealth(life) {
      const { address } = life.player.wallet
      const accounts = await accountsOf(life)
      const stake = accounts.reduce((sum, { lamports }) => sum + lamports, 0n)
      return (await chain().balance(address)) + stake + (await paidFees(life.rpcUrl, address)) + (elsewhere.get(address) ?? 0n)
    },
    finalise: async () => void (await chain().mine(FINAL_BLOCKS)),
  }
}
