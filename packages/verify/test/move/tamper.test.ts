import t from 'tap'
import type { Call, Effects } from '../../src/index.ts'
import { type MoveCraft, verifyMove } from '../../src/move/index.ts'
import {
  AMOUNT,
  addStake,
  amount,
  COIN,
  coins,
  craft,
  draftOf,
  FUNGIBLE,
  MAINNET,
  type MoveVector,
  promiseOf,
  SENDER,
  STAKED,
  STATES,
  staked,
  system,
  TESTNET,
  THIEF,
  VALIDATOR,
  validator,
  vectorOf,
  vectors,
  withdrawStake,
} from './support/vectors.ts'
import {
  address,
  craftOf,
  type Draft,
  epoch,
  full,
  GAS,
  input,
  makeVector,
  merge,
  moveCall,
  NONE,
  nested,
  owned,
  publish,
  pure,
  receiving,
  reference,
  result,
  SUI,
  shared,
  split,
  struct,
  transfer,
  u32,
  u64,
  upgrade,
  validDuring,
  wire,
  withdrawal,
} from './support/write.ts'

const STAKE = vectorOf('stake from')
const BALANCE = vectorOf('stake and gas')
const UNSTAKE = vectorOf('unstake')
const REDEEM = vectorOf('redeem')
const thief = pure(address(THIEF))
const other = owned(THIEF, 3n, STATES[0])

function differences(vector: MoveVector, given: MoveCraft, network = MAINNET) {
  const { effects, bounds } = promiseOf(vector)
  return verifyMove(given, effects, bounds, network)
}

const paths = (vector: MoveVector, given: MoveCraft) => differences(vector, given).map(({ path }) => path)
const bytesOf = (data: Uint8Array): MoveCraft => ({ unsigned_tx_b64: Buffer.from(data).toString('base64') })
const changed = (vector: MoveVector, change: Partial<Draft>) => craftOf({ ...draftOf(vector), ...change })
/** Where the vector differs when some of its parts are others. */
const where = (vector: MoveVector, change: Partial<Draft>) => paths(vector, changed(vector, change))

/** Why the transaction is refused as a whole; empty when it is not. */
function reason(vector: MoveVector, change: Partial<Draft>): string {
  const [first, ...rest] = differences(vector, changed(vector, change))
  return first?.path === 'bytes' && rest.length === 0 ? first.found : ''
}

t.test('every vector does what was promised, with its terms and without', async (t) => {
  for (const vector of vectors) {
    const { effects, bounds } = promiseOf(vector)
    t.strictSame(verifyMove(craft(vector), effects, bounds, MAINNET), [], vector.name)
    const { terms: _, ...loose } = bounds
    t.strictSame(verifyMove(craft(vector), effects, loose, MAINNET), [])
  }
})

t.test('any other bit is noticed', async (t) => {
  for (const vector of vectors) {
    const whole = wire(draftOf(vector))
    const accepted = new Set<number>()
    for (let at = 0; at < whole.length; at++) {
      for (const mask of [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff]) {
        const given = Buffer.from(whole)
        given[at]! ^= mask
        if (paths(vector, bytesOf(given)).length === 0) accepted.add(at)
      }
    }
    t.strictSame([...accepted], [], vector.name)
  }
})

t.test('a byte more or less, anywhere, is noticed', async (t) => {
  for (const vector of vectors) {
    const whole = wire(draftOf(vector))
    const accepted: number[] = []
    for (let at = 0; at <= whole.length; at++) {
      const [front, back] = [whole.subarray(0, at), whole.subarray(at)]
      const given = [
        Buffer.concat([front, back.subarray(1)]),
        ...[0, 1, 0xff, whole[at] ?? 7].map((put) => Buffer.concat([front, Uint8Array.of(put), back])),
        front,
      ].filter((each) => !each.equals(whole))
      if (given.some((each) => paths(vector, bytesOf(each)).length === 0)) accepted.push(at)
    }
    t.strictSame(accepted, [], vector.name)
  }
})

