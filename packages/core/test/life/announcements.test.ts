import t, { type Test } from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask as query } from '../../src/db/work.ts'
import { createCredential, NO_ACCOUNT, type Store } from '../../src/index.ts'
import { ANNOUNCED_MOST, useUp } from '../../src/life/announcements.ts'
import { OWN_MOST } from '../../src/life/own-addresses.ts'
import { trimEnded } from '../../src/life/tidy.ts'
import { onBoth } from '../support/databases.ts'
import { peppers } from '../support/serve.ts'
import { held, power, watching } from './control-scene.ts'

const { sql } = core()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const memory = { memory: true }

/** A watched wallet, p001, and the calls of whoever has the account's management token. */
async function scene(t: Test, state: Store, endpoints?: readonly string[], further?: Parameters<typeof watching>[4]) {
  const watch = await watching(t, state, endpoints, undefined, further)
  const token = (await watch.token()).value
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = { token }) =>
    watch.call(method, `/api/v1${path}`, body, headers)
  const alarms = async () => (await ask('GET', '/alarms')).json().alarms as readonly { type: string; severity: string }[]
  return {
    ...watch,
    ask,
    token,
    announce: (aspect: string, holder: string, { wallet = 'p001', hours = 48 } = {}) =>
      ask('PUT', `/announcements/paper/${wallet}/${aspect}`, { holder, hours }),
    announcements: async () => (await ask('GET', '/announcements')).json().announcements as readonly Record<string, unknown>[],
    alarms: async () => (await alarms()).map(({ type, severity }) => `${type} ${severity}`),
  }
}

await t.test('a rotation of keys that was announced is on record, and no alarm: once', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, units, announce, announcements, alarms, clock } = await scene(t, state, ['first', 'second'])
      for (const aspect of ['withdrawer', 'staker']) t.equal((await announce(aspect, 'p009')).statusCode, 200)
      const rotated = units.flatMap(({ id }) => [power('withdrawer', id, 'p009'), power('staker', id, 'p009')])
      script.positions.set('p001', held(units, rotated))
      await later()
      const all = await events()
      t.match(all, [
        {
          type: 'position.control_changed',
          data: { severity: 'info', aspect: 'staker', after: [{ holder: 'p009' }], objects: 2, announced: ['staker'], confirmed_by: 2 },
        },
        { type: 'position.control_changed', data: { severity: 'info', aspect: 'withdrawer', announced: ['withdrawer'] } },
      ])
      t.same(await alarms(), [])
      t.match(await announcements(), [
        { aspect: 'withdrawer', holder: 'p009', address: 'p001', account: 'acme', protocol: 'paper', network: '1' },
        { aspect: 'staker' },
      ])
      for (const { used_at: used } of await announcements()) t.ok(new Date(String(used)) <= clock.now)

      script.positions.set('p001', held(units))
      await later()
      script.positions.set('p001', held(units, rotated))
      await later()
      t.same(await alarms(), ['position.control_changed critical', 'position.control_changed critical'], 'a second time it is an alarm')
      t.notOk((await events()).at(-1)?.data.announced)

      script.positions.set('p001', held(units))
      await later()
      for (const aspect of ['withdrawer', 'staker']) await announce(aspect, 'p009')
      script.positions.set('p001', held(units, rotated))
      await later()
      t.equal((await alarms()).length, 2, 'unless it is announced again')
    },
    memory,
  ),
)

await t.test('a change that differs from what was announced is an alarm', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, units, announce, announcements, alarms, call, pass } = await scene(t, state)
      script.positions.set('p002', held(units))
      await call('PUT', '/api/v1/watch/paper/p002')
      await pass(2_000)
      await announce('withdrawer', 'p009')
      const trials = [
        { name: 'another holder', wallet: 'p001', change: power('withdrawer', '1', 'p008') },
        { name: 'another power', wallet: 'p001', change: power('staker', '1', 'p009') },
        { name: 'another wallet', wallet: 'p002', change: power('withdrawer', '1', 'p009') },
      ]
      let count = 0
      for (const { name, wallet, change } of trials) {
        script.positions.set(wallet, held(units, [change]))
        await later()
        if (wallet === 'p002') await pass(2 * DAY, HOUR)
        t.equal((await alarms()).length, ++count, `${name} is an alarm`)
        script.positions.set(wallet, held(units))
        await later()
        if (wallet === 'p002') await pass(2 * DAY, HOUR)
      }
      t.match(await announcements(), [{ used_at: null }], 'none of them has used it up')

      const holds = power('withdrawer', '1', 'p009')
      script.positions.set('p001', held(units, [holds]))
      await pass(DAY, HOUR)
      t.equal((await alarms()).length, ++count, 'and so is the same one after its time')

      script.positions.set('p001', held(units))
      await later()
      await announce('withdrawer', 'p009')
      script.positions.set('p001', held(units, [power('withdrawer', null, 'p009'), power('staker', null, 'p008')]))
      await later()
      t.equal((await alarms()).length, ++count, 'what comes with it is weighed by itself')
    },
    memory,
  ),
)

