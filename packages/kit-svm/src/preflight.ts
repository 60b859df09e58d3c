import { type KitContext, membersOf } from '@svc/contract'
import { key, readAccounts } from './accounts.ts'
import { requireKeyHolder } from './address.ts'
import { countOf, memberOf } from './answers.ts'
import type { SvmClient } from './client.ts'
import { LIFE_BLOCKS } from './epochs.ts'
import { type DurableNonce, nonceOf } from './nonce.ts'
import { malformed } from './rpc.ts'

/** Facts that a transaction needs besides its draft. Amounts in lamports. */
export interface SvmPreflight {
  /** Hash of a recent block, or the value of the durable nonce. */
  readonly blockhash: string
  /** Last height of a block that takes the block hash; none with a nonce. */
  readonly lastValidBlockHeight?: bigint
  /** Null when the transaction is to expire with its block hash. */
  readonly nonce: DurableNonce | null
  /** Balance of the wallet. */
  readonly balance: bigint
  /** Least balance of an account without data, unless it holds nothing. */
  readonly leastBalance: bigint
}

/**
 * Reads block hash or durable nonce, balance and rent, asked together.
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

const LIFE = BigInt(LIFE_BLOCKS)

/** At the commitment with which broadcast looks it up; with an older one a node behind the first would not know it yet. */
async function latestBlockhash({ rpc }: SvmClient): Promise<LatestBlockhash> {
  return rpc('getLatestBlockhash', [{ commitment: 'confirmed' }], (answer) => {
    const { context, value } = membersOf(answer)
    const { blockhash, lastValidBlockHeight } = membersOf(value)
    const last = countOf(lastValidBlockHeight)
    // There are never more blocks than slots, and no hash is older than the first block: one that is over already would be called expired.
    if (last < LIFE || last > countOf(memberOf(context, 'slot')) + LIFE) throw malformed(answer)
    return { blockhash: key(blockhash), lastValidBlockHeight: last }
  })
}
