import t from 'tap'
import { inspectedCosmos } from '../../src/cosmos/inspected.ts'
import { inspectedEvm } from '../../src/evm/inspected.ts'
import { type InspectorInput, inspect, readableAmong, readGiven } from '../../src/inspect/index.ts'
import { statedIn } from '../../src/intent/inspected.ts'
import { inspectedMove } from '../../src/move/inspected.ts'
import { inspectedSvm } from '../../src/svm/inspected.ts'

const families = [inspectedEvm, inspectedSvm, inspectedMove, inspectedCosmos]

const TRANSFER = '0xe780843b9aca008252089411111111111111111111111111111111111111118405f5e10080018080'
const text = (given: InspectorInput) => (given.kind === 'transaction' ? given.text : given.kind)

t.test('a transaction is found in whatever it is handed over in', async (t) => {
  const same = [
    TRANSFER,
    ` ${TRANSFER.slice(0, 20)}\r\n\t${TRANSFER.slice(20)}\n`,
    `"${TRANSFER}"`,
    `'${TRANSFER}'`,
    `\uFEFF${TRANSFER}`,
    TRANSFER.replace('0x', '0X'),
    JSON.stringify(TRANSFER),
    JSON.stringify([TRANSFER]),
    JSON.stringify({ serialized_tx_hex: TRANSFER, unsigned_tx_hash_hex: '0x', payload: {} }),
    JSON.stringify({ request: { amount: 1 }, response: { serialized_tx_hex: TRANSFER } }),
    JSON.stringify({ transaction: TRANSFER }),
    `HTTP/2 200\r\ncontent-type: application/json\r\n\r\n{"serialized_tx_hex":"${TRANSFER}"}`,
  ]
  for (const each of same) t.equal(text(readGiven(each)), TRANSFER, each.slice(0, 60))
  const given = readGiven(
    '{"request":{"amount":1.100000000000000001},"headers":{"X-Account-Number":"7"},"response":{"unsigned_tx_hex":"0a"}}',
  )
  t.match(
    given,
    { request: { amount: '1.100000000000000001' }, headers: { 'x-account-number': '7' } },
    'what came along is kept, to the last digit',
  )
})

t.test('what cannot be read is said in a sentence', async (t) => {
  const why = (given: string, pattern: RegExp) =>
    t.match(readGiven(given, readableAmong(families)), { kind: 'unreadable', why: pattern }, given.slice(0, 40))
  t.same(readGiven('  \n '), { kind: 'nothing' })
  why('0x', /without a digit/)
  why('0xabc', /3 hex digits, and bytes have two each/)
  why('0xzz–', /the character "–"/)
  why('{"a"', /begins as JSON does/)
  why('[1,2]', /a list of 2/)
  why('{"hash":"0x"}', /This JSON has hash; a transaction would be in one of/)
  why(`{"serialized_tx_hex":"${TRANSFER}","r":"x","s":"0x1","v":27}`, /no numbers/)
  why(`{"unsigned_tx_hex":"00","signatures":["ab"]}`, /not hex of 64 bytes/)
  why('7'.repeat(4 * 1024 * 1024 + 1), /no chain takes/)
  const typed = await inspect({ text: '0x03f0', protocols: [], families, now: new Date() })
  t.match(typed, { kind: 'unreadable', tried: [{ title: 'EVM', why: /type 3, which carries blobs \(EIP-4844\)/ }, {}, {}, {}] })
})

t.test('it knows no family by itself, and each name once', async (t) => {
  const text = TRANSFER
  const bare = await inspect({ text, protocols: [], now: new Date() })
  t.match(bare, { kind: 'unreadable', why: 'This is no transaction of any family: there is none here to read it by.', tried: [] })
  const one = await inspect({ text, protocols: [], families: [inspectedSvm], now: new Date() })
  t.match(one, { kind: 'unreadable', why: 'This is no transaction of the one family here.', tried: [{ title: 'Solana' }] })
  const other = { ...inspectedEvm, inspected: Object.assign({}, inspectedEvm.inspected, { title: 'Another' }) }
  const twice = await inspect({ text, protocols: [], families: [other, inspectedEvm], now: new Date() })
  t.match(twice, { kind: 'read', readings: [{ title: 'Another' }] }, 'the first of a name counts')
  t.equal(twice.kind === 'read' && twice.readings.length, 1)
  t.same(readableAmong([{ ...inspectedEvm, inspected: undefined } as never]), [], 'what does not say how it is inspected is not read')
})

