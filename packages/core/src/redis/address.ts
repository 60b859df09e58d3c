import { readFileSync } from 'node:fs'
import { SettingsError } from '@svc/contract'
import type { RedisOptions } from 'ioredis'

/** Address of Redis, and the rules for judging its certificate. */
interface RedisAddress {
  /** Without what is only for the certificate. */
  readonly url: string
  readonly options: Pick<RedisOptions, 'tls'>
}

/** Members of the query that say how a certificate is judged; the first is named as PostgreSQL's addresses name it. */
const CERTIFICATE = ['sslrootcert', 'servername'] as const

/**
 * Reads the address of Redis. `rediss://` is TLS, and the certificate is always verified: by the system's authorities, or by those of the file that
 * `sslrootcert` names, and for the host of the address, or for the name in `servername`.
 *
 * @throws SettingsError for what is no address of Redis, another member of the query, or a file that cannot be read
 */
export function redisAddress(text: string): RedisAddress {
  if (!URL.canParse(text) || !/^rediss?:$/.test(new URL(text).protocol))
    throw new SettingsError('The address of Redis cannot be read; it should look like redis://host:6379.')
  const url = new URL(text)
  const { searchParams, protocol } = url
  const [ca, servername] = CERTIFICATE.map((name) => searchParams.get(name) ?? undefined)
  if (ca === undefined && servername === undefined) return { url: text, options: {} }
  if (protocol !== 'rediss:')
    throw new SettingsError(
      `The address of Redis names ${CERTIFICATE.join(' or ')}, which is of TLS alone; it should begin with rediss://.`,
    )
  for (const name of CERTIFICATE) searchParams.delete(name)
  const tls = { ...(ca === undefined ? {} : { ca: readAuthorities(ca) }), ...(servername === undefined ? {} : { servername }) }
  return { url: url.href, options: { tls } }
}

function readAuthorities(file: string): string {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  } catch (error) {
    throw new SettingsError(`sslrootcert of the address of Redis is ${file}, which cannot be read: ${(error as Error).message}.`)
  }
  throw new SettingsError(`sslrootcert of the address of Redis is ${file}, which has no certificate; it should be a file in PEM form.`)
}
