import type { errorCodes } from '../codes.ts'
import type { ErrorTable } from './table.ts'

/** @see https://docs.rs/spl-token-interface/latest/spl_token_interface/error/enum.TokenError.html (read 2026-11-21) */
export const TOKEN_ERRORS: ErrorTable<typeof errorCodes> = {
  0: { sentence: 'A token account does not hold its rent (NotRentExempt).' },
  1: { code: 'INSUFFICIENT_TOKENS', sentence: 'The wallet does not hold that many tokens; give a smaller amount.' },
  2: { sentence: 'The mint is none (InvalidMint).' },
  3: { sentence: 'A token account is of another mint (MintMismatch).' },
  4: { code: 'AUTHORITY_OTHER', sentence: 'A token account belongs to somebody else than the wallet (OwnerMismatch).' },
  5: { sentence: 'No more tokens can be minted (FixedSupply).' },
  6: { sentence: 'The token account is in use already (AlreadyInUse).' },
  7: { sentence: 'The number of signers that were given is invalid (InvalidNumberOfProvidedSigners).' },
  8: { sentence: 'The number of signers that are needed is invalid (InvalidNumberOfRequiredSigners).' },
  9: { sentence: 'A token account is not initialized (UninitializedState).' },
  10: { sentence: 'That cannot be done with native tokens (NativeNotSupported).' },
  11: { sentence: 'A token account that is to be closed still holds tokens (NonNativeHasBalance).' },
  12: { sentence: 'The token program does not know the instruction (InvalidInstruction).' },
  13: { sentence: 'A token account is in a state that does not allow it (InvalidState).' },
  14: { sentence: 'The amount is larger than the token program counts (Overflow).' },
  15: { sentence: 'The account has no authority of that kind (AuthorityTypeNotSupported).' },
  16: { sentence: 'Accounts of this mint cannot be frozen (MintCannotFreeze).' },
  17: { code: 'TOKENS_FROZEN', sentence: 'The token account is frozen by the authority of its mint.' },
  18: { sentence: 'The decimals are not those of the mint (MintDecimalsMismatch).' },
  19: { sentence: 'That can be done with native tokens only (NonNativeNotSupported).' },
}
