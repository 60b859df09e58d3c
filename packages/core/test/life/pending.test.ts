import type { Condition } from '@svc/contract'
import { type Term, termsOf } from '@svc/contract/control'
import t from 'tap'
import { recorded, type Store } from '../../src/index.ts'
import { acceptControl } from '../../src/life/accept-control.ts'
import { readPending } from '../../src/life/pending.ts'
import { wordsOf } from '../../src/plugins/pending-control.ts'
import { inMemory, onBoth } from '../support/databases.ts'
import { own, replica, settings } from './condition-replica.ts'
import { following } from './heart.ts'
import { createScript, living } from './living.ts'

const memory = { memory: true }
const MINUTE_MS = 60_000

const pool = (terms: readonly Term[]): Condition => ({
  ...{ kind: 'pool', id: 'p', state: 'active', reason: null, commissionPercent: null, terms },
})
const owned = (owner: string | null, others: Record<string, string | null> = {}) => pool(termsOf('power', { owner, ...others }))
const waiting = async (store: Store, { path } = settings) => (await store.run(readPending)).get(path) ?? []
const operatorOf = (store: Store) => ({
  accept: (aspect: string, holder: string | null, paths = [settings.path]) =>
    recorded(store, { account: '', user: 'ada', command: 'svc accept', warn: () => undefined }, (before) =>
      acceptControl(store, paths, { protocol: 'paper', network: '1', aspect, holder, note: 'announced on the forum' }, before),
    ),
})

await t.test('a change of a power waits for the operator, until he accepts it or it is taken back', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const one = replica(store)
      const { accept } = operatorOf(store)
      await one.reads(0, [owned('a', { admin: 'x' })])
      t.same(await waiting(store), [], 'who is there at first is accepted')
      await one.reads(5, [pool([...termsOf('power', { owner: 'b', admin: 'x' }), ...termsOf('fee', { exit: '1' })])])
      const since = (minutes: number) => new Date(one.clock.now.getTime() - minutes * MINUTE_MS).toISOString()
      const entry = { place: settings.path, kind: 'pool', id: 'p', aspect: 'owner', before: 'a', after: 'b' }
      t.same(await waiting(store), [{ ...entry, since: since(0) }])
      await one.reads(10, [pool([...termsOf('power', { admin: 'x' }), ...termsOf('fee', { exit: '2' })])])
      await one.reads(15, [owned('b', { admin: 'x' })])
      t.same(await waiting(store), [{ ...entry, since: since(10) }], 'also while it cannot be read; another fee waits for nobody')
      await one.reads(20, [owned('c', { admin: 'x' })])
      t.same(await waiting(store), [{ ...entry, after: 'c', since: since(0) }], 'a further change is one from whom was accepted')
      await one.reads(25, [owned('a', { admin: 'x' })])
      t.same(await waiting(store), [], 'back with him it waits no more')
      await one.reads(30, [owned(null, { admin: 'y' })])
      t.match(await waiting(store), [
        { aspect: 'owner', before: 'a', after: null },
        { aspect: 'admin', before: 'x', after: 'y' },
      ])
      t.match(await accept('owner', null), [{ aspect: 'owner', before: 'a', after: null }])
      t.match(await waiting(store), [{ aspect: 'admin' }], 'and nothing else is accepted with it')
      await one.reads(35, [owned('a', { admin: 'y' })])
      t.match(await waiting(store), [
        { aspect: 'owner', before: null, after: 'a' },
        { aspect: 'admin', before: 'x', after: 'y' },
      ])
      const [record] = (await store.readAudit({ limit: 5 })).records
      t.match(record, { actor: 'operator', action: 'accept-control', identity: 'ada', route: 'svc accept', status: 200, target: null })
      t.match(record?.changes, { protocol: 'paper', network: '1', aspect: 'owner', holder: null, note: 'announced on the forum' })
    },
    memory,
  ),
)

