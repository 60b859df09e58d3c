import t from 'tap'
import { headOf, lineOf } from '../src/audit/export-file.ts'
import { type FileRecord, recordToWire } from '../src/audit/wire.ts'
import { auditRecord } from './db/samples.ts'

const CRAFTS = new Set<string>()
const wireOf = (change: Parameters<typeof auditRecord>[0] = {}): FileRecord =>
  recordToWire(auditRecord(change), new Map(), 'operator', { has: (name: string) => CRAFTS.has(name) } as never)

/** Cells of a line of CSV without quotes. */
const cellsOf = (line: string) => line.replace(/\r\n$/, '').split(',')

t.test('a file of lines has one object a line and no head, and a spreadsheet a head and the cells below it', (t) => {
  const record = wireOf({ durationMs: 7.25, count: 3, status: 200, identity: 'ada' })
  t.equal(headOf('jsonl'), '')
  t.equal(lineOf('jsonl', record), `${JSON.stringify(record)}\n`)
  const head = cellsOf(headOf('csv'))
  const line = cellsOf(lineOf('csv', { ...record, moves: null, changes: null, sentence: null }))
  t.equal(head.length, line.length)
  const cells = Object.fromEntries(head.map((name, place) => [name, line[place]]))
  t.match(cells, { id: record.id, time: record.time, duration_ms: '7.25', count: '3', status: '200', identity: 'ada', error: '' })
  t.same(Object.keys(cells).filter((name) => ['key_name', 'error_sentence', 'request_id', 'tx_hash'].includes(name)).length, 4)
  t.end()
})

t.test('what a spreadsheet would take for a formula is a text, and what is a number stays one', (t) => {
  const cellOf = (identity: string) => {
    const place = cellsOf(headOf('csv')).indexOf('identity')
    return cellsOf(lineOf('csv', { ...wireOf(), identity, sentence: null, moves: null, changes: null }))[place]
  }
  for (const start of ['=', '+', '-', '@', '\t']) t.equal(cellOf(`${start}1`), `'${start}1`)
  t.equal(cellOf('1-1'), '1-1')
  const place = cellsOf(headOf('csv')).indexOf('duration_ms')
  const early = { ...wireOf(), duration_ms: -3, sentence: null, moves: null, changes: null }
  t.equal(cellsOf(lineOf('csv', early))[place], '-3', 'a number below nought is no formula')
  const quoted = lineOf('csv', { ...wireOf(), identity: 'a,"b"\nc' })
  t.match(quoted, '"a,""b""\nc"')
  t.end()
})
