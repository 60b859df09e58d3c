import { AbiCoder, getAddress, Interface, ParamType } from 'ethers'
import t from 'tap'
import { answerReader } from '../src/abi-read.ts'
import { argumentsWriter } from '../src/abi-write.ts'
import { checksumAddress, parseAbi, reader } from '../src/index.ts'
import { contextOf, nodeOf } from './support/node.ts'

// What this kit writes and reads of ABIs is held to what ethers does: to its bytes for everything that is written, to its values for what it reads, and
// to a refusal wherever a word says more than its type can.

const coder = AbiCoder.defaultAbiCoder()
const to = '0x0000000000000000000000000000000000001000'

/** Numbers that are the same in each run. */
function dice(seed: number) {
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const hex = (bytes: number) => Array.from({ length: bytes }, () => next(256).toString(16).padStart(2, '0')).join('')
  return { next, hex }
}

type Dice = ReturnType<typeof dice>

const SIZES = [8, 16, 32, 64, 128, 160, 248, 256]

/** A type, as texts of an ABI have it. */
function typeBy({ next }: Dice, depth: number): string {
  const plain = [`uint${SIZES[next(8)]}`, `int${SIZES[next(8)]}`, 'address', 'bool', `bytes${1 + next(32)}`, 'bytes', 'string']
  const pick = next(depth > 0 ? 10 : 7)
  if (pick < 7) return plain[pick] ?? 'bool'
  if (pick === 7) return `${typeBy({ next } as Dice, depth - 1)}[]`
  if (pick === 8) return `${typeBy({ next } as Dice, depth - 1)}[${1 + next(3)}]`
  return `tuple(${Array.from({ length: 1 + next(4) }, (_, index) => `${typeBy({ next } as Dice, depth - 1)} m${index}`).join(', ')})`
}

function valueBy(source: Dice, type: ParamType): unknown {
  const { next, hex } = source
  if (type.arrayChildren) {
    const { arrayChildren, arrayLength } = type
    return Array.from({ length: arrayLength === -1 ? next(4) : Number(arrayLength) }, () => valueBy(source, arrayChildren))
  }
  if (type.components) return type.components.map((each) => valueBy(source, each))
  if (type.type === 'string') return ['', 'plain', 'ä€𐍈', 'x'.repeat(next(70))][next(4)]
  if (type.type === 'bytes') return `0x${hex(next(70))}`
  if (type.type === 'bool') return next(2) === 1
  if (type.type === 'address') return getAddress(`0x${hex(20)}`)
  const [, kind, size] = /^(uint|int|bytes)(\d+)$/.exec(type.type) ?? []
  if (kind === 'bytes') return `0x${hex(Number(size))}`
  const bits = Number(size)
  const random = BigInt(`0x${hex(32)}`)
  const value = [0n, (1n << BigInt(bits)) - 1n, random, 1n << BigInt(bits - 1)][next(4)] ?? 0n
  return kind === 'uint' ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value)
}

/** Values of ethers' lists and of ours, without names. */
function plain(value: unknown): unknown {
  return Array.isArray(value) ? Array.from(value, plain) : value
}

t.test('what is written and read is what ethers writes and reads, of every type', async (t) => {
  const source = dice(20_261_125)
  for (let round = 0; round < 400; round++) {
    const types = Array.from({ length: 1 + source.next(4) }, (_, index) => ParamType.from(`${typeBy(source, 2)} n${index}`))
    const values = types.map((type) => valueBy(source, type))
    const bytes = coder.encode(types, values)
    const shown = types.map((type) => type.format('full')).join(', ')
    if (`0x${argumentsWriter(types)(values)}` !== bytes) t.equal(`0x${argumentsWriter(types)(values)}`, bytes, shown)
    const read = answerReader(types)(bytes)
    t.same(plain(read), plain([...coder.decode(types, bytes)]), shown)
    for (const [index, value] of read.entries()) t.equal((read as unknown as Record<string, unknown>)[`n${index}`], value)
  }
})

t.test('bytes that were changed are refused, or read as ethers reads them', async (t) => {
  const source = dice(7)
  let refused = 0
  for (let round = 0; round < 800; round++) {
    const types = Array.from({ length: 1 + source.next(3) }, () => ParamType.from(typeBy(source, 2)))
    const bytes = coder.encode(
      types,
      types.map((type) => valueBy(source, type)),
    )
    const at = 2 + source.next(bytes.length - 2)
    const changed =
      source.next(3) === 0 ? bytes.slice(0, at - (at % 64) + 2) : bytes.slice(0, at) + source.next(16).toString(16) + bytes.slice(at + 1)
    let read: unknown
    try {
      read = plain(answerReader(types)(changed))
    } catch {
      refused++
      continue
    }
    t.same(read, plain([...coder.decode(types, changed)]), `${types} ${changed}`)
  }
  t.ok(refused > 100, `${refused} were refused`)
})

const word = (hex: string) => hex.padStart(64, '0')
const one = (type: string) => answerReader([ParamType.from(type)])

t.test('a word that says more than its type can is no answer', async (t) => {
  const cases: [type: string, least: string, most: string, refused: string][] = [
    ['uint64', '0', 'f'.repeat(16), `1${'0'.repeat(16)}`],
    ['uint8', '0', 'ff', '100'],
    ['int8', '7f', `${'f'.repeat(62)}80`, '80'],
    ['int8', '0', 'f'.repeat(64), `${'f'.repeat(62)}7f`],
    ['bool', '0', '1', '2'],
    ['address', '0', 'f'.repeat(40), `1${'0'.repeat(40)}`],
    ['bytes4', '0', `abcdef01${'0'.repeat(56)}`, `abcdef01${'0'.repeat(55)}1`],
  ]
  for (const [type, least, most, refused] of cases) {
    t.same(plain(one(type)(`0x${word(least)}`)), plain([...coder.decode([type], `0x${word(least)}`)]), type)
    t.same(plain(one(type)(`0x${word(most)}`)), plain([...coder.decode([type], `0x${word(most)}`)]), type)
    t.throws(() => one(type)(`0x${word(refused)}`), RangeError, `${type} ${refused}`)
  }
})

