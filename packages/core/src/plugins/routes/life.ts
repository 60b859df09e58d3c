import { type Bounds, type Context, errorRefs, membersOf, type NetworkBase } from '@svc/contract'
import { type AnyKit, firstProblem, schemaRef } from '@svc/contract/host'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import { badRequest } from '../../base/codes.ts'
import { createSaid } from '../craft/log-words.ts'
import type { Promising } from '../craft/pinned-terms.ts'
import type { Followed, Looks } from '../life/follow.ts'
import { standingToWire } from '../life/wire.ts'
import type { NetworkSettings, Services } from '../services.ts'
import { membersIn, registerAction } from './action.ts'
import { answerSealed } from './reads.ts'

/** One for the document, as in `TransactionHash`; each family has its own form of it. */
const HASH = '0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c'

/** A network with the functions that these routes call. */
interface Lived<Client, Net> {
  readonly network: NetworkBase
  readonly looks: Looks
  /** Asks endpoints that are believed by themselves. */
  readonly sending: Context<Client, Net>
}

/**
 * Registers `GET /transaction/{tx_hash}` and `POST /transaction/track`, for families that can tell.
 *
 * @param use finds the network of a request, and notes it
 */
export function registerLife<Client, Net>(
  protocol: Promising,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => { readonly settings: NetworkSettings } & Lived<Client, Net>,
): void {
  const { kit } = protocol
  const { life } = kit
  if (!life) return
  const upstream = errorRefs(502, 503, 504)

  app.get<{ Params: { tx_hash: string }; Querystring: { wallet?: string } }>(
    '/transaction/:tx_hash',
    {
      schema: {
        summary: 'Where a transaction stands',
        description:
          'Of any transaction of the chain. One that was broadcast or is tracked here can be told to be `replaced` or `expired`, which a hash alone does not ' +
          'prove. A lookup that could not be made is a 502, 503 or 504, and never `unknown`.',
        'x-beyond-specification': true,
        params: Type.Object({ tx_hash: Type.String({ description: 'Hash by which the chain knows it.', examples: [HASH] }) }),
        ...(life.byWallet ? { querystring: Type.Object(walletProperties(kit)) } : {}),
        response: { 200: schemaRef('TransactionStatus'), 400: schemaRef('Error'), ...upstream },
      },
    },
    async (request, reply) => {
      const { settings, looks } = use(request)
      const txHash = life.hash(request.params.tx_hash)
      const { wallet } = life.byWallet ? walletOf(kit, request.query.wallet) : {}
      return answerSealed(services, request, reply, standingToWire(await services.life.status(request, settings, txHash, wallet), looks))
    },
  )

  const { signed: signedOf } = life
  if (signedOf)
    app.get<{ Params: { tx_hash: string } }>(
      '/transaction/:tx_hash/signed',
      {
        schema: {
          summary: 'The signed bytes of a transaction',
          description:
            'Of any transaction of the chain, by its hash: as broadcast and track take them. For a caller whose wallet has sent by itself and told a hash: the hash is one of these ' +
            'bytes, so that he can work it out, and read by them what was sent. 503 `TRANSACTION_UNSEEN` where no endpoint shows the transaction, yet or any more.',
          'x-beyond-specification': true,
          params: Type.Object({ tx_hash: Type.String({ description: 'Hash by which the chain knows it.', examples: [HASH] }) }),
          response: { 200: kit.wire.signed, 400: schemaRef('Error'), ...upstream },
        },
      },
      async (request, reply) =>
        answerSealed(services, request, reply, await signedOf(use(request).sending, life.hash(request.params.tx_hash))),
    )

  const sentences = createSaid(protocol)
  /** @throws 400 for what is neither a hash nor a signed transaction */
  const read = async (request: FastifyRequest, network: NetworkBase): Promise<Followed> => {
    const body = membersOf(request.body)
    const { log } = request
    const { tx_hash: hash } = body
    const signed = membersIn(kit.wire.broadcast, body)
    const named = life.byWallet ? walletOf(kit, body.wallet) : {}
    if (Object.keys(signed).length === 0) {
      if (typeof hash === 'string') return { txHash: life.hash(hash), bounds: null, ...named }
      throw badRequest('TRANSACTION_INVALID', `The body has neither tx_hash nor ${members(kit)}: one of them says which transaction.`)
    }
    const problem = firstProblem(kit.wire.broadcast, signed, '')
    if (problem !== null) throw badRequest('TRANSACTION_INVALID', problem)
    const names = kit.names.signed(signed, network)
    const { said: summary, hidden } = await sentences.sent(network, signed, log)
    const isAlarm = services.sends(request) === 'known'
    if (hidden) services.note(request, { hidden: { ...hidden, caip2: kit.caip2(network), refused: false, isAlarm } })
    const { sentence, moves } = summary
    return {
      ...names,
      bounds: boundsOf(kit, signed, network, log),
      ...(sentence === undefined ? {} : { sentence }),
      ...(moves === undefined ? {} : { moves }),
    }
  }

  registerAction(app, services, {
    name: 'track',
    url: '/transaction/track',
    summary: 'Follow a transaction that was broadcast elsewhere',
    description:
      'Takes what broadcast takes, and sends nothing: its events are told and every state can be proven from then on. With `tx_hash` alone it is followed too; ' +
      'but that it was replaced or has expired cannot be proven from a hash.',
    body: Type.Object(trackProperties(kit), { additionalProperties: true }),
    response: schemaRef('TransactionStatus'),
    beyondSpecification: true,
    async handle(request) {
      services.note(request, { action: 'track' })
      const { settings, network, looks } = use(request)
      const followed = await read(request, network)
      const { bounds, ...note } = followed
      const { wallet = bounds?.wallet, ...names } = note
      services.note(request, { ...names, ...(wallet === undefined ? {} : { wallet }) })
      return JSON.stringify(standingToWire(await services.life.track(request, settings, followed), looks))
    },
  })
}

