import t from 'tap'
import { partsOfTransaction } from '../src/api/transactions.ts'
import { comparedOf } from '../src/pages/transactions/comparison.ts'
import { filtersOf, keyOfFilters, kindOf, toQuery } from '../src/pages/transactions/filters.ts'
import { isAt, placeOf } from '../src/pages/transactions/place.ts'
import { momentsOf } from '../src/pages/transactions/timeline.ts'
import { meaningOf, validityOf } from '../src/pages/transactions/words.ts'
import { pauseOf } from '../src/state/pace.ts'
import { standingOf } from '../src/text/status.ts'
import { detailed, followed } from './support/transactions.ts'

const NOW = new Date('2026-11-22T12:00:00.000Z')
const titles = (...args: Parameters<typeof detailed>) => momentsOf(detailed(...args)).map(({ title, look }) => `${title} ${look}`)

t.test('a state is one word with its certainty, and a difference comes before it', async (t) => {
  t.same(standingOf(followed(1, NOW, 'final')), { word: 'Final', certainty: 'proven', look: 'ok' })
  t.same(standingOf(followed(1, NOW, 'pending')), { word: 'Pending', certainty: 'likely', look: 'pending' })
  const differences = [{ kind: 'staked', asset: 'native', promised: '10', moved: '9' }] as const
  t.match(standingOf(followed(1, NOW, 'final', { differences })), { word: 'Amounts differ', look: 'bad' })
  t.match(meaningOf(followed(1, NOW, 'failed')), 'block that stays')
  t.match(meaningOf(followed(1, NOW, 'failed', { finality: 'included' })), 'sign nothing in its place yet')
  t.match(meaningOf(followed(1, NOW, 'pending', { accepted_at: null })), 'No endpoint took it')
  t.match(meaningOf(followed(1, NOW, 'unknown')), 'proves nothing')
  for (const status of ['replaced', 'expired'] as const) t.match(meaningOf(followed(1, NOW, status)), 'never land')
})

t.test('what moved stands beside what was promised', async (t) => {
  const row = followed(1, NOW, 'final')
  const moves = row.moves ?? []
  t.same(
    comparedOf(row).map(({ kind, how }) => `${kind} ${how}`),
    ['leaves same', 'staked same'],
  )
  const rewards = { kind: 'arrives', asset: 'native', units: '9007199254740993' } as const
  t.match(comparedOf({ ...row, moves: [...moves, rewards, rewards] })[2], { how: 'besides', moved: '18014398509481986' })
  const differences = [{ kind: 'staked', asset: 'native', promised: '100000000000000000001', moved: '0' }] as const
  t.match(comparedOf({ ...row, moves: moves.slice(0, 1), differences })[1], { how: 'differs', moved: '0' })
  t.match(comparedOf(followed(1, NOW, 'pending')), [{ how: 'promised', moved: null }, {}])
  t.match(comparedOf(followed(1, NOW, 'failed')), [{ how: 'undone' }, {}])
  t.match(comparedOf({ ...row, promised: null }), [{ how: 'moved' }, {}])
  t.match(comparedOf({ ...row, promised: moves.map((each) => ({ ...each, units: null })) })[0], { how: 'unsaid', promised: null })
  t.same(comparedOf({ ...row, promised: null, moves: [] }), [])
  t.match(comparedOf({ ...row, moves: null, differences: null }), [{ how: 'promised', moved: null }, {}], 'what no node keeps')
})

