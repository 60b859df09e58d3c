import { createClient, type Protocol, type SignedTransaction, type VerifiedTransaction } from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import type { Intent } from '@svc/verify/intent'
import type { CustodianAnswer, Sandbox } from '../../api/sandbox.ts'
import { api } from '../../state/session.ts'
import type { Choice } from './choices.ts'
import { intentOf } from './intents.ts'

/** The client as any program has it, bound to what was chosen. */
export type Bound = Protocol<Intent>

/** Where the service is, as this page reaches it. */
export const baseUrl = new URL('../', document.baseURI).href.replace(/\/$/, '')

/** Whether the browser gives this page what a check needs. On plain http it does so under this machine's own names alone. */
export const canCheck = typeof crypto.subtle === 'object'

/** A client of the service for what was chosen, on the terms of a trust document. */
export async function clientFor(
  { protocol, network }: Choice,
  { trust, api_key: apiKey }: Pick<Sandbox, 'trust' | 'api_key'>,
  send: typeof fetch,
): Promise<Bound> {
  const intent = await intentOf(protocol)
  // Faults are to be seen as they come: nothing is asked twice.
  const client = createClient({ trust, apiKey, baseUrl, fetch: send, retries: 0, protocols: { chosen: { intent, network } } })
  return client.chosen
}

/** What is asked of the service. */
export function inputOf({ signer, signs }: Choice, amount: string): Readonly<Record<string, string>> {
  return { [signer]: signs, amount }
}

/** Has the stand-in for a custodian sign, with the key of `address`. */
export function signWith(transaction: VerifiedTransaction, { family }: Choice, address: string): Promise<SignedTransaction> {
  return transaction.sign(
    rawSigner({
      async sign(payload) {
        const { signature, prepare } = await api.call<CustodianAnswer>('sandbox/wallets/sign', {
          method: 'POST',
          body: { family, address, payload: hexOf(payload) },
        })
        return prepare.signatures?.[0] ?? signature
      },
    }),
  )
}

/** Bytes as `0x` and hex. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
