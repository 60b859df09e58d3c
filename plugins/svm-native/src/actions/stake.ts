import { randomBytes } from 'node:crypto'
import { PublicKey, StakeProgram, VOTE_PROGRAM_ID } from '@solana/web3.js'
import { Amount, badRequest, formatAmount, ServiceError } from '@svc/contract'
import { newEphemeralKey, readAccounts, SvmAddress } from '@svc/kit-svm'
import { Type } from 'typebox'
import { EPOCH_REWARDS } from '../chain-state.ts'
import { nonceAdvanced, seededStake, seededStakeAccountMade, stakeAccountMade, stakeDelegated, toBase58 } from '../effects.ts'
import { createAccount, createAccountWithSeed, delegateStake, initializeStake } from '../instructions.ts'
import { leastStake } from '../minimum.ts'
import { defineAction } from '../network.ts'
import { NonceAccount } from './members.ts'
import { refuseDuringRewards } from './refusals.ts'

/** What the transaction used is about 20,000 units. */
const UNIT_LIMIT = 60_000
/** A seed that nobody can foresee: lamports sent to its address before would make the creation fail. */
const SEED_BYTES = 16
/** Half of what 64 bits hold, so that the rent fits beside it: 9.2 billion SOL, many times all there are. */
const MOST = 2n ** 63n - 1n

/** A stake account that the wallet controls from its first moment, funded and delegated in one transaction. */
export const stake = defineAction({
  summary: "Delegate to the operator's validator",
  description:
    'One transaction makes a stake account, funds it with `amount` and the rent reserve (about 0.0023 SOL, which comes back with the ' +
    'withdrawal), and delegates it. The stake earns from the next epoch. With `sign` the new account has a key of its own that has signed ' +
    'its creation already, and is forgotten; without, the account is derived from the wallet by a seed. Either way the wallet is the ' +
    'only one who is still to sign, and the message must not be changed.',
  body: {
    wallet_address: SvmAddress,
    nonce_account_address: NonceAccount,
    amount: Amount({ minimum: '1', description: 'Amount to delegate, in SOL; the rent reserve is added.' }),
    sign: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether the new stake account has a key of its own, which has signed already; false derives it from the wallet.',
        examples: [true],
      }),
    ),
  },
  async read({ client }, { wallet_address, sign = true }) {
    const rent = client.rent(StakeProgram.space)
    if (sign) return { rent: await rent, made: { by: 'key', key: newEphemeralKey() } } as const
    const seed = randomBytes(SEED_BYTES).toString('hex')
    const account = await PublicKey.createWithSeed(new PublicKey(wallet_address), seed, StakeProgram.programId)
    return { rent: await rent, made: { by: 'seed', seed, account } } as const
  },
  async guard(ctx, { amount }) {
    const { validator } = ctx.network
    if (amount > MOST) throw badRequest('AMOUNT_INVALID', `amount ${formatAmount(amount, 9)} is larger than the chain can carry.`)
    const [[vote, rewards], least] = await Promise.all([readAccounts(ctx.client, [validator, EPOCH_REWARDS]), leastStake(ctx)])
    if (amount < least)
      throw badRequest('AMOUNT_TOO_SMALL', `amount ${formatAmount(amount, 9)} is below the chain's minimum of ${formatAmount(least, 9)}.`)
    if (vote?.owner !== VOTE_PROGRAM_ID.toBase58())
      throw new ServiceError(
        500,
        'VALIDATOR_UNKNOWN',
        `${validator} is no vote account of ${ctx.network.chainId}; the operator has to mend that setting.`,
      )
    refuseDuringRewards(rewards)
  },
  craft: ({ validator }, { wallet_address, amount }, { rent, made }) => {
    const wallet = new PublicKey(wallet_address)
    const account = made.by === 'key' ? made.key.publicKey : made.account
    const lamports = amount + rent
    const space = StakeProgram.space
    const owner = StakeProgram.programId
    return {
      feePayer: wallet_address,
      instructions: [
        made.by === 'key'
          ? createAccount({ from: wallet, account, lamports, space, owner })
          : createAccountWithSeed({ base: wallet, account, seed: made.seed, lamports, space, owner }),
        initializeStake(account, wallet),
        delegateStake(account, new PublicKey(validator), wallet),
      ],
      ...(made.by === 'key' ? { ephemeral: made.key } : {}),
      unitLimit: UNIT_LIMIT,
      spends: lamports,
    }
  },
  effects: ({ validator: vote }, { wallet_address: wallet, nonce_account_address, amount }, { rent, made }) => {
    const lamports = amount + rent
    const stake = made.by === 'key' ? toBase58(made.key.publicKey.toBytes()) : seededStake(wallet, made.seed)
    return {
      signers: made.by === 'key' ? [wallet, stake] : [wallet],
      calls: [
        ...nonceAdvanced(nonce_account_address, wallet),
        made.by === 'key' ? stakeAccountMade({ wallet, stake, lamports }) : seededStakeAccountMade({ wallet, seed: made.seed, lamports }),
        ...stakeDelegated({ wallet, stake, vote }),
      ],
    }
  },
})
