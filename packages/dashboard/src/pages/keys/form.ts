import type { ApiFailure } from '../../api/failure.ts'
import type { ApiKey, KeyInput } from '../../api/keys.ts'
import type { FaultsOf } from '../../state/form.ts'
import { type Expiry, endOf, FIRST_EXPIRY } from './expiry.ts'

/** Values that were typed. */
export interface Draft {
  /** Id of the account; null where the token says it, empty while none was chosen. */
  readonly account: string | null
  readonly name: string
  readonly description: string
  readonly expiry: Expiry
}

/** Fault of each member, in a sentence. */
export type Faults = FaultsOf<Draft>

/** Makes an empty form for an account. */
export function emptyDraft(account: string | null): Draft {
  return { account, name: '', description: '', expiry: FIRST_EXPIRY }
}

/** Makes a form that says what a key has. */
export function draftOf({ account, name, description }: ApiKey): Draft {
  return { account: account ?? null, name, description: description ?? '', expiry: { life: 'kept', day: '' } }
}

/** Finds the faults that can be told before asking the service. @param now in milliseconds since 1970 */
export function faultsOf(draft: Draft, now: number, utc: boolean): Faults {
  const end = endOf(draft.expiry, now, utc)
  return {
    ...(draft.account === '' ? { account: 'Choose the account that the key is for.' } : {}),
    ...(draft.name.trim() === '' ? { name: 'Give the key a name.' } : {}),
    ...(draft.expiry.life !== 'date' ? {} : end === undefined ? { expiry: 'Choose a day.' } : late(end, now)),
  }
}

function late(end: string | null, now: number): Faults {
  return end !== null && Date.parse(end) <= now ? { expiry: 'That day is over; choose one that is not.' } : {}
}

/** Returns what a new key is given. */
export function inputOf({ name, description, expiry }: Draft, now: number, utc: boolean): KeyInput {
  return { name: name.trim(), description: description.trim() === '' ? null : description, expirationDate: endOf(expiry, now, utc) ?? null }
}

/** Returns what differs from the key, null when nothing does. */
export function changesOf(key: ApiKey, draft: Draft, now: number, utc: boolean): Partial<KeyInput> | null {
  const { name, description } = inputOf(draft, now, utc)
  const end = endOf(draft.expiry, now, utc, key.expirationDate) ?? null
  const changes = {
    ...(name === key.name ? {} : { name }),
    ...(description === key.description ? {} : { description }),
    ...(end === key.expirationDate ? {} : { expirationDate: end }),
  }
  return Object.keys(changes).length === 0 ? null : changes
}

/** The member of the form that each refusal is about; codes of core/codes.ts. */
const MEMBERS: Readonly<Record<string, keyof Draft>> = {
  INVALID_NAME: 'name',
  INVALID_DESCRIPTION: 'description',
  INVALID_EXPIRATION_DATE: 'expiry',
  ACCOUNT_REQUIRED: 'account',
  UNKNOWN_ACCOUNT: 'account',
}

/** Returns the member that a failure is about; null when it is about none. */
export function memberOf({ code }: Pick<ApiFailure, 'code'>): keyof Draft | null {
  return code === null ? null : (MEMBERS[code] ?? null)
}
