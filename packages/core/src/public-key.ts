import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Signer } from './signature/signer.ts'

/** `GET /public-key`: the PEM of the key that `x-signature` is checked with. Open, since whoever checks may hold no API key. */
export function registerPublicKey(app: FastifyInstance, signer: Pick<Signer, 'publicKeyPem'>): void {
  app.get(
    '/public-key',
    {
      config: { credential: 'none' },
      schema: {
        summary: 'Public key of x-signature, as PEM',
        tags: ['Service'],
        security: [],
        produces: ['application/x-pem-file'],
        response: { 200: Type.String({ examples: ['-----BEGIN PUBLIC KEY-----\n…'] }) },
      },
    },
    async (_request, reply) => reply.type('application/x-pem-file').send(signer.publicKeyPem),
  )
}
