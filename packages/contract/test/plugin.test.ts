import t from 'tap'
import { Type } from 'typebox'
import { CONTRACT, protocol } from '../src/index.ts'
import { anyResponse, declaration, definePlugin, give, host, one } from './support/host.ts'
import { desk, PaperAddress, paperKit, promise, readPaper } from './support/paper.ts'

t.test('a declaration becomes a Fastify plugin that carries its contract and its declaration', async (t) => {
  const plugin = definePlugin(declaration)
  t.equal(plugin.contract, CONTRACT)
  t.equal(CONTRACT, 1)
  t.match(plugin.protocol, { name: '@svc/plugin-paper', prefix: '/paper/native', network: { properties: { clerk: {} } } })
  t.equal(typeof plugin, 'function')
})

t.test('a declaration that cannot work is refused by name, when it is written', async (t) => {
  const refused = (changes: object, message: string | RegExp) =>
    t.throws(() => definePlugin({ ...declaration, ...changes }), { name: 'SettingsError', message })
  for (const prefix of ['paper/native', '/paper', '/paper/native/', '/Paper/native', '/paper/native/more', '/paper/:id', ''])
    refused({ prefix }, `@svc/plugin-paper: prefix "${prefix}" is not two kebab-case segments such as /evm-three/native.`)
  for (const name of ['Give', 'give_all', '1give', 'give/all', '']) refused({ actions: { [name]: give } }, /is not a kebab-case word/)
  for (const name of ['prepare', 'broadcast'])
    refused({ actions: { [name]: give } }, `@svc/plugin-paper: action "${name}" belongs to the kit.`)
  refused(
    { actions: { give: { ...give, body: { amount: give.body.amount } } } },
    /action "give" has no member address in its body, which names who signs/,
  )
  refused({ actions: { give: { ...give, effects: undefined } } }, /action "give" declares no effects/)
})

t.test('settings that do not fit stop the plugin from starting, with their place', async (t) => {
  await t.rejects(host(definePlugin(declaration), [{ ...one, settings: {} }]), {
    message: /^plugins\.paper\.networks\.1: clerk is missing/,
  })
  await t.rejects(host(definePlugin(declaration), [{ ...one, settings: { clerk: 'x' } }]), {
    message: /^plugins\.paper\.networks\.1\.clerk: /,
  })
})

t.test('the reads that every protocol has are there', async (t) => {
  const { app } = await host(definePlugin(declaration))
  t.same((await app.inject('/networks')).json(), [{ name: 'paper one', type: 'PAPER', chain_id: '1', is_default: true }])
  t.equal(
    (await app.inject('/staking-balance/P001')).body,
    '{"staked_amount":100.000000000000000001,"stake_activation_amount":null,"stake_deactivation_amount":null,"stake_withdrawing_amount":null,"stake_rewards_amount":null,"staking_objects":null}',
  )
  t.match((await app.inject('/staking-info')).json(), { staking_apr: 1, staking_apy: null })
  t.match((await app.inject('/staking-balance/x')).json(), { code: 'ADDRESS_INVALID' })
  await app.close()
})

t.test('balance and actions get the canonical address', async (t) => {
  let asked = ''
  const balance = async (_ctx: unknown, address: string) => {
    asked = address
    return declaration.balance()
  }
  const { app } = await host(definePlugin({ ...declaration, balance }))
  await app.inject('/staking-balance/P001')
  t.equal(asked, 'p001')
  const reply = await app.inject({ method: 'POST', url: '/action/give', payload: { address: 'P001', amount: '1' } })
  t.equal(reply.json().unsigned_text, 'paper|1|0|5|p001|p002|give|1000000000000000000')
  await app.close()
})

t.test('an action notes what it is, its network and what it promised, in this order', async (t) => {
  const { app, notes } = await host(definePlugin(declaration))
  await app.inject({ method: 'POST', url: '/action/give', payload: { address: 'p001', amount: '1' } })
  t.same(notes, [{ action: 'give' }, { network: '1' }, { effects: promise('p001', 'p002', 'give', 10n ** 18n) }])
  await app.close()
})

t.test('a withheld transaction is a fault, with its differences in the note', async (t) => {
  const kit = paperKit({ decode: (unsigned) => ({ ...readPaper(unsigned), signers: ['p666'] }) })
  const { definePlugin } = protocol(kit, { clerk: PaperAddress })
  const { app, notes } = await host(definePlugin(declaration))
  const reply = await app.inject({ method: 'POST', url: '/action/give', payload: { address: 'p001', amount: '1' } })
  t.equal(reply.statusCode, 500)
  t.notMatch(reply.body, /paper\|/)
  t.match(notes.at(-1), { mismatches: [{ path: 'signers[0]', expected: 'p001', found: 'p666' }] })
  await app.close()
})

