import { isServiceError, membersOf, type NetworkBase } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { DecodeError } from '@svc/verify'
import { type ExplainedTransaction, explain, type Intent } from '@svc/verify/intent'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { badRequest } from '../../base/codes.ts'
import { type PinnedTerms, type Promising, termsOf } from '../craft/pinned-terms.ts'
import type { Services } from '../services.ts'
import { craftBody, registerAction } from './action.ts'
import { inspectedToWire } from './inspected.ts'

/**
 * Registers `inspect`, which says in words what a transaction of the protocol's family does, wherever it comes from. Only where the protocol has an
 * intent by which it can be said; the chain is not asked.
 */
export function registerInspect(
  protocol: Promising,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => { readonly network: NetworkBase },
): void {
  const { kit, intent } = protocol
  if (!intent?.family.explain) return
  registerAction<{ readonly transaction: string }>(app, services, {
    name: 'inspect',
    summary: 'Say in words what a transaction does',
    description:
      'Takes a transaction from anywhere, unsigned or signed, and reads it from its bytes alone: what it calls and moves, who must sign and whether ' +
      'each signature is right, the fee at most, and until when it can be sent. Asks the chain nothing, and does not say whether the transaction ' +
      'should be signed. What a caller believes he had better read himself: the same code is in `@svc/client` and `svc-verify`.',
    body: craftBody({
      transaction: Type.String({
        description: 'The whole transaction as hex, with or without `0x`, or base64.',
        examples: [
          '0xf85380851a1fa4220083044dc694000000000000000000000000000000000000100089056bc75e2d63100000a484994fec000000000000000000000000000000000000000000000000000000000000000c818f8080',
        ],
      }),
    }),
    response: schemaRef('InspectedTransaction'),
    beyondSpecification: true,
    asksChain: false,
    handle: async (request) => {
      services.note(request, { action: 'inspect' })
      const { network } = use(request)
      const terms = termsOf(protocol, network)
      const explained = await read(intent, terms, request.body.transaction)
      const unsignedHash = nameOf(() => kit.names.unsigned(explained.unsigned, network))
      if (unsignedHash !== null) services.note(request, { unsignedHash })
      return JSON.stringify(inspectedToWire(explained, terms))
    },
  })
}

/** Reads a transaction and explains it. @throws 400 TRANSACTION_INVALID with the reader's sentence */
async function read(intent: Intent, terms: PinnedTerms, transaction: string): Promise<ExplainedTransaction> {
  try {
    return await explain(intent, terms, transaction)
  } catch (error) {
    if (!isDecodeError(error)) throw error
    throw badRequest('TRANSACTION_INVALID', `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`, error)
  }
}

/** Returns the name by which the audit finds the craft; null for what the kit refuses, as no craft of its own has such bytes. */
function nameOf(name: () => string): string | null {
  try {
    return name()
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

/** Recognises a decode error by its code, because two packages may carry two copies of the reader. */
function isDecodeError(error: unknown): error is DecodeError {
  return error instanceof Error && membersOf(error).code === 'DECODE_FAILED'
}
