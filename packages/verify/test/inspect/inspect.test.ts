import t from 'tap'
import { type Given, inspect, readGiven } from '../../src/inspect/index.ts'

const TRANSFER = '0xe780843b9aca008252089411111111111111111111111111111111111111118405f5e10080018080'
const text = (given: Given) => (given.kind === 'transaction' ? given.text : given.kind)

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
  const why = (given: string, pattern: RegExp) => t.match(readGiven(given), { kind: 'unreadable', why: pattern }, given.slice(0, 40))
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
  const typed = await inspect({ text: '0x02f0', protocols: [], now: new Date() })
  t.match(typed, { kind: 'unreadable', tried: [{ title: 'EVM', why: /type 2 \(EIP-1559\)/ }, {}, {}, {}] })
})

t.test('calls that give something away are named, whatever the protocols', async (t) => {
  const read = async (data: string) => {
    const found = await inspect({ text: legacy(data), protocols: [], now: new Date() })
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
