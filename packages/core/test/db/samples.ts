import { ulid } from 'ulid'
import type { AuditRecord, Credential } from '../../src/db/store.ts'

export function credential(changes: Partial<Credential> = {}): Credential {
  const id = changes.ulid ?? ulid()
  return {
    ulid: id,
    kind: 'key',
    account: 'acme',
    name: 'nightly',
    description: null,
    hash: '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA',
    prefix: `svc_${id.slice(0, 14)}`,
    active: true,
    expirationDate: null,
    createdAt: new Date('2026-11-21T10:00:00.123Z'),
    lastUsedAt: null,
    pepper: null,
    ...changes,
  }
}

export function auditRecord(changes: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: ulid(),
    rev: 0,
    time: new Date('2026-11-21T10:00:00.123Z'),
    account: 'acme',
    key: '01M7Z20PGDH5HV46J3EJKF72EY',
    address: '192.0.2.7',
    identity: null,
    method: 'POST',
    route: '/api/v1/evm-three/native/action/delegate',
    network: '143',
    status: 200,
    count: 1,
    durationMs: 12.625,
    requestId: 'req-1',
    action: 'delegate',
    effects: null,
    target: null,
    changes: null,
    unsignedHash: null,
    txHash: null,
    error: null,
    protocol: 'evm-three',
    wallet: null,
    sentence: null,
    moves: null,
    actor: null,
    asked: null,
    reason: null,
    path: null,
    ...changes,
  }
}
