import { createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { base58 } from '../../src/bytes/base58.ts'
import type { Effects, Value } from '../../src/index.ts'
import { decodeMove, type MoveFunction, type MoveNetwork } from '../../src/move/index.ts'
import { blake2b } from './support/blake2b.ts'
import {
  AMOUNT,
  addStake,
  amount,
  callsOf,
  coinReservation,
  coins,
  craft,
  draftOf,
  drafts,
  MAINNET,
  promiseOf,
  SENDER,
  STAKED,
  STATES,
  staked,
  system,
  TESTNET,
  THIEF,
  termsOf,
  VALIDATOR,
  validator,
  vectorOf,
  vectors,
} from './support/vectors.ts'
import {
  address,
  block,
  craftOf,
  type Draft,
  epoch,
  full,
  GAS,
  input,
  makeVector,
  merge,
  moveCall,
  nested,
  owned,
  publish,
  pure,
  reference,
  result,
  SUI,
  shared,
  split,
  struct,
  transfer,
  u16,
  u32,
  u64,
  upgrade,
  validDuring,
  wire,
  withdrawal,
} from './support/write.ts'

const [stake, , balance, unstake] = drafts as [Draft, Draft, Draft, Draft]
const SUI_TYPE = `${full('0x2')}::sui::SUI`

/** Only target and method of what is expected are looked at. */
const expecting = (...calls: readonly (readonly [target: string, method: string])[]): Effects => ({
  signers: [],
  calls: calls.map(([target, method]) => ({ target, method, args: {}, value: 0n })),
})
const decode = (draft: Draft, expected = expecting(), network: MoveNetwork = MAINNET) => decodeMove(craftOf(draft), expected.calls, network)
/** One call of one function of one package, with any inputs. */
const calling = (inputs: readonly Uint8Array[], args: readonly Uint8Array[], method: string, types: readonly Uint8Array[] = []) =>
  decode({ ...stake, inputs, commands: [moveCall('0x7::m::f', args, types)] }, expecting([`${full('0x7')}::m`, method])).calls[0]!

t.test('every vector is read as what it does', async (t) => {
  for (const vector of vectors) {
    t.strictSame(
      decodeMove(craft(vector), promiseOf(vector).effects.calls, MAINNET),
      {
        chainId: vector.chainId,
        signers: vector.signers,
        maxFee: BigInt(vector.maxFee),
        calls: callsOf(vector),
        terms: termsOf(vector),
      },
      vector.name,
    )
  }
})

t.test('the vectors are what was signed, and have the digests that the chain gives them', async (t) => {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex')])
  for (const { name, unsigned_tx_b64, digest, intentHash, signature } of vectors) {
    const data = Buffer.from(unsigned_tx_b64, 'base64')
    t.equal(base58(blake2b(Buffer.concat([Buffer.from('TransactionData::'), data]), 32)), digest, name)
    const signed = blake2b(Buffer.concat([Uint8Array.of(0, 0, 0), data]), 32)
    if (intentHash !== undefined) t.equal(signed.toString('hex'), intentHash)
    const whole = Buffer.from(signature, 'base64')
    const key = whole.subarray(65)
    t.ok(verify(null, signed, createPublicKey({ key: Buffer.concat([der, key]), format: 'der', type: 'spki' }), whole.subarray(1, 65)))
    t.equal(`0x${blake2b(Buffer.concat([Uint8Array.of(0), key]), 32).toString('hex')}`, SENDER)
  }
})

t.test('the writer of these tests writes the bytes of the vectors', async (t) => {
  for (const vector of vectors) t.equal(wire(draftOf(vector)).toString('base64'), vector.unsigned_tx_b64, vector.name)
})

t.test('the result of a command reads alike in both of its forms', async (t) => {
  const { effects } = promiseOf(vectorOf('stake from'))
  const plain: Draft = { ...stake, commands: [stake.commands[0]!, moveCall(addStake, [input(1), result(0), input(2)])] }
  t.notSame(craftOf(plain), craftOf(stake))
  t.strictSame(decode(plain, effects), decode(stake, effects))
  const second: Draft = { ...stake, commands: [stake.commands[0]!, moveCall(addStake, [input(1), nested(0, 1), input(2)])] }
  t.equal(decode(second, effects).calls[1]!.args.stake, 'Result(0,1)', 'but no other result does')
})

t.test('arguments are read by the types that are expected, whatever they are', async (t) => {
  const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
  const hex = (length: { readonly minLength: number; readonly maxLength: number }) =>
    fc.uint8Array(length).map((data) => `0x${Buffer.from(data).toString('hex')}`)
  const id = hex({ minLength: 32, maxLength: 32 })
  const kinds: Readonly<Record<string, readonly [fc.Arbitrary<Value>, (value: never) => Uint8Array]>> = {
    u8: [uint(8n), (value: bigint) => Uint8Array.of(Number(value))],
    u16: [uint(16n), (value: bigint) => u16(Number(value))],
    u32: [uint(32n), (value: bigint) => u32(Number(value))],
    u64: [uint(64n), u64],
    bool: [fc.boolean(), (value: boolean) => Uint8Array.of(value ? 1 : 0)],
    address: [id, address],
    id: [id, address],
    bytes: [hex({ minLength: 0, maxLength: 300 }), (value: string) => block(Buffer.from(value.slice(2), 'hex'))],
  }
  for (const [kind, [values, write]] of Object.entries(kinds)) {
    t.doesNotThrow(
      () =>
        fc.assert(
          fc.property(values, (value) => calling([pure(write(value as never))], [input(0)], `f(${kind} it)`).args.it === value),
          { numRuns: 50 },
        ),
      kind,
    )
    const [sample] = fc.sample(values, 1)
    const data = write(sample as never)
    t.throws(() => calling([pure(Buffer.concat([data, Uint8Array.of(0)]))], [input(0)], `f(${kind} it)`), {
      message: /none may be left over/,
    })
    t.throws(() => calling([pure(data.subarray(0, -1))], [input(0)], `f(${kind} it)`), { message: /ends within/ })
    t.throws(() => calling([staked], [input(0)], `f(${kind} it)`), { message: /is 0x3333.*; it must be a pure value of type/ })
    t.throws(() => calling([], [GAS], `f(${kind} it)`), { message: /is GasCoin; it must be a pure value of type/ })
  }
  t.throws(() => calling([pure(Uint8Array.of(2))], [input(0)], 'f(bool it)'), { message: /is 2; it must be 0 or 1/ })
  t.throws(() => calling([pure(Uint8Array.of(0x81, 0, 7))], [input(0)], 'f(bytes it)'), { message: /in as few as possible/ })
})

t.test('objects, results and withdrawals are read as what they are', async (t) => {
  const withdraw = withdrawal(7n, SUI)
  t.equal(calling([staked], [input(0)], 'f(object it)').args.it, STAKED)
  t.equal(calling([staked], [input(0)], 'f(argument it)').args.it, STAKED)
  t.equal(calling([], [GAS], 'f(argument it)').args.it, 'GasCoin')
  t.equal(calling([withdraw], [input(0)], 'f(argument it)').args.it, `Withdrawal(7,${SUI_TYPE},sender)`)
  t.equal(calling([withdrawal(7n, SUI, Uint8Array.of(1))], [input(0)], 'f(argument it)').args.it, `Withdrawal(7,${SUI_TYPE},sponsor)`)
  t.throws(() => calling([], [GAS], 'f(object it)'), {
    message: /argument it of command 0 is GasCoin; it must be an input that is an object/,
  })
  t.throws(() => calling([withdraw], [input(0)], 'f(object it)'), { message: /it must be an input that is an object/ })
  t.throws(() => calling([amount], [input(0)], 'f(object it)'), { message: /is pure 0x002f6859.*an input that is an object/ })
  t.throws(() => calling([amount], [input(0)], 'f(argument it)'), {
    message: /it must be the gas coin, a result, an object or a withdrawal/,
  })
})

t.test('one input may be used often, but as one type only', async (t) => {
  const twice = calling([validator], [input(0), input(0)], 'f(address from, address to)')
  t.strictSame(twice.args, { from: VALIDATOR, to: VALIDATOR })
  t.throws(() => calling([validator], [input(0), input(0)], 'f(address from, id to)'), {
    code: 'DECODE_FAILED',
    message: /input 0 is used as address and, by argument to of command 0, as id/,
  })
  const shorter = pure(Uint8Array.of(1))
  t.throws(() => calling([shorter], [input(0), input(0)], 'f(u8 from, bool to)'), { message: /used as u8 and.* as bool/ })
})

t.test('types are read with all of their digits, and compared without regard to spaces', async (t) => {
  const pair = struct('0x2', 'pair', 'Pair', struct('0x9', 'a', 'A'), Uint8Array.of(6, 6, 2))
  const text = `${full('0x2')}::pair::Pair<${full('0x9')}::a::A,vector<vector<u64>>>`
  t.equal(calling([], [], `f<${text}>()`, [pair]).method, `f<${text}>()`)
  t.equal(calling([], [], `f<${text}, bool>()`, [pair, Uint8Array.of(0)]).method, `f<${text}, bool>()`)
  t.equal(calling([], [], 'f()', [pair]).method, `unknown f<${text}>`)
  const plain = ['bool', 'u8', 'u64', 'u128', 'address', 'signer', '', '', 'u16', 'u32', 'u256']
  for (const [tag, name] of plain.entries()) {
    if (name !== '') t.equal(calling([], [], 'g()', [Uint8Array.of(tag)]).method, `unknown f<${name}>`)
  }
})

t.test('types that are nested too deep, or of no kind, are refused', async (t) => {
  const deep = (levels: number) => Uint8Array.from([...Array.from({ length: levels - 1 }, () => 6), 1])
  t.match(calling([], [], 'g()', [deep(16)]).method, /^unknown f<vector<vector</)
  t.throws(() => calling([], [], 'g()', [deep(17)]), { code: 'DECODE_FAILED', message: /nested more than 16 levels deep/ })
  t.throws(() => calling([], [], 'g()', [deep(100_000)]), { code: 'DECODE_FAILED' })
  t.throws(() => calling([], [], 'g()', [Uint8Array.of(11)]), { message: /type 0 of command 0 is of kind 11/ })
})

t.test('a function other than the expected one becomes a call that says so', async (t) => {
  const raw = ['pure 0x002f685900000000', full('0x5'), 'GasCoin']
  const inputs = [amount, system]
  const args = [input(0), input(1), GAS]
  for (const method of ['g(u64 a, object b, argument c)', 'f(u64 a, object b)', 'f<u8>(u64 a, object b, argument c)', 'f()']) {
    t.strictSame(calling(inputs, args, method), { target: `${full('0x7')}::m`, method: 'unknown f', args: { arguments: raw }, value: 0n })
  }
  t.equal(calling(inputs, args, 'f(u64 a, object b, argument c)').method, 'f(u64 a, object b, argument c)')
  const alone = decode({ ...unstake }, expecting()).calls[0]!
  t.equal(alone.method, 'unknown request_withdraw_stake')
  const foreign = { ...unstake, commands: [moveCall('0x3::ptb::SplitCoins', [input(0), input(1)])] }
  t.equal(decode(foreign, expecting(['ptb', 'SplitCoins(argument coin, u64[] amounts)'])).calls[0]!.method, 'unknown SplitCoins')
})

t.test('a long pure value of an unknown call is not shown whole', async (t) => {
  const [shown] = calling([pure(new Uint8Array(1000))], [input(0)], 'g()').args.arguments as readonly string[]
  t.equal(shown, `pure 0x${'00'.repeat(64)}… (1000 bytes)`)
})

t.test('coins that are merged, split and transferred are calls', async (t) => {
  const draft: Draft = {
    ...stake,
    inputs: [staked, amount, validator],
    commands: [
      split(input(0), [input(1), input(1)]),
      merge(GAS, [nested(0, 0), result(0)]),
      transfer([nested(0, 1), input(0), GAS], input(2)),
      transfer([], input(2)),
    ],
  }
  t.strictSame(
    decode(draft).calls.map(({ target, method, args, value }) => [target, method, args, value]),
    [
      ['ptb', 'SplitCoins(argument coin, u64[] amounts)', { coin: STAKED, amounts: [AMOUNT, AMOUNT] }, 0n],
      ['ptb', 'MergeCoins(argument into, argument[] coins)', { into: 'GasCoin', coins: ['Result(0,0)', 'Result(0,0)'] }, 0n],
      [
        'ptb',
        'TransferObjects(argument[] objects, address recipient)',
        { objects: ['Result(0,1)', STAKED, 'GasCoin'], recipient: VALIDATOR },
        0n,
      ],
      ['ptb', 'TransferObjects(argument[] objects, address recipient)', { objects: [], recipient: VALIDATOR }, 0n],
    ],
  )
  t.throws(() => decode({ ...draft, commands: [split(GAS, [GAS])] }), { message: /amount 0 of command 0 is GasCoin; it must be a pure/ })
  t.throws(() => decode({ ...draft, commands: [split(input(1), [])] }), { message: /the coin of command 0 is pure/ })
  t.throws(() => decode({ ...draft, commands: [split(GAS, [input(2)])] }), { message: /32 bytes, of which 8 are read/ })
  t.throws(() => decode({ ...draft, commands: [transfer([GAS], input(0))] }), { message: /the recipient of command 0 is 0x33/ })
})

t.test('commands that staking does not need are calls that say so', async (t) => {
  const inputs = [staked]
  const cases: readonly (readonly [Uint8Array, string, Readonly<Record<string, Value>>])[] = [
    [makeVector(SUI, [input(0), GAS]), 'unknown MakeMoveVec', { type: SUI_TYPE, arguments: [STAKED, 'GasCoin'] }],
    [makeVector(null, [input(0)]), 'unknown MakeMoveVec', { arguments: [STAKED] }],
    [
      publish([Uint8Array.of(1, 2)], ['0x1', '0x2']),
      'unknown Publish',
      { modules: 1n, dependencies: [full('0x1'), full('0x2')], arguments: [] },
    ],
    [
      upgrade([Uint8Array.of(1)], ['0x1'], '0x8', input(0)),
      'unknown Upgrade',
      { modules: 1n, dependencies: [full('0x1')], package: full('0x8'), arguments: [STAKED] },
    ],
  ]
  for (const [command, method, args] of cases) {
    const used = transfer([input(0)], input(1))
    const { calls } = decode({ ...stake, inputs: [...inputs, validator], commands: [command, used] })
    t.strictSame(calls[0], { target: 'ptb', method, args, value: 0n }, method)
    t.match(calls[1]!.method, /^TransferObjects/, 'and what follows is read')
  }
})

t.test('who pays for the gas signs, too', async (t) => {
  t.strictSame(decode({ ...stake, owner: THIEF }).signers, [SENDER, THIEF])
  t.strictSame(decode({ ...stake, sender: THIEF }).signers, [THIEF, SENDER])
  t.strictSame(decode({ ...stake, sender: THIEF, owner: THIEF }).signers, [THIEF])
})

t.test('the gas is read with its payment in order', async (t) => {
  const { terms, maxFee } = decode({ ...stake, payment: coins.toReversed(), price: 2n ** 64n - 1n, budget: 1n })
  t.equal(maxFee, 1n)
  t.equal(terms.gasPrice, 2n ** 64n - 1n)
  t.equal(terms.gasBudget, 1n)
  t.match(terms.gasPayment, /^0x2222.*@9#8qbH.*,0x1111.*@7#4vJ9/)
  t.equal(decode(balance).terms.gasPayment, 'address-balance')
})

t.test('a reservation of the address balance is a gas coin with the version 0', async (t) => {
  const { id, digest } = coinReservation
  const { terms } = decode({ ...stake, payment: [reference(id, 0n, digest), ...coins] })
  t.match(terms.gasPayment, new RegExp(`^${id}@0#${digest},0x1111`))
})

t.test('gas that costs nothing is refused', async (t) => {
  t.throws(() => decode({ ...stake, price: 0n }), { code: 'DECODE_FAILED', message: 'the gas price is 0; it must be positive' })
  t.throws(() => decode({ ...stake, budget: 0n }), { code: 'DECODE_FAILED', message: 'the gas budget is 0; it must be positive' })
})

t.test('the state of every object is a term', async (t) => {
  const inputs = [system, shared('0x6', 2n ** 63n, 0), owned('0x7', 0n, STATES[1]), validator]
  const { terms } = decode({ ...stake, inputs, commands: [transfer([input(0), input(1), input(2)], input(3))] })
  t.equal(terms[`object:${full('0x5')}`], 'shared@1:mut')
  t.equal(terms[`object:${full('0x6')}`], 'shared@9223372036854775808:const')
  t.equal(terms[`object:${full('0x7')}`], `owned@0#${STATES[1]}`)
  t.strictSame(Object.keys(terms).length, 7)
})

t.test('the expiration is a term, and names the chain where it does', async (t) => {
  const read = (expiration: Uint8Array, network = MAINNET) => {
    const { chainId, terms } = decode({ ...stake, expiration }, expecting(), network)
    return [terms.expiration, chainId]
  }
  const during = validDuring([0n, 2n ** 64n - 1n, null, null], MAINNET.chainIdentifier, 2 ** 32 - 1)
  t.strictSame(read(epoch(0n)), ['epoch:0', null])
  t.strictSame(read(epoch(2n ** 64n - 1n)), ['epoch:18446744073709551615', null])
  t.strictSame(read(during), ['valid-during:0-18446744073709551615:4294967295', 'mainnet'])
  t.strictSame(read(during, TESTNET), ['valid-during:0-18446744073709551615:4294967295', `unknown ${MAINNET.chainIdentifier}`])
})

t.test('an expiration of another kind, without epochs or with times is refused', async (t) => {
  const { chainIdentifier } = MAINNET
  const cases: readonly (readonly [RegExp, Uint8Array])[] = [
    [/has no first epoch/, validDuring([null, 9n, null, null], chainIdentifier, 1)],
    [/has no last epoch/, validDuring([9n, null, null, null], chainIdentifier, 1)],
    [/bounded by the time 5/, validDuring([9n, 9n, 5n, null], chainIdentifier, 1)],
    [/bounded by the time 0/, validDuring([9n, 9n, null, 0n], chainIdentifier, 1)],
    [/the chain has 31 bytes; it must have 32/, Buffer.concat([Uint8Array.of(2, 0, 0, 0, 0, 31), new Uint8Array(31), u32(1)])],
    [/whether the first epoch is there.* is 2; it must be 0 or 1/, Uint8Array.of(2, 2)],
    // The newest kind, which names those who may propose the transaction.
    [/of kind 3/, Buffer.concat([Uint8Array.of(3), validDuring([9n, 9n, null, null], chainIdentifier, 1).subarray(1), Uint8Array.of(0)])],
    [/of kind 255/, Uint8Array.of(255, 1)],
  ]
  for (const [message, expiration] of cases) {
    t.throws(() => decode({ ...stake, expiration }), { code: 'DECODE_FAILED', message }, String(message))
  }
})

t.test('an expected method that is no function is refused', async (t) => {
  const cases = [
    '',
    'f',
    'f(',
    'f()x',
    'f(u64)',
    'f(u64 a,u64 b)',
    'f(u128 a)',
    'f(u64[] a)',
    'f(__proto__ a)',
    'f(u64 a, u64 a)',
    'f<>()',
    'f <u8>()',
    '1f()',
    'f(u64 1a)',
    'f(u64 a)(u64 b)',
    'f\n()',
  ]
  for (const method of cases) t.throws(() => calling([], [], method), { code: 'DECODE_FAILED', message: /method|parameter/ }, method)
  const args = calling([amount], [input(0)], 'f(u64 __proto__)').args
  t.ok(Object.hasOwn(args, '__proto__'), 'and a parameter of any name is an argument')
  t.equal(Object.entries(args)[0]![1], AMOUNT)
})

const SYSTEM = `0x${'3'.padStart(64, '0')}::sui_system`

t.test('what is no layout is passed over or refused, never taken for one', async (t) => {
  for (const functions of [[], [null], [7], [{}], [{ target: 7, method: 'f()' }], [{ target: SYSTEM, method: 7 }]]) {
    const { calls } = decodeMove(craftOf(unstake), functions as never, MAINNET)
    t.equal(calls[0]!.method, 'unknown request_withdraw_stake')
  }
  t.throws(() => decodeMove(craftOf(unstake), 7 as never, MAINNET), { code: 'DECODE_FAILED', message: /^layouts is 7/ })
})

t.test('a function is read by its layout wherever it stands, and by one only', async (t) => {
  const method = 'request_withdraw_stake(object system, object stakedSui)'
  const others = [
    { target: SYSTEM, method: 'other(u64 a)' },
    { target: `${SYSTEM}_other`, method: 'request_withdraw_stake(object a, object b)' },
  ]
  const read = (...functions: readonly MoveFunction[]) => decodeMove(craftOf(unstake), functions, MAINNET).calls[0]!.method
  t.equal(read(...others, { target: SYSTEM, method }), method)
  t.equal(read(...others), 'unknown request_withdraw_stake')
  t.equal(read({ target: SYSTEM, method }, { target: SYSTEM, method }), method)
  const renamed = { target: SYSTEM, method: 'request_withdraw_stake(object system, object other)' }
  t.throws(() => read({ target: SYSTEM, method }, renamed), { code: 'DECODE_FAILED', message: /are of the same function/ })
})

t.test('facts of a network that cannot be any are refused', async (t) => {
  const { chainIdentifier } = MAINNET
  const cases: readonly (readonly [RegExp, unknown])[] = [
    [/network is null/, null],
    [/network is "mainnet"/, 'mainnet'],
    [/network.chainId is undefined/, { chainIdentifier }],
    [/network.chainId is ""/, { chainId: '', chainIdentifier }],
    [/network.chainId is "unknown x"/, { chainId: 'unknown x', chainIdentifier }],
    [/network.chainIdentifier is undefined/, { chainId: 'mainnet' }],
    [/network.chainIdentifier is "35834a8a"/, { chainId: 'mainnet', chainIdentifier: '35834a8a' }],
    [/network.chainIdentifier is 7/, { chainId: 'mainnet', chainIdentifier: 7 }],
  ]
  for (const [message, network] of cases) {
    t.throws(() => decodeMove(craftOf(stake), expecting().calls, network as never), { code: 'DECODE_FAILED', message })
  }
})
