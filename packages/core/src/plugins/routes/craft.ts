import { type Context, isServiceError, membersOf } from '@svc/contract'
import { type AnyAction, type AnyKit, type ClientOf, type DraftOf, type Protocol, readInput } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { shortName } from '../../base/short-name.ts'
import { craft, DecodeMismatch } from '../craft/craft.ts'
import { askedOf } from '../craft/craft-request.ts'
import { createSaid } from '../craft/log-words.ts'
import { promisedOf } from '../craft/promise-check.ts'
import { validUntilToWire } from '../life/wire.ts'
import { type ServedNetwork, servedOf } from '../network/connect.ts'
import { pendingRemark, refuseStake } from '../pending-control.ts'
import type { NetworkSettings, Services } from '../services.ts'
import { craftBody, registerAction } from './action.ts'

/** Registers the route that crafts one action. @param name of the action */
export function registerCraft<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => Context<ClientOf<K>, Net>,
  served: Map<NetworkSettings, ServedNetwork<ClientOf<K>, Net>>,
  name: string,
  action: AnyAction<ClientOf<K>, Net, DraftOf<K>>,
): void {
  const words = createSaid(protocol)
  const promised = promisedOf(protocol, name)
  const { obstacles } = action
  const meet = (request: FastifyRequest, taken: boolean) => servedOf(served, services.network(request)).condition?.met(taken)
  registerAction(app, services, {
    name,
    summary: action.summary,
    description: action.description,
    body: craftBody(action.body),
    response: protocol.kit.wire.unsigned,
    invalidBody: action.invalidBody,
    unprocessable: action.unprocessable,
    beyondSpecification: action.beyondSpecification,
    asked: (request) => askedOf(protocol.kit, action.body, request),
    async handle(request, reply) {
      services.note(request, { action: name })
      const ctx = use(request)
      const input = readInput(protocol.kit, action.body, request.body, action.invalidBody, ctx.network.symbol)
      const network = services.network(request)
      const pending = services.pendingControl(network)
      // Who names obstacles puts stake in; everything else takes it out, and is never refused for who has power over it.
      if (obstacles) refuseStake(shortName(protocol.name), network.chainId, pending)
      const remark = pendingRemark(pending)
      try {
        const { body, unsigned, effects, terms, decoded, says } = await craft(protocol.kit, action, ctx, input, promised)
        reply.headers(protocol.kit.stated?.(terms) ?? {})
        const { life } = protocol.kit
        if (life) reply.header('x-valid-until', JSON.stringify(validUntilToWire(life.validUntil(unsigned, ctx.network, terms, ctx.now()))))
        const unsignedHash = protocol.kit.names.unsigned(membersOf(unsigned), ctx.network)
        const summary = words.craft(ctx.network, decoded, effects, request.log)
        const sentence = [summary.sentence, says, remark].filter((part) => part != null).join(' ')
        services.note(request, { effects, unsignedHash, ...summary, ...(sentence === '' ? {} : { sentence }) })
        if (obstacles) meet(request, true)
        return body
      } catch (error) {
        if (isServiceError(error) && obstacles?.includes(error.code)) meet(request, false)
        if (error instanceof DecodeMismatch) services.note(request, { mismatches: error.mismatches })
        throw error
      }
    },
  })
}
