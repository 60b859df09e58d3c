import t from 'tap'
import { serviceState } from '../src/overview/service-state.ts'
import type { EndpointState } from '../src/rpc/endpoints.ts'

const NOW = new Date('2026-11-28T12:00:00Z')
const well: EndpointState = {
  ...{ number: 1, host: 'one.example', used: true, healthy: true, failures: 0, reason: null },
  ...{ coolingMs: 0, slow: false, behindMs: null, lastMs: 41.26, sinceMs: 60_000 },
}

t.test('an endpoint answers, is slow, is behind, fails, rests, or was never asked', async (t) => {
  const failing = { ...well, healthy: false, failures: 1, reason: 'timeout' }
  const endpoints = [
    well,
    { ...well, slow: true },
    { ...well, slow: true, behindMs: 30_000 },
    failing,
    { ...failing, coolingMs: 1 },
    { ...well, used: false, lastMs: null, sinceMs: null },
  ]
  const state = await serviceState({
    upstreams: { states: () => [{ plugin: '@svc/plugin-paper', chainId: '1', group: 'desk', endpoints }] },
    infos: { all: () => [] },
    audit: { depth: 0 },
    lateness: async () => ({ status: 'up', ms: 0 }),
    ...{ database: 'sqlite', version: '1.0.0', started: NOW, now: () => NOW },
  })
  t.same(
    state.endpoints.map(({ state }) => state),
    ['ok', 'slow', 'behind', 'failing', 'resting', 'unused'],
  )
  t.match(state.endpoints[1], { ms: 41.3, since: '2026-11-28T11:59:00.000Z', last_error: null })
})
