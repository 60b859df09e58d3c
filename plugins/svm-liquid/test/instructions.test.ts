import { PublicKey, StakeProgram, SystemInstruction } from '@svc/solana'
import { StakePoolInstruction } from '@svc/solana/stake-pool'
import fc from 'fast-check'
import t from 'tap'
import { depositSol, withdrawSol, withdrawStake } from '../src/actions/instructions.ts'
import { tokenAccountOf, validatorStakeOf, withdrawAuthorityOf } from '../src/chain/derived-addresses.ts'
import { network, record } from './fixtures.ts'
import vectors from './vectors/transactions.json' with { type: 'json' }

const own = { pool: network.pool, mint: network.mint, program: network.program, tokenProgram: network.token_program }
const { wallet } = vectors
const deferral = { vote: vectors.vote, validatorSeed: 1, seed: 'a'.repeat(32), rent: 2_282_880n }
const u64 = fc.bigInt(0n, 2n ** 64n - 1n)

t.test('every u64 stands in the data to the last unit', async (t) => {
  fc.assert(
    fc.property(u64, u64, (amount, rent) => {
      const [made, split] = withdrawStake(own, record, wallet, amount, { ...deferral, rent })
      const data = [depositSol(own, record, wallet, amount), withdrawSol(own, record, wallet, amount), split!].map((each) => each.data)
      return (
        data.every((each) => each.length === 9 && each.readBigUInt64LE(1) === amount) &&
        data.map(([tag]) => tag).join() === '14,16,10' &&
        made!.data.readBigUInt64LE(made!.data.length - 48) === rent
      )
    }),
  )
  for (const amount of [-1n, 2n ** 64n]) {
    t.throws(() => depositSol(own, record, wallet, amount), RangeError)
    t.throws(() => withdrawSol(own, record, wallet, amount), RangeError)
    t.throws(() => withdrawStake(own, record, wallet, amount, deferral), RangeError)
  }
})

t.test('for amounts that a double holds the instructions are those of the library', async (t) => {
  const key = (address: string) => new PublicKey(address)
  const tokens = tokenAccountOf(wallet, own)
  const pool = {
    stakePool: key(own.pool),
    withdrawAuthority: withdrawAuthorityOf(own),
    reserveStake: key(record.reserve),
    managerFeeAccount: key(record.managerFeeAccount),
    poolMint: key(own.mint),
  }
  const spender = { sourcePoolAccount: tokens, sourceTransferAuthority: key(wallet) }
  for (const amount of [1, 3_000_000, Number.MAX_SAFE_INTEGER]) {
    const funding = { fundingAccount: key(wallet), destinationPoolAccount: tokens, referralPoolAccount: tokens }
    t.same(depositSol(own, record, wallet, BigInt(amount)), StakePoolInstruction.depositSol({ ...pool, ...funding, lamports: amount }))
    t.same(
      withdrawSol(own, record, wallet, BigInt(amount)),
      StakePoolInstruction.withdrawSol({ ...pool, ...spender, destinationSystemAccount: key(wallet), poolTokens: amount }),
    )
    const [made, split, deactivated] = withdrawStake(own, record, wallet, BigInt(amount), deferral)
    const { newAccountPubkey, ...account } = SystemInstruction.decodeCreateWithSeed(made!)
    t.match(account, { basePubkey: key(wallet), seed: deferral.seed, lamports: 2_282_880, space: 200, programId: StakeProgram.programId })
    t.same(
      split,
      StakePoolInstruction.withdrawStake({
        ...pool,
        ...spender,
        validatorList: key(record.validatorList),
        validatorStake: validatorStakeOf(own, vectors.vote, 1),
        destinationStake: newAccountPubkey,
        destinationStakeAuthority: key(wallet),
        poolTokens: amount,
      }),
    )
    t.same(deactivated, StakeProgram.deactivate({ stakePubkey: newAccountPubkey, authorizedPubkey: key(wallet) }).instructions[0])
  }
})
