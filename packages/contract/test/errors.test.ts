import t from 'tap'
import { declareErrors } from '../src/declare-errors.ts'
import { isServiceError, restated, ServiceError } from '../src/errors.ts'
import { refusals } from '../src/refusals.ts'

const { badGateway, badRequest, gatewayTimeout, notFound, unauthorized, unavailable, unprocessable } = refusals

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

t.test('a package refuses with declared codes only, each under its status', async (t) => {
  const { errorCodes, badRequest, serviceError, unavailable, unprocessable } = declareErrors(
    { LATE: [400, 'Too late.'], TEAPOT: [418, 'A teapot.'] },
    { FULL: [503, 'No room; another package says so.'] },
  )
  t.same(Object.keys(errorCodes), ['LATE', 'TEAPOT'], 'the other table stays with its package')
  t.match(badRequest('LATE', 's'), { statusCode: 400, code: 'LATE' })
  t.match(badRequest('AMOUNT_INVALID', 's'), { statusCode: 400, code: 'AMOUNT_INVALID' })
  t.match(unavailable('FULL', 's', 1), { statusCode: 503, code: 'FULL' })
  t.match(unprocessable('LATE', 's'), { statusCode: 422, code: 'LATE' })
  t.match(serviceError(418, 'TEAPOT', 's', { retryAfter: 3 }), { statusCode: 418, code: 'TEAPOT', retryAfter: 3 })
  // The compiler refuses the rest; a line that it accepts fails the check of types.
  // @ts-expect-error: not declared
  badRequest('EARLY', 's')
  // @ts-expect-error: declared with another status
  badRequest('TEAPOT', 's')
  // @ts-expect-error: declared with another status
  serviceError(400, 'TEAPOT', 's')
  // @ts-expect-error: of every protocol, but 400
  unavailable('AMOUNT_INVALID', 's', 1)
})

t.test('a refusal is restated under its own code', async (t) => {
  const refusal = badRequest('CODE', 'sentence', new Error('below'))
  const again = restated(refusal, { statusCode: 422 })
  t.match(again, { statusCode: 422, code: 'CODE', message: 'sentence', cause: undefined })
  t.match(restated(refusal, { message: 'other', txHash: '0x1' }), { statusCode: 400, code: 'CODE', message: 'other', txHash: '0x1' })
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
