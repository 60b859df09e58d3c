import type { Audit } from '../audit/audit.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Gate } from '../gate/gate.ts'

/** Metrics that a server counts about itself. */
export interface OwnMetrics {
  /** Counts a request that was turned away before any work was done for it. */
  refused(reason: string): void
  /** Counts a transaction that was withheld, since its bytes differ from the request. */
  mismatched(): void
  /** Adds gauges of the requests in progress and the unsaved audit records. */
  watch(gate: Pick<Gate, 'underWay'>, audit: Pick<Audit, 'depth'>): void
}

/** Counts from the start what must not happen, so that an alert on its growth sees the first. */
export function createOwnMetrics(metrics: Metrics, version: string): OwnMetrics {
  const build = { version, node: process.versions.node }
  metrics.gauge(
    'svc_build_info',
    'Always 1; its labels say which version runs on which Node.',
    () => [[build, 1]],
    Object.keys(build),
    'max',
  )
  const countRefusal = (reason: string, by: number) =>
    metrics.count(
      'svc_refused_connections_total',
      'Requests and connections that were turned away before anything was run for them.',
      { reason },
      by,
    )
  const mismatched = (by: number) =>
    metrics.count(
      'svc_decode_mismatches_total',
      'Crafted transactions that were withheld, since their bytes were not what was asked.',
      {},
      by,
    )
  countRefusal('busy', 0)
  mismatched(0)
  return {
    refused: (reason) => countRefusal(reason, 1),
    mismatched: () => mismatched(1),
    watch(gate, audit) {
      metrics.gauge('svc_requests_under_way', 'Requests that are not answered to the last byte.', () => gate.underWay)
      metrics.gauge('svc_audit_unsaved', 'Audit records that are not saved yet.', () => audit.depth)
    },
  }
}