t.test('a timeline goes from the craft to where it stays, with what is to come', async (t) => {
  const requests = ['Crafted done', 'Prepared done', 'Broadcast done']
  t.same(titles(followed(1, NOW, 'pending'), [{ status: 'pending' }]), [...requests, 'Included later', 'Final later'])
  t.same(titles(followed(1, NOW, 'included'), [{ status: 'included' }]), [...requests, 'Included done', 'Final later'])
  const final = detailed(followed(1, NOW, 'final'), [{ status: 'included' }, { status: 'final' }])
  t.same(momentsOf(final).at(-1), {
    key: 'state 2',
    title: 'Final',
    look: 'done',
    time: final.ended_at,
    about: null,
    block: final.block,
    record: null,
  })
  t.same(titles(followed(1, NOW, 'failed'), [{ status: 'failed' }]), [...requests, 'Failed bad'])
  t.same(titles(followed(1, NOW, 'replaced'), [{ status: 'replaced' }]), [...requests, 'Replaced warn'])
  t.same(
    titles(followed(1, NOW, 'pending', { certainty: 'proven' }), [
      { status: 'included' },
      { status: 'pending', event: 'transaction.reorged' },
    ]),
    [...requests, 'Included done', 'Reorganised warn', 'Included later', 'Final later'],
  )
  const { steps, ...elsewhere } = detailed(followed(1, NOW, 'final', { origin: 'track' }), [{ status: 'final' }])
  t.equal(steps.length, 3)
  t.same(
    momentsOf({ ...elsewhere, steps: [] }).map(({ title }) => title),
    ['Told to follow', 'Final'],
  )
  const refused = {
    ...final,
    steps: final.steps.map((each) => ({ ...each, outcome: 'refused' as const, error: { code: 'SLOT_IN_USE', sentence: null } })),
  }
  t.match(momentsOf(refused)[2], { look: 'bad', about: 'Refused: SLOT_IN_USE' })
})

t.test('validity is said in words, by what ends it', async (t) => {
  t.equal(validityOf({ kind: 'nonce', value: '17' }).until, 'another transaction uses nonce 17')
  t.equal(validityOf({ kind: 'block_height', value: '99' }).until, 'block 99')
  t.equal(validityOf({ kind: 'sequence', value: null }).until, 'another transaction uses its sequence')
  t.equal(validityOf({ kind: 'time', value: '2026-12-01T00:00:00Z' }).until, 'the chain’s clock says 2026-12-01T00:00:00Z')
  t.equal(validityOf({ kind: 'mana_spent', value: '7' }).until, 'mana spent 7', 'of a family that has its own word')
  t.equal(validityOf({ kind: 'mana_spent', value: null }).until, 'mana spent')
  t.same(validityOf({ kind: 'object_versions', value: '0x1@2,0x3@4' }).parts, ['0x1@2', '0x3@4'])
})

t.test('it is read again as long as it changes, calmly', async (t) => {
  const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString()
  t.equal(pauseOf({ ended_at: at(0), next_look_at: at(0) }, NOW.getTime()), null)
  t.equal(pauseOf({ ended_at: null, next_look_at: at(-60_000) }, NOW.getTime()), 2000)
  t.equal(pauseOf({ ended_at: null, next_look_at: at(4000) }, NOW.getTime()), 4500)
  t.equal(pauseOf({ ended_at: null, next_look_at: at(3_600_000) }, NOW.getTime()), 30_000)
  t.equal(pauseOf({ ended_at: null, next_look_at: null }, NOW.getTime()), 30_000)
})

t.test('filters live in the address, and what is at hand is looked at whatever it came to', async (t) => {
  const filters = filtersOf(new URLSearchParams(`status=pending&network=143&q=svcm_01JD4Z0V9T6E6N1S2XKQ3B7W8R_${'a'.repeat(51)}&period=x`))
  t.same(filters, { status: 'pending', network: '143' })
  t.same(filtersOf(new URLSearchParams('status=lost')), {})
  t.equal(toQuery(filters, 'acme', { before: 'x' }).status, 'pending')
  t.equal(toQuery(filters, 'acme', { newest: true }).status, undefined)
  const { fits, isSame } = kindOf(filters)
  t.equal(fits?.(followed(1, NOW, 'final')), false, 'what is new and does not fit is not shown')
  t.equal(isSame(followed(1, NOW, 'pending'), followed(1, NOW, 'final')), false)
  t.equal(kindOf({ status: 'open' }).fits?.(followed(1, NOW, 'included')), true)
  t.not(keyOfFilters(filters, 'acme'), keyOfFilters(filters, null))
  const row = followed(1, NOW, 'final')
  const place = placeOf(partsOfTransaction(row).slice(1))
  t.ok(place && isAt(place, row))
  t.notOk(place && isAt(place, { ...row, account: 'globex' }))
  t.ok(isAt({ hash: row.unsigned_hash ?? '', protocol: null, account: null }, row), 'a hash from before it was signed finds it too')
  t.equal(placeOf([]), null)
})
