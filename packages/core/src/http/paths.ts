import type { ServiceError } from '@svc/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { notFound } from '../base/codes.ts'
import { nearest } from '../base/nearest.ts'
import type { Accounts } from '../plugins/accounts.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The refusal of a path that is not there, or not for this account, with what was probably meant. */
    unknownPath(request: FastifyRequest): ServiceError
  }
}

const BASE = '/api/v1'
const SHOWN = 120

/** Records all paths, so that a request to an unknown one can be answered with similar ones. To be registered before any route. */
export const paths = fp(
  async (app: FastifyInstance, { plugins, accounts }: { plugins: readonly LoadedPlugin[]; accounts: Accounts }) => {
    /** Methods by path, as the document lists them. */
    const routes = new Map<string, string[]>()
    app.addHook('onRoute', ({ url, method, schema }) => {
      if (schema?.hide !== true) routes.set(url, [...(routes.get(url) ?? []), ...[method].flat().filter((each) => each !== 'HEAD')])
    })
    app.decorate('unknownPath', (request: FastifyRequest) => {
      const path = pathOf(request.url)
      const account = request.principal?.account
      const prefixes = plugins
        .filter(({ name }) => account === undefined || accounts.allows(account, name))
        .map(({ plugin }) => BASE + plugin.protocol.prefix)
      return notFound(
        'NOT_FOUND',
        `There is no ${request.method} ${pathOf(request.originalUrl)} here, or not for this account; ${hintOf(path, prefixes, routes)}/openapi.json lists what the service has.`,
      )
    })
  },
  { fastify: '5.x', name: '@svc/paths' },
)

function pathOf(target: string): string {
  const [whole = ''] = target.split('?')
  return whole.slice(0, SHOWN)
}

function hintOf(path: string, prefixes: readonly string[], routes: ReadonlyMap<string, readonly string[]>): string {
  const prefix = prefixes.find((each) => path.startsWith(`${each}/`))
  const below = [...routes.keys()]
    .filter((each) => each.startsWith(`${prefix ?? path}/`))
    .map((each) => each.slice((prefix ?? path).length + 1).split('/'))
  const parts = [...new Set(below.map(([first = '']) => first))]
  if (!prefix) {
    if (prefixes.includes(path)) return `below it are ${parts.join(', ')}; `
    const nearPrefix = nearest(path.split('/').slice(0, 5).join('/'), prefixes)
    if (nearPrefix) return `did you mean ${nearPrefix}? `
    return path.split('/').length > 4 ? `the protocols are at ${prefixes.join(', ')}; ` : ''
  }
  const methods = routes.get(path)
  if (methods) return `it takes ${methods.join(', ')}. `
  const [part = '', last = ''] = path.slice(prefix.length + 1).split('/')
  if (part !== 'action') {
    const nearPart = nearest(part, parts) ?? parts.find((each) => wordOf(each) === wordOf(part))
    return nearPart ? `did you mean ${prefix}/${nearPart}? ` : ''
  }
  const actions = below.filter(([first]) => first === 'action').map(([, action = '']) => action)
  const nearAction = nearest(last, actions)
  return `${nearAction ? `did you mean ${nearAction}? Its` : 'its'} actions are ${actions.join(', ')}; `
}

/** Last word of a part of a path, by which names of older days, such as exited-balance, are known. */
function wordOf(part: string): string | undefined {
  return part.split('-').at(-1)
}
