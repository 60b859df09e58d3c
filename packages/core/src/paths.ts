import type { ServiceError } from '@svc/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Accounts } from './accounts.ts'
import { notFound } from './codes.ts'
import type { LoadedPlugin } from './discover.ts'
import { nearest } from './nearest.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The refusal of a path that is not there, or not for this account, with what was probably meant. */
    unknownPath(request: FastifyRequest): ServiceError
  }
}

const BASE = '/api/v1'
const SHOWN = 120

/** Knows which paths there are, so that one that is not there can be answered with its neighbours. To be registered before any route. */
export const paths = fp(
  async (app: FastifyInstance, { plugins, accounts }: { plugins: readonly LoadedPlugin[]; accounts: Accounts }) => {
    /** Methods by path, as the document lists them. */
    const known = new Map<string, string[]>()
    app.addHook('onRoute', ({ url, method, schema }) => {
      if (schema?.hide !== true) known.set(url, [...(known.get(url) ?? []), ...[method].flat().filter((each) => each !== 'HEAD')])
    })
    app.decorate('unknownPath', (request: FastifyRequest) => {
      const [whole = ''] = request.url.split('?')
      const path = whole.slice(0, SHOWN)
      const account = request.principal?.account
      const prefixes = plugins
        .filter(({ name }) => account === undefined || accounts.allows(account, name))
        .map(({ plugin }) => BASE + plugin.protocol.prefix)
      return notFound(
        'NOT_FOUND',
        `There is no ${request.method} ${path} here, or not for this account; ${hintOf(path, prefixes, known)}/openapi.json lists what the service has.`,
      )
    })
  },
  { fastify: '5.x', name: '@svc/paths' },
)

function hintOf(path: string, prefixes: readonly string[], known: ReadonlyMap<string, readonly string[]>): string {
  const prefix = prefixes.find((each) => path.startsWith(`${each}/`))
  if (!prefix) {
    const meant = nearest(path.split('/').slice(0, 5).join('/'), prefixes)
    return meant && meant !== path ? `did you mean ${meant}? ` : ''
  }
  const methods = known.get(path)
  if (methods) return `it takes ${methods.join(', ')}. `
  const [part = '', last = ''] = path.slice(prefix.length + 1).split('/')
  const below = [...known.keys()].filter((each) => each.startsWith(`${prefix}/`)).map((each) => each.slice(prefix.length + 1).split('/'))
  if (part !== 'action') {
    const meant = nearest(part, [...new Set(below.map(([first = '']) => first))])
    return meant ? `did you mean ${prefix}/${meant}? ` : ''
  }
  const actions = below.filter(([first]) => first === 'action').map(([, action = '']) => action)
  const meant = nearest(last, actions)
  return `${meant ? `did you mean ${meant}? Its` : 'its'} actions are ${actions.join(', ')}; `
}
