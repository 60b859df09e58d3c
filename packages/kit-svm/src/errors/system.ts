import type { errorCodes } from '../codes.ts'
import type { ErrorTable } from './table.ts'

/** @see https://docs.rs/solana-system-interface/latest/solana_system_interface/error/enum.SystemError.html (read 2026-11-21) */
export const SYSTEM_ERRORS: ErrorTable<typeof errorCodes> = {
  0: { code: 'ACCOUNT_EXISTS', sentence: 'The account that it makes exists already; craft again.' },
  1: { code: 'INSUFFICIENT_BALANCE', sentence: 'The wallet does not hold what is to be taken out of it; fund it.' },
  2: { sentence: 'An account cannot be given to that program (InvalidProgramId).' },
  3: { sentence: 'An account cannot have that length (InvalidAccountDataLength).' },
  4: { sentence: 'The seed of an account is too long (MaxSeedLengthExceeded).' },
  5: { sentence: 'The address of an account does not follow from its seed (AddressWithSeedMismatch).' },
  6: { sentence: 'The chain has no recent block hashes for a nonce (NonceNoRecentBlockhashes).' },
  7: { code: 'NONCE_USED', sentence: 'The nonce was made or advanced in this very block; try again in some seconds.' },
  8: {
    code: 'NONCE_USED',
    sentence:
      'The nonce was used meanwhile, by a transaction that may be this one: see what the account has sent, and craft again if that did not do the same.',
  },
}
