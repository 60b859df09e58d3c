import type { KitContext } from '@svc/contract'
import { requireSigner, signingKey } from './account.ts'
import type { AccessKey, Account, NearClient } from './client.ts'
import { badRequest } from './codes.ts'
import type { NearSettings } from './settings.ts'

/** What a transaction needs besides its draft. */
export interface NearPreflight {
  /** Ed25519, 32 bytes; and as NEAR writes it. */
  readonly key: { readonly text: string; readonly bytes: Buffer }
  readonly access: AccessKey
  readonly account: Account
  /** Yocto for a unit of gas. */
  readonly gasPrice: bigint
}

/**
 * Reads the key, what the account holds, and the price of gas, in one round trip. The answer on the key brings a block hash of the same state.
 *
 * @param input its member `public_key` names the key, where the account's id does not
 * @throws 400 ACCOUNT_UNSUITABLE, KEY_MISSING, KEY_UNKNOWN, ACCOUNT_UNKNOWN; 502, 503, 504
 */
export async function nearPreflight(
  { client, network }: KitContext<NearClient, NearSettings>,
  signer: string,
  { public_key }: Readonly<Record<string, unknown>>,
): Promise<NearPreflight> {
  requireSigner(signer, network.chainId)
  const key = signingKey(signer, public_key)
  const [access, account, gasPrice] = await Promise.all([client.key(signer, key.text), client.account(signer), client.gasPrice()])
  if (account === null)
    throw badRequest(
      'ACCOUNT_UNKNOWN',
      `${signer} does not exist on ${network.chainId}: an account of 64 hex digits begins when it is first sent something.`,
    )
  if (access === null) throw badRequest('KEY_UNKNOWN', `${key.text} is no key of ${signer} on ${network.chainId}.`)
  return { key, access, account, gasPrice }
}
