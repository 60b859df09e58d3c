import { randomInt } from 'node:crypto'
import * as intent from '@svc/intent-svm-native'
import { readAccounts, SvmAddress, type SvmClient } from '@svc/kit-svm'
import { NONCE_ACCOUNT_LENGTH, PublicKey, SystemProgram } from '@svc/solana'
import { badRequest } from '../codes.ts'
import { defineAction } from '../network.ts'
import { createAccountWithSeed, initializeNonce } from './instructions.ts'

/** Addresses that are looked up first. The very first one is free for nearly everybody. */
const FIRST = 20
/**
 * As many are taken at random beside them, in the same call, of numbers below this: whoever puts lamports on the first ones, since they are known to everybody, cannot
 * do so on these.
 */
const RANDOM_NUMBERS = 2 ** 48 - 1
/** Limit for a transaction that used about 600 units. */
const UNIT_LIMIT = 5_000

/** Makes a nonce account at the first free address that the wallet derives from `nonce:0` to `nonce:19`, and else from a number at random. */
export const createNonceAccount = defineAction({
  summary: 'Create a durable nonce account',
  description:
    'Optional. A transaction with a durable nonce does not expire, for when signing takes longer than a minute. The new account is the ' +
    "second account of the first instruction, and its address follows from the wallet's: base58 of sha256(wallet, `nonce:0`, system program), " +
    'with `nonce:1` and so on where that exists already, and a number at random where the first 20 do. Its authority is the wallet. The rent comes ' +
    'back by `close-nonce-account`.',
  body: { wallet_address: SvmAddress },
  async read({ client }, { wallet_address }) {
    const [seed, rent] = await Promise.all([freeSeed(client, wallet_address), client.rent(NONCE_ACCOUNT_LENGTH)])
    return { ...seed, rent }
  },
  craft: (_network, { wallet_address }, { seed, account, rent }) => {
    const wallet = new PublicKey(wallet_address)
    const space = NONCE_ACCOUNT_LENGTH
    return {
      feePayer: wallet_address,
      instructions: [
        createAccountWithSeed({ base: wallet, account, seed, lamports: rent, space, owner: SystemProgram.programId }),
        initializeNonce(account, wallet),
      ],
      unitLimit: UNIT_LIMIT,
      spends: rent,
    }
  },
  effects: (network, input, facts) => intent.createNonceAccount.effects(network, input, facts),
})

/** @throws 400 NONCE_ACCOUNTS_EXHAUSTED */
async function freeSeed(client: SvmClient, wallet: string): Promise<{ readonly seed: string; readonly account: PublicKey }> {
  const base = new PublicKey(wallet)
  const candidates = await Promise.all(
    Array.from({ length: 2 * FIRST }, async (_, index) => {
      const seed = `nonce:${index < FIRST ? index : randomInt(FIRST, RANDOM_NUMBERS)}`
      return { seed, account: await PublicKey.createWithSeed(base, seed, SystemProgram.programId) }
    }),
  )
  const accounts = await readAccounts(
    client,
    candidates.map(({ account }) => account.toBase58()),
  )
  // An address that only holds lamports is taken too: the chain makes no account where there is anything.
  const free = candidates.find((_, index) => accounts[index] === null)
  if (free) return free
  throw badRequest(
    'NONCE_ACCOUNTS_EXHAUSTED',
    `The first ${FIRST} addresses of nonce accounts of ${wallet} are taken, and ${FIRST} at random are as well; use a nonce account that it has.`,
  )
}
