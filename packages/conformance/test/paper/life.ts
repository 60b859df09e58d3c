import { type Bounds, declareErrors, type Life, type Sighting } from '@svc/contract'
import type { PaperAccount, PaperCall, PaperRecord } from './chain.ts'
import { asInteger, readSigned, readUnsigned, type wire } from './wire.ts'

const { badRequest } = declareErrors({ TX_HASH_INVALID: [400, 'Hash invalid.'] })

const HASH = /^[0-9a-f]{64}$/

/** The client, as far as it is asked here. */
interface Asked {
  ask<T>(method: string, params: readonly string[], read: (answer: unknown) => T): Promise<T>
  account(address: string): Promise<PaperAccount>
}

/** What is on paper is final. A sequence that another transaction used is told by the account and by whoever used it. */
export const paperLife: Life<Asked, typeof wire, unknown, PaperRecord> = {
  hash(text) {
    if (!HASH.test(text.toLowerCase())) throw badRequest('TX_HASH_INVALID', `"${text.slice(0, 80)}" is not a hash: 64 hex digits.`)
    return text.toLowerCase()
  },
  bounds(body): Bounds {
    const { signer, sequence } = readSigned(body).transaction
    return { wallet: signer, validUntil: validUntil(sequence), facts: { signer, sequence } }
  },
  validUntil: (unsigned) => validUntil(readUnsigned(unsigned).transaction.sequence),
  async look({ client }, { txHash, bounds, accepted }) {
    const { signer = '', sequence = '' } = bounds?.facts ?? {}
    const [account, used] = bounds
      ? await Promise.all([client.account(signer), client.ask('used', [signer, sequence], asUser)])
      : [null, null]
    const record = await client.ask('record', [txHash], asRecord)
    if (record) return { ...NOTHING, status: 'final', finality: 'final', certainty: 'proven', ...placed(txHash, record) }
    if (!bounds || !account) return NOTHING
    const gone = used !== null && used !== txHash && account.sequence > BigInt(sequence)
    const seen = { ...NOTHING, validUntil: bounds.validUntil }
    return gone
      ? { ...seen, status: 'replaced', certainty: 'proven', replacedBy: used }
      : { ...seen, status: 'pending', ...(accepted ? { held: false } : {}) }
  },
}

const NOTHING: Sighting<PaperRecord> = {
  status: 'unknown',
  finality: 'none',
  certainty: 'likely',
  block: null,
  fee: null,
  receipt: null,
  error: null,
  replacedBy: null,
  validUntil: null,
  lookedAt: null,
  keep: {},
}

function validUntil(sequence: string): Bounds['validUntil'] {
  return { kind: 'sequence', value: sequence, estimatedAt: null }
}

function placed(hash: string, record: PaperRecord) {
  return { block: { height: asInteger(record.height), hash, time: null }, fee: asInteger(record.fee), receipt: record }
}

function asUser(answer: unknown): string | null {
  if (answer === 'nobody') return null
  if (typeof answer === 'string' && HASH.test(answer)) return answer
  throw new TypeError('neither a hash nor nobody')
}

function asRecord(answer: unknown): PaperRecord | null {
  if (answer === 'none') return null
  const { height, fee, signer, made, calls } = answer as Record<keyof PaperRecord, unknown>
  const texts = (made as unknown[]).map((id) => `${asInteger(id)}`)
  const read = (calls as PaperCall[]).map(({ method, argument }) => {
    if (!['stake', 'unstake', 'withdraw'].includes(method)) throw new TypeError('no call')
    return { method, argument: `${asInteger(argument)}` }
  })
  return { height: `${asInteger(height)}`, fee: `${asInteger(fee)}`, signer: String(signer), made: texts, calls: read }
}
