import Fastify, { type RouteOptions } from 'fastify'
import t from 'tap'
import { Type } from 'typebox'
import { craftBody, openBody, registerAction } from '../../src/plugins/routes/action.ts'
import { sharedSchemas } from '../../src/plugins/routes/schemas.ts'
import { routeMarks } from '../../src/plugins/services.ts'

const body = Type.Object({ a: Type.String() })

async function registered(changes: { invalidBody?: 400 | 422; description?: string } = {}): Promise<RouteOptions> {
  const app = Fastify()
  for (const schema of sharedSchemas) app.addSchema(schema)
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  const route = { name: 'go-on', summary: 'Goes on', body, response: Type.Object({}), handle: async () => '{}', ...changes }
  registerAction(app, { seal: () => undefined }, route)
  await app.close()
  return routes[0]!
}

t.test('an action is a POST under /action with the mark that only it gets', async (t) => {
  const route = await registered()
  t.match(route, { method: 'POST', url: '/action/go-on', schema: { summary: 'Goes on', body } })
  const config = route.config as unknown as Record<symbol, unknown>
  t.equal(config[routeMarks.action], 'go-on')
  t.equal(config[routeMarks.invalidBody], 400)
  t.notOk('description' in route.schema!)
})

t.test('it describes every status it can answer, 422 only where a body that does not fit is 422', async (t) => {
  t.same(Object.keys((await registered()).schema!.response as object), ['200', '400', '502', '503', '504'])
  const route = await registered({ invalidBody: 422, description: 'More.' })
  t.same(Object.keys(route.schema!.response as object), ['200', '400', '422', '502', '503', '504'])
  t.equal((route.config as unknown as Record<symbol, unknown>)[routeMarks.invalidBody], 422)
  t.equal(route.schema!.description, 'More.')
})

t.test('a craft takes no unknown member, prepare and broadcast take them', async (t) => {
  t.match(craftBody(body.properties), { additionalProperties: false })
  t.match(openBody(Type.Object({ a: Type.String() }, { additionalProperties: false })), { additionalProperties: true })
  t.same(openBody(body).required, ['a'])
})
