import type { errorCodes } from '../codes.ts'
import type { ErrorTable } from './table.ts'

/** @see https://docs.rs/spl-associated-token-account-interface/latest/spl_associated_token_account_interface/error/enum.AssociatedTokenAccountError.html (read 2026-11-28) */
export const TOKEN_ACCOUNT_ERRORS: ErrorTable<typeof errorCodes> = {
  0: {
    code: 'AUTHORITY_OTHER',
    sentence:
      "The wallet's token account was given to another owner than the wallet, so that tokens would come to that one (InvalidOwner).",
  },
}
