import { createPublicKey, verify } from 'node:crypto'
import { type ResponseKeyJwk, verifyResponse } from '@svc/verify/response'
import type { FuzzRequest } from './requests.ts'
import type { FuzzReply } from './wire.ts'

/** Codes of 5xx that tell of a chain's endpoints, which the fuzz takes away. */
const UPSTREAM = /^(UPSTREAM_|STAKING_INFO_INCOMPLETE$)/

/** Fault of an answer, whatever was asked: one word each, for counting. */
export type Fault = 'ours' | 'unsigned' | 'not bound' | 'no request id' | 'not the error body' | 'hang' | 'no answer'

/** Makes the function that finds the faults of an answer, and none of a right one. @param publicKeyPem key that `x-signature` is checked with */
export function createJudge(publicKeyPem: string): (reply: FuzzReply) => readonly Fault[] {
  const key = createPublicKey(publicKeyPem)
  return ({ status, headers, body }) => {
    const faults: Fault[] = []
    const signature = Buffer.from(headers['x-signature'] ?? '', 'base64')
    if (!verify('RSA-SHA256', body, key, signature)) faults.push('unsigned')
    if (!headers['x-request-id']) faults.push('no request id')
    if (status < 400) return faults
    const refusal = parsed(body)
    // The report of health has a form of its own, and HEAD has no body.
    const isError = body.length === 0 || refusal?.details !== undefined || (refusal?.statusCode === status && isRefusal(refusal))
    if (!isError) faults.push('not the error body')
    if (status >= 500 && !UPSTREAM.test(String(refusal?.code)) && !(body.length === 0 && status !== 500)) faults.push('ours')
    return faults
  }
}

/** Tells why an answer is not bound to its request; undefined when it is. */
export async function unbound(
  { method, path, headers }: FuzzRequest,
  { status, headers: answerHeaders, body: bytes }: FuzzReply,
  sentAt: Date,
  keys: readonly ResponseKeyJwk[],
): Promise<string | undefined> {
  // Without its body, since some of these callers send a wrong digest, and most none: the answer is bound to what they sent.
  const request = { method, url: path.startsWith('/') || path === '*' ? path : '/', headers }
  const verdict = await verifyResponse({ request, response: { status, headers: answerHeaders, bytes }, keys, sentAt })
  return verdict.ok ? undefined : verdict.reason
}

function isRefusal({ message, error, code }: Record<string, unknown>): boolean {
  return [message, error, code].every((each) => typeof each === 'string' && each !== '') && /^[A-Z][A-Z0-9_]+$/.test(String(code))
}

function parsed(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
