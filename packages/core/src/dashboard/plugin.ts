import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sendAsset } from '../http/asset.ts'
import { type CodedAsset, codedText, formFor, readFiles } from './files.ts'
import { inspectorFile } from './inspector-file.ts'
import type { IntentScript } from './intents.ts'
import { DASHBOARD_POLICY, readPages, SCRIPT_POLICY } from './page.ts'

/** Names with a digest of their content never change. @see RFC 8246 for `immutable` (read 2026-11-22) */
const FOREVER = 'public, max-age=31536000, immutable'
/** Folders in which a name has such a digest: what the page's build wrote, and the scripts of intents. */
const DIGESTED = ['assets/', 'intents/']
const ROOT = '/dashboard'

/** Parts that are served. */
interface DashboardOptions {
  /** Folder of the built page. */
  readonly folder: string
  /** Scripts of the installed plugins' intents that the page loads. */
  readonly intents: readonly IntentScript[]
}

/**
 * Serves the dashboard at `/dashboard` from memory: prepared files, the page for any path without a dot up to four levels deep, and 404 for everything else. All of it is
 * public: the page asks the API for its contents with the reader's token.
 */
export const dashboard = fp(
  async (app: FastifyInstance, { folder, intents }: DashboardOptions) => {
    const files = new Map([...readFiles(folder), ...intentFiles(intents)])
    const inspector = files.get(INSPECTOR)
    if (inspector) files.set(INSPECTOR, codedText('.html', inspectorFile(inspector.plain.body.toString(), intents)))
    const pages = readPages(folder)
    const open = { schema: { hide: true }, config: { credential: 'none', limited: 'console' } } as const

    app.get(ROOT, open, async (request, reply) => {
      // The router leaves the last slash out; relative addresses do not.
      const [path = '', ...query] = request.url.split('?')
      if (path.endsWith('/')) return sendPage(app, request, reply, pages[0])
      // Relative, so that it leads to the right place behind a proxy that takes a prefix away.
      const search = query.length > 0 ? `?${query.join('?')}` : ''
      return reply.code(308).header('cache-control', 'no-cache').header('location', `dashboard/${search}`).send()
    })
    app.get<{ Params: { '*': string } }>(`${ROOT}/*`, open, async (request, reply) => {
      const name = request.params['*']
      const file = files.get(name)
      if (file) return sendFile(request, reply, file, DIGESTED.some((each) => name.startsWith(each)) ? FOREVER : undefined)
      // As it was sent: the depth counts the slashes that a browser sees.
      const [path = ''] = request.url.slice(`${ROOT}/`.length).split('?')
      return sendPage(
        app,
        request,
        reply,
        path.includes('.') || DIGESTED.some((each) => path.startsWith(each)) ? undefined : pages[path.split('/').length - 1],
      )
    })
  },
  { fastify: '5.x', name: '@svc/dashboard' },
)

const INSPECTOR = 'inspector.html'

/** Lists each script by its digest, and the list by which the page finds them. */
function intentFiles(intents: readonly IntentScript[]): readonly (readonly [name: string, file: CodedAsset])[] {
  const list = intents.map(({ package: name, plugins, digest }) => ({ package: name, plugins, script: `intents/${digest}.js` }))
  return [
    ['intents.json', codedText('.json', JSON.stringify(list))],
    ...intents.map(({ text, digest }) => [`intents/${digest}.js`, codedText('.js', text)] as const),
  ]
}

function sendPage(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply, page: CodedAsset | undefined): FastifyReply {
  if (!page) throw app.unknownPath(request)
  reply.header('content-security-policy', DASHBOARD_POLICY)
  // Elsewhere browsers ignore it, and say so in the console.
  if (request.protocol === 'https') reply.header('cross-origin-opener-policy', 'same-origin')
  return sendFile(request, reply, page)
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: CodedAsset, keep?: string): FastifyReply {
  const { asset, coding } = formFor(request.headers['accept-encoding'], file)
  reply.header('vary', 'accept-encoding').header('referrer-policy', 'no-referrer')
  if (coding !== null) reply.header('content-encoding', coding)
  if (asset.type.startsWith('text/javascript')) reply.header('content-security-policy', SCRIPT_POLICY)
  return sendAsset(request, reply, asset, keep)
}
