import t from 'tap'
import { get, stranger } from '../support/service.ts'

t.test('every API path begins with /api/v1, but for what is looked for at the root of a host', async (t) => {
  const { json } = await get('/openapi.json', stranger)
  const paths = Object.keys(json.paths)
  t.same(
    paths.filter((path) => !path.startsWith('/api/v1/')),
    ['/.well-known/jwks.json'],
  )
})

t.test('another version, or none, is not there', async (t) => {
  for (const path of [
    '/api/v2/health',
    '/api/health',
    '/health',
    '/v1/health',
    '/evm-three/native/networks',
    '/api/v2/evm-three/native/networks',
  ])
    t.match(await get(path, stranger), { status: 404, json: { statusCode: 404, code: 'NOT_FOUND' } }, path)
})

t.test('the document describes the current surface, at the root', async (t) => {
  t.equal((await get('/openapi.json', stranger)).status, 200)
  t.equal((await get('/api/v1/openapi.json', stranger)).status, 404)
})
