import type { LedgerStep, LedgerTest, WalletLife } from '@svc/conformance'
import type { SvmWallet } from '@svc/conformance/svm'
import { exactNumber, formatAmount } from '@svc/contract'
import { Keypair, PublicKey, StakeAuthorizationLayout, StakeProgram, type TransactionInstruction } from '@svc/solana'
import { askNode, paidFees } from '@svc/testing/svm-lives'
import type { Behind } from './chain.ts'
import { instructionsOn, runPast } from './pool-instructions.ts'

const SOL = 1_000_000_000n
/** Blocks on top of one before it is final, and some more. */
const FINAL_BLOCKS = 40
const STRANGER = Keypair.fromSeed(new Uint8Array(32).fill(77))
/** Lamports by which the price of an epoch may miss the price of a moment within it: what the divisions of a life leave. */
const DUST = 3n

/** Books of the pool. */
interface Books {
  readonly total: bigint
  readonly supply: bigint
}
/** Tokens that went to somebody else, or came from there below zero, whose worth is that of the pool's books of an epoch. */
interface Given {
  readonly units: bigint
  readonly epoch: bigint
  /** Books of that moment; null where they were not made up in that epoch yet. */
  readonly then: Books | null
}

const worthOf = (units: bigint, { total, supply }: Books) => ((units < 0n ? -1n : 1n) * ((units < 0n ? -units : units) * total)) / supply

