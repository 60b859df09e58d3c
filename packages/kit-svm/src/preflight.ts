import { type KitContext, membersOf } from '@svc/contract'
import { key, readAccounts } from './accounts.ts'
import { requireKeyHolder } from './address.ts'
import { countOf, memberOf } from './answers.ts'
import type { SvmClient } from './client.ts'
import { LIFE_BLOCKS } from './epochs.ts'
import { type DurableNonce, nonceOf } from './nonce.ts'
import { malformed } from './rpc.ts'

/** What a transaction needs besides its draft. Amounts in lamports. */
export interface SvmPreflight {
  /** Hash of a recent block, or the value of the durable nonce. */
  readonly blockhash: string
  /** Last height of a block that takes the block hash; none with a nonce. */
  readonly lastValidBlockHeight?: bigint
  /** Null when the transaction is to expire with its block hash. */
  readonly nonce: DurableNonce | null
  /** What the wallet holds. */
  readonly balance: bigint
  /** What an account without data must hold unless it holds nothing. */
  readonly leastBalance: bigint
}

/**
 * Block hash or durable nonce, balance and rent, asked together.
 *
 * @param input its member `nonce_account_address` names the nonce account, when there is one
 * @throws 400 WALLET_CANNOT_SIGN, NONCE_ACCOUNT_INVALID; 502, 503, 504
 */
export async function svmPreflight(
  ctx: KitContext<SvmClient>,
  wallet: string,
  { nonce_account_address: nonceAccount }: Readonly<Record<string, unknown>>,
): Promise<SvmPreflight> {
  requireKeyHolder(wallet)
  const { client } = ctx
  const account = nonceAccount === undefined ? null : String(nonceAccount)
  const [latest, [own, other], leastBalance] = await Promise.all([
    account === null ? latestBlockhash(client) : null,
    readAccounts(client, account === null ? [wallet] : [wallet, account]),
    client.rent(0),
  ])
  const nonce = account === null ? null : nonceOf(account, other ?? null, wallet)
  const blockhash = latest?.blockhash ?? nonce?.value
  if (blockhash === undefined) throw new Error('expected a block hash or a nonce')
  return { ...latest, blockhash, nonce, balance: own?.lamports ?? 0n, leastBalance }
}

interface LatestBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

/** At the commitment with which broadcast looks it up; with an older one a node behind the first would not know it yet. */
async function latestBlockhash({ rpc }: SvmClient): Promise<LatestBlockhash> {
  return rpc('getLatestBlockhash', [{ commitment: 'confirmed' }], (answer) => {
    const { context, value } = membersOf(answer)
    const { blockhash, lastValidBlockHeight } = membersOf(value)
    const last = countOf(lastValidBlockHeight)
    // There are never more blocks than slots.
    if (last > countOf(memberOf(context, 'slot')) + BigInt(LIFE_BLOCKS)) throw malformed(answer)
    return { blockhash: key(blockhash), lastValidBlockHeight: last }
  })
}
