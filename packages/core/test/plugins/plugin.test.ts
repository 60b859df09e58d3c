import { conditionOf, defineMemo, protocol } from '@svc/contract'
import { CONTRACT, singleEndpoint, type Upstream } from '@svc/contract/host'
import { desk, PaperAddress, paperKit, promise, readPaper } from '@svc/testing/paper'
import { definePlugin, give, NO_TERMS } from '@svc/testing/paper-protocol'
import t from 'tap'
import { Type } from 'typebox'
import { memoryRecords } from '../../src/plugins/network/key-store.ts'
import { registerProtocol } from '../../src/plugins/register.ts'
import { sharedSchemas } from '../../src/plugins/routes/schemas.ts'
import { anyResponse, declaration, host, NO_LIFE, one, refusals } from './support/host.ts'

const { badGateway, badRequest, gatewayTimeout, unavailable } = refusals

t.test('what a package exports is its declaration, and the contract it was made for', async (t) => {
  const plugin = definePlugin(declaration)
  t.equal(plugin.contract, CONTRACT)
  t.equal(CONTRACT, 1)
  t.match(plugin.protocol, { name: '@svc/plugin-paper', prefix: '/paper/native', network: { properties: { clerk: {} } } })
  t.same(Object.keys(plugin), ['contract', 'protocol'])
})

t.test('what a plugin tells of what is staked with is shown to the host, of a plugin that tells something', async (t) => {
  const told = conditionOf({ kind: 'validator', id: '12', commissionPercent: 10 }, null)
  for (const condition of [undefined, async () => [told]]) {
    const shown: (() => unknown)[] = []
    const { app } = await host(definePlugin({ ...declaration, ...(condition && { condition }) }), [one], undefined, {
      showCondition(network, look) {
        t.equal(network, one)
        shown.push(look)
      },
    })
    t.equal(shown.length, condition ? 1 : 0)
    await app.ready()
    for (let turns = 0; turns < 20 && shown.some((look) => look() === null); turns++) await new Promise(setImmediate)
    if (condition) t.match(shown[0]?.(), { conditions: [told] })
    await app.close()
  }
})

