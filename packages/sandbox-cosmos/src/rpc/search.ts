import type { CommittedTx } from '../node.ts'
import { internal } from './protocol.ts'

/** Parses a search, such as `tx.hash='…' AND tx.height>5 AND message.sender='…'`, into a test of transactions. @throws RpcError for a condition that is none */
export function matcher(query: string): (tx: CommittedTx) => boolean {
  if (query.trim() === '') throw internal('offset 0: EOF')
  const conditions = query.split(/\s+AND\s+/).map(condition)
  return (tx) => conditions.every((holds) => holds(tx))
}

const form = /^\s*([A-Za-z_][\w.]*)\s*(=|<=|>=|<|>)\s*(?:'([^']*)'|(\d+))\s*$/

function condition(text: string): (tx: CommittedTx) => boolean {
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
  const dot = key.indexOf('.')
  const [type, attribute] = [key.slice(0, dot), key.slice(dot + 1)]
  return (tx) =>
    tx.result.events.some(
      (event) =>
        event.type === type &&
        event.attributes.some(({ key: name, value }) => {
          if (name !== attribute) return false
          return quoted === undefined && /^\d+$/.test(value) ? compare(BigInt(value), operator, operand) : value === operand
        }),
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
