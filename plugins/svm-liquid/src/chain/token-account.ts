import { formatAmount } from '@svc/contract'
import type { Control } from '@svc/contract/control'
import { type AccountState, DECIMALS } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'

/** Places in a token account, in bytes. An optional key has a tag of four bytes before it. @see https://docs.rs/spl-token/latest/spl_token/state/struct.Account.html (read 2026-11-29) */
const PLACE = { owner: 32, amount: 64, delegate: 72, state: 108, delegated: 121, closer: 129, end: 165 } as const
const TAG_BYTES = 4
const PRESENT = 1
/** State of an account that is frozen. @see https://docs.rs/spl-token/latest/spl_token/state/enum.AccountState.html (read 2026-11-29) */
const FROZEN = 2

/** Part of a token account that tells who has what power over it, and the tokens in it. */
export const POWERS_SLICE = { offset: PLACE.owner, length: PLACE.end - PLACE.owner } as const

/** Facts of a token account, without its token. Amounts in the token's units. */
export interface TokenAccount {
  readonly owner: string
  readonly amount: bigint
  /** Who may take tokens out of it, and how many yet; null: nobody. */
  readonly delegate: { readonly address: string; readonly amount: bigint } | null
  /** Who may close it besides its owner, and take the lamports in it; null: nobody. */
  readonly closer: string | null
  readonly isFrozen: boolean
}

/**
 * Reads a token account.
 *
 * @param slice true if its data begins at `POWERS_SLICE`
 * @returns null where there is none of the program
 */
export function readTokenAccount(account: AccountState | null, tokenProgram: string, slice = false): TokenAccount | null {
  const data = slice ? account?.data : account?.data.subarray(POWERS_SLICE.offset)
  if (account?.owner !== tokenProgram || data === undefined || data.length < POWERS_SLICE.length) return null
  const at = (place: number) => place - POWERS_SLICE.offset
  const key = (place: number) => new PublicKey(data.subarray(at(place), at(place) + 32)).toBase58()
  const optional = (place: number) => (data.readUInt32LE(at(place)) === PRESENT ? key(place + TAG_BYTES) : null)
  const delegate = optional(PLACE.delegate)
  const delegated = data.readBigUInt64LE(at(PLACE.delegated))
  return {
    owner: key(PLACE.owner),
    amount: data.readBigUInt64LE(at(PLACE.amount)),
    delegate: delegate === null || delegated === 0n ? null : { address: delegate, amount: delegated },
    closer: optional(PLACE.closer),
    isFrozen: data[at(PLACE.state)] === FROZEN,
  }
}

/**
 * Lists the powers over a wallet's token account that are not the wallet's own. Programs that lend and swap are approved the exact amount that they take, which is ordinary; an approval of more
 * than there is also takes what comes later.
 *
 * @returns none where there is no account
 */
export function tokenPowers(account: TokenAccount | null, wallet: string): readonly Control[] {
  if (account === null) return []
  const shared = { objectId: null, terms: null } as const
  const { owner, amount, delegate, closer, isFrozen } = account
  if (owner !== wallet) return [{ ...shared, aspect: 'owner', holder: owner }]
  return [
    ...(delegate === null
      ? []
      : [
          {
            ...shared,
            aspect: 'delegate',
            holder: delegate.address,
            terms: `${formatAmount(delegate.amount, DECIMALS)} tokens`,
            severity: delegate.amount > amount ? ('critical' as const) : ('info' as const),
          },
        ]),
    ...(closer === null || closer === wallet
      ? []
      : [{ ...shared, aspect: 'close_authority', holder: closer, severity: 'warning' as const }]),
    ...(isFrozen ? [{ ...shared, aspect: 'frozen', holder: null }] : []),
  ]
}
