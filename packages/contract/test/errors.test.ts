import t from 'tap'
import {
  badGateway,
  badRequest,
  gatewayTimeout,
  isServiceError,
  notFound,
  ServiceError,
  unauthorized,
  unavailable,
  unprocessable,
} from '../src/errors.ts'

t.test('each helper makes the refusal of its status', async (t) => {
  const cause = new Error('below')
  const made = [badRequest, unprocessable, badGateway, gatewayTimeout].map((make) => make('CODE', 'sentence', cause))
  t.same(
    made.map(({ statusCode }) => statusCode),
    [400, 422, 502, 504],
  )
  for (const error of made) t.match(error, { code: 'CODE', message: 'sentence', cause, retryAfter: undefined })
  t.match(unauthorized('CODE', 's'), { statusCode: 401 })
  t.match(notFound('CODE', 's'), { statusCode: 404 })
  t.match(unavailable('CODE', 's', 7, cause), { statusCode: 503, retryAfter: 7, cause })
  t.notOk('cause' in badRequest('CODE', 's'), 'no cause where there is none')
})

t.test('a refusal of another copy of this package is recognised, anything else is a fault', async (t) => {
  const foreign = Object.assign(new Error('sentence'), { name: 'ServiceError', statusCode: 400, code: 'CODE' })
  t.ok(isServiceError(foreign))
  t.ok(isServiceError(new ServiceError(418, 'CODE', 's')))
  for (const other of [
    new Error('x'),
    { ...foreign, name: 'ServiceError' },
    null,
    'text',
    Object.assign(new Error('x'), { statusCode: 400, code: 'X' }),
  ])
    t.notOk(isServiceError(other))
  t.notOk(isServiceError(Object.assign(new Error('x'), { name: 'ServiceError', statusCode: '400', code: 'X' })))
})
