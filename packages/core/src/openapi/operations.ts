import { errorRefs, membersOf } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { RouteOptions } from 'fastify'
import { present } from '../base/present.ts'
import { STATUSES } from './words.ts'

/** Statuses that every route of the API can answer: those that are counted, and those that want a credential besides. */
const limitErrors = errorRefs(429, 500)
const common = { 401: schemaRef('Error'), ...limitErrors }

/** Statuses that the host itself can answer, and a sentence for each status of each route. */
export function describeOperation(route: RouteOptions): void {
  const { schema } = route
  if (!schema?.response || schema.hide || route.url.startsWith('/docs')) return
  schema.operationId ??= operationId(present([route.method].flat()[0], 'a method'), route.url)
  const { credential, limited } = route.config ?? {}
  const all = { ...(credential !== 'none' ? common : limited === false ? {} : limitErrors), ...membersOf(schema.response) }
  schema.response = Object.fromEntries(Object.entries(all).map(([status, body]) => [status, withDescription(body, STATUSES[status])]))
}

/** Names an operation for generated clients: `POST /api/v1/evm-three/native/action/delegate` is `postEvmThreeNativeActionDelegate`. */
function operationId(method: string, url: string): string {
  const words = url
    .replace('/api/v1', '')
    .split(/[/-]/)
    .filter(Boolean)
    .map((word) => (word.startsWith(':') ? `by-${word.slice(1)}` : word))
    .join('-')
    .split('-')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function withDescription(schema: unknown, description: string | undefined): unknown {
  const members = membersOf(schema)
  if (!description || 'description' in members) return schema
  return { ...members, description }
}
