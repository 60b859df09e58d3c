import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sendAsset } from '../openapi/asset.ts'
import { type CodedAsset, formFor, readFiles } from './files.ts'
import { DASHBOARD_POLICY, readPages } from './page.ts'

/** Names with a digest of their content never change. @see RFC 8246 for `immutable` (read 2026-11-22) */
const FOREVER = 'public, max-age=31536000, immutable'
const ROOT = '/dashboard'

/**
 * Serves the dashboard at `/dashboard`, from memory: files that are read and compressed before, the page for any path without a dot up to four deep, and 404 for
 * everything else. Everything is for everybody: what the page shows it asks of the API, with its reader's token.
 */
export const dashboard = fp(
  async (app: FastifyInstance, { folder }: { readonly folder: string }) => {
    const files = readFiles(folder)
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
      if (file) return sendFile(request, reply, file, name.startsWith('assets/') ? FOREVER : undefined)
      // As it was sent: the depth counts the slashes that a browser sees.
      const [path = ''] = request.url.slice(`${ROOT}/`.length).split('?')
      return sendPage(app, request, reply, path.includes('.') || path.startsWith('assets/') ? undefined : pages[path.split('/').length - 1])
    })
  },
  { fastify: '5.x', name: '@svc/dashboard' },
)

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
  return sendAsset(request, reply, asset, keep)
}