await t.test('a unit that is handed over as announced has moved, and is not lost; another one is', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, announce, alarms } = await scene(t, state)
      await announce('owner', 'p009')
      script.departed = (ids) => new Map(ids.map((id) => [id, [power('owner', id, id === '1' ? 'p009' : 'p008')]]))
      script.positions.set('p001', held([]))
      await later()
      t.same(
        (await events()).map(({ type, data }) => [
          type,
          data.severity,
          data.holder ?? data.after[0].holder,
          data.object_id,
          data.announced,
        ]),
        [
          ['position.control_changed', 'info', 'p009', '1', ['owner']],
          ['position.control_changed', 'critical', 'p008', '2', undefined],
          ['position.moved', 'info', 'p009', '1', ['owner']],
          ['position.lost', 'critical', 'p008', '2', undefined],
        ],
      )
      t.equal((await alarms()).length, 2)
    },
    memory,
  ),
)

await t.test('a position without units that is handed over as announced has moved too', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, announce, alarms } = await scene(t, state, ['desk'])
      script.positions.set('p001', { ...held([]), objects: null, staked: 5n })
      await later()
      await announce('owner', 'p009')
      script.positions.set('p001', { ...held([]), objects: null, staked: 0n, control: [power('owner', null, 'p009')] })
      await later()
      t.same((await events()).map(({ type, data }) => [type, data.severity]).slice(-2), [
        ['position.control_changed', 'info'],
        ['position.moved', 'info'],
      ])
      t.same(
        (await alarms()).filter((alarm) => /control|authority/.test(alarm)),
        [],
      )
    },
    memory,
  ),
)

await t.test('what an own address of the config gains is on record, each time, and what it gains for somebody else is not', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const own = { own_addresses: { '@svc/plugin-paper': ['p009'] } }
      const { script, later, events, units, alarms } = await scene(t, state, ['desk'], { account: own })
      for (const aspect of ['staker', 'withdrawer', 'staker']) {
        script.positions.set('p001', held(units, [power(aspect, '1', 'p009')]))
        await later()
      }
      t.same(await alarms(), [])
      t.match(await events(), Array(5).fill({ type: 'position.control_changed', data: { severity: 'info' } }))
      t.match((await events())[0]?.data, { own_addresses: ['p009'], announced: undefined })
      script.departed = (ids) => new Map(ids.map((id) => [id, [power('owner', id, id === '1' ? 'p009' : 'p008')]]))
      script.positions.set('p001', held([]))
      await later()
      t.same((await alarms()).sort(), ['position.control_changed critical', 'position.lost critical'], 'of the other unit alone')
      t.match(
        (await events()).filter(({ type }) => type === 'position.moved'),
        [{ data: { severity: 'info', holder: 'p009', own_addresses: ['p009'], object_id: '1' } }],
      )
    },
    memory,
  ),
)

await t.test('an own address that is none of the network, or of no plugin, is refused at start', async (t) => {
  const refusal = (own: object) =>
    onBoth(
      t,
      async (t, state) => void (await t.rejects(scene(t, state, ['desk'], { account: { own_addresses: own } }), /own_addresses/)),
      memory,
    )
  await refusal({ '@svc/plugin-paper': ['nobody'] })
  await refusal({ '@svc/plugin-pencil': ['p009'] })
})

await t.test('a token adds own addresses, for its account and network, and removes them; a key does not', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, units, alarms, ask, call } = await scene(t, state)
      const own = async () => (await ask('GET', '/own-addresses')).json().own_addresses as readonly object[]
      t.match((await call('PUT', '/api/v1/own-addresses/paper/p009')).json(), { code: 'TOKEN_MISSING' })
      t.match((await ask('PUT', '/own-addresses/paper/nobody')).json(), { code: 'ADDRESS_INVALID' })
      t.equal((await ask('PUT', '/own-addresses/pencil/p009')).statusCode, 404)
      t.same(await own(), [])
      for (const again of [1, 2])
        t.match((await ask('PUT', '/own-addresses/paper/p009')).json(), { address: 'p009', account: 'acme' }, `${again}`)
      t.equal((await own()).length, 1)
      await state.run(({ now }) =>
        query(sql`insert into svc_own_addresses values ('beta', 'paper', '1', 'p007', ${now}), ('acme', 'paper', '2', 'p008', ${now})`),
      )

      const gains = async (holder: string) => {
        script.positions.set('p001', held(units, [power('staker', '1', holder)]))
        await later()
        script.positions.set('p001', held(units))
        await later()
        return (await alarms()).length
      }
      t.same(
        [await gains('p009'), await gains('p007'), await gains('p008')],
        [0, 1, 2],
        "another account's, and another network's, are strangers",
      )
      t.equal((await ask('DELETE', '/own-addresses/paper/p009')).statusCode, 200)
      t.match((await ask('DELETE', '/own-addresses/paper/p009')).json(), { statusCode: 404, code: 'NOT_OWN' })
      t.equal(await gains('p009'), 3)
      const { records } = await state.readAudit({ limit: 20, account: 'acme', outcome: 'ok' })
      t.match(
        records.filter(({ action }) => /own/.test(String(action))),
        [
          { action: 'remove-own-address', changes: { address: 'p009' } },
          { action: 'add-own-address', protocol: 'paper', network: '1', changes: { address: 'p009' } },
          { action: 'add-own-address' },
        ],
      )
    },
    memory,
  ),
)