await t.test('a holder who is not the one that waits is accepted by nobody, and the refusal names the right one', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const one = replica(store)
      const { accept } = operatorOf(store)
      await one.reads(0, [owned('a')])
      await t.rejects(accept('owner', 'b'), { code: 'CONTROL_NOT_PENDING', message: /Every power there has a holder who is accepted\.$/ })
      await one.reads(5, [owned('b')])
      const refusal =
        /waits for the owner a to be accepted.*owner of the pool p is b and was a \(seen 2026-11-21T12:05.*svc accept owner b --protocol paper --network 1 --note/
      await t.rejects(accept('owner', 'a'), { code: 'CONTROL_NOT_PENDING', statusCode: 409, message: refusal })
      await t.rejects(accept('admin', 'b'), { code: 'CONTROL_NOT_PENDING' })
      await t.rejects(accept('owner', 'b', []), { code: 'CONTROL_NOT_PENDING' }, 'nor one of another network')
      t.same((await store.readAudit({ limit: 5 })).records, [], 'what is refused is no change')
      // A later change comes between the look and the write.
      const late = acceptControl(
        store,
        [settings.path],
        { protocol: 'paper', network: '1', aspect: 'owner', holder: 'b', note: 'n' },
        async () => one.reads(10, [owned('c')]),
      )
      await t.rejects(late, { code: 'CONTROL_NOT_PENDING', message: /svc accept owner c / })
      t.match(await waiting(store), [{ before: 'a', after: 'c' }])
    },
    memory,
  ),
)

await t.test('a holder is accepted wherever he waits, with this power alone, and nobody else with him', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const one = replica(store)
      const { accept } = operatorOf(store)
      const pools = (...holders: Record<string, string>[]) =>
        holders.map((each, index) => ({ ...pool(termsOf('power', each)), id: `pool ${index + 1}` }))
      const list = async (place = settings) => (await waiting(store, place)).map(({ id, aspect, after }) => `${id}: ${aspect} ${after}`)
      await one.reads(0, pools({ owner: 'a', admin: 'a' }, { owner: 'a', admin: 'a' }, { owner: 'a' }))
      await one.reads(0, pools({ owner: 'a' }), own)
      await one.reads(5, pools({ owner: 'b', admin: 'b' }, { owner: "it's c", admin: 'a' }, { owner: 'b' }))
      await one.reads(5, pools({ owner: 'b' }), own)
      const others = ['pool 1: admin b', "pool 2: owner it's c"]
      t.match(await accept('owner', 'b'), [{ id: 'pool 1' }, { id: 'pool 3' }])
      t.same([await list(), await list(own)], [others, ['pool 1: owner b']], 'settings that are not named wait on')
      t.match(await accept('owner', 'b', [settings.path, own.path]), [{ id: 'pool 1' }])
      t.same([await list(), await list(own)], [others, []])
      await t.rejects(
        accept('owner', 'x'),
        { message: /svc accept owner 'it'\\''s c' --protocol paper/ },
        'what a shell would read is quoted',
      )
    },
    memory,
  ),
)

await t.test('what is accepted while a reading is written stays accepted', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const one = replica(store)
      const { accept } = operatorOf(store)
      for (let round = 0; round < 40; round++) {
        const [was, is] = [`owner${round}`, `owner${round + 1}`]
        await one.reads(round * 20, [owned(was)])
        await one.reads(round * 20 + 5, [owned(is)])
        await Promise.all([one.reads(round * 20 + 10, [owned(is)]), accept('owner', is)])
        t.same(await waiting(store), [], `round ${round}`)
      }
    },
    memory,
  ),
)

await t.test('one of two endpoints can stop nobody from staking', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const is = [owned('a')]
      let second = is
      const one = replica(store, [() => is, () => second])
      await one.reads(0, is)
      await one.reads(5, [owned('thief')])
      second = [owned('thief')]
      await one.reads(10, second)
      t.same(await waiting(store), [])
    },
    memory,
  ),
)

