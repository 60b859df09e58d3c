import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { fixed } from './plugin.ts'
import type { Signer } from './signer.ts'

const Jwk = Type.Object(
  {
    kty: Type.String({ description: 'Kind of the key.', examples: ['RSA'] }),
    kid: Type.String({
      description: 'Thumbprint: what `x-signature-key` says.',
      examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
    }),
    use: Type.String({ description: 'What it is for: signatures.', examples: ['sig'] }),
    alg: Type.String({ description: 'RSASSA-PKCS1-v1_5 with SHA-256.', examples: ['RS256'] }),
    n: Type.String({ description: 'Modulus, base64url.', examples: ['sXch…'] }),
    e: Type.String({ description: 'Exponent, base64url.', examples: ['AQAB'] }),
  },
  { title: 'PublicKey' },
)

const ResponseJwk = Type.Object(
  {
    kty: Type.String({ description: 'Kind of the key.', examples: ['OKP'] }),
    crv: Type.String({ description: 'Its curve.', examples: ['Ed25519'] }),
    x: Type.String({ description: 'Its 32 bytes, base64url.', examples: ['A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg'] }),
    kid: Type.String({
      description: 'Thumbprint: what `keyid` of `signature-input` says.',
      examples: ['1IG2tMH7J2wbJZnOf8LJzQitKf7LMvoAElsuDMVM54Y'],
    }),
    use: Type.String({ description: 'What it is for: signatures.', examples: ['sig'] }),
    alg: Type.String({ description: 'Ed25519.', examples: ['Ed25519'] }),
  },
  { title: 'ResponseKey' },
)

/** Time for which a copy of the directory may be used, in seconds. A key that signs was in the directory for days before. */
const DIRECTORY_SECONDS = 300

/**
 * Registers `GET /.well-known/jwks.json`: every key that signs, will sign or has signed, as a JSON Web Key Set, both those that bind responses to their requests and those
 * of `x-signature`. It is public, and signed itself.
 */
export function registerKeyDirectory(app: FastifyInstance, { keys, responses }: Pick<Signer, 'keys' | 'responses'>): void {
  // As bytes: to a text of this type Fastify would add a charset, which it has not.
  const body = fixed(Buffer.from(JSON.stringify({ keys: [...responses.keys.map(({ jwk }) => jwk), ...keys] })))
  app.get(
    '/.well-known/jwks.json',
    {
      config: { credential: 'none' },
      schema: {
        operationId: 'getKeyDirectory',
        summary: 'Public keys of all signatures, as a JSON Web Key Set',
        description:
          'The Ed25519 keys of `signature`, then the RSA keys of `x-signature`. Keep the thumbprints that the operator gave you by another way: a key that appears here is news, not trust.',
        tags: ['Service'],
        security: [],
        'x-beyond-specification': true,
        response: {
          200: {
            description: 'A JSON Web Key Set.',
            content: {
              'application/jwk-set+json': {
                schema: Type.Object(
                  {
                    keys: Type.Array(Type.Union([ResponseJwk, Jwk]), {
                      description: 'The response keys, in the order of the config, then the RSA keys.',
                    }),
                  },
                  { title: 'KeyDirectory' },
                ),
              },
            },
          },
        },
      } as object,
    },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${DIRECTORY_SECONDS}`).type('application/jwk-set+json')
      return reply.send(body)
    },
  )
}

/**
 * Registers `GET /public-key`, the PEM of the key that signs here, and `GET /public-keys`, every key that may have signed while replicas change theirs, as a JSON Web Key
 * Set. Both are public, since whoever checks a signature may hold no API key.
 */
export function registerPublicKey(app: FastifyInstance, signer: Pick<Signer, 'publicKeyPem' | 'keys'>): void {
  app.get(
    '/public-key',
    {
      config: { credential: 'none' },
      schema: {
        summary: 'Public key of x-signature, as PEM',
        description:
          'Of the key that signs here. Keep the one that the operator gave you: whoever can change an answer can change this one too.',
        tags: ['Service'],
        security: [],
        response: {
          200: {
            description: 'The key, as PEM.',
            content: { 'application/x-pem-file': { schema: Type.String({ examples: ['-----BEGIN PUBLIC KEY-----\n…'] }) } },
          },
        },
      },
    },
    async (_request, reply) => reply.type('application/x-pem-file').send(signer.publicKeyPem),
  )
  app.get(
    '/public-keys',
    {
      config: { credential: 'none' },
      schema: {
        summary: 'Public keys of x-signature, as a JSON Web Key Set',
        description: 'More than one while the key is being changed: `x-signature-key` of an answer says by its `kid` which one signed it.',
        tags: ['Service'],
        security: [],
        'x-beyond-specification': true,
        response: {
          200: Type.Object(
            { keys: Type.Array(Jwk, { description: 'The key that signs here first.' }) },
            { title: 'PublicKeys', description: 'A JSON Web Key Set.' },
          ),
        },
      } as object,
    },
    async () => ({ keys: signer.keys }),
  )
}
