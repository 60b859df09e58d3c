import { type Assembled, badGateway, badRequest, type Kit, type KitContext, type KitIo } from '@svc/contract'
import type { Decoded } from '@svc/verify'
import { type Static, Type } from 'typebox'
import { hashOf, type PaperAccount, type PaperCall, type PaperTransaction } from './chain.ts'

export type Draft = Pick<PaperTransaction, 'signer' | 'calls'>

interface Lifetime {
  readonly sequence: bigint
  readonly fee: bigint
}

/** A client that believes nothing it is told. */
export class PaperClient {
  readonly #fetch: KitIo['fetch']
  constructor(io: KitIo) {
    this.#fetch = io.fetch
  }

  async ask(method: string, ...params: string[]): Promise<unknown> {
    const response = await this.#fetch('http://upstream.invalid/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method, params }),
    })
    const answer: unknown = await response.json()
    if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result
    throw this.#nonsense()
  }

  async text(method: string, ...params: string[]): Promise<string> {
    const answer = await this.ask(method, ...params)
    if (typeof answer === 'string' && answer !== '') return answer
    throw this.#nonsense()
  }

  async integer(method: string, ...params: string[]): Promise<bigint> {
    return this.#integer(await this.ask(method, ...params))
  }

  async account(address: string): Promise<PaperAccount> {
    const found = (await this.ask('account', address)) as Record<keyof PaperAccount, unknown> | null
    if (typeof found !== 'object' || found === null || !Array.isArray(found.requests)) throw this.#nonsense()
    return {
      balance: this.#integer(found.balance),
      sequence: this.#integer(found.sequence),
      staked: this.#integer(found.staked),
      pending: this.#integer(found.pending),
      requests: found.requests.map((request: { id: unknown; amount: unknown; release: unknown }) => ({
        id: this.#integer(request.id),
        amount: this.#integer(request.amount),
        release: this.#integer(request.release),
      })),
    }
  }

  #integer(value: unknown): bigint {
    if (typeof value === 'string' && /^\d+$/.test(value)) return BigInt(value)
    throw this.#nonsense()
  }

  #nonsense() {
    return badGateway('UPSTREAM_ERROR', "The chain's node gave an answer that is none; try again.")
  }
}

const PaperAddress = Type.Unsafe<string>({ type: 'string', description: 'A paper address.', examples: ['p1000000aa'], 'x-address': true })
const hex = (description: string) => Type.String({ description, examples: ['7b7d'] })

export const wire = {
  address: PaperAddress,
  unsigned: Type.Object({ tx_hex: hex('Unsigned transaction.'), tx_hash_hex: hex('Its hash.') }, { title: 'PaperUnsigned' }),
  prepare: Type.Object({ tx_hex: hex('Unsigned transaction.'), signature_hex: hex('Signature over its hash.') }),
  signed: Type.Object({ signed_hex: hex('Signed transaction.') }, { title: 'PaperSigned' }),
  broadcast: Type.Object({ signed_hex: hex('Signed transaction.') }),
}

export const toHex = (text: string) => Buffer.from(text).toString('hex')

/** Text of well-formed hex of well-formed UTF-8. @throws 400 */
export function fromHex(hexText: string): string {
  const bytes = Buffer.from(hexText, 'hex')
  const text = bytes.toString('utf8')
  if (bytes.toString('hex') !== hexText || hexText === '' || toHex(text) !== hexText)
    throw badRequest('HEX_INVALID', `"${hexText.slice(0, 40)}" is not hexadecimal text.`)
  return text
}

/** One transaction in its only form. @throws 400 */
export function readTransaction(hexText: string): PaperTransaction {
  const text = fromHex(hexText)
  try {
    const { chain, sequence, fee, signer, calls } = JSON.parse(text) as PaperTransaction
    const canonical = JSON.stringify({ chain, sequence, fee, signer, calls: calls.map(({ method, argument }) => ({ method, argument })) })
    if (canonical === text && [sequence, fee].every((each) => /^\d+$/.test(each))) return { chain, sequence, fee, signer, calls }
  } catch {
    // Said below, once for every way in which it is none.
  }
  throw badRequest('TRANSACTION_INVALID', 'The bytes are not one transaction in canonical form.')
}

