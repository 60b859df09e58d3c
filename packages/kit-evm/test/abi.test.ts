import { AbiCoder } from 'ethers'
import t from 'tap'
import { parseAbi } from '../src/index.ts'

const abi = parseAbi([
  'function epoch() returns (uint64 number, bool isLate)',
  'function record(bytes32 pool) view returns (tuple(string name, uint8 status, address owner))',
  'function exits(address who) view returns (tuple(bytes32 pool, uint256 amount)[])',
  'function update((bytes32 root, int160 reward, bytes32[] proof) parameters)',
  'function list(uint32 from) view returns (uint256, uint64[] ids)',
  'function price() view returns (uint256)',
  'function deposit() payable',
  'error Paused()',
  'event Deposited(address indexed who)',
])
const coder = AbiCoder.defaultAbiCoder()
const to = '0x0000000000000000000000000000000000001000'
const owner = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const bytes = `0x${'ab'.repeat(32)}`

/** Compiles where the type is just that one, neither `any` nor a wider one. */
const typed =
  <T>() =>
  <V>(value: 0 extends 1 & V ? never : [V, T] extends [T, V] ? V : never): V =>
    value

t.test('several values are there by place and by name, and one value as such', async (t) => {
  const data = coder.encode(['uint64', 'bool'], [7, true])
  const question = abi.question(to, 'epoch', [], ({ number, isLate }) => ({
    number: typed<bigint>()(number),
    isLate: typed<boolean>()(isLate),
  }))
  t.match(question, { to, method: 'epoch', data: '0x900cf0cf' })
  t.same(question.read(data), { number: 7n, isLate: true })
  const [number, isLate] = abi.question(to, 'epoch', []).read(data)
  t.same([typed<bigint>()(number), typed<boolean>()(isLate)], [7n, true])
  t.equal(typed<bigint>()(abi.question(to, 'price', []).read(coder.encode(['uint256'], [3]))), 3n)
})

t.test('tuples, lists of them and lists have the types of what is in them', async (t) => {
  const record = abi.decodeFunctionResult('record', coder.encode(['tuple(string,uint8,address)'], [['it', 2, owner]]))
  t.same([typed<string>()(record.name), typed<bigint>()(record.status), typed<string>()(record[2])], ['it', 2n, owner])
  const exits = abi.decodeFunctionResult('exits', coder.encode(['tuple(bytes32,uint256)[]'], [[[bytes, 5]]]))
  t.same(
    exits.map(({ pool, amount }) => [typed<string>()(pool), typed<bigint>()(amount)]),
    [[bytes, 5n]],
  )
  const [count, ids] = abi.decodeFunctionResult('list', coder.encode(['uint256', 'uint64[]'], [1, [9]]))
  t.same([typed<bigint>()(count), ids.map((id) => typed<bigint>()(id))], [1n, [9n]])
})

t.test('a method takes what its text says, tuples by name or by place', async (t) => {
  t.equal(abi.encodeFunctionData('deposit'), '0xd0e30db0')
  const byName = abi.encodeFunctionData('update', [{ root: bytes, reward: -1n, proof: [bytes] }])
  t.equal(byName, abi.encodeFunctionData('update', [[bytes, -1, [bytes]]]))
  t.equal(byName, abi.interface.encodeFunctionData('update', [[bytes, -1, [bytes]]]))
  // @ts-expect-error an amount is no text
  t.throws(() => abi.encodeFunctionData('list', ['one']))
  // @ts-expect-error an argument is missing
  t.throws(() => abi.encodeFunctionData('list'))
  // @ts-expect-error there is no such method
  t.throws(() => abi.encodeFunctionData('lists', []))
  // @ts-expect-error an error is no method
  t.throws(() => abi.question(to, 'Paused', []))
})

t.test('an answer of another form is none', async (t) => {
  t.throws(() => abi.question(to, 'price', []).read('0x'))
  t.throws(() => abi.question(to, 'epoch', []).read(coder.encode(['uint64'], [1])))
})