/**
 * Reads from signed bytes the bounds of their life. A fault in this reading keeps nobody from sending the bytes: they are then followed by their hash.
 *
 * @param body as `names.signed` has taken it
 */
export function boundsOf(
  kit: AnyKit,
  body: Readonly<Record<string, unknown>>,
  network: NetworkBase,
  log: FastifyBaseLogger,
): Bounds | null {
  try {
    return kit.life?.bounds(body, network) ?? null
  } catch (err) {
    log.warn({ err }, 'the bounds of a signed transaction could not be read; it is followed by its hash')
    return null
  }
}

/** Returns the members that broadcast takes, each optional, and the hash. */
function trackProperties({ wire, life }: AnyKit): TProperties {
  const optional = Object.entries(wire.broadcast.properties).map(([name, schema]) => [name, Type.Optional(schema)] as const)
  const hash = Type.Optional(
    Type.String({ description: 'Hash by which the chain knows it, where its bytes are not at hand.', examples: [HASH] }),
  )
  return { ...Object.fromEntries(optional), tx_hash: hash, ...(life?.byWallet ? walletProperties({ wire }) : {}) }
}

/** Makes the schema of who signed a transaction of which only the hash is at hand, for families that find none by that alone. */
function walletProperties({ wire }: Pick<AnyKit, 'wire'>): TProperties {
  const { examples } = wire.address as { readonly examples?: unknown[] }
  const description =
    'Who signed it, where it is not followed here and its bytes are not at hand: the chain finds it by its hash and its signer only.'
  return { wallet: Type.Optional(Type.String({ description, ...(examples ? { examples } : {}) })) }
}

/** Reads the wallet of a request in its canonical form; empty where it names none. @throws 400 ADDRESS_INVALID */
function walletOf(kit: AnyKit, text: unknown): { readonly wallet?: string } {
  return typeof text === 'string' ? { wallet: kit.address(text) } : {}
}

function members({ wire }: AnyKit): string {
  return Object.keys(wire.broadcast.properties).join(', ')
}
