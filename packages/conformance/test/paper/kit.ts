import { isDeepStrictEqual } from 'node:util'
import {
  type Assembly,
  type Comparison,
  declareErrors,
  EndpointError,
  isEndpointError,
  isServiceError,
  type Kit,
  type KitContext,
  type KitIo,
  malformedAnswer,
} from '@svc/contract'
import type { Decoded } from '@svc/verify'
import { type Static, Type } from 'typebox'
import { hashOf, type PaperAccount, type PaperCall, type PaperRecord, type PaperTransaction } from './chain.ts'
import { paperLife } from './life.ts'
import { asInteger, fromHex, MOST_SEQUENCE, PaperAddress, readSigned, readTransaction, readUnsigned, toHex, wire } from './wire.ts'

const { badGateway, badRequest } = declareErrors({
  ADDRESS_INVALID: [400, 'Address invalid.'],
  CHAIN_REFUSED: [400, 'Chain refused.'],
  CHAIN_WOULD_REFUSE: [400, 'Chain would refuse.'],
  SIGNATURE_INVALID: [400, 'Signature invalid.'],
})

export type Draft = Pick<PaperTransaction, 'signer' | 'calls'>

interface Preflight {
  readonly sequence: bigint
  readonly fee: bigint
}

/** A client that believes nothing it is told: the chain is asked along with everything, and what cannot be is asked of the next endpoint. */
export class PaperClient {
  readonly #io: KitIo
  readonly #chainId: string
  constructor(chainId: string, io: KitIo) {
    this.#io = io
    this.#chainId = chainId
  }

  /** @param read throws what an answer cannot be */
  ask<T>(method: string, params: readonly string[], read: (answer: unknown) => T, anyChain = false): Promise<T> {
    const work = async (send: typeof fetch) => {
      const [chain, answer] = await Promise.all([anyChain ? this.#chainId : once(send, 'chain', []), once(send, method, params)])
      if (typeof chain === 'string' && chain !== this.#chainId)
        throw new EndpointError(
          'other chain',
          badGateway('UPSTREAM_OTHER_CHAIN', `The node serves ${chain}; the operator has to mend that.`),
        )
      try {
        if (typeof chain !== 'string') throw malformedAnswer(chain)
        return read(answer)
      } catch (error) {
        throw isServiceError(error) || isEndpointError(error) ? error : malformedAnswer(error)
      }
    }
    return method === 'submit' ? this.#io.exchange(work) : this.#io.exchange(work, { kind: method, compare: sameAnswer })
  }

  text(method: string, ...params: string[]): Promise<string> {
    return this.ask(method, params, asText, method === 'chain')
  }

  integer(method: string, ...params: string[]): Promise<bigint> {
    return this.ask(method, params, (answer) => asInteger(answer))
  }

  account(address: string): Promise<PaperAccount> {
    return this.ask('account', [address], (answer) => {
      const found = answer as Record<keyof PaperAccount, unknown>
      const requests = (found.requests as Record<'id' | 'amount' | 'release', unknown>[]).map(({ id, amount, release }) => ({
        id: asInteger(id),
        amount: asInteger(amount),
        // An epoch that no number holds could not be shown.
        release: asInteger(release, MOST_SEQUENCE),
      }))
      if (new Set(requests.map(({ id }) => id)).size < requests.length) throw new TypeError('a request twice')
      const { balance, sequence, staked, pending } = found
      return {
        balance: asInteger(balance),
        sequence: asInteger(sequence, MOST_SEQUENCE),
        staked: asInteger(staked),
        pending: asInteger(pending),
        requests,
      }
    })
  }
}

/** Two of them say the same, or neither is believed. */
function sameAnswer<T>(one: T, other: T): Comparison<T> {
  return isDeepStrictEqual(one, other) ? { value: one } : { member: 'answer' }
}

async function once(send: typeof fetch, method: string, params: readonly string[]): Promise<unknown> {
  const response = await send('http://upstream.invalid/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method, params }),
  })
  const answer: unknown = await response.json()
  if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result
  throw malformedAnswer(answer)
}

function asText(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new TypeError('no text')
}

const ARGUMENTS: Readonly<Record<PaperCall['method'], string>> = { stake: 'amount', unstake: 'amount', withdraw: 'request' }

export const paper: Kit<PaperClient, Draft, Preflight, typeof wire, unknown, PaperRecord> = {
  family: 'paper',
  type: 'PAPER',
  decimals: 6,
  caip2: ({ chainId }) => `paper:${chainId}`,
  signer: 'address',
  wire,
  network: Type.Object({}),
  endpoints: 'node',
  agrees: true,
  address(text) {
    if (!/^p1[0-9a-f]{8}$/i.test(text))
      throw badRequest('ADDRESS_INVALID', `"${text.slice(0, 40)}" is not a paper address: p1 and eight hex digits.`)
    return text.toLowerCase()
  },
  connect: ({ chainId }, io) => new PaperClient(chainId, io),
  identify: ({ client }) => client.text('chain'),
  async preflight({ client, network }, signer) {
    const within = (answer: unknown) => asInteger(answer, network.maxFee + 1n)
    const [{ sequence }, fee] = await Promise.all([client.account(signer), client.ask('fee', [], within)])
    return { sequence, fee }
  },
  async assemble({ client, network }, draft, preflight): Promise<Assembly<Static<(typeof wire)['unsigned']>>> {
    const simulated = client.ask('simulate', [JSON.stringify(draft)], (answer) => {
      const text = asText(answer)
      if (text.startsWith('no')) throw badRequest('CHAIN_WOULD_REFUSE', `The chain would refuse this transaction: ${text}.`)
      if (text !== 'ok') throw new TypeError('neither yes nor no')
    })
    const [{ sequence, fee }] = await Promise.all([preflight, simulated])
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
  decode: (unsigned) => decodePaper(unsigned),
  names: {
    unsigned: (body) => hashOf(readUnsigned(body).text),
    signed(body) {
      const { text, transaction } = readSigned(body)
      return { unsignedHash: hashOf(JSON.stringify(transaction)), txHash: hashOf(text) }
    },
  },
  async prepare(_ctx, body) {
    const { text, transaction } = readUnsigned(body)
    const { signature_hex } = body
    if (signature_hex !== signatureOf(transaction.signer, text))
      throw badRequest('SIGNATURE_INVALID', 'signature_hex is not of the signer over this transaction.')
    return { signed_hex: toHex(JSON.stringify({ transaction, signature_hex })) }
  },
  async broadcast({ client }: KitContext<PaperClient>, body) {
    const { text } = readSigned(body)
    const tx_hash = await client.ask('submit', [text], (answer) => {
      const said = asText(answer)
      if (said.startsWith('refused')) throw badRequest('CHAIN_REFUSED', `The chain ${said}.`)
      if (said !== hashOf(text)) throw new TypeError('the hash of another transaction')
      return said
    })
    return { tx_hash }
  },
  life: paperLife,
}

/** There are no keys on paper: whoever knows the address signs. */
export function signatureOf(signer: string, text: string): string {
  return hashOf(`${signer} ${hashOf(text)}`)
}

export { PaperAddress }

/** What a transaction on paper does; for the service and its callers alike, since this is a test's. */
export function decodePaper(unsigned: { readonly tx_hex: string; readonly tx_hash_hex: string }): Decoded {
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
}
