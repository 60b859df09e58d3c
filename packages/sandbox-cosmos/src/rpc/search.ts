import type { CommittedTx } from '../node.ts'
import { internal } from './protocol.ts'

/**
 * Reads a search, as in `tx.hash='…' AND tx.height>5 AND message.sender='…'`.
 *
 * @throws RpcError for a condition that is none
 */
export function matcher(query: string): (tx: CommittedTx) => boolean {
  const conditions = query.split(/\s+AND\s+/).map(condition)
  return (tx) => conditions.every((holds) => holds(tx))
}

const form = /^\s*([A-Za-z_][\w.]*)\s*(=|<=|>=|<|>)\s*(?:'([^']*)'|(\d+))\s*$/

function condition(text: string): (tx: CommittedTx) => boolean {
  const parts = form.exec(text)
  if (parts === null) throw internal(`failed to parse query: ${JSON.stringify(text)} is not a condition such as tx.height=5`)
  const [, key = '', operator = '', quoted, number] = parts
  const wanted = quoted ?? number ?? ''
  if (key === 'tx.hash') return (tx) => tx.hash === wanted.toUpperCase()
  if (key === 'tx.height') return (tx) => compare(tx.height, operator, wanted)
  const dot = key.indexOf('.')
  const [type, attribute] = [key.slice(0, dot), key.slice(dot + 1)]
  return (tx) =>
    tx.result.events.some(
      (event) =>
        event.type === type &&
        event.attributes.some(({ key: name, value }) => {
          if (name !== attribute) return false
          return quoted === undefined && /^\d+$/.test(value) ? compare(BigInt(value), operator, wanted) : value === wanted
        }),
    )
}

function compare(value: bigint, operator: string, wanted: string): boolean {
  if (!/^\d+$/.test(wanted)) return false
  const other = BigInt(wanted)
  if (operator === '=') return value === other
  if (operator.startsWith('<') && value < other) return true
  if (operator.startsWith('>') && value > other) return true
  return operator.endsWith('=') && value === other
}