const ARGUMENTS: Readonly<Record<PaperCall['method'], string>> = { stake: 'amount', unstake: 'amount', withdraw: 'request' }

export const paper: Kit<PaperClient, Draft, Lifetime, typeof wire> = {
  family: 'paper',
  type: 'PAPER',
  decimals: 6,
  signer: 'address',
  wire,
  network: Type.Object({}),
  endpoints: 'node',
  address(text) {
    if (!/^p1[0-9a-f]{8}$/i.test(text))
      throw badRequest('ADDRESS_INVALID', `"${text.slice(0, 40)}" is not a paper address: p1 and eight hex digits.`)
    return text.toLowerCase()
  },
  connect: (_network, io) => new PaperClient(io),
  identify: ({ client }) => client.text('chain'),
  async lifetime({ client }, signer) {
    const [{ sequence }, fee] = await Promise.all([client.account(signer), client.integer('fee')])
    return { sequence, fee }
  },
  async assemble({ client, network }, draft, lifetime): Promise<Assembled<Static<(typeof wire)['unsigned']>>> {
    const [{ sequence, fee }, said] = await Promise.all([lifetime, client.text('simulate', JSON.stringify(draft))])
    if (said.startsWith('no')) throw badRequest('CHAIN_WOULD_REFUSE', `The chain would refuse this transaction: ${said}.`)
    if (said !== 'ok') throw badGateway('UPSTREAM_ERROR', "The chain's node gave an answer that is none; try again.")
    const { signer, calls } = draft
    const text = JSON.stringify({
      chain: network.chainId,
      sequence: `${sequence}`,
      fee: `${fee}`,
      signer,
      calls,
    } satisfies PaperTransaction)
    return { unsigned: { tx_hex: toHex(text), tx_hash_hex: hashOf(text) }, terms: { sequence } }
  },
  decode(unsigned): Decoded {
    if (Object.keys(unsigned).sort().join() !== 'tx_hash_hex,tx_hex') throw new TypeError('the response has other members')
    const { chain, sequence, fee, signer, calls } = readTransaction(unsigned.tx_hex)
    if (unsigned.tx_hash_hex !== hashOf(fromHex(unsigned.tx_hex))) throw new TypeError('the hash is of other bytes')
    return {
      chainId: chain,
      signers: [signer],
      maxFee: BigInt(fee),
      calls: calls.map(({ method, argument }) => ({
        target: 'paper',
        method,
        args: { [ARGUMENTS[method] ?? 'unknown']: BigInt(argument) },
        value: 0n,
      })),
      terms: { sequence: BigInt(sequence) },
    }
  },
  async prepare(_ctx, { tx_hex, signature_hex }) {
    const transaction = readTransaction(tx_hex)
    if (signature_hex !== signatureOf(transaction.signer, fromHex(tx_hex)))
      throw badRequest('SIGNATURE_INVALID', 'signature_hex is not of the signer over this transaction.')
    return { signed_hex: toHex(JSON.stringify({ transaction, signature_hex })) }
  },
  async broadcast({ client }: KitContext<PaperClient>, { signed_hex }) {
    const text = fromHex(signed_hex)
    const signed = parsed(text)
    if (!signed?.transaction || JSON.stringify(signed) !== text)
      throw badRequest('TRANSACTION_INVALID', 'signed_hex is not a signed transaction.')
    const answer = await client.text('submit', text)
    if (answer.startsWith('refused')) throw badRequest('CHAIN_REFUSED', `The chain ${answer}.`)
    return { tx_hash: answer }
  },
}

/** There are no keys on paper: whoever knows the address signs. */
export function signatureOf(signer: string, text: string): string {
  return hashOf(`${signer} ${hashOf(text)}`)
}

function parsed(text: string): { transaction?: unknown } | null {
  try {
    return JSON.parse(text) as { transaction?: unknown }
  } catch {
    return null
  }
}

export { PaperAddress }