t.test('places and lengths beyond the answer are refused before anything is made of them', async (t) => {
  t.throws(() => one('bytes')(`0x${word('20')}${word('1')}`), /says it has more/)
  t.throws(() => one('bytes')(`0x${word('20')}${word('fffffff')}`), /says it has more/)
  t.throws(() => one('bytes')(`0x${word('20')}${word('10000000')}`), /no place or length/)
  t.throws(() => one('uint256[]')(`0x${word('20')}${word('2')}${word('1')}`), /a list of 2/)
  t.throws(() => one('uint256[]')(`0x${word('20')}${word('fffffff')}`), /a list of 268435455/)
  t.throws(() => one('uint256')('0x'), /says it has more/)
  t.throws(() => one('uint256')(`0x${word('1')}ff`), /no whole words/)
  t.throws(() => one('uint256')(`0x${'zz'.repeat(32)}`), /no bytes/)
  // Each list is all the others again.
  const lists = (depth: number, width: number): string =>
    depth === 0
      ? ''
      : word(width.toString(16)) + Array.from({ length: width }, () => word((width * 32).toString(16))).join('') + lists(depth - 1, width)
  const bomb = `0x${word('20')}${lists(6, 12)}${word('0')}`
  t.throws(() => one('uint256[][][][][][][]')(bomb), /lie on one another/)
})

t.test('a text that is no UTF-8 is refused to whoever looks at it, and to nobody else', async (t) => {
  const data = `0x${word('40')}${word('7')}${word('1')}ff${'0'.repeat(62)}`
  const read = answerReader([ParamType.from('string name'), ParamType.from('uint8 state')])(data) as unknown as {
    name: string
    state: bigint
  }
  t.equal(read.state, 7n)
  t.throws(() => read.name, /no UTF-8/)
  t.throws(() => (read as unknown as string[])[0], /no UTF-8/)
  t.throws(() => one('string[]')(`0x${word('20')}${word('1')}${word('20')}${word('1')}ff${'0'.repeat(62)}`), /no UTF-8/)
})

t.test('arguments that do not fit are refused by name', async (t) => {
  const write = (type: string, value: unknown) => argumentsWriter([ParamType.from(`${type} it`)])([value])
  t.throws(() => write('uint8', 256), /it is 256: a uint8 is between 0 and 255/)
  t.throws(() => write('uint8', -1n), /between 0 and 255/)
  t.throws(() => write('int8', 128), /between -128 and 127/)
  t.throws(() => write('int8', -129), /between -128 and 127/)
  t.throws(() => write('uint256', 0.5), /a whole number/)
  t.throws(() => write('uint256', 2 ** 53), /a whole number/)
  t.throws(() => write('uint256', '1'), /a whole number/)
  t.throws(() => write('address', '0x00'), /an address is wanted/)
  t.throws(() => write('address', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2a'), /checksum is wrong/)
  t.throws(() => write('bytes32', '0xab'), /of 1 bytes: 32 are wanted/)
  t.throws(() => write('bytes', '0xabc'), /bytes in hex/)
  t.throws(() => write('bool', 1), /true or false/)
  t.throws(() => write('string', 1), /a text is wanted/)
  t.throws(() => write('uint8[]', 1), /a list is wanted/)
  t.throws(() => write('uint8[2]', [1]), /has 1 values: 2 are wanted/)
  t.throws(() => write('tuple(uint8 a)', { b: 1 }), /it has no a/)
  t.throws(() => write('tuple(uint8 a)', [1, 2]), /1 values are wanted, not 2/)
  t.throws(() => parseAbi(['function f() returns (uint8 map, bool b)']).question(to, 'f', []), /named map/)
})

t.test('an address has the checksum that ethers gives it, in each form that it is written in', async (t) => {
  const source = dice(3)
  for (let round = 0; round < 300; round++) {
    const lower = `0x${source.hex(20)}`
    const right = getAddress(lower)
    for (const form of [lower, right, `0x${lower.slice(2).toUpperCase()}`, lower]) t.equal(checksumAddress(form), right)
    const at = [...right].findIndex((char, index) => index > 1 && /[a-f]/i.test(char))
    if (at < 0) continue
    const swapped =
      right.slice(0, at) +
      (/[a-f]/.test(right.charAt(at)) ? right.charAt(at).toUpperCase() : right.charAt(at).toLowerCase()) +
      right.slice(at + 1)
    const isOneCase = swapped === lower || swapped.slice(2) === lower.slice(2).toUpperCase()
    if (!isOneCase) t.throws(() => checksumAddress(swapped), { code: 'ADDRESS_INVALID' })
  }
})

t.test('an answer is read once', async (t) => {
  const multicall3 = new Interface(['function aggregate3((address, bool, bytes)[]) returns ((bool success, bytes returnData)[])'])
  const abi = parseAbi(['function total() view returns (uint256)'])
  const node = nodeOf({ eth_call: () => multicall3.encodeFunctionResult('aggregate3', [[[true, `0x${word('5')}`]]]) })
  const ctx = contextOf(node)
  t.teardown(() => ctx.client.destroy())
  const { askAll } = reader({ unreadable: () => new Error('unreadable') as never })
  let times = 0
  const question = abi.question(to, 'total', [], (total) => {
    times++
    return total
  })
  t.same(await askAll(ctx, [question]), [5n])
  t.equal(times, 1)
})
