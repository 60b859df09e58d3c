import type { RunInstruction } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { STAKE_PROGRAM } from '../chain/now.ts'

/** @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/instruction/enum.StakeInstruction.html (read 2026-11-29) */
const TAG = {
  initialize: 0,
  authorize: 1,
  split: 3,
  authorizeWithSeed: 8,
  initializeChecked: 9,
  authorizeChecked: 10,
  authorizeCheckedWithSeed: 11,
} as const
/** Number of the withdrawer among the authorities of a stake account. */
const WITHDRAWER = 1
/** Size of an address, and of the tag before it, in bytes. */
const KEY = 32
const WORD = 4

/** Change of who may withdraw from a stake account: to an address, or to whoever may withdraw from another account, which it is split from. */
type OwnerChange = { readonly account: string } & ({ readonly owner: string } | { readonly from: string })

/** Reads the change of a stake account's withdrawer from an instruction; null where it makes none. */
export function ownerChange({ program, accounts, data }: RunInstruction): OwnerChange | null {
  const [account] = accounts
  if (program !== STAKE_PROGRAM || account === undefined || data.length < WORD) return null
  const key = (at: number) => (data.length >= at + KEY ? new PublicKey(data.subarray(at, at + KEY)).toBase58() : undefined)
  const isWithdrawer = (at: number) => data.length >= at + WORD && data.readUInt32LE(at) === WITHDRAWER
  const to = (owner: string | undefined) => (owner === undefined ? null : { account, owner })
  switch (data.readUInt32LE()) {
    case TAG.initialize:
      return to(key(WORD + KEY))
    case TAG.initializeChecked:
      return to(accounts[3])
    case TAG.authorize:
    case TAG.authorizeWithSeed:
      return isWithdrawer(WORD + KEY) ? to(key(WORD)) : null
    case TAG.authorizeChecked:
    case TAG.authorizeCheckedWithSeed:
      return isWithdrawer(WORD) ? to(accounts[3]) : null
    case TAG.split:
      return accounts[1] === undefined ? null : { account: accounts[1], from: account }
    default:
      return null
  }
}
