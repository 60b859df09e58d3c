import t from 'tap'
import { effectsToJson } from '../../src/db/json.ts'
import { createCredential, NO_ACCOUNT } from '../../src/index.ts'
import type { Power } from '../../src/life/kept-position.ts'
import { newsEvent } from '../../src/life/position-events.ts'
import type { PositionNews } from '../../src/life/position-news.ts'
import { ALARMS_MOST } from '../../src/webhooks/alarms.ts'
import { sentenceOf } from '../../src/webhooks/event-sentence.ts'
import type { NewEvent } from '../../src/webhooks/events.ts'
import { tidyWebhooks } from '../../src/webhooks/tidy.ts'
import { onBoth } from '../support/databases.ts'
import { hooks } from '../support/hooks.ts'
import { peppers } from '../support/serve.ts'

const DAY = 86_400_000
const AT = new Date('2026-11-29T12:00:00.000Z')
const memory = { memory: true }

type Shown = Readonly<Record<string, unknown>>

/** An event of the account's wallet as the follower makes it. */
function eventOf(type: PositionNews['type'], tells: NonNullable<PositionNews['tells']>): NewEvent {
  const seen = {
    watch: { account: 'acme', protocol: 'svm-native', network: 'mainnet', wallet: 'W', id: '1' },
    looks: { caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', decimals: 9, symbol: 'SOL' },
    step: 1,
    at: AT,
    before: new Date(AT.getTime() - DAY),
    confirmedBy: 2,
  } as unknown as Parameters<typeof newsEvent>[0]
  return newsEvent(seen, { type, object: null, amount: 3_000_800_000n, tells })
}

const power = (aspect: string, holder: string | null, terms: string | null = null): Power =>
  ({ aspect, holder, objectId: 'S', terms }) as unknown as Power
const taken = eventOf('position.control_changed', {
  severity: 'critical',
  units: ['S'],
  aspects: ['withdrawer'],
  before: [],
  after: [power('withdrawer', 'T')],
})
const exit = eventOf('position.exit_started', { severity: 'warning', units: ['S'], undoUntil: new Date(AT.getTime() + 21 * DAY) })

await t.test('an alarm stays until somebody of its account puts it away, who is on record', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const service = await hooks(t, store)
      const { good, call, emit } = service
      const alarms = async () => (await good('GET', '/alarms')).alarms as readonly Shown[]
      t.same(await good('GET', '/alarms'), { alarms: [], more: false })
      await emit(
        { type: 'ping' },
        exit,
        taken,
        { ...taken, transition: 'info', data: { ...taken.data, severity: 'info' } },
        {
          ...taken,
          account: 'beta',
        },
      )
      const shown = await alarms()
      t.match(shown, [
        {
          type: 'position.control_changed',
          account: 'acme',
          severity: 'critical',
          dismissed_at: null,
          sentence: 'Somebody else has gained power over the stake S of W: withdrawer is T now.',
        },
        {
          type: 'position.exit_started',
          severity: 'warning',
          sentence: 'The stake S of W has begun to leave, and no transaction that is followed here promised it.',
        },
      ])
      t.equal(shown.length, 2, 'what is for the record is no alarm, and neither is another account’s')
      t.equal(JSON.parse(String(shown[1]?.body)).data.undo_until, '2026-12-20T12:00:00.000Z')

      const [critical, warning] = shown.map(({ id }) => String(id))
      const other = (await service.token('beta')).value
      t.match((await call('POST', `/events/${critical}/dismiss`, undefined, other)).json(), { statusCode: 404, code: 'EVENT_NOT_FOUND' })
      const [ping] = (await good('GET', '/events?type=ping')).events as readonly Shown[]
      t.match(ping, { severity: null, dismissed_at: null, sentence: 'Sent by request, to try a receiver.' })
      t.match((await call('POST', `/events/${ping?.id}/dismiss`)).json(), { code: 'EVENT_NOT_FOUND' }, 'that is no alarm')

      service.pass(31 * DAY)
      await store.transact(tidyWebhooks, { now: () => service.clock.now })
      t.same(
        (await alarms()).map(({ id }) => id),
        [critical],
        'a warning goes with the list of events, what is critical stays',
      )
      const at = service.clock.now.toISOString()
      t.match(await good('POST', `/events/${critical}/dismiss`), { id: critical, dismissed_at: at })
      service.pass(1000)
      t.match(await good('POST', `/events/${critical}/dismiss`), { dismissed_at: at }, 'once more changes nothing')
      t.same(await alarms(), [])
      t.match((await call('POST', `/events/${warning}/dismiss`)).json(), { code: 'EVENT_NOT_FOUND' }, 'that is kept no longer')
      const { records } = await store.readAudit({ limit: 10, target: String(critical), account: 'acme', outcome: 'ok' })
      t.same(
        records.map(({ action, actor, key }) => [action, actor, key === service.value.slice(5, 31)]),
        [
          ['dismiss-event', null, true],
          ['dismiss-event', null, true],
        ],
      )
      await store.transact(tidyWebhooks, { now: () => service.clock.now })
      t.same((await good('GET', '/events?severity=critical')).events, [], 'and is kept no longer')
    },
    memory,
  ),
)