t.test('a number in more bytes than it needs is noticed, wherever it stands', async (t) => {
  for (const vector of vectors) {
    const whole = wire(draftOf(vector))
    const accepted: number[] = []
    for (let at = 0; at < whole.length; at++) {
      for (const tail of [[0], [0x80, 0], [0x80, 0x80, 0x80, 0]]) {
        const given = Buffer.concat([whole.subarray(0, at), Uint8Array.of(whole[at]! | 0x80, ...tail), whole.subarray(at + 1)])
        if (paths(vector, bytesOf(given)).length === 0) accepted.push(at)
      }
    }
    t.strictSame(accepted, [], vector.name)
  }
})

/** Commands that a thief would add, all signed with the signature that the wallet gives anyway. `base` is where the added inputs begin. */
type Hidden = readonly [found: string, inputs: readonly Uint8Array[], commands: (base: number) => readonly Uint8Array[]]
const HIDDEN: readonly Hidden[] = [
  ['TransferObjects(', [thief], (base) => [transfer([GAS], input(base))]],
  ['TransferObjects(', [thief, other], (base) => [transfer([input(base + 1)], input(base))]],
  ['TransferObjects(', [thief], (base) => [transfer([nested(0, 0)], input(base))]],
  ['SplitCoins(', [amount, thief], (base) => [split(GAS, [input(base)]), transfer([result(0)], input(base + 1))]],
  ['MergeCoins(', [other], (base) => [merge(input(base), [GAS])]],
  ['MergeCoins(', [], () => [merge(GAS, [GAS])]],
  ['unknown MakeMoveVec', [other], (base) => [makeVector(null, [input(base)])]],
  ['unknown MakeMoveVec', [], () => [makeVector(SUI, [])]],
  ['unknown Publish', [], () => [publish([Uint8Array.of(1)], ['0x1', '0x2'])]],
  ['unknown Upgrade', [other], (base) => [upgrade([Uint8Array.of(1)], ['0x2'], '0x9', input(base))]],
  [
    'unknown public_transfer',
    [other, thief],
    (base) => [moveCall('0x2::transfer::public_transfer', [input(base), input(base + 1)], [SUI])],
  ],
  [
    'unknown split_staked_sui',
    [other, amount],
    (base) => [moveCall('0x3::staking_pool::split_staked_sui', [input(base), input(base + 1)])],
  ],
  ['unknown send_funds', [thief], (base) => [moveCall('0x2::coin::send_funds', [GAS, input(base)], [SUI])]],
  ['unknown redeem_funds', [withdrawal(9n, SUI)], (base) => [moveCall('0x2::coin::redeem_funds', [input(base)], [SUI])]],
  ['unknown drain', [], () => [moveCall('0xbad::thief::drain', [GAS])]],
  ['unknown request_add_stake', [thief], (base) => [moveCall(addStake, [GAS, GAS, input(base)])]],
  ['unknown request_withdraw_stake', [other], (base) => [moveCall(withdrawStake, [input(base), input(base)])]],
]

t.test('a command hidden at the end is reported, with what it is', async (t) => {
  for (const vector of vectors) {
    const { effects, bounds } = promiseOf(vector)
    const { terms: _, ...loose } = bounds
    const { inputs, commands } = draftOf(vector)
    for (const [found, added, hide] of HIDDEN) {
      const hidden = hide(inputs.length)
      const given = changed(vector, { inputs: [...inputs, ...added], commands: [...commands, ...hidden] })
      const mismatches = verifyMove(given, effects, loose, MAINNET)
      const name = found.replace('unknown ', '')
      if (found !== name && effects.calls.some(({ method }) => method.startsWith(name))) {
        // A function that is expected once is read again as what it is, or not at all.
        t.match(
          mismatches,
          [{ path: /^(?:bytes|calls\[2\]|calls\[1\])$/, found: /^(?:argument system|request_|redeem_funds)/ }],
          `${vector.name}: ${found}`,
        )
        continue
      }
      t.strictSame(
        mismatches.map(({ path, expected }) => [path, expected]),
        hidden.map((_, i) => [`calls[${commands.length + i}]`, 'nothing']),
        `${vector.name}: ${found}`,
      )
      t.ok(mismatches[0]!.found.startsWith(found), mismatches[0]!.found)
    }
  }
})

