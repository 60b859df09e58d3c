import { type KitContext, membersOf, refusedWhenSent } from '@svc/contract'
import type { Static } from 'typebox'
import { readAccounts } from './accounts.ts'
import { listOf } from './answers.ts'
import type { SvmClient } from './client.ts'
import { badGateway, badRequest } from './codes.ts'
import { LIFE_BLOCKS } from './epochs.ts'
import { readSigned } from './names.ts'
import { nonceValue } from './nonce.ts'
import { meaningOf, refused, verdictOf } from './refusal.ts'
import { CODES, malformed, NodeError } from './rpc.ts'
import type { Transaction } from './transaction.ts'
import type { SvmWire } from './wire.ts'

/**
 * Submits a signed transaction. Sending the same bytes again returns the same hash, also when they have landed meanwhile.
 *
 * @throws 400 for a transaction that is not fully signed and for what the chain refuses; 502, 503, 504 that leave open whether it arrived
 */
export async function broadcastSvm(
  { client, network }: KitContext<SvmClient>,
  body: Static<SvmWire['broadcast']>,
): Promise<{ tx_hash: string }> {
  const { signed, txHash: hash } = readSigned(body)
  const bytes = signed.bytes.toString('base64')
  try {
    // Looked up at the commitment at which the block hash was read.
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight: false }
    await client.rpc(
      'sendTransaction',
      [bytes, options],
      (answer) => {
        // Whatever it was that this node took, the next one is to get the transaction; the chain takes it once.
        if (answer !== hash) throw malformed(answer)
      },
      'before',
    )
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    await refuse(client, network.chainId, signed, hash, error)
  }
  return { tx_hash: hash }
}

/** Returns when the refusal only says that the transaction is there already. */
async function refuse(client: SvmClient, chainId: string, signed: Transaction, hash: string, error: NodeError): Promise<void> {
  const verdict = verdictOf(error.data)
  if (verdict?.err === 'AlreadyProcessed') return
  if (verdict?.err === 'BlockhashNotFound') {
    const { nonceAccount } = signed
    const [landed, why] = await Promise.all([
      hasLanded(client, hash),
      nonceAccount === null
        ? lifeOf(client).then(pastHash)
        : nonceIn(client, nonceAccount).then((value) => pastNonce(nonceAccount, signed.lifetime, value)),
    ])
    if (landed) return
    // Its bytes name no cluster: one that was sent to the wrong one looks the same here, and is good for as long as ever where it belongs.
    const elsewhere = `One that was crafted for another network than ${chainId} has not expired: send it there.`
    const code = nonceAccount === null ? 'TRANSACTION_EXPIRED' : 'NONCE_USED'
    throw refusedWhenSent(badRequest(code, `The chain refused the transaction: ${why}. ${elsewhere}`, error), hash)
  }
  if (verdict !== null && verdict.err !== null)
    throw refusedWhenSent(refused(meaningOf(verdict, signed.programs), 'The chain refused the transaction', 'CHAIN_REFUSED', error), hash)
  const why = REFUSALS[error.code]
  // The node before it may have taken the same bytes, whatever this one says of them.
  if (why !== undefined) throw refusedWhenSent(badRequest(...why, error), hash)
  throw badGateway('UPSTREAM_ERROR', "The chain's node could not answer.", error)
}

/** Refusals of a node without a verdict, by its codes. The kit has read the bytes and verified each signature before. */
const REFUSALS: Readonly<Record<number, readonly [code: 'SIGNATURE_INVALID' | 'TRANSACTION_INVALID' | 'CHAIN_REFUSED', message: string]>> =
  {
    [CODES.signatureFailure]: ['SIGNATURE_INVALID', 'The chain refused the transaction: a signature does not fit it. Sign it as crafted.'],
    [CODES.invalidParams]: [
      'TRANSACTION_INVALID',
      'The chain refused the transaction: it is malformed or too large. Pass what prepare returned.',
    ],
    [CODES.preflightFailure]: ['CHAIN_REFUSED', 'The chain refused the transaction, and its node does not say why.'],
  }

/** Tells whether the chain knows a transaction: one that landed longer ago than its block hash lives is refused for that. */
async function hasLanded({ rpc }: SvmClient, hash: string): Promise<boolean> {
  const read = (answer: unknown) => {
    const { value } = membersOf(answer)
    const status: unknown = Array.isArray(value) ? value[0] : undefined
    // Whoever is told that it has expired signs another one: that must not rest on an answer that cannot be understood.
    if (typeof status !== 'object') throw malformed(answer)
    return status !== null
  }
  const params = [[hash], { searchTransactionHistory: true }]
  return rpc('getSignatureStatuses', params, read, 'along', (answer) => 'value' in answer && !answer.value)
}

/** Seconds for which no block hash has ever lived; a node that says so is not repeated. */
const LONGEST_LIFE = 600

/** @returns seconds that a block hash lives by the pace of the chain in the last minutes; null when the node does not tell */
async function lifeOf({ rpc }: SvmClient): Promise<number | null> {
  try {
    const [sample] = await rpc('getRecentPerformanceSamples', [1], listOf)
    const { samplePeriodSecs, numSlots } = membersOf(sample)
    const seconds = (LIFE_BLOCKS * Number(samplePeriodSecs)) / Number(numSlots)
    return seconds > 1 && seconds < LONGEST_LIFE ? Math.round(seconds) : null
  } catch {
    return null
  }
}

/** @param seconds that a block hash lives; null where no node tells */
function pastHash(seconds: number | null): string {
  const life = `${LIFE_BLOCKS} blocks${seconds === null ? '' : `, which are about ${seconds} seconds at present`}`
  return `its node does not know the block hash, which is no longer valid, or is newer than what the node has seen. One lives for ${life}; sign sooner, or use a nonce account`
}

/** @returns the value that an account holds at present; null where it holds none; undefined where no node tells */
async function nonceIn(client: SvmClient, account: string): Promise<string | null | undefined> {
  try {
    const [state = null] = await readAccounts(client, [account])
    return state && nonceValue(state)
  } catch {
    return undefined
  }
}

/**
 * Tells why the value of a nonce account is refused as a block hash is. A value that the account still holds was written in the last block: no transaction uses it in that one.
 *
 * @param value that the account holds at present; null where it holds none; undefined where no node tells
 * @see https://github.com/anza-xyz/agave/blob/master/programs/system/src/system_instruction.rs ("nonce can only advance once per slot", read 2026-11-28)
 */
function pastNonce(account: string, used: string, value: string | null | undefined): string {
  if (value === undefined)
    return 'its nonce was used meanwhile, or was made or used in the last block; where the nonce account is new, send the same one again in a few seconds'
  if (value === used) return `the nonce account ${account} was made or used in the last block: send the same one again in a few seconds`
  if (value === null) return `${account} is no nonce account at present: it was closed, or the transaction that makes it has not landed`
  return `its nonce was used meanwhile, and the nonce account ${account} holds another one now`
}