await t.test('nothing is staked where a change waits, in every process and after a restart; all else is crafted, and says so', (t) =>
  onBoth(
    t,
    async (t, state, place) => {
      const script = createScript()
      script.conditions = [owned('a')]
      const plugins = [living(script)]
      const one = await following(t, state, { script, plugins })
      const other = await following(t, place.databaseUrl === '' ? state : await place.open(), {
        script,
        plugins,
        config: { life: { follow: false } },
      })
      const gives = async ({ call }: Pick<typeof one, 'call'>) => (await call('POST', 'action/give', { address: 'p001', amount: 1 })).json()
      const takes = async ({ call }: Pick<typeof one, 'call'>) =>
        (await call('POST', 'action/take', { address: 'p001', amount: 1 })).statusCode
      const shown = async () => {
        const answer = await one.call('GET', '/api/v1/protocols', undefined, { token: (await one.token()).value })
        return answer.json()[0].networks[0].staked_with[0].terms.map((term: any) => [term.name, term.accepted])
      }
      await one.pass(10 * MINUTE_MS)
      t.equal((await gives(one)).code, undefined)
      // What a customer meets is read at once.
      script.conditions = [{ ...owned('b'), state: 'paused', reason: 'is shut' }]
      t.equal((await gives(one)).code, 'DESK_SHUT')
      await one.pass(2_000)
      t.same(await one.types(), ['pool.paused', 'protocol.control_changed'])
      script.conditions = [owned('b')]
      t.match(await waiting(state), [{ after: 'b' }])
      await one.beat()
      await other.beat()
      const refusal = await gives(one)
      t.equal(refusal.code, 'CONTROL_CHANGED')
      t.match(
        refusal.error ?? refusal.message,
        /has not accepted that owner of the pool p is b and was a \(seen 2026-.*svc accept owner b --protocol paper --network 1/,
      )
      t.equal((await gives(other)).code, 'CONTROL_CHANGED', 'in a process that follows nothing too')
      t.same([await takes(one), await takes(other)], [200, 200], 'an exit is never refused')
      const { records } = await state.readAudit({ action: 'take', limit: 5 })
      t.match(records, [{ sentence: /The operator has not accepted that owner of the pool p is b/ }, { sentence: /not accepted/ }])
      t.same(await shown(), [['owner', false]])
      t.match(await one.metrics.render(), /svc_control_pending\{protocol="paper",network="1"\} 1/)

      const third = await following(t, state, { script, plugins })
      t.equal((await gives(third)).code, 'CONTROL_CHANGED', 'a service that starts knows it before its first beat')

      await acceptControl(
        state,
        [settings.path],
        { protocol: 'paper', network: '1', aspect: 'owner', holder: 'b', note: 'n' },
        async () => undefined,
      )
      for (const each of [one, other, third]) {
        t.equal((await gives(each)).code, 'CONTROL_CHANGED')
        await each.beat()
        t.equal((await gives(each)).code, undefined, 'a beat later it is staked again')
      }
      t.same(await shown(), [['owner', true]])
      t.match(await one.metrics.render(), /svc_control_pending\{protocol="paper",network="1"\} 0/)
    },
    memory,
  ),
)

await t.test('while the database is away it goes by what it knew, and nothing starts that cannot know', async (t) => {
  const state = await inMemory(t)
  const one = replica(state)
  await one.reads(0, [owned('a')])
  await one.reads(5, [owned('b')])
  let isAway = false
  const store = (real: Store): Store => ({ ...real, run: (...given) => (isAway ? Promise.reject(new Error('away')) : real.run(...given)) })
  const script = createScript()
  script.conditions = [owned('b')]
  const options = { script, plugins: [living(script)], store, config: { life: { follow: false } } }
  const { call, beat, log } = await following(t, state, options)
  t.equal((await call('POST', 'action/give', { address: 'p001', amount: 1 })).json().code, 'CONTROL_CHANGED')
  isAway = true
  await beat()
  t.match(log.at(-1), { msg: 'what waits for the operator could not be read', err: { message: 'away' } })
  t.equal((await call('POST', 'action/give', { address: 'p001', amount: 1 })).json().code, 'CONTROL_CHANGED')
  await t.rejects(following(t, state, options), { message: 'away' })
})

t.test('a sentence names three changes and counts the others', async (t) => {
  const change = { kind: 'pool', id: 'p', before: null, after: 'b', since: '2026-11-21T12:00:00.000Z' } as const
  const words = (...aspects: string[]) => wordsOf(aspects.map((aspect) => ({ ...change, aspect })))
  const each = (aspect: string) => `${aspect} of the pool p is b and was nobody (seen 2026-11-21T12:00:00.000Z)`
  t.equal(words('owner', 'admin', 'keeper'), ['owner', 'admin', 'keeper'].map(each).join(', and that '))
  t.match(words('owner', 'admin', 'keeper', 'voter'), /keeper of [^,]*, and that 1 more power has changed$/)
  t.match(words('owner', 'admin', 'keeper', 'voter', 'staker'), /, and that 2 more powers have changed$/)
})