t.test('a command hidden between the others, or before them, is reported', async (t) => {
  for (const vector of vectors) {
    const { inputs, commands } = draftOf(vector)
    for (const [, added, hide] of HIDDEN) {
      for (let at = 0; at < commands.length; at++) {
        const given = where(vector, {
          inputs: [...inputs, ...added],
          commands: [...commands.slice(0, at), ...hide(inputs.length), ...commands.slice(at)],
        })
        t.ok(given.includes(`calls[${commands.length}]`) || given.join() === 'bytes', `${vector.name}: ${given.join()}`)
      }
    }
  }
})

t.test('commands in another order, twice, or left out are reported', async (t) => {
  for (const vector of vectors) {
    const { commands } = draftOf(vector)
    const count = commands.length
    t.strictSame(where(vector, { commands: [...commands, commands[count - 1]!] }), [`calls[${count}]`], vector.name)
    const left = where(vector, { commands: commands.slice(0, -1) })
    t.strictSame(left, ['bytes'], 'what it used is not used any more, or nothing is left')
    if (count > 1) t.not(where(vector, { commands: commands.toReversed() }).length, 0)
  }
})

t.test('another amount, validator, object or recipient is all that is reported', async (t) => {
  const { inputs, commands } = draftOf(REDEEM)
  const cases: readonly (readonly [MoveVector, Partial<Draft>, readonly string[]])[] = [
    [STAKE, { inputs: [pure(u64(AMOUNT + 1n)), system, validator] }, ['calls[0].args.amounts[0]']],
    [STAKE, { inputs: [pure(u64(AMOUNT - 1n)), system, validator] }, ['calls[0].args.amounts[0]']],
    [STAKE, { inputs: [amount, system, thief] }, ['calls[1].args.validator']],
    [BALANCE, { inputs: [withdrawal(AMOUNT + 1n, SUI), system, validator] }, ['calls[0].args.withdrawal']],
    [BALANCE, { inputs: [withdrawal(AMOUNT, struct('0xbad', 'sui', 'SUI')), system, validator] }, ['calls[0].args.withdrawal']],
    [BALANCE, { inputs: [withdrawal(AMOUNT, SUI, Uint8Array.of(1)), system, validator] }, ['calls[0].args.withdrawal']],
    [BALANCE, { inputs: [withdrawal(AMOUNT, SUI), system, thief] }, ['calls[1].args.validator']],
    [REDEEM, { inputs: [inputs[0]!, inputs[1]!, thief] }, ['calls[2].args.recipient']],
    [REDEEM, { commands: [commands[0]!, commands[1]!, transfer([nested(0, 0)], input(2))] }, ['calls[2].args.objects[0]']],
    [REDEEM, { commands: [commands[0]!, commands[1]!, transfer([nested(1, 0), GAS], input(2))] }, ['calls[2].args.objects']],
    [REDEEM, { commands: [commands[0]!, commands[1]!, transfer([], input(2))] }, ['calls[2].args.objects']],
  ]
  for (const [vector, change, expected] of cases) t.strictSame(where(vector, change), expected)
})

t.test('another object, or the right one in another state, is reported', async (t) => {
  const moved = (vector: MoveVector, second: Uint8Array) => where(vector, { inputs: [system, second, ...draftOf(vector).inputs.slice(2)] })
  t.strictSame(moved(UNSTAKE, other), ['calls[0].args.stakedSui', `terms["object:${STAKED}"]`, `terms["object:${THIEF}"]`])
  t.strictSame(moved(REDEEM, staked), ['calls[0].args.stakedSui', `terms["object:${FUNGIBLE}"]`, `terms["object:${STAKED}"]`])
  t.strictSame(moved(UNSTAKE, owned(STAKED, 13n, STATES[2])), [`terms["object:${STAKED}"]`])
  t.strictSame(moved(UNSTAKE, owned(STAKED, 12n, STATES[3])), [`terms["object:${STAKED}"]`])
  t.strictSame(moved(UNSTAKE, shared(STAKED, 12n)), [`terms["object:${STAKED}"]`])
  const place = `terms["object:${full('0x5')}"]`
  for (const given of [shared('0x5', 1n, 0), shared('0x5', 2n), owned('0x5', 1n, STATES[0])]) {
    t.strictSame(where(UNSTAKE, { inputs: [given, staked] }), [place])
  }
  const swapped = where(UNSTAKE, { commands: [moveCall(withdrawStake, [input(1), input(0)])] })
  t.strictSame(swapped, ['calls[0].args.system', 'calls[0].args.stakedSui'])
})

