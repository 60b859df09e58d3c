import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/schema.ts'

type SecurityText = NonNullable<Config['security_txt']>

/**
 * Registers `GET /.well-known/security.txt`, which tells where to report a vulnerability, by the operator's settings (RFC 9116). It is outside the API and its document.
 *
 * @param publicUrl where callers reach the service: the file says of itself where it is good
 */
export function registerSecurityText(app: FastifyInstance, settings: SecurityText, publicUrl: string | undefined): void {
  const text = securityText(settings, publicUrl)
  app.get('/.well-known/security.txt', { schema: { hide: true }, config: { credential: 'none' } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(text),
  )
}

/** Writes the fields of RFC 9116, section 2.5 (https://www.rfc-editor.org/rfc/rfc9116#section-2.5, read 2026-11-25); a contact that stands first is preferred. */
function securityText({ contact, expires, ...more }: SecurityText, publicUrl: string | undefined): string {
  const canonical = publicUrl === undefined ? [] : [`${new URL(publicUrl).origin}/.well-known/security.txt`]
  const lines = [
    ...contact.map((each) => `Contact: ${each}`),
    `Expires: ${new Date(expires).toISOString()}`,
    ...(more.encryption === undefined ? [] : [`Encryption: ${more.encryption}`]),
    ...(more.acknowledgments === undefined ? [] : [`Acknowledgments: ${more.acknowledgments}`]),
    ...(more.preferred_languages === undefined ? [] : [`Preferred-Languages: ${more.preferred_languages.join(', ')}`]),
    ...(more.policy === undefined ? [] : [`Policy: ${more.policy}`]),
    ...canonical.map((each) => `Canonical: ${each}`),
  ]
  return `${lines.join('\n')}\n`
}
