import t from 'tap'
import { base58 } from '../../src/bytes/base58.ts'
import type { Value } from '../../src/index.ts'
import { call, decodeSvm, role, type SvmInstruction, type SvmKind, type SvmProgram } from '../../src/svm/index.ts'
import { BUDGET, meta, SYSTEM, step } from './support/steps.ts'
import { vectors } from './support/vectors.ts'
import { compile, craftOf, type Step, u32, u64 } from './support/write.ts'

const WALLET = vectors[0]!.signers[0]!
const HASH = vectors[0]!.blockhash!
const other = (fill: number) => base58(new Uint8Array(32).fill(fill))
const OWN = other(70)
const decode = (steps: readonly Step[], layouts: readonly object[]) =>
  decodeSvm(craftOf(compile({ feePayer: WALLET, blockhash: HASH, steps })), layouts)

const instruction = (changed: Partial<SvmInstruction> = {}): SvmInstruction => ({
  name: 'Do',
  discriminator: '0x0102030405060708',
  accounts: { owner: role.signs, vault: role.writes, clock: { address: other(8) } },
  data: { amount: 'u64' },
  ...changed,
})
const program = (...instructions: readonly SvmInstruction[]): SvmProgram => ({ address: OWN, name: 'Own', instructions })
const accounts = [meta('s', WALLET), meta('w', other(9)), meta('r', other(8))]
const data = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat([Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), ...parts]))
const done: Step = { program: OWN, accounts, data: data(u64(5n)) }

t.test('a program of anybody is read by its layout', async (t) => {
  const layout = program(instruction())
  t.strictSame(decode([done], [layout]).calls, [call(layout, 'Do', { owner: WALLET, vault: other(9), amount: 5n })])
  t.equal(call(layout, 'Do', { owner: WALLET, vault: other(9), amount: 5n }).method, 'Own.Do(owner, vault, amount)')
  t.throws(() => call(layout, 'Do', { owner: WALLET }), { message: 'Own has no instruction Do with the arguments owner' })
  t.throws(() => call(layout, 'Undo', {}), { message: /no instruction Undo/ })
})

t.test('a layout that is changed after it was read changes nothing', async (t) => {
  const layout = structuredClone(program(instruction()))
  const before = decode([done], [layout])
  Object.assign(layout.instructions[0]!, { name: 'Other' })
  Object.assign(layout.instructions[0]!.data!, { amount: 'nothing that there is' })
  Object.assign(layout.instructions[0]!.accounts, { owner: { address: other(66) } })
  t.strictSame(decode([done], [layout]), before)
})

t.test('every kind of field is read, with its bytes and no others', async (t) => {
  const text = new TextEncoder().encode('né')
  const cases: readonly (readonly [SvmKind, Uint8Array, Value])[] = [
    ['u8', Uint8Array.of(200), 200n],
    ['u16', Uint8Array.of(1, 2), 513n],
    ['u32', u32(7), 7n],
    ['u64', u64(2n ** 64n - 1n), 2n ** 64n - 1n],
    ['u128', Buffer.concat([u64(1n), u64(2n)]), 1n + (2n << 64n)],
    ['i64', u64(-3n), -3n],
    ['bool', Uint8Array.of(1), true],
    ['address', new Uint8Array(32).fill(4), other(4)],
    ['bytes3', Uint8Array.of(1, 2, 3), '0x010203'],
    ['bytes', Buffer.concat([u32(2), Uint8Array.of(7, 8)]), '0x0708'],
    ['string', Buffer.concat([u32(text.length), text]), 'né'],
    ['string64', Buffer.concat([u64(BigInt(text.length)), text]), 'né'],
    ['option<u64>', Uint8Array.of(0), []],
    ['option<u64>', Buffer.concat([Uint8Array.of(1), u64(9n)]), [9n]],
    ['vec<u16>', Buffer.concat([u32(2), Uint8Array.of(1, 0, 2, 0)]), [1n, 2n]],
  ]
  for (const [kind, bytes, value] of cases) {
    const layout = program(instruction({ data: { before: 'u8', field: kind, after: 'u8' } }))
    const given = (content: Uint8Array) =>
      decode([{ ...done, data: data(Uint8Array.of(1), content, Uint8Array.of(2)) }], [layout]).calls[0]!
    t.strictSame(given(bytes).args, { owner: WALLET, vault: other(9), before: 1n, field: value, after: 2n }, kind)
    t.throws(() => given(Buffer.concat([bytes, Uint8Array.of(0)])), { code: 'DECODE_FAILED' }, `${kind}: a byte more`)
    t.throws(() => given(bytes.subarray(0, -1)), { code: 'DECODE_FAILED' }, `${kind}: a byte less`)
  }
  const rest = program(instruction({ data: { amount: 'u64', note: 'rest' } }))
  t.equal(decode([{ ...done, data: data(u64(1n), text) }], [rest]).calls[0]!.args.note, 'né')
  const wrong: readonly (readonly [SvmKind, Uint8Array, RegExp])[] = [
    ['bool', Uint8Array.of(2), /field is 2; it must be 0 or 1/],
    ['option<u8>', Uint8Array.of(2, 1), /field is 2; it must be 0 or 1/],
    ['vec<u8>', u32(0xffffffff), /4294967295 items for the 0 bytes/],
    ['string', Buffer.concat([u32(1), Uint8Array.of(0xff)]), /no UTF-8/],
    ['string64', u64(2n ** 63n), /where 0 are left/],
  ]
  for (const [kind, bytes, message] of wrong) {
    const layout = program(instruction({ data: { field: kind } }))
    t.throws(() => decode([{ ...done, data: data(bytes) }], [layout]), { code: 'DECODE_FAILED', message }, kind)
  }
})

