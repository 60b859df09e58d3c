import { Amount, type AnyKit, type Balance, type Info, type ProtocolPlugin, protocol } from '@svc/contract'
import t from 'tap'
import { Type } from 'typebox'
import { checkPlugin, type GroupName, type GroupResult } from '../src/index.ts'
import { hashOf, startPaperWorld } from './paper/chain.ts'
import { PaperAddress, paper } from './paper/kit.ts'
import { type Ctx, declaration, definePlugin, options } from './paper/plugin.ts'

// Thirteen runs of every group.
t.setTimeout(180_000)
const world = await startPaperWorld()
t.teardown(() => world.close())

/** The paper plugin with something broken in it. */
const broken = (change: Partial<Parameters<typeof definePlugin>[0]>): ProtocolPlugin => definePlugin({ ...declaration, ...change })
const { stake, unstake, withdraw } = declaration.actions

const onKit = (change: Partial<typeof paper>): ProtocolPlugin =>
  protocol({ ...paper, ...change } as AnyKit, { validator: Type.String({ description: "The operator's validator." }) }).definePlugin(
    declaration as never,
  )

/** For each group a plugin in which everything is right but what the group looks at. */
const BROKEN: Readonly<Record<GroupName, { readonly what: string; readonly plugin: ProtocolPlugin }>> = {
  declaration: {
    what: 'a member of a body that is not described',
    plugin: broken({
      actions: {
        unstake,
        withdraw,
        stake: { ...stake, body: { address: Type.Unsafe<string>({ ...PaperAddress, description: '' }), amount: Amount() } },
      },
    }),
  },
  networks: {
    what: 'two networks that are the default',
    plugin: broken({
      routes(app) {
        app.addHook('preSerialization', async (request, _reply, payload) =>
          request.routeOptions.url?.endsWith('/networks') && Array.isArray(payload)
            ? (payload as object[]).map((item) => ({ ...item, is_default: true }))
            : payload,
        )
      },
    }),
  },
  info: {
    what: 'a count of users that is 0 when its source fails',
    plugin: broken({
      async info(ctx: Ctx): Promise<Info> {
        const terms = await declaration.info(ctx)
        return { ...terms, users: terms.users ?? 0 }
      },
    }),
  },
  balance: {
    what: 'objects that share an identifier',
    plugin: broken({
      async balance(ctx: Ctx, address: string): Promise<Balance> {
        const position = await declaration.balance(ctx, address)
        return { ...position, objects: position.objects!.map((object) => ({ ...object, id: '1' })) }
      },
    }),
  },
  bodies: {
    what: 'a member that takes anything',
    plugin: broken({
      actions: {
        stake,
        unstake,
        withdraw: {
          ...withdraw,
          body: { address: PaperAddress, urgent: Type.Optional(Type.Unsafe<boolean>({ description: 'Anything.', examples: [true] })) },
        },
      },
    }),
  },
  journeys: {
    what: 'stake that is said to be active while it waits',
    plugin: broken({
      async balance(ctx: Ctx, address: string): Promise<Balance> {
        const position = await declaration.balance(ctx, address)
        return { ...position, staked: position.activating!, activating: position.staked }
      },
    }),
  },
  state: {
    what: 'a precondition that is left to the chain',
    plugin: broken({ actions: { stake, withdraw, unstake: { ...unstake, guard: async () => undefined } } }),
  },
  tamper: {
    what: 'a decoder that does not look at the hash',
    plugin: onKit({
      decode: ({ tx_hex, ...rest }, expected, network, terms) =>
        paper.decode({ ...rest, tx_hex, tx_hash_hex: hashOf(Buffer.from(tx_hex, 'hex').toString('utf8')) }, expected, network, terms),
    }),
  },
  policy: {
    what: 'answers that hide the limit',
    plugin: broken({
      routes(app) {
        app.addHook('onSend', async (_request, reply) => {
          reply.removeHeader('x-ratelimit-remaining')
        })
      },
    }),
  },
  resilience: {
    what: 'an upstream failure that becomes a fault of its own',
    plugin: broken({
      balance: (ctx: Ctx, address: string) =>
        declaration.balance(ctx, address).catch((error: Error) => {
          throw new TypeError(`it failed: ${error.message}`)
        }),
    }),
  },
  budget: {
    what: 'a balance read in two waves',
    plugin: broken({
      async balance(ctx: Ctx, address: string): Promise<Balance> {
        await ctx.client.integer('epoch')
        return declaration.balance(ctx, address)
      },
    }),
  },
}

const failing = (results: readonly GroupResult[]) => results.filter(({ ok }) => !ok).map(({ group }) => group)
const reasons = (results: readonly GroupResult[]) => results.flatMap(({ findings }) => findings.filter(({ ok }) => !ok))

t.test('a plugin in which everything is right passes every group', async (t) => {
  const results = await checkPlugin(options, world)
  t.same(reasons(results), [])
  t.same(
    results.map(({ group }) => group),
    Object.keys(BROKEN),
  )
  for (const { group, findings } of results) t.ok(findings.length > 0, `${group} made ${findings.length} findings`)
})

for (const [group, { what, plugin }] of Object.entries(BROKEN))
  t.test(`${what}: ${group} fails, and nothing else`, async (t) => {
    const results = await checkPlugin({ ...options, plugin }, world)
    t.same(
      failing(results),
      [group],
      reasons(results)
        .map(({ name }) => name)
        .join('; '),
    )
  })

t.test('a plugin with which no server starts fails every group that is asked for, and says why', async (t) => {
  const plugin = broken({
    routes(app) {
      app.post('/theft', async () => ({}))
    },
  })
  const results = await checkPlugin({ ...options, plugin, groups: ['tamper', 'declaration'] }, world)
  t.same(failing(results), ['declaration', 'tamper'])
  for (const { name, found } of reasons(results)) t.match(`${name}: ${found}`, /a server starts with the plugin: SettingsError .*theft/)
})

t.test('an action without an example is named', async (t) => {
  const { withdraw: _, ...examples } = options.examples
  const results = await checkPlugin({ ...options, examples, groups: ['declaration', 'tamper'] }, world)
  t.same(failing(results), ['declaration', 'tamper'])
  t.match(JSON.stringify(reasons(results)), /withdraw has an example/)
})
