import type { CommittedTx } from '../node.ts'
import { internal } from './protocol.ts'

/** Parses a search, such as `tx.hash='…' AND tx.height>5 AND message.sender='…'`, into a test of transactions. @throws RpcError for a condition that is none */
export function matcher(query: string): (tx: CommittedTx) => boolean {
  if (query.trim() === '') throw internal('offset 0: EOF')
  const conditions = query.split(/\s+AND\s+/).map(condition)
  return (tx) => conditions.every((holds) => holds(tx))
}

const form = /^\s*([A-Za-z_][\w.]*)\s*(=|<=|>=|<|>)\s*(?:'([^']*)'|(\d+))\s*$/
const presence = /^\s*([A-Za-z_][\w.]*)\s+EXISTS\s*$/

function condition(text: string): (tx: CommittedTx) => boolean {
  const [, present] = presence.exec(text) ?? []
  if (present !== undefined) return (tx) => valuesOf(tx, present).length > 0
  const parts = form.exec(text)
  if (parts === null) {
    const tag = /^\s*\S+\s+/.exec(text)?.[0].length ?? text.length
    const operators = '<= operator, >= operator, < operator, > operator, = operator, CONTAINS operator or EXISTS operator'
    throw internal(`offset ${tag}: got tag, wanted ${operators}`)
  }
  const [, key = '', operator = '', quoted, number] = parts
  const operand = quoted ?? number ?? ''
  if (key === 'tx.hash') return (tx) => tx.hash === operand.toUpperCase()
  if (key === 'tx.height') return (tx) => compare(tx.height, operator, operand)
  return (tx) =>
    valuesOf(tx, key).some((value) =>
      quoted === undefined && /^\d+$/.test(value) ? compare(BigInt(value), operator, operand) : value === operand,
    )
}

/** Values of an attribute by its composite key: the type of the event, which may have dots in it, and the name of the attribute. */
function valuesOf({ result }: CommittedTx, key: string): readonly string[] {
  return result.events.flatMap(({ type, attributes }) =>
    attributes.flatMap(({ key: name, value }) => (`${type}.${name}` === key ? [value] : [])),
  )
}

function compare(value: bigint, operator: string, operand: string): boolean {
  if (!/^\d+$/.test(operand)) return false
  const other = BigInt(operand)
  if (operator === '=') return value === other
  if (operator.startsWith('<') && value < other) return true
  if (operator.startsWith('>') && value > other) return true
  return operator.endsWith('=') && value === other
}