await t.test('own addresses are listed in pages, of all accounts too', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { ask, clock } = await scene(t, state)
      for (const [account, protocol, network, address] of [
        ['beta', 'paper', '1', 'p001'],
        ['acme', 'paper', '2', 'p001'],
        ['acme', 'paper', '1', 'p/2 ü'],
        ['acme', 'paper', '1', 'p001'],
        ['acme', 'other', '9', 'p009'],
      ])
        await state.run(({ now }) =>
          query(sql`insert into svc_own_addresses values (${account}, ${protocol}, ${network}, ${address}, ${now})`),
        )
      const pages = async (limit: number, headers?: Record<string, string>) => {
        const addresses: string[][] = []
        let after: string | null = ''
        while (after !== null) {
          const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
          const { own_addresses: page, next } = (await ask('GET', `/own-addresses?limit=${limit}${query}`, undefined, headers)).json()
          t.ok(page.length > 0 && page.length <= limit && (next === null || page.length === limit), `a page has ${limit} at most`)
          addresses.push(...page.map((each: Record<string, string>) => [each.account, each.protocol, each.network, each.address]))
          after = next
        }
        return addresses
      }
      const own = [
        ['acme', 'other', '9', 'p009'],
        ['acme', 'paper', '1', 'p/2 ü'],
        ['acme', 'paper', '1', 'p001'],
        ['acme', 'paper', '2', 'p001'],
      ]
      for (const limit of [1, 2, 3, 4, 5]) t.same(await pages(limit), own, `${limit} a page`)
      const operator = await createCredential(state, peppers, clock.now, { kind: 'operator', account: NO_ACCOUNT, name: 'alice' })
      const all = { token: operator.value }
      t.same(await pages(2, all), [...own, ['beta', 'paper', '1', 'p001']], 'to an operator those of all accounts')
      t.same((await ask('GET', '/own-addresses')).json().next, null, 'without a limit all that an account may have')
      for (const after of ['acme', 'a/b/c/d/e', 'a/b/c/%'])
        t.match(
          (await ask('GET', `/own-addresses?after=${encodeURIComponent(after)}`)).json(),
          { statusCode: 400, code: 'INVALID_CURSOR' },
          after,
        )
      t.equal((await ask('GET', `/own-addresses?limit=${OWN_MOST + 1}`)).statusCode, 400)
      t.equal((await ask('GET', '/own-addresses?after=a%2Fb%2Fc%2F%2500')).statusCode, 200, 'what no database takes is no fault')
    },
    memory,
  ),
)

