import * as intent from '@example/intent-vouchers'
import { Amount } from '@svc/contract'
import { SvmAddress } from '@svc/kit-svm'
import { MOST, placesOf, voucherAt } from './chain.ts'
import { badRequest } from './codes.ts'
import { depositing, redeeming } from './instructions.ts'
import { defineAction } from './network.ts'

/** Meanings of the program's own numbers. Numbers of System and the others are the kit's. */
const refusals = {
  3: { code: 'VOUCHER_OF_ANOTHER', sentence: 'The voucher belongs to another wallet, and is paid out to that one only.' },
}

/** Buys the first voucher for which there is room. */
export const deposit = defineAction({
  summary: 'Buy a voucher',
  body: { wallet_address: SvmAddress, amount: Amount({ minimum: '1' }) },
  async read({ client, network }, { wallet_address }) {
    const free = (await placesOf(client, network.program, wallet_address)).find(({ taken: isTaken }) => !isTaken)
    if (free === undefined) throw badRequest('VOUCHERS_EXHAUSTED', `${wallet_address} has ${MOST} vouchers, and no room for another.`)
    return { index: free.index, voucher: free.address }
  },
  craft: ({ program }, { wallet_address, amount }, { index, voucher }) => ({
    feePayer: wallet_address,
    instructions: depositing(program, wallet_address, voucher, index, amount),
    unitLimit: 50_000,
    spends: amount,
    errors: { [program]: refusals },
  }),
  effects: (network, input, { index }) => intent.deposit.effects(network, input, { index }),
})

/** Pays a voucher out, with all that has come to it since it was bought. */
export const redeem = defineAction({
  summary: 'Pay a voucher out',
  body: { wallet_address: SvmAddress, voucher: SvmAddress },
  async read({ client, network }, { voucher }) {
    const account = await voucherAt(client, network.program, voucher)
    if (account === null) throw badRequest('VOUCHER_UNKNOWN', `There is no voucher at ${voucher}.`)
    return { holds: account.lamports }
  },
  craft: ({ program }, { wallet_address, voucher }, { holds }) => ({
    feePayer: wallet_address,
    instructions: [redeeming(program, wallet_address, voucher, holds)],
    unitLimit: 20_000,
    spends: 0n,
    errors: { [program]: refusals },
  }),
  effects: (network, input, { holds }) => intent.redeem.effects(network, input, { holds }),
})