await t.test('twenty of each weight are listed, the newest first; an operator has those of all accounts or of one', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const service = await hooks(t, store)
      const many = Array.from({ length: ALARMS_MOST + 1 }, (_, index) => ({ ...exit, transition: String(index) }))
      await service.emit(taken, ...many, { ...taken, account: 'beta' })
      const { alarms, more } = (await service.good('GET', '/alarms')) as { alarms: readonly Shown[]; more: boolean }
      t.equal(more, true)
      t.same(
        alarms.map(({ sequence }) => sequence),
        [1, ...Array.from({ length: ALARMS_MOST }, (_, index) => ALARMS_MOST + 2 - index)],
      )
      await service.good('POST', `/events/${alarms[1]?.id}/dismiss`)
      t.match(await service.good('GET', '/alarms'), { more: false })
      const { value } = await createCredential(store, peppers, service.clock.now, { kind: 'operator', account: NO_ACCOUNT, name: 'op' })
      const accounts = async (query: string) =>
        ((await service.call('GET', `/alarms${query}`, undefined, value)).json().alarms as readonly Shown[]).flatMap(
          ({ account, severity }) => (severity === 'critical' ? [account] : []),
        )
      t.same(await accounts(''), ['beta', 'acme'])
      t.same(await accounts('?account=beta'), ['beta'])
      const id = (await service.call('GET', '/alarms?account=beta', undefined, value)).json().alarms[0].id
      t.match((await service.call('POST', `/events/${id}/dismiss`, undefined, value)).json(), { account: 'beta', dismissed_at: /./ })
      t.match(
        (await store.readAudit({ limit: 1, target: id })).records,
        [{ account: 'beta', actor: 'operator' }],
        'on record with whom it is about',
      )
      t.same(await accounts(''), ['acme'])

      const critical = await service.good('GET', '/events?severity=critical')
      t.match(critical.events, [{ sequence: 1, severity: 'critical' }])
      t.equal(critical.events.length, 1)
      t.equal((await service.good('GET', '/events?severity=warning&type=ping')).events.length, 0)
      t.equal(
        (await service.good('GET', `/events?severity=warning&limit=200&subject=${encodeURIComponent(taken.subject)}`)).events.length,
        21,
      )
      await service.emit(...many.map(({ transition }) => ({ ...taken, transition })))
      t.match(await service.good('GET', '/alarms'), { more: true }, 'also where only the first kind has more')
      t.match((await service.call('GET', '/events?severity=dire')).json(), { statusCode: 400 })
    },
    memory,
  ),
)

