import * as intent from '@svc/intent-svm-native'
import { heldNonce, readAccounts, SvmAddress } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { Type } from 'typebox'
import { badRequest } from '../codes.ts'
import { defineAction } from '../network.ts'
import { withdrawNonce } from './instructions.ts'
import { NonceAccount } from './members.ts'

/** Limit for a transaction that used about 600 units. */
const UNIT_LIMIT = 5_000

/** Pays a nonce account out to the wallet, whole, which closes it. */
export const closeNonceAccount = defineAction({
  summary: 'Close a durable nonce account',
  description:
    'All that the nonce account holds, its rent, comes back to the wallet, which must be its authority. Transactions that were crafted with ' +
    'it and have not landed are void from then on. It cannot be closed in the block in which it was made or used.',
  beyondSpecification: true,
  body: {
    wallet_address: SvmAddress,
    account_address: Type.Unsafe<string>({
      ...SvmAddress,
      description: 'The nonce account to close.',
      examples: ['2TF7YuTVDHy9kd2jEuPYZf42NeKSgGRho7219GLPkbeP'],
    }),
    nonce_account_address: NonceAccount,
  },
  async read({ client }, { wallet_address, account_address: address, nonce_account_address }) {
    if (address === nonce_account_address)
      throw badRequest(
        'NONCE_ACCOUNT_INVALID',
        `account_address and nonce_account_address are both ${address}; the nonce of an account that is being closed cannot be used for it.`,
      )
    const [account = null] = await readAccounts(client, [address])
    const { lamports: whole } = heldNonce(address, account, wallet_address, (why) =>
      badRequest('NONCE_ACCOUNT_INVALID', `account_address ${address} ${why}. Name a nonce account whose authority is the wallet.`),
    )
    return { whole }
  },
  craft: (_network, { wallet_address, account_address }, { whole }) => {
    const wallet = new PublicKey(wallet_address)
    return {
      feePayer: wallet_address,
      instructions: [withdrawNonce({ nonce: new PublicKey(account_address), to: wallet, authority: wallet, lamports: whole })],
      unitLimit: UNIT_LIMIT,
      spends: 0n,
    }
  },
  effects: (network, input, facts) => intent.closeNonceAccount.effects(network, input, facts),
})