/** Everything that happens to holders of a pool's tokens, at random, and what a wallet has by the node's own state. */
export function ledger(chain: () => Behind): LedgerTest {
  /** Lamports that went to others, less what came from them, by wallet; tokens that did since the last look; and the books of that look. */
  const elsewhere = new Map<string, bigint>()
  const given = new Map<string, Given[]>()
  const looks = new Map<string, { readonly updated: bigint; readonly books: Books }>()
  const { associated, createAssociated, createAccount, transfer, approve, burn, close, giveAccount, deposit, withdraw, withdrawStake } =
    instructionsOn(chain)
  const nameOf = ({ player: { wallet } }: WalletLife) => wallet.address
  const ownerOf = (life: WalletLife) => new PublicKey(nameOf(life))
  const stranger = STRANGER.publicKey
  const left = (life: WalletLife, lamports: bigint) => void elsewhere.set(nameOf(life), (elsewhere.get(nameOf(life)) ?? 0n) + lamports)
  const books = (): Books => ({ total: chain().record().totalLamports, supply: chain().record().supply })
  const gave = (life: WalletLife, units: bigint) => {
    const epoch = BigInt(chain().svm.latest().epoch)
    const then = chain().record().updatedEpoch === epoch ? books() : null
    given.set(nameOf(life), [...(given.get(nameOf(life)) ?? []), { units, epoch, then }])
  }
  let count = 0
  const newKey = () => {
    const seed = new Uint8Array(32).fill(79)
    new DataView(seed.buffer).setUint32(0, ++count)
    return Keypair.fromSeed(seed)
  }

  /** Runs instructions past the service. @throws where the chain refuses them */
  const run = (life: WalletLife, by: 'wallet' | 'stranger', instructions: readonly TransactionInstruction[], others: Keypair[] = []) =>
    runPast(chain(), by === 'wallet' ? (life.player.wallet as SvmWallet) : STRANGER, instructions, others)

  interface Account {
    readonly id: PublicKey
    readonly lamports: bigint
    readonly units: bigint
  }
  async function accountsOf(life: WalletLife, owner = ownerOf(life)): Promise<readonly Account[]> {
    const options = { encoding: 'base64', commitment: 'processed' }
    const { value } = await askNode<{ value: { pubkey: string; account: { lamports: number; data: [string] } }[] }>(
      life.rpcUrl,
      'getTokenAccountsByOwner',
      [owner.toBase58(), { mint: chain().settings.mint }, options],
    )
    return value
      .map(({ pubkey, account }) => ({
        id: new PublicKey(pubkey),
        lamports: BigInt(account.lamports),
        units: Buffer.from(account.data[0], 'base64').readBigUInt64LE(64),
      }))
      .toSorted((one, other) => (one.id.toBase58() < other.id.toBase58() ? -1 : 1))
  }
  /** One of the accounts with tokens. @throws RangeError where there is none */
  const one = async (life: WalletLife, fits: (account: Account) => boolean = ({ units }) => units > 0n): Promise<Account> => {
    const accounts = (await accountsOf(life)).filter(fits)
    const account = accounts[life.random(accounts.length)]
    if (account === undefined) throw new RangeError('there is no such account')
    return account
  }
  const isElsewhere =
    (life: WalletLife) =>
    ({ id }: Account) =>
      !id.equals(associated(nameOf(life)))
  const part = ({ random }: WalletLife, { units }: Account) => (units * BigInt(1 + random(70))) / 100n + 1n
  const some = ({ random }: WalletLife, most = 400) => BigInt(1 + random(most)) * SOL + BigInt(random(10 ** 9))
  const step = (name: string, play: LedgerStep['run']): LedgerStep => ({ name, run: play })
  const text = (units: bigint) => exactNumber(formatAmount(units, 9))
  const balance = async (life: WalletLife) => (await chain().svm.balance(nameOf(life))) + (await paidFees(life.rpcUrl, nameOf(life)))
  /** Does what is of no book: what the wallet pays for it, or gets by it, is elsewhere. */
  const aside = async (life: WalletLife, play: () => Promise<unknown>) => {
    const before = await balance(life)
    await play()
    left(life, before - (await balance(life)))
  }
  /** A stake account of the wallet's that the pool has given out. @throws RangeError where there is none */
  const stakeOf = async (life: WalletLife): Promise<string> => {
    const stakes = await chain().stakesOf(nameOf(life))
    const stake = stakes[life.random(stakes.length)]
    if (stake === undefined) throw new RangeError('there is no stake account')
    return stake.address
  }
  /** Unstakes by the service: what the reserve cannot pay comes as a stake account, which is of no book of the pool's. */
  const unstake = async (life: WalletLife, units: bigint) => {
    const before = new Set((await chain().stakesOf(nameOf(life))).map(({ address }) => address))
    await life.player.act('unstake', { amount: text(units) })
    for (const { address } of await chain().stakesOf(nameOf(life))) if (!before.has(address)) left(life, await chain().svm.balance(address))
  }
  /** Takes stake out of the pool, into an account of somebody's. */
  const takeStake = async (life: WalletLife, to: PublicKey) => {
    const account = await one(life, ({ units }) => units > 4n * SOL)
    const stake = newKey()
    await run(life, 'wallet', withdrawStake(ownerOf(life), account.id, stake, to, account.units / 3n), [stake])
    left(life, await chain().svm.balance(stake.publicKey.toBase58()))
  }
  const epochs = (life: WalletLife, number = 1) => life.player.advance({ epochs: number })

  return {
    async begin(life) {
      await chain().svm.fund(stranger.toBase58(), 100_000n * SOL)
      chain().svm.mintTo(chain().settings.mint, stranger.toBase58(), 5_000n * SOL)
      await life.player.act('stake', { amount: exactNumber('1234.567890123') })
      await epochs(life)
    },
    steps: [
      step('stakes', async (life) => void (await life.player.act('stake', { amount: text(some(life)) }))),
      step('stakes by another front end, which keeps the referral', async (life) => {
        const [owner, account] = [ownerOf(life), associated(nameOf(life))]
        await run(life, 'wallet', [createAssociated(owner, owner), deposit(owner, account, associated(stranger), some(life), 1n)])
      }),
      step('stakes into another token account', async (life) => {
        const [owner, account] = [ownerOf(life), newKey()]
        await run(
          life,
          'wallet',
          [...createAccount(owner, account, owner), deposit(owner, account.publicKey, account.publicKey, some(life))],
          [account],
        )
      }),
      step('is given a deposit', async (life) => {
        const lamports = some(life, 50)
        const [account] = await accountsOf(life)
        if (account === undefined) throw new RangeError('there is no account')
        await run(life, 'stranger', [deposit(stranger, account.id, associated(stranger), lamports)])
        left(life, -lamports)
      }),
      step('stakes for somebody else', async (life) => {
        const lamports = some(life, 5)
        await run(life, 'wallet', [deposit(ownerOf(life), associated(stranger), associated(stranger), lamports)])
        left(life, lamports)
      }),
      step('refers the deposit of somebody else', async (life) => {
        const account = await one(life)
        await run(life, 'stranger', [deposit(stranger, associated(stranger), account.id, some(life, 50))])
        gave(life, account.units - (await accountsOf(life)).find(({ id }) => id.equals(account.id))!.units)
      }),
      step('sees others come and go', async (life) => {
        await run(life, 'stranger', [deposit(stranger, associated(stranger), associated(stranger), some(life, 50))])
        await run(life, 'stranger', [withdraw(stranger, associated(stranger), stranger, some(life, 5))])
      }),
      step('unstakes', async (life) => {
        const account = await one(life, (each) => each.units > 1n && !isElsewhere(life)(each))
        await unstake(life, account.units / BigInt(1 + life.random(9)))
      }),
      step('unstakes by another front end', async (life) => {
        const account = await one(life)
        await run(life, 'wallet', [withdraw(ownerOf(life), account.id, ownerOf(life), part(life, account) / 3n + 2n, 1n)])
      }),
      step('unstakes for somebody else', async (life) => {
        const account = await one(life)
        const before = await chain().svm.balance(stranger.toBase58())
        await run(life, 'wallet', [withdraw(ownerOf(life), account.id, stranger, account.units / 7n + 2n)])
        left(life, (await chain().svm.balance(stranger.toBase58())) - before)
      }),
      step('unstakes what the reserve cannot pay', async (life) => {
        const account = await one(life, (each) => each.units > 4n * SOL && !isElsewhere(life)(each))
        await life.operate('drain-reserve', { leave: '0.100000001' })
        try {
          await unstake(life, account.units / 2n)
        } finally {
          // Others fill the reserve again: what comes after the lives is tried on a pool that pays.
          await run(life, 'stranger', [deposit(stranger, associated(stranger), associated(stranger), 1_500n * SOL)])
        }
      }),
      step('takes stake out by another front end', (life) => takeStake(life, ownerOf(life))),
      step('takes stake out for somebody else', (life) => takeStake(life, stranger)),
      step('withdraws its stake', (life) =>
        aside(life, async () => {
          const id = await stakeOf(life)
          const stakePubkey = new PublicKey(id)
          await run(life, 'wallet', StakeProgram.deactivate({ stakePubkey, authorizedPubkey: ownerOf(life) }).instructions).catch(() => {})
          await epochs(life)
          const lamports = Number(await chain().svm.balance(id))
          const { instructions } = StakeProgram.withdraw({
            stakePubkey,
            authorizedPubkey: ownerOf(life),
            toPubkey: ownerOf(life),
            lamports,
          })
          await run(life, 'wallet', instructions)
        }),
      ),
      step('splits its stake and gives a part away', (life) =>
        aside(life, async () => {
          const [stakePubkey, authorizedPubkey, key] = [new PublicKey(await stakeOf(life)), ownerOf(life), newKey()]
          const lamports = Number((await chain().svm.balance(stakePubkey.toBase58())) / 3n)
          const { instructions } = StakeProgram.split(
            { stakePubkey, authorizedPubkey, splitStakePubkey: key.publicKey, lamports },
            2_282_880,
          )
          await run(life, 'wallet', instructions, [key])
          const stakeAuthorizationType = StakeAuthorizationLayout.Withdrawer
          const giving = { stakePubkey: key.publicKey, authorizedPubkey, newAuthorizedPubkey: stranger, stakeAuthorizationType }
          await run(life, 'wallet', StakeProgram.authorize(giving).instructions)
        }),
      ),
      step('merges its stakes', (life) =>
        aside(life, async () => {
          const [into, from] = (await chain().stakesOf(nameOf(life))).toSorted(() => life.random(3) - 1)
          if (into === undefined || from === undefined) throw new RangeError('there are no two stake accounts')
          const [stakePubkey, sourceStakePubKey] = [new PublicKey(into.address), new PublicKey(from.address)]
          await run(life, 'wallet', StakeProgram.merge({ stakePubkey, sourceStakePubKey, authorizedPubkey: ownerOf(life) }).instructions)
        }),
      ),
      step('gives tokens away', async (life) => {
        const account = await one(life)
        const units = part(life, account)
        await run(life, 'wallet', [transfer(account.id, associated(stranger), ownerOf(life), units)])
        gave(life, units)
      }),
      step('is given tokens', async (life) => {
        const [account] = await accountsOf(life)
        if (account === undefined) throw new RangeError('there is no account')
        const units = some(life, 50)
        await run(life, 'stranger', [transfer(associated(stranger), account.id, stranger, units)])
        gave(life, -units)
      }),
      step('sees tokens taken by whom it has approved', async (life) => {
        const account = await one(life)
        const units = part(life, account) / 4n + 1n
        await run(life, 'wallet', [approve(account.id, stranger, ownerOf(life), units)])
        await run(life, 'stranger', [transfer(account.id, associated(stranger), stranger, units)])
        gave(life, units)
      }),
      step('moves tokens between its accounts', async (life) => {
        const [account, other] = [await one(life), newKey()]
        const units = part(life, account)
        await run(
          life,
          'wallet',
          [...createAccount(ownerOf(life), other, ownerOf(life)), transfer(account.id, other.publicKey, ownerOf(life), units)],
          [other],
        )
      }),
      step('takes tokens through another account to somebody', async (life) => {
        const [account, other, owner] = [await one(life), newKey(), ownerOf(life)]
        const units = part(life, account)
        await run(life, 'wallet', [...createAccount(owner, other, owner), transfer(account.id, other.publicKey, owner, units)], [other])
        await run(life, 'stranger', [transfer(associated(stranger), other.publicKey, stranger, SOL)])
        await run(life, 'wallet', [transfer(other.publicKey, associated(stranger), owner, units + SOL), close(other.publicKey, owner)])
        gave(life, -SOL)
        gave(life, units + SOL)
      }),
      step('gives a token account away', async (life) => {
        const account = await one(life, isElsewhere(life))
        await run(life, 'wallet', [giveAccount(account.id, ownerOf(life), stranger)])
        gave(life, account.units)
        left(life, account.lamports)
      }),
      step('is given a token account', async (life) => {
        const account = newKey()
        const units = some(life, 40)
        await run(life, 'stranger', createAccount(stranger, account, stranger), [account])
        await run(life, 'stranger', [
          transfer(associated(stranger), account.publicKey, stranger, units),
          giveAccount(account.publicKey, stranger, ownerOf(life)),
        ])
        gave(life, -units)
        left(life, -(await chain().svm.balance(account.publicKey.toBase58())))
      }),
      step('empties an account that somebody has made for it', async (life) => {
        const [account, owner, units] = [newKey(), ownerOf(life), some(life, 40)]
        await run(life, 'stranger', createAccount(stranger, account, owner), [account])
        await run(life, 'stranger', [transfer(associated(stranger), account.publicKey, stranger, units)])
        left(life, -(await chain().svm.balance(account.publicKey.toBase58())))
        await run(life, 'wallet', [transfer(account.publicKey, associated(stranger), owner, units / 2n)])
        await run(life, 'wallet', [
          transfer(account.publicKey, associated(stranger), owner, units - units / 2n),
          close(account.publicKey, owner),
        ])
        for (const each of [-units, units / 2n, units - units / 2n]) gave(life, each)
      }),
      step('stakes into another account and gives it away', async (life) => {
        const [owner, account, lamports] = [ownerOf(life), newKey(), some(life, 40)]
        await run(
          life,
          'wallet',
          [...createAccount(owner, account, owner), deposit(owner, account.publicKey, account.publicKey, lamports)],
          [account],
        )
        const made = (await accountsOf(life)).find(({ id }) => id.equals(account.publicKey))!
        await run(life, 'wallet', [giveAccount(made.id, owner, stranger)])
        gave(life, made.units)
        left(life, made.lamports)
      }),
      step('stakes and gives a part away at once', async (life) => {
        const [owner, account] = [ownerOf(life), associated(nameOf(life))]
        const units = some(life, 3) / 3n
        const both = [deposit(owner, account, account, some(life) + 4n * SOL), transfer(account, associated(stranger), owner, units)]
        await run(life, 'wallet', [createAssociated(owner, owner), ...both])
        gave(life, units)
      }),
      step('burns tokens', async (life) => {
        const account = await one(life)
        const units = part(life, account) / 9n + 1n
        await run(life, 'wallet', [burn(account.id, ownerOf(life), units)])
        gave(life, units)
      }),
      step('closes an empty account', async (life) => {
        const account = await one(life, ({ units }) => units === 0n)
        await run(life, 'wallet', [close(account.id, ownerOf(life))])
      }),
      step('fails to give away more than it has', async (life) => {
        const account = await one(life)
        await run(life, 'wallet', [transfer(account.id, associated(stranger), ownerOf(life), account.units + 1n)]).catch(() => {})
      }),
      step('lets an epoch pass', (life) => epochs(life).then(() => {})),
      step('sees the pool lose a part', async (life) => {
        await life.operate('pool-loss', { amount: `${10 + life.random(200)}` })
        await epochs(life)
      }),
      step('sees another fee of deposits', async ({ operate, random }) => {
        await operate('pool-fee', { fee: 'sol_deposit', numerator: random(50), denominator: 10_000 })
      }),
      step('sees another fee of withdrawals announced', async ({ operate, random }) => {
        await operate('pool-fee', { fee: ['sol_withdrawal', 'stake_withdrawal'][random(2)], numerator: random(12), denominator: 10_000 })
      }),
      step('sees the reserve tipped', ({ operate }) =>
        operate('tip', { account: chain().record().reserve, amount: '0.500000001' }).then(() => {}),
      ),
      step('sees an epoch without an update', async (life) => {
        await life.operate('stale-pool', { stale: true })
        await epochs(life)
        const account = await one(life).catch(() => null)
        if (account !== null) {
          await run(life, 'wallet', [transfer(account.id, associated(stranger), ownerOf(life), account.units / 5n + 1n)])
          gave(life, account.units / 5n + 1n)
        }
        await life.operate('stale-pool', { stale: false })
      }),
    ],
    earned: ['fee', 'revaluation'],
    async wealth(life) {
      const name = nameOf(life)
      const accounts = await accountsOf(life)
      const units = accounts.reduce((sum, account) => sum + account.units, 0n)
      const rent = accounts.reduce((sum, { lamports }) => sum + lamports, 0n)
      const { updatedEpoch: updated, last } = chain().record()
      const look = looks.get(name) ?? { updated, books: books() }
      for (const { units: some, epoch, then } of given.get(name) ?? []) {
        const isLast = epoch === updated - 1n || last.supply === look.books.supply
        const before = isLast ? { total: last.totalLamports, supply: last.supply } : null
        const price = epoch <= look.updated ? look.books : epoch >= updated ? books() : before
        if (price === null) throw new RangeError(`the price of epoch ${epoch} is nowhere`)
        const [worth, moment] = [worthOf(some, price), worthOf(some, then ?? price)]
        if (worth - moment > DUST || moment - worth > DUST) throw new RangeError(`${some} tokens were worth ${moment} and not ${worth}`)
        left(life, worth)
      }
      given.set(name, [])
      looks.set(name, { updated, books: books() })
      return (await balance(life)) + rent + worthOf(units, books()) + (elsewhere.get(name) ?? 0n)
    },
    finalise: async () => void (await chain().svm.mine(FINAL_BLOCKS)),
  }
}
