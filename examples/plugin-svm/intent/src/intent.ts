import { type Clause, type DecodedCall, defineIntent, integerArg, type NetworkTerms, quoted, textArg, tokens } from '@svc/verify/intent'
import { svm } from '@svc/verify/svm'
import { deposit, redeem } from './actions.ts'
import { notes, system, vouchersAt } from './layouts.ts'
import { type Terms, terms } from './terms.ts'

/** Vouchers: accounts of a program that hold lamports for whoever bought them. */
export const vouchers = defineIntent({
  family: svm,
  path: '/svm-example/vouchers',
  title: 'Vouchers on Solana',
  /** The highest measured price made 22 times the fee of one signature, 0.00011 SOL (2026-11-22). */
  usualFee: '0.0001',
  terms,
  actions: { deposit, redeem },
  layouts: ({ program }) => ({ layouts: [system, vouchersAt(program), notes] }),
  describe,
})

function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  const text = (name: string) => textArg(call, name)
  const { program } = network
  const [method] = call.method.split('(')
  if (call.target === system.address && method === 'System.CreateAccountWithSeed') {
    const lamports = integerArg(call, 'lamports')
    return {
      text: `make the account ${text('voucher')} of ${text('owner')} with ${tokens(lamports, network)} from ${text('from')}`,
      moves: [{ kind: 'leaves', asset: 'native', amount: lamports }],
    }
  }
  if (call.target === notes.address) return { text: `note ${quoted(text('text'))}`, moves: [] }
  if (call.target !== program) return null
  if (method === 'Vouchers.Open') {
    const principal = integerArg(call, 'principal')
    return {
      text: `open it as a voucher of ${tokens(principal, network)} for ${text('holder')}, ${text('voucher')}`,
      moves: [{ kind: 'staked', asset: 'native', amount: principal }],
    }
  }
  if (method !== 'Vouchers.Redeem') return null
  return {
    text: `pay all of the voucher ${text('voucher')} to ${text('holder')}, at least ${tokens(integerArg(call, 'atLeast'), network)}`,
    moves: [{ kind: 'arrives', asset: 'native', amount: null }],
  }
}
