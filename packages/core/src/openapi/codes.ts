import { type ErrorCodes, membersOf } from '@svc/contract'
import { errorCodes as ofEveryProtocol } from '@svc/contract/host'
import { errorCodes as ofTheServer } from '../base/codes.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import type { Document } from './shape.ts'

/** Codes that never stand in a response: refusals to start, and the reason behind a 500 that says nothing. */
const SILENT = /^(At start only|In the audit log only)/

/** Lists what `code` can be, where every plugin says what it answers itself; else it stays an open text. */
export function listCodes(document: Document, plugins: readonly LoadedPlugin[]): void {
  const tables: ErrorCodes[] = [ofTheServer, ofEveryProtocol]
  for (const { plugin } of plugins) {
    const { codes, kit } = plugin.protocol
    if (codes === undefined || kit.codes === undefined) return
    tables.push(codes, kit.codes)
  }
  const words = new Set(
    tables.flatMap((table) => Object.entries(table).flatMap(([code, [, meaning]]) => (SILENT.test(meaning) ? [] : [code]))),
  )
  const { schemas } = document.components
  const properties = membersOf(membersOf(schemas.Error).properties)
  const code = { ...membersOf(properties.code), enum: [...words].sort() }
  schemas.Error = { ...schemas.Error, properties: { ...properties, code } }
}