t.test("prepare and broadcast are the kit's, and a hash is noted once it is known", async (t) => {
  const { app, notes, fetch } = await host(definePlugin(declaration))
  const prepared = await app.inject({ method: 'POST', url: '/action/prepare', payload: { unsigned_text: 'paper', seal: 's', more: 1 } })
  t.same(prepared.json(), { signed_text: 'paper|s' })
  const sent = await app.inject({ method: 'POST', url: '/action/broadcast', payload: prepared.json() })
  t.same(sent.json(), { tx_hash: 'h-1' })
  t.same(notes, [{ action: 'prepare' }, { network: '1' }, { action: 'broadcast' }, { network: '1' }, { txHash: 'h-1' }])
  t.ok(fetch.asked.includes('post'))
  await app.close()
})

t.test('each set of settings has its own snapshot, memory and context; a chain has one client', async (t) => {
  const connected: string[] = []
  const closed: unknown[] = []
  const kit = paperKit({
    connect(network, io) {
      connected.push(network.chainId)
      return paperKit().connect(network, io)
    },
    close: (client) => void closed.push(client),
  })
  const { definePlugin } = protocol(kit, { clerk: PaperAddress })
  const asked: string[] = []
  const info = async (ctx: { network: { clerk: string }; memo: Map<string, unknown> }) => {
    asked.push(ctx.network.clerk)
    t.equal(ctx.memo.size, 0)
    ctx.memo.set('seen', true)
    return {}
  }
  const other = { ...one, path: 'accounts.a', settings: { clerk: 'p003' } }
  const second = { ...one, chainId: '2', path: 'plugins.paper.networks.2' }
  const { app } = await host(definePlugin({ ...declaration, info }), [one, other, second])
  await app.inject('/staking-info')
  t.same(asked, ['p002', 'p003', 'p002'])
  t.same(connected, ['1', '2'])
  await app.close()
  t.equal(new Set(closed).size, 2)
  t.equal(closed.length, 2)
})

t.test('a staking-info whose source is away at start does not keep the service from starting', async (t) => {
  let away = true
  const info = async () => {
    if (away) throw new RangeError('away')
    return { users: 3 }
  }
  const { app } = await host(definePlugin({ ...declaration, info }))
  t.equal((await app.inject('/staking-info')).statusCode, 500)
  away = false
  t.match((await app.inject('/staking-info')).json(), { users: 3 })
  await app.close()
})

t.test('reads of its own get the context of the request', async (t) => {
  const plugin = definePlugin({
    ...declaration,
    routes(app, use) {
      app.get('/clerk', { schema: { ...anyResponse, params: Type.Object({}) } }, async (request) => {
        const { network, now } = use(request)
        return { clerk: network.clerk, fee: String(network.maxFee), now: now().getTime() }
      })
    },
  })
  const { app } = await host(plugin, [one], desk())
  t.same((await app.inject('/clerk')).json(), { clerk: 'p002', fee: '1000000000000000000', now: 0 })
  await app.close()
})

t.test('a plugin reaches a further endpoint group of its network, and gets null for one that the operator did not name', async (t) => {
  const seen: unknown[] = []
  const info = async (ctx: { fetch(group: string): typeof globalThis.fetch | null }) => {
    seen.push(ctx.fetch('index'), ctx.fetch('archive'))
    return {}
  }
  const { app, fetch } = await host(definePlugin({ ...declaration, info }))
  t.teardown(() => app.close())
  await app.inject('/staking-info')
  t.equal(seen[0], fetch)
  t.equal(seen[1], null)
})

t.test('a host that hands over a network it did not announce is told so', async (t) => {
  const { app } = await host(definePlugin(declaration))
  const plugin = definePlugin(declaration)
  await app.close()
  const Fastify = (await import('fastify')).default
  const odd = Fastify()
  odd.setValidatorCompiler(() => () => true)
  const { sharedSchemas } = await import('../src/index.ts')
  for (const schema of sharedSchemas) odd.addSchema(schema)
  await odd.register(plugin, {
    services: {
      networks: [one],
      network: () => ({ ...one }),
      enabled: () => [],
      fetch: () => desk(),
      hasEndpoints: () => false,
      now: () => new Date(),
      note: () => undefined,
    },
  })
  const reply = await odd.inject('/staking-info')
  t.match(reply.json(), { statusCode: 500, message: /did not announce: plugins\.paper\.networks\.1/ })
  await odd.close()
})
