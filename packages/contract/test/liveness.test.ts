import t from 'tap'
import { isEndpointError, nodeBehind, requireRecent } from '../src/index.ts'

const now = new Date('2026-11-25T12:00:00Z')
const headAt = (seconds: number) => new Date(now.getTime() - seconds * 1000)

/** What a head of that age is refused with. */
function refusalOf(run: () => void) {
  try {
    run()
  } catch (error) {
    if (isEndpointError(error)) return error.refusal
    throw error
  }
  return null
}

t.test('a head that is old is told with its age, since a chain that stands still looks like a node that fell behind', async (t) => {
  t.equal(
    refusalOf(() => requireRecent(headAt(900), 900, now)),
    null,
  )
  const old = refusalOf(() => requireRecent(headAt(901), 900, now))
  t.match(old, {
    statusCode: 503,
    code: 'UPSTREAM_BEHIND',
    message:
      /901 seconds old by this service's clock, which says .*Z; at most 900.*fallen behind, or the chain stands still, or this clock is ahead/,
  })
  t.equal(
    refusalOf(() => requireRecent(headAt(1e9), 0, now)),
    null,
    'no limit',
  )
  t.match(
    refusalOf(() => requireRecent(new Date(Number.NaN), 900, now)),
    { statusCode: 502, code: 'UPSTREAM_ERROR' },
  )
  t.match(nodeBehind().refusal, { code: 'UPSTREAM_BEHIND', message: /has not caught up/ }, 'where the node says so itself')
})