t.test('the whole gas coin in the place of the part that was split off is reported', async (t) => {
  const [first] = draftOf(STAKE).commands
  const add = (stake: Uint8Array) => where(STAKE, { commands: [first!, moveCall(addStake, [input(1), stake, input(2)])] })
  t.strictSame(add(GAS), ['calls[1].args.stake'])
  t.strictSame(add(nested(0, 1)), ['calls[1].args.stake'])
  t.strictSame(add(result(0)), [], 'the other form of the same result is the same')
  const more = where(STAKE, { commands: [split(GAS, [input(0), input(0)]), moveCall(addStake, [input(1), nested(0, 0), input(2)])] })
  t.strictSame(more, ['calls[0].args.amounts'])
  const elsewhere: Partial<Draft> = {
    inputs: [amount, system, validator, other],
    commands: [split(input(3), [input(0)]), moveCall(addStake, [input(1), nested(0, 0), input(2)])],
  }
  t.strictSame(where(STAKE, elsewhere), ['calls[0].args.coin', `terms["object:${THIEF}"]`])
})

t.test('the same function of another package or module is reported', async (t) => {
  const args = [input(0), input(1)]
  const call = (target: string) => where(UNSTAKE, { commands: [moveCall(target, args)] })
  t.strictSame(call('0xbad::sui_system::request_withdraw_stake').slice(0, 2), ['calls[0].target', 'calls[0].method'])
  t.strictSame(call('0x3::sui_systen::request_withdraw_stake').slice(0, 2), ['calls[0].target', 'calls[0].method'])
  t.strictSame(call('0x3::Sui_system::request_withdraw_stake').slice(0, 2), ['calls[0].target', 'calls[0].method'])
  t.strictSame(
    call(`0x3${'0'.repeat(63)}::sui_system::request_withdraw_stake`).slice(0, 2),
    ['calls[0].target', 'calls[0].method'],
    'with its digits at the other end',
  )
})

t.test('another function of the same module is reported', async (t) => {
  const args = [input(0), input(1)]
  for (const name of [
    'request_withdraw_stake_non_entry',
    'request_withdraw_stak',
    'Request_withdraw_stake',
    'convert_to_fungible_staked_sui',
  ]) {
    const mismatches = differences(UNSTAKE, changed(UNSTAKE, { commands: [moveCall(`0x3::sui_system::${name}`, args)] }))
    t.match(mismatches[0], { path: 'calls[0].method', found: `unknown ${name}` })
  }
  const kept = [
    draftOf(STAKE).commands[0]!,
    moveCall('0x3::sui_system::request_add_stake_non_entry', [input(1), nested(0, 0), input(2)]),
    transfer([nested(1, 0)], input(3)),
  ]
  const given = where(STAKE, { inputs: [...draftOf(STAKE).inputs, thief], commands: kept })
  t.ok(given.includes('calls[1].method') && given.includes('calls[2]'), given.join())
  const many = [
    draftOf(STAKE).commands[0]!,
    makeVector(null, [nested(0, 0), GAS]),
    moveCall('0x3::sui_system::request_add_stake_mul_coin', [input(1), nested(1, 0), input(3), input(2)]),
  ]
  const vector = where(STAKE, { inputs: [...draftOf(STAKE).inputs, pure(Uint8Array.of(0))], commands: many })
  t.ok(vector.includes('calls[1].method') && vector.includes('calls[2]'), vector.join())
})

t.test('a name that would read like something else is refused', async (t) => {
  const args = [input(0), input(1)]
  const [module, name] = ['sui_system', 'request_withdraw_stake']
  const cases = [
    ['sui_system::x', name],
    [module, `${name}(object system, object stakedSui)`],
    [module, `${name}<u8>`],
    [module, `${name} `],
    [module, `${name}\0`],
    [module, ''],
    ['', name],
    [module, '_'],
    [module, '1request'],
    ['ѕui_system', name],
    [module, 'request_withdraw_stаke'],
  ] as const
  const correct = moveCall(withdrawStake, args)
  for (const [m, f] of cases) {
    const text = (value: string) => Buffer.concat([Uint8Array.of(Buffer.byteLength(value)), Buffer.from(value)])
    const command = Buffer.concat([correct.subarray(0, 33), text(m), text(f), correct.subarray(33 + 1 + module.length + 1 + name.length)])
    t.match(reason(UNSTAKE, { commands: [command] }), /it must be a name of letters, digits and underscores/, `${m}::${f}`)
  }
})

