import { isServiceError, membersOf, type NetworkBase } from '@svc/contract'
import { literalOf, schemaRef } from '@svc/contract/host'
import type { DecodeError } from '@svc/verify'
import { type ExplainedTransaction, explain, type Intent, Refused, readInput, review, reviewSigned, worded } from '@svc/verify/intent'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { badRequest } from '../../base/codes.ts'
import { quoted } from '../../base/readable-text.ts'
import { type PinnedTerms, type Promising, termsOf } from '../craft/pinned-terms.ts'
import type { Services } from '../services.ts'
import { craftBody, registerAction } from './action.ts'
import { inspectedToWire } from './inspected.ts'

/** Request that a signed transaction was to do. */
const ExpectationSchema = Type.Object(
  {
    action: Type.String({ description: 'Action that was asked for.', examples: ['delegate'] }),
    body: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Body of that request, as it was sent.',
        examples: [{ address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', amount: 100 }],
      },
    ),
    craft: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Answer to that request. With it nonce, gas and whatever else was crafted is compared too, but for what a wallet may choose; without it the request alone counts.',
          examples: [{ unsigned_tx_hash_hex: '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be' }],
        },
      ),
    ),
    account_number: Type.Optional(
      Type.String({
        description: 'Of Cosmos, whose signatures cover it and whose bytes do not hold it: `x-account-number` of the craft.',
        examples: ['1234'],
      }),
    ),
  },
  { additionalProperties: false, title: 'ExpectedOrder', description: 'A request, against which a signed transaction is held.' },
)
type Expectation = Static<typeof ExpectationSchema>

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
  registerAction<{ readonly transaction: string; readonly expect?: Expectation }>(app, services, {
    name: 'inspect',
    summary: 'Say in words what a transaction does',
    description:
      'Takes a transaction from anywhere, unsigned or signed, and reads it from its bytes alone: what it calls and moves, who must sign and whether ' +
      'each signature is right, the fee at most, and until when it can be sent. Asks the chain nothing, and does not say whether the transaction ' +
      'should be signed. With `expect` a signed transaction is held against the request that it was to do, whoever wrote its bytes: same calls, signer, chain, fee within ' +
      'its bounds, every signature right, and nothing else. What a caller believes he had better read himself: the same code is in `@svc/client` and `svc-verify`.',
    body: craftBody({
      transaction: Type.String({
        description: 'The whole transaction as hex, with or without `0x`, or base64.',
        examples: [
          '0xf85380851a1fa4220083044dc694000000000000000000000000000000000000100089056bc75e2d63100000a484994fec000000000000000000000000000000000000000000000000000000000000000c818f8080',
        ],
      }),
      expect: Type.Optional(ExpectationSchema),
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
      const { expect, transaction } = request.body
      const order = expect === undefined ? null : await compared(intent, terms, transaction, expect)
      return JSON.stringify(inspectedToWire(explained, terms, order))
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

/** Holds a signed transaction against the request that it was to do. @throws 400 REQUEST_INVALID for what is no request of the protocol */
async function compared(
  intent: Intent,
  terms: PinnedTerms,
  signed: string,
  { action: name, body, craft: answer, account_number }: Expectation,
) {
  const action = Object.hasOwn(intent.actions, name) ? intent.actions[name] : undefined
  if (!action)
    throw badRequest('REQUEST_INVALID', `expect.action is ${quoted(name)}; it must be one of ${Object.keys(intent.actions).join(', ')}.`)
  if (!intent.family.signed)
    throw badRequest(
      'REQUEST_INVALID',
      'expect is given, and this protocol cannot hold a signed transaction against a request; leave it out.',
    )
  const stated = account_number === undefined ? {} : { 'x-account-number': account_number }
  const request = { intent, action, terms, input: orderOf(intent, name, body, terms.decimals), stated }
  const craft = answer === undefined ? undefined : review({ ...request, answer })
  const verdict = craft && 'mismatches' in craft ? craft : await reviewSigned({ ...request, signed, craft })
  const mismatches = 'mismatches' in verdict ? verdict.mismatches.map((each) => worded(each, terms, intent)) : []
  return {
    matches: mismatches.length === 0,
    mismatches: mismatches.map(({ path, expected, found: actual }) => ({ path, expected, found: actual })),
  }
}

/** Reads the body of a request: an amount may be a number there, and is read as the text that was written. @throws 400 REQUEST_INVALID */
function orderOf(intent: Intent, action: string, body: object, decimals: number) {
  const shape = intent.actions[action]?.input ?? {}
  const textual = Object.entries(body).map(
    ([name, value]) => [name, shape[name]?.kind === 'amount' ? (literalOf(body, name) ?? value) : value] as const,
  )
  try {
    return readInput(shape, Object.fromEntries(textual), decimals)
  } catch (error) {
    if (!Refused.is(error)) throw error
    const { path, expected, found: actual } = error.mismatch
    throw badRequest('REQUEST_INVALID', `expect.body.${path.replace(/^input\./, '')} should be ${expected} and is ${actual}.`, error)
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
