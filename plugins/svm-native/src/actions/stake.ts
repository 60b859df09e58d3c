import { randomBytes } from 'node:crypto'
import { Amount, tokensText } from '@svc/contract'
import * as intent from '@svc/intent-svm-native'
import { newEphemeralKey, readAccounts, SvmAddress } from '@svc/kit-svm'
import { PublicKey, StakeProgram } from '@svc/solana'
import { Type } from 'typebox'
import { leastStake } from '../chain/least-stake.ts'
import { EPOCH_REWARDS, payingRewards } from '../chain/now.ts'
import { idleness, readVoteAccount } from '../chain/vote-accounts.ts'
import { badRequest } from '../codes.ts'
import { defineAction } from '../network.ts'
import { refuseDuringRewards, requireVoteAccount } from './checks.ts'
import { createAccount, createAccountWithSeed, delegateStake, initializeStake } from './instructions.ts'
import { NonceAccount } from './members.ts'

/** Limit for a transaction that used about 20,000 units. */
const UNIT_LIMIT = 60_000
/** A seed that nobody can foresee: lamports sent to its address before would make the creation fail. */
const SEED_BYTES = 16

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
    if (sign) {
      const key = newEphemeralKey()
      return { rent: await rent, made: { by: 'key', key, address: key.publicKey.toBase58() } } as const
    }
    const seed = randomBytes(SEED_BYTES).toString('hex')
    const account = await PublicKey.createWithSeed(new PublicKey(wallet_address), seed, StakeProgram.programId)
    return { rent: await rent, made: { by: 'seed', seed, account } } as const
  },
  obstacles: ['VALIDATOR_INACTIVE'],
  async guard(ctx, { amount }) {
    const { validator } = ctx.network
    const [paying, vote, least] = await Promise.all([
      readAccounts(ctx.client, [validator, EPOCH_REWARDS], ([account, rewards]) => {
        requireVoteAccount(ctx, account ?? null)
        return payingRewards(rewards ?? null)
      }),
      readVoteAccount(ctx.client, validator),
      leastStake(ctx),
    ])
    if (amount < least)
      throw badRequest(
        'AMOUNT_TOO_SMALL',
        `amount ${tokensText(amount, ctx.network)} is below the chain's minimum of ${tokensText(least, ctx.network)}.`,
      )
    const idle = idleness(vote)
    if (idle)
      throw badRequest(
        'VALIDATOR_INACTIVE',
        `The operator's validator ${validator} ${idle.reason}; unstake and withdraw work all the same.`,
      )
    refuseDuringRewards(paying)
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
  effects: (network, input, { rent, made }) =>
    intent.stake.effects(network, input, { rent, ...(made.by === 'key' ? { account: made.address } : { seed: made.seed }) }),
})