t.test('other types, or types where there are none, are reported', async (t) => {
  const [first, , last] = draftOf(REDEEM).commands
  const balance = (...types: readonly Uint8Array[]) => {
    const commands = [first!, moveCall('0x2::coin::from_balance', [nested(0, 0)], types), last!]
    return differences(REDEEM, changed(REDEEM, { commands }))
  }
  for (const types of [
    [struct('0xbad', 'sui', 'SUI')],
    [struct('0x2', 'sui', 'SUI2')],
    [struct('0x2', 'sui', 'SUI', SUI)],
    [struct('0x2', 'coin', 'Coin', SUI)],
    [Uint8Array.of(6, ...SUI)],
    [SUI, SUI],
    [],
  ]) {
    const [method, ...rest] = balance(...types)
    t.equal(method?.path, 'calls[1].method')
    t.match(method?.found, /^unknown from_balance/)
    t.ok(rest.every(({ path }) => path.startsWith('calls[1].args')))
  }
  t.strictSame(balance(SUI), [])
  const typed = where(UNSTAKE, { commands: [moveCall(withdrawStake, [input(0), input(1)], [SUI])] })
  t.ok(typed.includes('calls[0].method'), typed.join())
})

t.test('an argument too many or too few is reported', async (t) => {
  for (const args of [
    [input(0), input(1), input(1)],
    [input(0), input(1), GAS],
    [input(1), input(0), input(0)],
  ]) {
    t.equal(where(UNSTAKE, { commands: [moveCall(withdrawStake, args)] })[0], 'calls[0].method')
  }
  t.match(reason(UNSTAKE, { commands: [moveCall(withdrawStake, [input(0)])] }), /input 1 is not used by any command; it must not be there/)
})

t.test('an argument of another kind than the expected one is refused', async (t) => {
  const [first] = draftOf(STAKE).commands
  const args: readonly Uint8Array[] = [input(1), nested(0, 0), input(2)]
  const instead = (at: number, argument: Uint8Array) =>
    reason(STAKE, { commands: [first!, moveCall(addStake, args.with(at, argument)), transfer([], input(2)), moveCall(addStake, args)] })
  t.match(instead(0, GAS), /argument system of command 1 is GasCoin; it must be an input that is an object/)
  t.match(instead(0, nested(0, 0)), /argument system of command 1 is Result\(0,0\)/)
  t.match(instead(0, input(2)), /argument system of command 1 is pure 0xabab/)
  t.match(instead(1, input(0)), /argument stake of command 1 is pure 0x002f/)
  t.match(instead(2, GAS), /argument validator of command 1 is GasCoin; it must be a pure value of type address/)
  t.match(instead(2, input(1)), /argument validator of command 1 is 0x0000/)
  t.match(instead(2, input(0)), /input 0 is used as u64 and, by argument validator of command 1, as address/)
})

t.test('inputs that are not used, twice there, or not there are refused', async (t) => {
  for (const vector of vectors) {
    const { inputs, commands } = draftOf(vector)
    for (const extra of [thief, amount, other, shared('0x6', 1n, 0), withdrawal(9n, SUI), pure(new Uint8Array())]) {
      t.match(reason(vector, { inputs: [...inputs, extra] }), new RegExp(`input ${inputs.length} is not used by any command`), vector.name)
    }
    for (const again of [system, shared('0x5', 1n, 0), owned('0x5', 9n, STATES[0])]) {
      const given = { inputs: [...inputs, again], commands: [...commands, makeVector(null, [input(inputs.length)])] }
      t.match(reason(vector, given), /is the object 0x0{63}5, as input \d is; each must be named once/)
    }
    const beyond = [...commands, merge(GAS, [input(inputs.length)])]
    t.match(reason(vector, { commands: beyond }), new RegExp(`is input ${inputs.length} of ${inputs.length}; it must be below`))
  }
})