await t.test('only a management token announces, for its own account, and the audit log says who', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { ask, announce, announcements, call, clock } = await scene(t, state)
      t.match((await call('PUT', '/api/v1/announcements/paper/p001/staker', { holder: 'p009' })).json(), { code: 'TOKEN_MISSING' })
      t.match((await announce('staker', 'nobody')).json(), { statusCode: 400, code: 'ADDRESS_INVALID' })
      t.match((await announce('staker', 'p009', { wallet: 'nobody' })).json(), { statusCode: 400, code: 'ADDRESS_INVALID' })
      t.match((await announce('staker', 'p009', { hours: 0 })).json(), { statusCode: 400 })
      t.match((await announce('staker', 'p009', { hours: 2_161 })).json(), { statusCode: 400 })
      t.equal((await ask('PUT', '/announcements/pencil/p001/staker', { holder: 'p009' })).statusCode, 404)
      t.same(await announcements(), [], 'nothing of it was kept')

      t.match((await announce('staker', 'p009')).json(), {
        holder: 'p009',
        until: new Date(clock.now.getTime() + 48 * HOUR).toISOString(),
        used_at: null,
      })
      t.match((await announce('staker', 'p010', { hours: 1 })).json(), { holder: 'p010' }, 'the next one takes its place')
      t.equal((await announcements()).length, 1)
      t.equal((await ask('DELETE', '/announcements/paper/p001/staker')).statusCode, 200)
      t.match((await ask('DELETE', '/announcements/paper/p001/staker')).json(), { statusCode: 404, code: 'NOT_ANNOUNCED' })
      t.equal((await announce('%00', 'p009')).statusCode, 200, 'a name that no power has explains nothing')
      t.equal((await ask('DELETE', '/announcements/paper/p001/%00')).statusCode, 200)
      t.match((await ask('DELETE', '/announcements/paper/p001/staker?account=beta')).json(), { statusCode: 400, code: 'UNKNOWN_ACCOUNT' })
      const { records } = await state.readAudit({ limit: 20, account: 'acme', outcome: 'ok' })
      t.match(
        records.filter(({ action }) => /announce/.test(String(action))),
        [
          { action: 'withdraw-announcement' },
          { action: 'announce-change' },
          { action: 'withdraw-announcement', protocol: 'paper', wallet: 'p001', changes: { aspect: 'staker' } },
          { action: 'announce-change', changes: { aspect: 'staker', holder: 'p010', hours: 1 } },
          { action: 'announce-change', changes: { aspect: 'staker', holder: 'p009', hours: 48 } },
        ],
      )
    },
    memory,
  ),
)

await t.test('one that is taken back while a reading is judged is used by nobody, and ends are forgotten after 90 days', (t) =>
  onBoth(
    t,
    async (t, state) => {
      let readings = 0
      // The second one is of an endpoint by itself, after the announcements were read.
      const reading = async () => ++readings === 2 && ask('DELETE', '/announcements/paper/p001/staker')
      const { announce, announcements, ask, clock, events, script, units, pass } = await scene(t, state, ['first', 'second'], { reading })
      const key = { account: 'acme', protocol: 'paper', network: '1', wallet: 'p001' }
      await announce('staker', 'p010')
      t.equal(
        await state.transact((database) => useUp(database, key, [{ aspect: 'staker', holder: 'p009' }])),
        false,
        'it names another one',
      )
      await announce('staker', 'p009')
      script.positions.set('p001', () => held(units, [power('staker', '1', 'p009')]))
      await pass(4 * HOUR, 5 * 60_000)
      t.same(await announcements(), [])
      t.match(await events(), [{ type: 'position.control_changed', data: { severity: 'critical', confirmed_by: 2 } }])
      t.equal((await events()).length, 1, 'it is told once, as what it is')

      await announce('staker', 'p009', { hours: 1 })
      const after = async (days: number) => {
        clock.now = new Date(clock.now.getTime() + days * DAY)
        await state.transact(trimEnded, { now: () => clock.now })
        return (await announcements()).length
      }
      t.same([await after(89), await after(2)], [1, 0])
    },
    memory,
  ),
)

await t.test('an account has so many announcements and own addresses, and may still change those that it has', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { ask, announce } = await scene(t, state)
      const numbers = (most: number) => sql`with recursive c(n) as (select 1 union all select n + 1 from c where n < ${most})`
      await announce('staker', 'p009')
      await ask('PUT', '/own-addresses/paper/p009')
      await state.run(({ now }) =>
        query(sql`
          insert into svc_announcements (id, account, protocol, network, wallet, aspect, holder, until, created_at)
          ${numbers(ANNOUNCED_MOST - 1)} select 'id' || n, 'acme', 'paper', '1', 'w' || n, 'staker', 'p009', ${now}, ${now} from c`),
      )
      await state.run(({ now }) =>
        query(sql`insert into svc_own_addresses ${numbers(OWN_MOST - 1)} select 'acme', 'paper', '1', 'w' || n, ${now} from c`),
      )
      t.match((await announce('withdrawer', 'p009')).json(), { statusCode: 409, code: 'ANNOUNCED_TOO_MANY' })
      t.match((await announce('staker', 'p010')).json(), { holder: 'p010' })
      t.match((await ask('PUT', '/own-addresses/paper/p010')).json(), { statusCode: 409, code: 'OWN_TOO_MANY' })
      t.match((await ask('PUT', '/own-addresses/paper/p009')).json(), { address: 'p009' })
      const page = (await ask('GET', '/announcements?limit=2')).json()
      t.equal(page.announcements.length, 2)
      const next = (await ask('GET', `/announcements?limit=200&after=${page.announcements[0].id}`)).json()
      t.equal(next.announcements[0].id, page.announcements[1].id, 'a page goes on where the one before ended')
      await ask('DELETE', '/announcements/paper/p001/staker')
      t.equal((await announce('withdrawer', 'p009')).statusCode, 200, 'one less makes room')
    },
    memory,
  ),
)