t.test('a layout that leaves something out, or has something more, makes the bytes unreadable', async (t) => {
  const cases: Record<string, [Partial<SvmInstruction>, RegExp]> = {
    'an account less': [{ accounts: { owner: role.signs, vault: role.writes } }, /has 3 accounts; it must have 2/],
    'an account more': [{ accounts: { ...instruction().accounts, more: role.reads } }, /it must have 4/],
    'another fixed account': [
      { accounts: { owner: role.signs, vault: role.writes, clock: { address: other(7) } } },
      /as clock; it must be/,
    ],
    'no data': [{ data: {} }, /has 8 bytes, of which 0 are read/],
    'a width too small': [{ data: { amount: 'u32' } }, /has 8 bytes, of which 4 are read/],
    'a width too large': [{ data: { amount: 'u128' } }, /ends within amount/],
    'a shorter discriminator': [{ discriminator: '0x01020304' }, /has 12 bytes, of which 8 are read/],
    'a vault that is only read': [{ accounts: { ...instruction().accounts, vault: role.reads } }, /is writable; no instruction needs that/],
    'a vault that signs': [
      { accounts: { ...instruction().accounts, vault: role.signsAndWrites } },
      /is not a signer; an instruction needs that/,
    ],
  }
  for (const [name, [changed, message]] of Object.entries(cases))
    t.throws(() => decode([done], [program(instruction(changed))]), { code: 'DECODE_FAILED', message }, name)
  t.equal(
    decode([done], [program(instruction({ discriminator: '0x01020304050607ff' }))]).calls[0]!.method,
    'unknown Own instruction 0x0102030405060708',
  )
})

t.test('one name may stand for several numbers of accounts', async (t) => {
  const long = instruction({ accounts: { ...instruction().accounts, custodian: role.signs } })
  const layout = program(instruction(), long)
  t.equal(decode([done], [layout]).calls[0]!.method, 'Own.Do(owner, vault, amount)')
  const more = { ...done, accounts: [...accounts, meta('s', WALLET)] }
  t.equal(decode([more], [layout]).calls[0]!.method, 'Own.Do(owner, vault, custodian, amount)')
  t.throws(() => decode([{ ...done, accounts: [...more.accounts, meta('r', WALLET)] }], [layout]), { message: /it must have 3 or 4/ })
})

t.test('what leaves the account that pays the fee is the value', async (t) => {
  const layout = program(instruction({ spends: { from: 'owner', lamports: 'amount' } }))
  t.equal(decode([done], [layout]).calls[0]!.value, 5n)
  t.equal(decode([{ ...done, accounts: [meta('s', other(3)), ...accounts.slice(1)] }], [layout]).calls[0]!.value, 0n)
})

