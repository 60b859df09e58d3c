import fc from 'fast-check'
import t from 'tap'
import { decodeMove } from '../../src/move/index.ts'
import { coins, craft, drafts, MAINNET, promiseOf, STATES, staked, system, vectorOf } from './support/vectors.ts'
import { block, craftOf, type Draft, GAS, input, makeVector, owned, pure, transfer, uleb, vector, wire } from './support/write.ts'

const { effects } = promiseOf(vectorOf('stake from'))
const [stake] = drafts as [Draft]
const whole = wire(stake)
const text = whole.toString('base64')

/** Why the response is refused; empty when it is not. */
function reason(given: unknown): string {
  try {
    decodeMove(given as never, effects.calls, MAINNET)
    return ''
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'DECODE_FAILED') throw error
    return (error as Error).message
  }
}

const changed = (change: Partial<Draft>) => reason(craftOf({ ...stake, ...change }))
const bytes = (data: Uint8Array) => reason({ unsigned_tx_b64: Buffer.from(data).toString('base64') })

t.test('bytes cut off anywhere, or continued, are refused', async (t) => {
  const accepted: number[] = []
  for (let length = 0; length < whole.length; length++) if (bytes(whole.subarray(0, length)) === '') accepted.push(length)
  t.strictSame(accepted, [])
  t.match(bytes(Buffer.concat([whole, Uint8Array.of(0)])), /401 bytes, of which 400 are read; none may be left over/)
  t.match(bytes(Buffer.concat([whole, whole])), /800 bytes, of which 400 are read/)
})

t.test('a transaction without commands is refused', async (t) => {
  t.match(changed({ commands: [] }), /0 commands; it must have at least one/)
  t.match(changed({ commands: [], inputs: [] }), /0 commands/)
})

t.test('a command of no kind is refused', async (t) => {
  t.match(changed({ commands: [Uint8Array.of(7)] }), /command 0 is of kind 7; it must be a command of a kind from 0 to 6/)
})

t.test('a number of items beyond what is there is refused, and reserves nothing', async (t) => {
  const many = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f)
  t.match(bytes(Uint8Array.of(0, 0, ...many)), /has 0 bytes left for 4294967295 inputs; all must be there/)
  t.match(bytes(Uint8Array.of(0, 0, ...many, 0, 0)), /has 2 bytes left for 4294967295 inputs/)
  t.match(bytes(Uint8Array.of(0, 0, 1, 0, ...many, 1)), /ends within input 0/)
  t.match(bytes(Uint8Array.of(0, 0, 0xff, 0xff, 0xff, 0xff, 0x1f)), /the number of inputs of the transaction has more than 32 bits/)
  t.match(bytes(Uint8Array.of(0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)), /more than 32 bits/)
})

t.test('a number in more bytes than it needs is refused, with what it is', async (t) => {
  t.match(bytes(Uint8Array.of(0x80, 0, ...whole.subarray(1))), /the version of the transaction is 0 in 2 bytes/)
  t.match(bytes(Uint8Array.of(0, 0, 0x83, 0, ...whole.subarray(3))), /the number of inputs of the transaction is 3 in 2 bytes/)
  t.match(bytes(Uint8Array.of(0, 0, 0x83, 0x80, 0, ...whole.subarray(3))), /is 3 in 3 bytes; it must be in as few as possible/)
})

t.test('numbers are read up to 32 bits', async (t) => {
  const long = (length: number) => changed({ inputs: [...stake.inputs, pure(new Uint8Array(length))] })
  for (const length of [0, 127, 128, 16383, 16384, 100_000]) t.match(long(length), /input 3 is not used by any command/, String(length))
})

t.test('more arguments than the chain takes are refused', async (t) => {
  const given = (count: number) => changed({ commands: [...stake.commands, makeVector(null, Array<Uint8Array>(count).fill(GAS))] })
  t.equal(given(512), '')
  t.match(given(513), /command 2 has 513 arguments; it may have 512/)
})

t.test('a digest of another length than 32 bytes is refused', async (t) => {
  for (const length of [0, 31, 33]) {
    const reference = Buffer.concat([coins[0]!.subarray(0, 40), block(new Uint8Array(length))])
    t.match(changed({ payment: [reference] }), new RegExp(`the digest of gas coin 0 has ${length} bytes; it must have 32`))
  }
})

