import { malformedAnswer } from '@svc/contract'
import { type AccountState, readAccounts, type SvmClient } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { SPACE, seedOf } from './instructions.ts'

/** Vouchers that a wallet can have at once. */
export const MOST = 8

/** A voucher as the chain has it. Amounts are lamports. */
export interface Voucher {
  readonly holder: string
  /** Amount that was paid in. */
  readonly principal: bigint
  /** Lamports that the voucher holds: what was paid in, and what came since. */
  readonly lamports: bigint
}

/** One of the places for a wallet's vouchers. */
export interface Place {
  readonly index: number
  readonly address: string
  /** True if an account is there already, be it another's. */
  readonly taken: boolean
  readonly voucher: Voucher | null
}

/** The places for a wallet's vouchers, in one round trip. */
export async function placesOf(client: SvmClient, program: string, wallet: string): Promise<readonly Place[]> {
  const [base, owner] = [new PublicKey(wallet), new PublicKey(program)]
  const keys = await Promise.all(Array.from({ length: MOST }, (_, index) => PublicKey.createWithSeed(base, seedOf(index), owner)))
  const addresses = keys.map((key) => key.toBase58())
  return readAccounts(client, addresses, (accounts) =>
    accounts.map((account, index) => ({
      index,
      address: addresses[index] ?? '',
      taken: account !== null,
      voucher: voucherOf(program, account),
    })),
  )
}

/** The voucher at an address; null when there is none. */
export async function voucherAt(client: SvmClient, program: string, address: string): Promise<Voucher | null> {
  return readAccounts(client, [address], ([account]) => voucherOf(program, account ?? null))
}

/** Tells whether a program can be run at an address. */
export async function isProgram(client: SvmClient, address: string): Promise<boolean> {
  const [account] = await readAccounts(client, [address])
  return account?.owner.startsWith('BPFLoader') ?? false
}

/** @throws malformedAnswer for a voucher that the program would not have made */
function voucherOf(program: string, account: AccountState | null): Voucher | null {
  if (account === null || account.owner !== program || account.data.length !== SPACE) return null
  const { lamports, data } = account
  const holder = data.subarray(0, 32)
  if (holder.every((byte) => byte === 0)) return null
  const principal = data.readBigUInt64LE(32)
  if (principal > lamports) throw malformedAnswer()
  return { holder: new PublicKey(holder).toBase58(), principal, lamports }
}