t.test('only an account that a layout says is made may have signed', async (t) => {
  const made = instruction({ accounts: { owner: role.signs, fresh: { ...role.signsAndWrites, created: true } }, data: {} })
  const signed = (layout: SvmProgram) => {
    const steps = [{ program: OWN, accounts: [meta('s', WALLET), meta('sw', other(9))], data: data() }]
    const draft = { feePayer: WALLET, blockhash: HASH, steps, signatures: { [other(9)]: new Uint8Array(64).fill(1) } }
    return decodeSvm(craftOf(compile(draft)), [layout]).terms.signed
  }
  t.equal(signed(program(made)), other(9))
  t.throws(() => signed(program({ ...made, accounts: { owner: role.signs, fresh: role.signsAndWrites } })), {
    message: /has signed already/,
  })
})

t.test('what any transaction may carry cannot be laid out anew', async (t) => {
  t.throws(() => decode([done], [{ address: BUDGET, name: 'Budget', instructions: [] }]), { message: /is the compute budget/ })
  const advance = instruction({ name: 'Advance', discriminator: '0x04000000' })
  t.throws(() => decode([done], [{ address: SYSTEM, name: 'System', instructions: [advance] }]), {
    message: /cannot be told apart|begin with the same/,
  })
  const own = { address: SYSTEM, name: 'Base', instructions: [instruction()] }
  const nonce = step('System.AdvanceNonceAccount', { nonceAccount: other(6), authority: WALLET })
  t.equal(decode([nonce, done], [own]).terms.nonce, HASH, 'whatever the layout calls the program')
})

t.test('what is no layout is refused by name, never taken for one', async (t) => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [7, /^layouts is 7; it must be a list/],
    [[7], /^layouts\[0\] is 7; it must be an object/],
    [[{ ...program(), address: 'x' }], /^layouts\[0\]\.address is "x"/],
    [[{ ...program(), name: 'unknown x' }], /^layouts\[0\]\.name is "unknown x"/],
    [[{ ...program(), instructions: {} }], /^layouts\[0\]\.instructions is an object/],
    [[program(), program()], /^layouts\[1\] is a second one/],
    [[program(instruction({ name: '' }))], /has the name ""/],
    [[program(instruction({ discriminator: '0x1' }))], /the discriminator of Own\.Do is "0x1"/],
    [[program(instruction({ data: { amount: 'u65' as never } }))], /amount is of the kind "u65", which is none/],
    [[program(instruction({ data: { amount: 'vec<vec<u8>>' as never } }))], /which is none/],
    [[program(instruction({ data: { note: 'rest', amount: 'u64' } }))], /note is the rest; nothing can follow it/],
    [[program(instruction({ data: { vault: 'u64' } }))], /names "vault" twice/],
    [[program(instruction({ data: { 1: 'u64' } }))], /names "1"; a name has letters/],
    [[program(instruction({ accounts: { owner: { signer: false as never } } }))], /signer of Own\.Do\.owner is false/],
    [[program(instruction({ accounts: { owner: { role: 'signer' } as never } }))], /has a member "role"/],
    [[program(instruction({ accounts: { clock: { address: 'clock' } } }))], /the address of Own\.Do\.clock is "clock"/],
    [[program(instruction({ accounts: { fresh: { signer: true, created: true } } }))], /is created, and so must sign, be written to/],
    [[program(instruction({ spends: { from: 'owner', lamports: 'vault' } }))], /^spends of Own\.Do must name/],
    [[program(instruction(), instruction())], /two instructions are Own\.Do\(/],
    [[program(instruction(), instruction({ name: 'Other' }))], /begin with the same bytes and cannot be told apart/],
    [[program(instruction(), instruction({ name: 'Other', discriminator: '0x01' }))], /begin with the same bytes/],
    [[program(instruction(), instruction({ discriminator: '0x02' }))], /two instructions are Own\.Do\(/],
    [[program(instruction(), instruction({ name: 'All', discriminator: '0x', accounts: {} }))], /begin with the same bytes/],
  ]
  for (const [layouts, message] of cases)
    t.throws(() => decode([done], layouts as never), { code: 'DECODE_FAILED', message }, String(message))
})
