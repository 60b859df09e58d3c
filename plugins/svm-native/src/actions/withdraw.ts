import { Amount, atMost, type ServiceError, tokensText } from '@svc/contract'
import * as intent from '@svc/intent-svm-native'
import { SvmAddress } from '@svc/kit-svm'
import { PublicKey, StakeProgram, SystemProgram } from '@svc/solana'
import { Type } from 'typebox'
import { activationAt } from '../chain/activation.ts'
import { heldBack, lockedNow, phaseOf } from '../chain/position.ts'
import { NEVER } from '../chain/stake-account.ts'
import { badRequest } from '../codes.ts'
import { defineAction, type NativeContext } from '../network.ts'
import { readSubject, requireAuthority, type Subject } from './checks.ts'
import { withdrawStake } from './instructions.ts'
import { NonceAccount, StakeAccountAddress } from './members.ts'

/** Limit for a transaction that used about 7,900 units. */
const UNIT_LIMIT = 20_000

/** What a lockup names where it names nobody: 32 zero bytes, for which no key signs. */
const NO_CUSTODIAN = SystemProgram.programId.toBase58()

/** Least part that can be asked for, in lamports: the minimum of `amount` by the specification of the API. */
const LEAST = 1_000_000_000n
const sol = (lamports: bigint) => tokensText(lamports, { decimals: 9, symbol: 'SOL' })

/** Pays a stake account out to the wallet, whole or in part. */
export const withdraw = defineAction({
  summary: 'Withdraw from a stake account',
  description:
    'Without `amount` all of it, rent reserve included, which closes the account. With `amount` a part; the rent reserve stays behind, and ' +
    'what is still staked. The wallet is the recipient. Lamports that came by without being staked, such as tips, can be withdrawn from an ' +
    'active account too. Stake under a lockup can be withdrawn by a wallet that is its custodian.',
  body: {
    wallet_address: SvmAddress,
    stake_account_address: StakeAccountAddress,
    nonce_account_address: NonceAccount,
    amount: Type.Optional(Amount({ minimum: '1', description: 'Amount to withdraw, in SOL; everything when left out.' })),
  },
  async read(ctx, { wallet_address, stake_account_address: address, amount }) {
    const [subject, rent] = await Promise.all([readSubject(ctx, address), ctx.client.rent(StakeProgram.space)])
    requireAuthority(address, subject.account.withdrawer, wallet_address, 'Withdrawing from')
    const refusal = refusalOf(address, subject, rent, amount) && (await refusedAfresh(ctx, address, subject, amount))
    if (refusal) throw refusal
    return { whole: subject.lamports, locked: lockedNow(subject.account.lockup, subject.now) }
  },
  craft: (_network, { wallet_address, stake_account_address, amount }, { whole, locked }) => {
    const wallet = new PublicKey(wallet_address)
    const lamports = amount === undefined || amount > whole ? whole : amount
    return {
      feePayer: wallet_address,
      instructions: [
        withdrawStake({
          stake: new PublicKey(stake_account_address),
          to: wallet,
          authority: wallet,
          lamports,
          ...(locked ? { custodian: wallet } : {}),
        }),
      ],
      unitLimit: UNIT_LIMIT,
      spends: 0n,
    }
  },
  effects: (network, input, facts) => intent.withdraw.effects(network, input, facts),
})

/** A rent that is remembered may have fallen since: nobody is refused on it. */
async function refusedAfresh({ client }: NativeContext, address: string, subject: Subject, amount: bigint | undefined) {
  client.forgetRents()
  return refusalOf(address, subject, await client.rent(StakeProgram.space), amount)
}

/**
 * Returns the refusal that the stake program would give.
 *
 * @param amount undefined: all of it
 * @returns null when it would pay
 */
function refusalOf(address: string, { lamports, account, now }: Subject, rent: bigint, amount: bigint | undefined): ServiceError | null {
  const { delegation, lockup } = account
  const { clock, history } = now
  if (heldBack(account, now)) {
    const until = lockup.epoch > clock.epoch ? `epoch ${lockup.epoch}` : dateOf(lockup.unixTimestamp)
    return badRequest(
      'STAKE_LOCKED',
      `stake_account_address ${address} is locked until ${until}; ${lockup.custodian === NO_CUSTODIAN ? 'it has no custodian who could' : `only its custodian ${lockup.custodian} can`} free it earlier.`,
    )
  }
  // Before its deactivation epoch the whole delegation counts, also what has not become effective.
  const counts = delegation && clock.epoch < delegation.deactivationEpoch
  const staked = delegation ? (counts ? delegation.stake : activationAt(delegation, clock.epoch, history).effective) : 0n
  const units = amount === undefined ? lamports : atMost(amount, lamports, 9)
  if (units === lamports && staked === 0n) return null
  const spare = lamports - rent - staked
  if (units !== null && units <= spare) return null
  if (delegation && staked > 0n) {
    const free =
      spare > 0n
        ? ` ${sol(spare)} of it is not staked${spare < LEAST ? `, and leaves with the rest: a part is ${sol(LEAST)} at least` : ' and can be withdrawn now'}.`
        : ''
    if (delegation.deactivationEpoch === NEVER)
      return badRequest(
        'STAKE_NOT_DEACTIVATED',
        `stake_account_address ${address} is ${phaseOf(delegation, now)}; unstake it first.${free}`,
      )
    return badRequest(
      'STAKE_NOT_DEACTIVATED',
      `stake_account_address ${address} is still cooling down in epoch ${clock.epoch}, since epoch ${delegation.deactivationEpoch}.${free}`,
    )
  }
  if (units === null)
    return badRequest(
      'INSUFFICIENT_STAKE',
      `amount ${sol(amount ?? 0n)} is more than the ${sol(lamports)} in stake_account_address ${address}.`,
    )
  return badRequest(
    'REMAINDER_TOO_SMALL',
    `amount ${sol(units)} would leave ${sol(lamports - units)} in stake_account_address ${address}, below the rent reserve of ${sol(rent)}. ` +
      `${spare < LEAST ? 'Leave' : `Withdraw ${sol(spare)} at most, or leave`} amount out to withdraw everything.`,
  )
}

function dateOf(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds} seconds since 1970` : date.toISOString()
}