t.test('more bytes than a node takes are refused', async (t) => {
  const { inputs, commands } = stake
  const long = (length: number) =>
    craftOf({ ...stake, inputs: [...inputs, pure(new Uint8Array(length))], commands: [...commands, makeVector(null, [input(3)])] })
  const room = 128 * 1024 - Buffer.from(long(20_000).unsigned_tx_b64, 'base64').length + 20_000
  t.equal(reason(long(room)), '')
  t.match(reason(long(room + 1)), /it must be canonical base64 with padding, of 131072 bytes at most/)
  t.match(reason(long(room + 2)), /131072 bytes at most/)
  t.match(reason({ unsigned_tx_b64: 'A'.repeat(10_000_000) }), /131072 bytes at most/)
})

t.test('a transaction full of objects or types is read in little time', async (t) => {
  const ids = Array.from({ length: 1500 }, (_, i) => `0x${(i + 1000).toString(16)}`)
  const inputs = [...ids.map((id) => owned(id, 1n, STATES[0])), staked, system, pure(new Uint8Array(32))]
  const parts = Array.from({ length: 4 }, (_, i) => ids.slice(400 * i, 400 * (i + 1)).map((_, j) => input(400 * i + j)))
  const commands = [...parts.map((part) => transfer(part, input(1502))), transfer([input(1500), input(1501)], input(1502))]
  t.equal(reason(craftOf({ ...stake, inputs, commands })), '')
})

t.test('base64 in another than its one form is refused', async (t) => {
  t.equal(reason({ unsigned_tx_b64: text }), '')
  const padded = craft(vectorOf('unstake')).unsigned_tx_b64
  t.match(padded, /[^=]=$/)
  for (const given of [
    '',
    text.slice(0, -1),
    `${text}=`,
    `${text}\n`,
    ` ${text}`,
    text.replaceAll('A', '-'),
    padded.slice(0, -1),
    `${padded}=`,
    padded.replace(/.=$/, 'B='),
    'AB==',
    '=',
    'A===',
    7,
    null,
    [text],
    whole,
  ]) {
    t.match(reason({ unsigned_tx_b64: given }), /unsigned_tx_b64 is .*; it must be canonical base64 with padding/)
  }
})

t.test('a response with other members, or of another shape, is refused', async (t) => {
  t.match(reason({ unsigned_tx_b64: text, digest: 'x' }), /a member "digest" that is not read; it may have only unsigned_tx_b64/)
  t.match(reason({}), /no member unsigned_tx_b64/)
  t.match(reason(Object.create({ unsigned_tx_b64: text })), /no member unsigned_tx_b64/)
  for (const given of [null, undefined, 'x', 7, [text]]) t.match(reason(given), /it must be an object with unsigned_tx_b64/)
})

t.test('no bytes make the reader fail in another way than with a DecodeError', async (t) => {
  t.doesNotThrow(() => fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (data) => bytes(Uint8Array.of(0, 0, ...data)) !== '')))
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(40), (at, put, drop) => {
        bytes(Buffer.concat([whole.subarray(0, at), put, whole.subarray(at + drop)]))
      }),
      { numRuns: 1000 },
    ),
  )
})

t.test('lengths and lists of every size are read back as they were written', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.nat(300), fc.nat(40), (length, count) => {
        const inputs = Array.from({ length: count + 1 }, (_, i) => pure(Uint8Array.of(i, ...new Uint8Array(length))))
        const commands = [
          makeVector(
            null,
            inputs.map((_, i) => input(i)),
          ),
        ]
        const { calls } = decodeMove(craftOf({ ...stake, inputs, commands }), effects.calls, MAINNET)
        const read = calls[0]!.args.arguments as readonly string[]
        return read.length === inputs.length && read.every((each, i) => each.startsWith(`pure 0x${Buffer.of(i).toString('hex')}`))
      }),
    ),
  )
  t.strictSame(uleb(300), Buffer.of(0xac, 0x02))
  t.strictSame(vector([Uint8Array.of(7)]), Buffer.of(1, 7))
})