await t.test('each change has one plain sentence', async (t) => {
  const say = ({ type, data }: NewEvent) => sentenceOf(type, JSON.stringify({ data: effectsToJson(data) }))
  const of = (type: PositionNews['type'], tells: Partial<NonNullable<PositionNews['tells']>>) =>
    say(eventOf(type, { severity: 'critical', units: ['S'], ...tells }))
  const control = (before: readonly Power[], after: readonly Power[], units: readonly string[] = []) =>
    of('position.control_changed', { units, before, after, aspects: [...new Set([...after, ...before].map(({ aspect }) => aspect))] })
  t.equal(
    control([], [power('withdraw_address', 'T')]),
    'Somebody else has gained power over the position of W: withdraw address is T now.',
  )
  t.equal(
    control([power('staker', 'A')], [power('staker', 'T')], ['S', 'S2']),
    'Somebody else has gained power over 2 stakes of W: staker is T now, and was A.',
  )
  t.equal(
    control([power('staker', 'A')], [power('lockup', null, 'until 2100-01-01'), power('staker', 'T')], ['S']),
    'Somebody else has gained power over the stake S of W: lockup is nobody now, until 2100-01-01. 2 more changes are in its data.',
  )
  t.equal(
    control([power('grant_send', 'A'), power('grant_vote', 'A')], []),
    'Somebody else has power over the position of W no more: grant send was A. One more change is in its data.',
  )
  t.equal(of('position.lost', { cause: 'authority', holder: 'T' }), 'The stake S of W belongs to T now.')
  t.equal(of('position.lost', { cause: 'authority', holder: null }), 'The stake S of W belongs to somebody else now.')
  t.match(
    of('position.lost', { cause: 'split' }),
    /^A part of the stake S of W is gone, and nothing else of the wallet has become more, and no /,
  )
  t.match(of('position.lost', { cause: 'gone' }), /^The stake S of W is there no more, and no transaction/)
  t.match(of('position.lost', { cause: 'withdrawn', units: [] }), /^What was free to go of the position of W, or lay beside it, is gone/)
  t.equal(
    of('position.moved', { holder: 'H', announced: [{ aspect: 'owner', holder: 'H' }] }),
    'The stake S of W belongs to H now, as announced.',
  )
  t.equal(of('position.moved', { holder: 'H' }), 'The stake S of W belongs to H now, another wallet that the account watches.')
  t.equal(of('position.moved', { units: [], validator: 'V', to: ['V2', 'V3'] }), 'The position of W lies with V2, V3 now, and lay with V.')
  t.equal(of('position.moved', {}), "The stake S of W lies in other units now, and is the wallet's as before.")
  t.equal(of('position.exit_cancelled', {}), 'The stake S of W stays: its exit was cancelled.')
  t.equal(
    of('position.slashed', { units: [], percent: '0.01', validator: 'V' }),
    'The position of W is worth less by 0.01 %: the validator V was slashed.',
  )
  const term = (type: NewEvent['type'], data: object) =>
    sentenceOf(type, JSON.stringify({ data: { severity: 'warning', kind: 'pool', id: 'P', effective_epoch: null, ...data } }))
  t.equal(
    term('protocol.control_changed', { aspect: 'upgrade_authority', before: 'A', after: null }),
    'Upgrade authority of the pool P is none now, and was A.',
  )
  t.equal(
    term('protocol.fee_changed', { fee: 'sol_withdrawal_fee', before: '0.1', after: '0.3', effective_epoch: 700 }),
    'Sol withdrawal fee of the pool P is 0.3 % from epoch 700 on, and 0.1 % until then.',
  )
  t.equal(
    term('protocol.rule_changed', { rule: 'unbonding_time', before: '21 days', after: '30 days' }),
    'Unbonding time of the pool P is 30 days now, and was 21 days.',
  )
  t.equal(
    term('validator.commission_changed', { kind: 'validator', fee: 'commission', before: '5', after: '10' }),
    'Commission of the validator P is 10 % now, and was 5 %.',
  )
  t.equal(
    sentenceOf('validator.jailed', JSON.stringify({ data: { kind: 'validator', id: 'V', state: 'jailed' } })),
    'The validator that is staked with earns nothing for a while.',
    'of a state that of its type',
  )
})

await t.test('an API key sees the open alarms of its account, of one protocol, and puts none away', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { app, key, token, emit, good } = await hooks(t, store)
      const read = async (credential: Record<string, string>) =>
        (await app.inject({ url: '/api/v1/paper/native/alarms', headers: credential })).json()
      const own = { 'x-api-key': (await key()).value }
      t.same(await read(own), { alarms: [], more: false })
      await emit(
        taken,
        { ...taken, transition: 'of another', protocol: 'paper' },
        { ...exit, protocol: 'paper' },
        { ...exit, protocol: 'paper', account: 'gamma' },
      )
      t.match(await read(own), {
        alarms: [
          { account: 'acme', protocol: 'paper', severity: 'critical', sentence: /Somebody else has gained power/ },
          { account: 'acme', protocol: 'paper', severity: 'warning' },
        ],
        more: false,
      })
      t.equal((await read(own)).alarms.length, 2)
      t.match(await read({ 'x-api-key': (await key('gamma')).value }), { alarms: [{ account: 'gamma', severity: 'warning' }] })
      t.match(await read({ token: (await token()).value }), { statusCode: 401 })
      const [{ id }] = (await read(own)).alarms
      t.equal((await app.inject({ method: 'POST', url: `/api/v1/events/${id}/dismiss`, headers: own })).statusCode, 401)
      await good('POST', `/events/${id}/dismiss`)
      t.match(await read(own), { alarms: [{ severity: 'warning' }] })
    },
    memory,
  ),
)