t.test('a declaration that cannot work is refused by name, when it is written', async (t) => {
  const refused = (changes: object, message: string | RegExp) =>
    t.throws(() => definePlugin({ ...declaration, ...changes }), { name: 'SettingsError', message })
  for (const prefix of ['paper/native', '/paper', '/paper/native/', '/Paper/native', '/paper/native/more', '/paper/:id', ''])
    refused({ prefix }, `@svc/plugin-paper: prefix "${prefix}" is not two kebab-case segments such as /evm-three/native.`)
  for (const name of ['Give', 'give_all', '1give', 'give/all', '']) refused({ actions: { [name]: give } }, /is not a kebab-case word/)
  for (const conditionMinutes of [0, 2881, 2.5, Number.NaN])
    refused({ conditionMinutes, condition: async () => [] }, /conditionMinutes is .* in whole minutes from 1 to 2880\./)
  refused({ conditionMinutes: 5 }, /conditionMinutes is 5; it says how often `condition` is asked/)
  for (const digestMinutes of [0, 10, 7 * 60, 2880, Number.NaN])
    refused({ digestMinutes, digests: async () => new Map() }, /digestMinutes is .* in whole minutes from 20 that divide a day\./)
  refused({ digestMinutes: 30 }, /digestMinutes is 30; it says how often `digests` is asked/)
  for (const everySeconds of [9, 3601, 45.5, Number.NaN])
    refused({ stirrings: { everySeconds, search: async () => null } }, /everySeconds is .* in whole seconds from 10 to 3600\./)
  for (const name of ['prepare', 'broadcast'])
    refused({ actions: { [name]: give } }, `@svc/plugin-paper: action "${name}" belongs to the kit.`)
  refused({ actions: { inspect: give } }, '@svc/plugin-paper: action "inspect" belongs to every protocol that has an intent.')
  refused(
    { actions: { give: { ...give, body: { amount: give.body.amount } } } },
    /action "give" has no member address in its body, which names who signs/,
  )
  refused({ actions: { give: { ...give, effects: undefined } } }, /action "give" declares no effects/)
  refused(
    { actions: { give: { ...give, obstacles: ['SHUT'] } } },
    /action "give" names obstacles, which only a protocol with a `condition` has/,
  )
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
  t.same(notes, [
    { action: 'give' },
    { network: '1' },
    {
      effects: promise('p001', 'p002', 'give', 10n ** 18n),
      unsignedHash: 'u-paper|1|0|5|p001|p002|give|1000000000000000000',
      wallet: 'p001',
    },
  ])
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

t.test("prepare and broadcast are the kit's; both note one name for the unsigned transaction", async (t) => {
  const { app, notes, fetch } = await host(definePlugin(declaration))
  const prepared = await app.inject({ method: 'POST', url: '/action/prepare', payload: { unsigned_text: 'paper', seal: 's', more: 1 } })
  t.same(prepared.json(), { signed_text: 'paper|s' })
  const sent = await app.inject({ method: 'POST', url: '/action/broadcast', payload: prepared.json() })
  t.same(sent.json(), { tx_hash: 'h-paper|s' })
  t.same(notes, [
    { action: 'prepare' },
    { network: '1' },
    { unsignedHash: 'u-paper' },
    { action: 'broadcast' },
    { network: '1' },
    { intended: { unsignedHash: 'u-paper', txHash: 'h-paper|s' } },
  ])
  t.ok(fetch.asked.includes('post'))
  await app.close()
})

t.test('nothing is sent unless the host has recorded the intent, nor what has no names', async (t) => {
  const intend = async () => {
    throw unavailable('AUDIT_UNAVAILABLE', 'It cannot be recorded.', 5)
  }
  const { app, fetch } = await host(definePlugin(declaration), [one], desk(), { intend })
  const send = (signed_text: string) => app.inject({ method: 'POST', url: '/action/broadcast', payload: { signed_text } })
  t.match((await send('paper|s')).json(), { code: 'AUDIT_UNAVAILABLE', tx_hash: undefined })
  t.match((await send('paper')).json(), { code: 'TRANSACTION_INVALID', tx_hash: undefined })
  t.notOk(fetch.asked.includes('post'))
  await app.close()
})

t.test('a broadcast that fails names the hash wherever the transaction may have arrived', async (t) => {
  const sent = async (failure: unknown) => {
    const kit = paperKit({ broadcast: () => Promise.reject(failure) })
    const { app } = await host(protocol(kit, { clerk: PaperAddress }).definePlugin(declaration))
    t.teardown(() => app.close())
    return (await app.inject({ method: 'POST', url: '/action/broadcast', payload: { signed_text: 'paper|s' } })).json()
  }
  const look = 'The transaction may be on its way. Look tx_hash up before you craft another; sending the same one again is safe.'
  const tx_hash = 'h-paper|s'
  for (const failure of [badGateway('A', 'Down.'), unavailable('A', 'Down', 7), gatewayTimeout('A', 'Down')])
    t.match(await sent(failure), { code: 'A', error: `Down. ${look}`, tx_hash })
  t.match(await sent(new RangeError('secret')), { code: 'INTERNAL_ERROR', error: new RegExp(look), tx_hash })
  t.match(await sent(badRequest('A', 'The chain refused it.')), { code: 'A', error: 'The chain refused it.', tx_hash: undefined })
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
  const seen = defineMemo<true>()
  const info = async (ctx: { network: { clerk: string }; memo: object }) => {
    asked.push(ctx.network.clerk)
    t.equal(seen.get(ctx), undefined)
    seen.set(ctx, true)
    return NO_TERMS
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
    return { ...NO_TERMS, users: 3 }
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
    routes(reads) {
      reads.get('/clerk', { ...anyResponse, params: Type.Object({}) }, async ({ network, now }) => ({
        clerk: network.clerk,
        fee: String(network.maxFee),
        now: now().getTime(),
      }))
    },
  })
  const { app, notes } = await host(plugin, [one], desk())
  t.same((await app.inject('/clerk')).json(), { clerk: 'p002', fee: '1000000000000000000', now: 0 })
  t.same(notes, [{ network: '1' }], 'the audit log has the network of a read')
  await app.inject('/staking-info')
  t.same(notes, [{ network: '1' }, { network: '1' }], 'and of the terms')
  await app.close()
})

t.test('a plugin reaches a further endpoint group of its network, and gets null for one that the operator did not name', async (t) => {
  const seen: unknown[] = []
  const info = async (ctx: { upstream(group: string): Upstream | null }) => {
    seen.push(ctx.upstream('index')?.fetch, ctx.upstream('archive'))
    return NO_TERMS
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
  for (const schema of sharedSchemas) odd.addSchema(schema)
  await odd.register(async (scope) =>
    registerProtocol(plugin.protocol, scope, {
      networks: [one],
      network: () => ({ ...one }),
      sends: () => 'known',
      craftedFor: async () => [],
      enabled: () => [],
      upstream: () => singleEndpoint(desk()),
      endpoints: () => [],
      pendingControl: () => [],
      life: NO_LIFE,
      hasEndpoints: () => false,
      records: memoryRecords(),
      watchPrice: () => async () => null,
      now: () => new Date(),
      seal: () => undefined,
      note: () => undefined,
      intend: async () => undefined,
    }),
  )
  const reply = await odd.inject('/staking-info')
  t.match(reply.json(), { statusCode: 500, message: /did not announce: plugins\.paper\.networks\.1/ })
  await odd.close()
})

t.test('what a caller meets of the validator is in staking-info a moment later, and not an hour', async (t) => {
  let isJailed = false
  let now = 0
  const validator = { kind: 'validator', id: 'p002', commissionPercent: null } as const
  const { app } = await host(
    definePlugin({
      ...declaration,
      actions: {
        give: {
          ...give,
          obstacles: ['JAILED'],
          guard: async () => {
            if (isJailed) throw badRequest('JAILED', 'It is jailed.')
          },
        },
      },
      info: async () => ({ ...NO_TERMS, aprPercent: isJailed ? 0 : 5 }),
      condition: async () => [conditionOf(validator, isJailed ? { state: 'jailed', reason: 'is jailed' } : null)],
    }),
    [one],
    undefined,
    { now: () => new Date(now) },
  )
  t.teardown(() => app.close())
  const apr = async () => (await app.inject('/staking-info')).json().staking_apr
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const give10 = () => app.inject({ method: 'POST', url: '/action/give', payload: { address: 'p001', amount: '10' } })
  t.equal(await apr(), 5)
  await give10()
  isJailed = true
  t.equal(await apr(), 5, 'a snapshot')
  now = 6 * 60_000
  t.equal((await give10()).json().code, 'JAILED')
  await settled()
  await settled()
  t.equal(await apr(), 0)
})
