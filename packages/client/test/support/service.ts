import { createClient, type TrustDocument } from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import { evmThree } from '@svc/intent-evm-three'
import { ANSWER_KEY, signedAnswer } from '@svc/testing/signed-answers'
import { SigningKey, Transaction } from 'ethers'
import { evm, trust } from './answers.ts'

export const API_KEY = 'svc_test'
/** Signs answers with the key of these tests. */
export const trusted: TrustDocument = { ...trust, version: 1, keys: [ANSWER_KEY] }
/** What the recorded craft was asked for. */
export const wanted = { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', amount: '100' }
const key = new SigningKey(`0x${'11'.repeat(32)}`)
export const custodian = rawSigner({ sign: async (hash) => key.sign(hash).serialized })

/** One request, as it came to the service. */
export interface ServiceRequest {
  readonly method: string
  /** Behind the protocol's. */
  readonly path: string
  readonly headers: Headers
  readonly body: string | undefined
}

/** What the service says: an answer, or an error of the connection. */
export type ServiceAnswer = Error | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }

/** An answer with 200. */
export const said = (body: unknown) => ({ status: 200, body })

/** A client of a service that says what a test has it say, signed, and the requests that came to it. */
export function clientOf(
  say: (seen: ServiceRequest, count: number) => ServiceAnswer,
  options: Partial<Parameters<typeof createClient>[0]> = {},
) {
  const asked: ServiceRequest[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    const path = new URL(String(url)).pathname.replace('/api/v1/evm-three/native', '')
    const seen = { method: init?.method ?? 'GET', path, headers, body: typeof init?.body === 'string' ? init.body : undefined }
    asked.push(seen)
    const answer = say(seen, asked.length)
    if (answer instanceof Error) throw answer
    const { status, body, headers: more = {} } = answer
    return signedAnswer(String(url), headers, status, typeof body === 'string' ? body : JSON.stringify(body), more)
  }
  const { monad } = createClient({ trust: trusted, apiKey: API_KEY, fetch, ...options, protocols: { monad: evmThree } })
  return { monad, asked }
}

/** A refusal, in the form of the service. */
export const refused = (status: number, code: string, headers?: Readonly<Record<string, string>>) => ({
  status,
  body: { error: 'It says so.', code, request_id: '1' },
  ...(headers && { headers }),
})

/** The recorded craft with another nonce. */
export function craftAt(nonce: number): object {
  const { nonce: _, ...payload } = evm.craft.payload
  const tx = Transaction.from({ ...payload, nonce, type: 0 })
  return {
    serialized_tx_hex: tx.unsignedSerialized,
    unsigned_tx_hash_hex: tx.unsignedHash,
    payload: { ...evm.craft.payload, nonce: `0x${nonce.toString(16)}` },
  }
}