t.test('a fact beside the bytes is taken as its family writes it, and nothing else that was given', (t) => {
  const stated = { 'x-account-number': { label: 'n', hint: 'h', pattern: '0|[1-9]\\d{0,19}', wrong: 'w' } }
  const taken = (value: string | undefined) => statedIn({ stated }, { 'x-account-number': value, 'x-other': '1' })
  for (const value of ['0', '18', ' 18 ']) t.same(taken(value), { 'x-account-number': value.trim() })
  for (const value of [undefined, '', ' ', '01', '1, 2', '-1', '18 19', '0|', '1'.repeat(21)]) t.same(taken(value), {}, String(value))
  t.same(statedIn({}, { 'x-account-number': '18' }), {}, 'of a family that asks for none')
  t.end()
})

t.test('what says two things is never read as one', async (t) => {
  const other = TRANSFER.replace('1111111111', '2222222222')
  t.match(readGiven(`{"serialized_tx_hex":"${TRANSFER}","serialized_tx_hex":"${other}"}`), { kind: 'unreadable', why: /a member twice/ })
  t.match(readGiven(`{"serialized_tx_hex":"${TRANSFER}","serialized_tx_he\\u0078":"${other}"}`), { kind: 'unreadable' })
  const both = { response: { serialized_tx_hex: TRANSFER }, data: { serialized_tx_hex: other } }
  t.match(readGiven(JSON.stringify(both)), { kind: 'unreadable', why: /in response and in data/ })
  t.match(readGiven(JSON.stringify({ response: TRANSFER, body: other })), { kind: 'unreadable', why: /in response and in body/ })
  t.equal(text(readGiven(JSON.stringify({ response: { serialized_tx_hex: TRANSFER }, data: { unrelated: 1 } }))), TRANSFER)
  const headers = readGiven(`HTTP/1.1 200 OK\r\nx-account-number: 1\r\nX-Account-Number: 2\r\n\r\n"${TRANSFER}"`)
  t.match(headers, { headers: { 'x-account-number': '1, 2' } }, 'which is no number')

  const found = async (given: object) => {
    const inspection = await inspect({ text: JSON.stringify(given), protocols: [], families, now: new Date() })
    return inspection.kind === 'read' ? inspection.readings.flatMap(({ unusual }) => unusual.map(({ why }) => why)) : [inspection.kind]
  }
  for (const member of ['transaction', 'unsigned_tx_b64', 'unsigned_tx_hex', 'bytes', 'signed_tx_b64', 'tx_body_hex']) {
    const whys = await found(
      member.startsWith('signed')
        ? { serialized_tx_hex: TRANSFER, [member]: other, r: 'x' }
        : { serialized_tx_hex: TRANSFER, [member]: other },
    )
    t.ok(
      whys.some((why) => /is another transaction than the one that is shown here/.test(why) || why === 'unreadable'),
      `${member}: ${whys}`,
    )
  }
  t.notOk((await found({ serialized_tx_hex: TRANSFER, transaction: TRANSFER })).some((why) => /another transaction/.test(why)))
})

t.test('calls that give something away are named, whatever the protocols', async (t) => {
  const read = async (data: string) => {
    const found = await inspect({ text: legacy(data), protocols: [], families, now: new Date() })
    return found.kind === 'read' ? (found.readings[0]?.unusual ?? []).map(({ level, title }) => `${level}: ${title}`) : []
  }
  const spender = '22'.repeat(20).padStart(64, '0')
  t.same(await read(`095ea7b3${spender}${'ff'.repeat(32)}`), ['bad: The call is: unlimited approval'])
  t.same(await read(`095ea7b3${spender}${'64'.padStart(64, '0')}`), ['bad: The call is: approval'])
  t.same(await read(`a22cb465${spender}${'1'.padStart(64, '0')}`), ['bad: The call is: approval of everything'])
  t.same(await read(`a9059cbb${spender}${'64'.padStart(64, '0')}`), ['bad: The call is: transfer of tokens'])
  t.same(await read('12345678'), ['bad: The call is not known'])
  t.same(await read(''), ['bad: The call is a plain transfer'])
})

/** A legacy transaction for chain 1 with this data. */
function legacy(data: string): string {
  const bytes = Buffer.from(data, 'hex')
  const string =
    bytes.length === 0 ? '80' : bytes.length < 56 ? (0x80 + bytes.length).toString(16) + data : `b8${bytes.length.toString(16)}${data}`
  const body = `80843b9aca0082520894${'11'.repeat(20)}80${string}018080`
  const length = body.length / 2
  return `0x${length < 56 ? (0xc0 + length).toString(16) : `f8${length.toString(16).padStart(2, '0')}`}${body}`
}