t.test('a gas coin named twice, or that is an input, too, is refused', async (t) => {
  const { payment } = draftOf(UNSTAKE)
  t.match(reason(UNSTAKE, { payment: [...payment, payment[0]!] }), /gas coin 2 is the object 0x1111.*, as gas coin 0 is/)
  t.match(reason(UNSTAKE, { payment: [...payment, reference(STAKED, 12n, STATES[2])] }), /gas coin 2 is the object 0x3333.*, as input 1 is/)
})

t.test('an object that is received, or written to without order, is refused', async (t) => {
  t.match(reason(UNSTAKE, { inputs: [system, receiving(STAKED, 12n, STATES[2])] }), /input 1 is an object of kind 2, receiving; it must be/)
  t.match(
    reason(UNSTAKE, { inputs: [shared('0x5', 1n, 2), staked] }),
    /input 0 is shared with mutability 2; it must be 0, read, or 1, changed/,
  )
})

t.test('a withdrawal of another kind, or from what another lets the wallet have, is refused', async (t) => {
  const given = (change: Uint8Array) => reason(BALANCE, { inputs: [change, system, validator] })
  const plain = withdrawal(AMOUNT, SUI)
  const at = (place: number, value: number) => Buffer.concat([plain.subarray(0, place), Uint8Array.of(value), plain.subarray(place + 1)])
  const allowance = Buffer.concat([Uint8Array.of(2), address(THIEF), address('0x9')])
  t.match(given(withdrawal(AMOUNT, SUI, allowance)), /input 0 withdraws from the source 2; it must be 0, the sender, or 1, the sponsor/)
  t.match(given(at(1, 1)), /input 0 reserves in the way 1/)
  t.match(given(at(10, 1)), /input 0 withdraws what is held in the way 1/)
  t.match(given(Uint8Array.of(3)), /input 0 is of kind 3/)
})

t.test('a result that does not exist yet is refused', async (t) => {
  const [first] = draftOf(STAKE).commands
  for (const argument of [result(1), nested(1, 0), result(65535)]) {
    const given = reason(STAKE, { commands: [first!, moveCall(addStake, [input(1), argument, input(2)])] })
    t.match(given, /argument 1 of command 1 is a result of command \d+; it must be one of an earlier command/)
  }
  const kind = Uint8Array.of(4, 0, 0)
  t.match(reason(STAKE, { commands: [first!, moveCall(addStake, [input(1), kind, input(2)])] }), /argument 1 of command 1 is of kind 4/)
})

t.test('somebody else who sends, or pays for the gas, is reported', async (t) => {
  for (const vector of vectors) {
    t.strictSame(where(vector, { owner: THIEF }), ['signers'], vector.name)
    t.strictSame(where(vector, { sender: THIEF }), ['signers'])
    t.strictSame(where(vector, { sender: THIEF, owner: THIEF }), ['signers[0]'])
  }
})

t.test('every part of the gas is compared', async (t) => {
  for (const vector of vectors) {
    const { payment, budget } = draftOf(vector)
    t.strictSame(where(vector, { price: 501n }), ['terms.gasPrice'], vector.name)
    t.strictSame(where(vector, { budget: budget + 1n }), ['maxFee', 'terms.gasBudget'])
    t.strictSame(where(vector, { budget: budget - 1n }), ['terms.gasBudget'])
    t.strictSame(where(vector, { payment: [...payment, reference(THIEF, 1n, STATES[0])] }), ['terms.gasPayment'])
    t.strictSame(where(vector, { payment: [reference(COIN, 8n, STATES[0])] }), ['terms.gasPayment'])
    t.strictSame(where(vector, { payment: payment.length === 0 ? coins : [] }), ['terms.gasPayment'])
    t.match(reason(vector, { price: 0n }), /gas price is 0/)
    t.match(reason(vector, { budget: 0n }), /gas budget is 0/)
  }
})

