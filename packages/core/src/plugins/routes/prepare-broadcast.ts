import type { KitContext, NetworkBase } from '@svc/contract'
import { type AnyKit, type ClientOf, mayHaveArrived, type Protocol, schemaRef, type Wire } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { refusedFor } from '../craft/hidden-call.ts'
import { createSaid } from '../craft/log-words.ts'
import { answerRepeat } from '../life/repeat.ts'
import type { Note, Services } from '../services.ts'
import { membersIn, openBody, registerAction } from './action.ts'
import { boundsOf } from './life.ts'

/**
 * Registers how a transaction leaves: `prepare`, which joins signatures to it, and `broadcast`, which sends it.
 *
 * @param send the context of a broadcast, whose endpoints are believed by themselves
 */
export function registerPrepareAndBroadcast<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => KitContext<ClientOf<K>>,
  send: (request: FastifyRequest) => KitContext<ClientOf<K>>,
): void {
  const { kit } = protocol
  const words = createSaid(protocol)
  const noteSigner = (request: FastifyRequest, network: NetworkBase, body: Readonly<Record<string, unknown>>) => {
    const signer = words.signer(network, body, request.log)
    if (signer.wallet !== undefined) services.note(request, signer)
  }
  /**
   * Reads what a transaction does, before anything is done with it.
   *
   * @returns what is to be noted of it
   * @throws 400 TRANSACTION_HIDDEN_CALL for what no request to the protocol leads to, unless the account has it sent all the same
   */
  const pass = async (
    request: FastifyRequest,
    network: NetworkBase,
    body: Readonly<Record<string, unknown>>,
    names: Pick<Note, 'unsignedHash'>,
    undone: string,
  ): Promise<Note> => {
    const { said: summary, hidden } = await words.sent(network, body, request.log)
    if (hidden === null) return { ...names, ...summary }
    const isRefused = services.sends(request) === 'known'
    const note = { ...names, ...summary, hidden: { ...hidden, caip2: kit.caip2(network), refused: isRefused, isAlarm: isRefused } }
    if (!isRefused) return note
    services.note(request, note)
    throw refusedFor(hidden, undone)
  }
  registerAction<Static<Wire['prepare']>>(app, services, {
    name: 'prepare',
    summary: 'Assemble a signed transaction from the unsigned one and its signatures',
    description:
      'Checks each signature against the transaction and puts it in. Sends nothing: the result can be broadcast here or elsewhere. A transaction that ' +
      'does something which no request to the protocol leads to is refused with `TRANSACTION_HIDDEN_CALL`, unless the operator lets the account send any. ' +
      'Members that it does not know are ignored, so that a whole craft response can be passed on.',
    body: openBody(kit.wire.prepare),
    response: kit.wire.signed,
    handle: async (request) => {
      services.note(request, { action: 'prepare' })
      const ctx = use(request)
      const body = membersIn(kit.wire.prepare, request.body)
      const { network } = ctx
      const unsignedHash = kit.names.unsigned(body, network)
      services.note(request, await pass(request, network, body, { unsignedHash }, 'assembled'))
      const signed = await kit.prepare(ctx, body, () => services.craftedFor(request, services.network(request), unsignedHash))
      noteSigner(request, network, body)
      return JSON.stringify(signed)
    },
  })
  registerAction<Static<Wire['broadcast']>>(app, services, {
    name: 'broadcast',
    summary: 'Submit a signed transaction to the chain',
    description:
      'Success means submitted, not final: ask where it stands by its hash. A refusal that leaves open whether the transaction arrived ' +
      'carries `tx_hash`: look it up before you craft another. Sending the same signed transaction twice answers the same hash; one that was ' +
      'followed here to its end is not sent again, and one that ended otherwise than final is refused with that end. A transaction may have been built ' +
      'elsewhere; one that does something which no request to the protocol leads to is refused with `TRANSACTION_HIDDEN_CALL`, unless the operator lets ' +
      'the account send any.',
    body: openBody(kit.wire.broadcast),
    response: schemaRef('TransactionHash'),
    handle: async (request) => {
      services.note(request, { action: 'broadcast' })
      const body = membersIn(kit.wire.broadcast, request.body)
      const ctx = send(request)
      const { network } = ctx
      const names = kit.names.signed(body, network)
      const { unsignedHash } = names
      const read = await pass(request, network, body, { unsignedHash }, 'sent')
      // A node that has pruned what landed refuses the same bytes as it refuses a rival's: what was followed to its end needs no node.
      const end = await services.life.ended(request, services.network(request), names.txHash)
      if (end !== null) {
        services.note(request, { ...names, ...read })
        noteSigner(request, network, body)
        return answerRepeat(end)
      }
      const bounds = boundsOf(kit, body, network, request.log)
      // What is on the chain and not in the audit log is the one thing that cannot be mended afterwards.
      await services.intend(request, {
        ...names,
        ...read,
        ...(bounds ? { bounds, signed: body } : {}),
      })
      // While the chain is asked: finding the signer takes as long as all the rest.
      setImmediate(noteSigner, request, network, body)
      try {
        await kit.broadcast(ctx, body)
      } catch (error) {
        throw mayHaveArrived(error, names.txHash)
      }
      if (bounds) services.note(request, { accepted: names.txHash })
      return JSON.stringify({ tx_hash: names.txHash })
    },
  })
}
