import { role, type SvmProgram } from '@svc/verify/svm'

/** Makes the account at an address that follows from the wallet's. @see https://docs.rs/solana-system-interface `SystemInstruction::CreateAccountWithSeed` (read 2026-11-22) */
export const system = {
  address: '11111111111111111111111111111111',
  name: 'System',
  instructions: [
    {
      name: 'CreateAccountWithSeed',
      discriminator: '0x03000000',
      accounts: { from: role.signsAndWrites, voucher: role.writes },
      data: { base: 'address', seed: 'string64', lamports: 'u64', bytes: 'u64', owner: 'address' },
      spends: { from: 'from', lamports: 'lamports' },
    },
  ],
} as const satisfies SvmProgram

/** Says which voucher it is, for whoever looks at the transaction. @see https://spl.solana.com/memo (read 2026-11-22) */
export const notes = {
  address: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  name: 'Notes',
  instructions: [{ name: 'Note', discriminator: '0x', accounts: {}, data: { text: 'rest' } }],
} as const satisfies SvmProgram

/** The program of the vouchers: its description is `sandbox/program.ts`. */
const ofVouchers = {
  name: 'Vouchers',
  instructions: [
    {
      name: 'Open',
      discriminator: '0x00',
      accounts: { voucher: role.writes, holder: role.signs },
      data: { principal: 'u64' },
    },
    {
      name: 'Redeem',
      discriminator: '0x01',
      accounts: { voucher: role.writes, holder: role.signsAndWrites },
      data: { atLeast: 'u64' },
    },
  ],
} as const satisfies Omit<SvmProgram, 'address'>

/** The same at an address. */
export const vouchersAt = (address: string) => ({ address, ...ofVouchers }) satisfies SvmProgram

/** Layouts of the instructions, by the names of their programs. */
export const layouts = { system, notes, vouchers: ofVouchers }
