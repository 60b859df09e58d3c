import { type ActionIntent, amount, callOf, integerArg, Refused, text, textArg } from '@svc/verify/intent'
import { call, seededAddress } from '@svc/verify/svm'
import { notes, system, vouchersAt } from './layouts.ts'
import type { Terms } from './terms.ts'

const walletAndAmount = { wallet_address: text, amount }
const walletAndVoucher = { wallet_address: text, voucher: text }

/** Bytes of a voucher: its holder, and what was paid in. */
const BYTES = 40n
/** Vouchers that a wallet can have at once. */
const MOST = 8

/** Facts of a deposit: which of the wallet's vouchers it is, 0 to 7. */
export interface DepositFacts {
  readonly index: number
}

/** Buys a voucher. */
export const deposit: ActionIntent<Terms, typeof walletAndAmount, DepositFacts> = {
  input: walletAndAmount,
  effects({ program }, { wallet_address: wallet, amount }, { index }) {
    const own = vouchersAt(program)
    const seed = `voucher:${index}`
    const voucher = seededAddress(wallet, seed, program)
    const creation = { from: wallet, voucher, base: wallet, seed, lamports: amount, bytes: BYTES, owner: program }
    return {
      signers: [wallet],
      calls: [
        call(system, 'CreateAccountWithSeed', creation, amount),
        call(own, 'Open', { voucher, holder: wallet, principal: amount }),
        call(notes, 'Note', { text: seed }),
      ],
      layouts: [system, own, notes],
    }
  },
  factsOf(decoded) {
    const seed = textArg(callOf(decoded, 'System.CreateAccountWithSeed'), 'seed')
    const [, digit] = /^voucher:(\d)$/.exec(seed) ?? []
    if (digit === undefined) throw new Refused('args.seed', 'that of a voucher', seed)
    const bound = `one of the wallet's ${MOST} places, 0 to ${MOST - 1}`
    return { facts: { index: Number(digit) }, claimed: [{ fact: 'index', value: digit, bound, holds: Number(digit) < MOST }] }
  },
  requestOf: (decoded, wallet_address) => ({
    wallet_address,
    amount: integerArg(callOf(decoded, 'System.CreateAccountWithSeed'), 'lamports'),
  }),
}

/** Facts of a payout: lamports that the voucher held when the payout was asked for. The voucher may hold more when the transaction lands. */
export interface RedeemFacts {
  readonly holds: bigint
}

/** Pays a voucher out, whole. */
export const redeem: ActionIntent<Terms, typeof walletAndVoucher, RedeemFacts> = {
  input: walletAndVoucher,
  effects({ program }, { wallet_address: wallet, voucher }, { holds }) {
    const own = vouchersAt(program)
    return { signers: [wallet], calls: [call(own, 'Redeem', { voucher, holder: wallet, atLeast: holds })], layouts: [own] }
  },
  factsOf(decoded) {
    const holds = integerArg(callOf(decoded, 'Vouchers.Redeem'), 'atLeast')
    const bound = 'the program pays out all that there is, or refuses where that is less'
    return { facts: { holds }, claimed: [{ fact: 'holds', value: `${holds} lamports`, bound, holds: true }] }
  },
  requestOf: (decoded, wallet_address) => ({ wallet_address, voucher: textArg(callOf(decoded, 'Vouchers.Redeem'), 'voucher') }),
}
