import { type KitContext, membersOf, refusedWhenSent, type ServiceError } from '@svc/contract'
import type { Static } from 'typebox'
import { listOf } from './answers.ts'
import type { SvmClient } from './client.ts'
import { badGateway, badRequest } from './codes.ts'
import { LIFE_BLOCKS } from './epochs.ts'
import { readSigned } from './names.ts'
import { meaningOf, refused, verdictOf } from './refusal.ts'
import { CODES, malformed, NodeError } from './rpc.ts'
import type { Transaction } from './transaction.ts'
import type { SvmWire } from './wire.ts'

/**
 * Submits a signed transaction. Sending the same bytes again answers the same hash, also when they have landed meanwhile.
 *
 * @throws 400 for a transaction that is not fully signed and for what the chain refuses; 502, 503, 504 that leave open whether it arrived
 */
export async function broadcastSvm(
  { client, network }: KitContext<SvmClient>,
  body: Static<SvmWire['broadcast']>,
): Promise<{ tx_hash: string }> {
  const { signed, txHash: hash } = readSigned(body)
  const bytes = Buffer.from(body.signed_tx_hex.replace(/^0x/i, ''), 'hex').toString('base64')
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
    const [landed, seconds] = await Promise.all([hasLanded(client, hash), signed.nonceAccount !== null ? null : lifeOf(client)])
    if (landed) return
    throw refusedWhenSent(expired(signed, chainId, seconds, error), hash)
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

function expired({ nonceAccount }: Transaction, chainId: string, seconds: number | null, cause: unknown): ServiceError {
  // Its bytes name no cluster: one that was sent to the wrong one looks the same here, and is good for as long as ever where it belongs.
  const elsewhere = `One that was crafted for another network than ${chainId} has not expired: send it there.`

  if (nonceAccount !== null)
    return badRequest(
      'NONCE_USED',
      `The chain refused the transaction: its nonce was used meanwhile, or was made or used in the last block; where the nonce account is new, send the same one again in a few seconds. ${elsewhere}`,
      cause,
    )
  const life = `${LIFE_BLOCKS} blocks${seconds === null ? '' : `, which are about ${seconds} seconds at present`}`
  return badRequest(
    'TRANSACTION_EXPIRED',
    `The chain refused the transaction: its node does not know the block hash, which is no longer valid, or is newer than what the node has seen. One lives for ${life}; sign sooner, or use a nonce account. ${elsewhere}`,
    cause,
  )
}
