import { itemsOf } from '@svc/contract'
import type { ErrorBody } from '@svc/contract/host'
import { errorBody } from '../http/errors.ts'
import type { Operation } from './shape.ts'

/** Refusals that the host itself answers, by status: what an operation shows where it has recorded none of its own. */
export function refusalOf(status: number, { method, path, operation }: { method: string; path: string; operation: Operation }): ErrorBody {
  const managed = operation.security?.some((scheme) => 'token' in scheme) === true
  switch (status) {
    case 400:
      return invalid(operation)
    case 401:
      return managed
        ? errorBody(401, 'TOKEN_MISSING', 'There is no management token: send it as `token: <token>` or `Authorization: Bearer <token>`.')
        : errorBody(401, 'KEY_MISSING', 'There is no API key: send it as X-API-KEY.')
    case 404:
      return managed
        ? errorBody(404, 'KEY_NOT_FOUND', 'There is no API key "01JD4Z0V9T6E6N1S2XKQ3B7W8S" in this account.')
        : errorBody(
            404,
            'NOT_FOUND',
            `There is no ${method.toUpperCase()} ${path} here, or not for this account; /openapi.json lists what the service has.`,
          )
    case 409:
      return errorBody(409, 'KEYS_EXHAUSTED', 'The account has as many API keys as it may have; delete one that is no longer used.')
    case 422:
      return errorBody(422, 'REQUEST_INVALID', `${firstMember(operation) ?? 'address'} is missing.`)
    case 429:
      return errorBody(
        429,
        'RATE_LIMITED',
        `The limit of 200 requests per minute for this credential is used up; the next is accepted in 12 seconds.`,
      )
    case 500:
      return errorBody(500, 'INTERNAL_ERROR', 'Something went wrong here; the request id in x-request-id helps to find it.')
    case 502:
      return errorBody(502, 'UPSTREAM_UNAVAILABLE', "None of the chain's endpoints could be used; try again.")
    case 504:
      return errorBody(504, 'UPSTREAM_TIMEOUT', "The chain's endpoints are too slow; try again.")
    default:
      return errorBody(503, 'UPSTREAM_BUSY', "The chain's endpoints are overloaded; try again after the time in Retry-After.")
  }
}

function invalid(operation: Operation): ErrorBody {
  const member = firstMember(operation)
  if (member) return errorBody(400, 'REQUEST_INVALID', `${member} is missing.`)
  if (operation.requestBody) return errorBody(400, 'BODY_NOT_JSON', 'The body is not valid JSON.')
  return errorBody(400, 'NETWORK_NOT_ENABLED', 'X-NETWORK "7" is not enabled for this account; /networks lists those that are.')
}

function firstMember(operation: Operation): string | undefined {
  const [first] = itemsOf(operation.requestBody?.content?.['application/json']?.schema?.required)
  return typeof first === 'string' ? first : undefined
}
