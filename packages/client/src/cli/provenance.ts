import { verifyResponse } from '@svc/verify/response'
import type { TrustDocument } from '../trust.ts'
import type { VerifyAsked } from './arguments.ts'
import { readBytes, readHeaders } from './files.ts'
import { Mistake } from './outcome.ts'

/** Provenance of a stored answer: what is known of it besides its bytes. */
type Provenance =
  /** Sentences to be shown. */
  | { readonly ok: true; readonly lines: readonly string[] }
  /** One sentence why it must not be used. */
  | { readonly ok: false; readonly reason: string }

/** Greatest difference between two clocks, as for an answer that has just come: packages/verify/src/response/verify.ts. */
const SKEW_MS = 30_000
const MS = 1000

/** Base paths at which a service answers: the second has every amount as text. The signature covers the path that was asked, and either answer is the service's. */
const BASES = ['', '/text'] as const

/** A stored answer, and the request that it answers. */
interface StoredAnswer {
  readonly trust: TrustDocument
  /** Path of the intent. */
  readonly path: string
  readonly action: string
  /** Bodies as they travelled. */
  readonly request: Uint8Array
  readonly craft: Uint8Array
  /** Headers of the answer, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers of the request, likewise. */
  readonly sent: Readonly<Record<string, string>>
  /** Largest age of the answer, in seconds. @default any age */
  readonly maxAge: number | undefined
}

/** Tells whether a stored answer is the service's to this very request, and how old it is. */
export async function provenanceOf({ trust, path, action, request, craft, headers, sent, maxAge }: StoredAnswer): Promise<Provenance> {
  // Its own time, as long as nobody has checked it; afterwards it is the signed one.
  const createdAt = new Date(Number(/;created=(\d{1,12})(;|$)/.exec(headers['signature-input'] ?? '')?.[1] ?? 0) * MS)
  const [plain, inText] = await Promise.all(
    BASES.map((base) =>
      verifyResponse({
        request: {
          method: 'POST',
          url: `${trust.baseUrl.replace(/\/$/, '')}${base}/api/v1${path}/action/${action}`,
          headers: sent,
          body: request,
        },
        response: { status: 200, headers, bytes: craft },
        keys: trust.keys,
        sentAt: createdAt,
        now: createdAt,
      }),
    ),
  )
  const verdict = inText?.ok ? inText : plain
  if (!verdict?.ok) return { ok: false, reason: verdict?.reason ?? '' }
  const age = Date.now() - verdict.created.getTime()
  const at = verdict.created.toISOString().replace('.000', '')
  if (age < -SKEW_MS) return { ok: false, reason: `The answer is of ${at}, which by this machine's clock is still to come.` }
  const seconds = Math.max(0, Math.floor(age / MS))
  if (maxAge !== undefined && seconds > maxAge)
    return { ok: false, reason: `The answer is of ${at}, ${seconds} s old; ${maxAge} s are allowed.` }
  const bare = sent['x-nonce'] === undefined ? ['The request had no X-NONCE: an older answer to the same request would fit as well.'] : []
  return { ok: true, lines: [`The service's answer to this request, of ${at}, ${seconds} s old.`, ...bare] }
}

/**
 * Tells whether an answer in files is the service's to the request in files. Without the request's headers nothing is checked, since the signature covers them.
 *
 * @param path of the intent
 * @throws Mistake
 */
export async function provenance(
  options: VerifyAsked & { readonly craft: string },
  folder: string,
  trust: TrustDocument,
  path: string,
): Promise<Provenance> {
  const { action, request, craft, headers, sent, maxAge } = options
  if (sent === undefined) return { ok: true, lines: [] }
  if (!Array.isArray(trust.keys)) throw new Mistake(`${options.trust} names no keys, by which an answer could be the service's.`)
  return provenanceOf({
    ...{ trust, path, action, maxAge },
    request: await readBytes(folder, request),
    craft: await readBytes(folder, craft),
    headers: await readHeaders(folder, headers),
    sent: await readHeaders(folder, sent),
  })
}