t.test('another expiration, or another chain, is reported', async (t) => {
  const during = (chain: string, last = 1000n, nonce = 0x01020304) => validDuring([999n, last, null, null], chain, nonce)
  for (const vector of [STAKE, UNSTAKE, REDEEM]) {
    t.strictSame(where(vector, { expiration: epoch(1000n) }), ['terms.expiration'], vector.name)
    t.strictSame(where(vector, { expiration: during(TESTNET.chainIdentifier) }), ['chainId', 'terms.expiration'])
  }
  t.strictSame(where(BALANCE, { expiration: NONE }), ['terms.expiration'])
  t.strictSame(where(BALANCE, { expiration: during(MAINNET.chainIdentifier, 1001n) }), ['terms.expiration'])
  t.strictSame(where(BALANCE, { expiration: during(MAINNET.chainIdentifier, 1000n, 7) }), ['terms.expiration'])
  t.match(differences(BALANCE, changed(BALANCE, { expiration: during(TESTNET.chainIdentifier) })), [
    { path: 'chainId', expected: 'mainnet', found: `unknown ${TESTNET.chainIdentifier}` },
  ])
  t.strictSame(
    differences(BALANCE, craft(BALANCE), TESTNET).map(({ path }) => path),
    ['chainId'],
    'and the reverse',
  )
})

t.test('a transaction of another kind or version is refused', async (t) => {
  const whole = wire(draftOf(STAKE))
  const front = (...bytes: number[]) => differences(STAKE, bytesOf(Buffer.concat([Uint8Array.from(bytes), whole.subarray(2)])))
  t.match(front(1, 0), [{ path: 'bytes', found: /begins with 1, which is version 2; it must be version 1/ }])
  for (const kind of [1, 2, 3, 9]) {
    t.match(front(0, kind), [{ path: 'bytes', found: new RegExp(`of kind ${kind}; it must be 0, a programmable transaction`) }])
  }
})

t.test('a call that is not read equals nothing, even if the effects name it alike', async (t) => {
  const { effects, bounds } = promiseOf(UNSTAKE)
  const { terms: _, ...loose } = bounds
  const { inputs, commands } = draftOf(UNSTAKE)
  const given = changed(UNSTAKE, { inputs, commands: [...commands, makeVector(null, [input(1)])] })
  const call: Call = { target: 'ptb', method: 'unknown MakeMoveVec', args: { arguments: [STAKED] }, value: 0n }
  const promised: Effects = { ...effects, calls: [...effects.calls, call] }
  t.strictSame(
    verifyMove(given, promised, loose, MAINNET).map(({ path }) => path),
    ['calls[1].method'],
  )
})

t.test('a value that is sent along can never be expected', async (t) => {
  const { effects, bounds } = promiseOf(STAKE)
  const [first, second] = effects.calls as [Call, Call]
  const promised = { ...effects, calls: [{ ...first, value: AMOUNT }, second] }
  t.strictSame(
    verifyMove(craft(STAKE), promised, bounds, MAINNET).map(({ path }) => path),
    ['calls[0].value'],
  )
})

t.test('addresses of effects may be of either case, but not short', async (t) => {
  const { effects, bounds } = promiseOf(STAKE)
  const [first, second] = effects.calls as [Call, Call]
  const given = (args: Call['args'], signer = SENDER) =>
    verifyMove(craft(STAKE), { signers: [signer], calls: [first, { ...second, args }] }, bounds, MAINNET).map(({ path }) => path)
  t.strictSame(given({ ...second.args, validator: `0x${'AB'.repeat(32)}` }, `0x${SENDER.slice(2).toUpperCase()}`), [])
  t.strictSame(given({ ...second.args, system: '0x5' }), ['calls[1].args.system'])
  t.strictSame(given({ ...second.args, validator: VALIDATOR.slice(2) }), ['calls[1].args.validator'])
})

t.test('what cannot be read is one difference with the path bytes', async (t) => {
  const { effects, bounds } = promiseOf(STAKE)
  for (const unsigned_tx_b64 of ['', 'AA', 'AAA=', '!', u32(1).toString('base64')]) {
    t.match(verifyMove({ unsigned_tx_b64 }, effects, bounds, MAINNET), [
      { path: 'bytes', expected: 'one unsigned transaction in canonical form' },
    ])
  }
  t.match(verifyMove(craft(STAKE), effects, bounds, {} as never), [{ path: 'bytes', found: /network.chainId/ }])
})

t.test('effects of another shape are reported, never a reason to fail', async (t) => {
  const { bounds } = promiseOf(STAKE)
  const calls = [{ target: 7, method: 'x', args: null, value: 1 }, null]
  for (const effects of [null, undefined, {}, { signers: 'x', calls: 'y' }, { signers: [], calls: [] }, { signers: [SENDER], calls }]) {
    t.not(verifyMove(craft(STAKE), effects as never, bounds, MAINNET).length, 0)
  }
})
