import * as intent from '@svc/intent-svm-native'
import { SvmAddress } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { phaseOf } from '../chain/position.ts'
import { NEVER } from '../chain/stake-account.ts'
import { badRequest } from '../codes.ts'
import { defineAction } from '../network.ts'
import { readSubject, requireAuthority } from './checks.ts'
import { deactivate } from './instructions.ts'
import { NonceAccount, StakeAccountAddress } from './members.ts'

/** Limit for a transaction that used about 11,100 units. */
const UNIT_LIMIT = 20_000

/** Deactivates a stake account of the wallet, whole, whichever validator it is delegated to. */
export const unstake = defineAction({
  summary: 'Deactivate a stake account',
  description:
    'The whole account cools down, as a rule until the next epoch, and is then paid out by `withdraw`. One that was delegated in this ' +
    'very epoch can be withdrawn at once.',
  body: { wallet_address: SvmAddress, stake_account_address: StakeAccountAddress, nonce_account_address: NonceAccount },
  async guard(ctx, { wallet_address, stake_account_address: address }) {
    const { account, now } = await readSubject(ctx, address)
    const { delegation, staker } = account
    if (!delegation)
      throw badRequest('STAKE_NOT_DELEGATED', `stake_account_address ${address} is not delegated; withdraw it, it need not be unstaked.`)
    requireAuthority(address, staker, wallet_address, 'Unstaking')
    if (delegation.deactivationEpoch === NEVER) return
    const then = phaseOf(delegation, now) === 'withdrawable' ? 'withdraw it' : 'withdraw it when it has cooled down'
    throw badRequest(
      'STAKE_DEACTIVATED',
      `stake_account_address ${address} was deactivated in epoch ${delegation.deactivationEpoch}, and it is epoch ${now.clock.epoch}; ${then}.`,
    )
  },
  craft: (_network, { wallet_address, stake_account_address }) => ({
    feePayer: wallet_address,
    instructions: [deactivate(new PublicKey(stake_account_address), new PublicKey(wallet_address))],
    unitLimit: UNIT_LIMIT,
    spends: 0n,
  }),
  effects: (network, input) => intent.unstake.effects(network, input),
})
