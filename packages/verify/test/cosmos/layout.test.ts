import t from 'tap'
import { type CosmosMessage, call, coin, decodeCosmos } from '../../src/cosmos/index.ts'
import { bytes } from '../support/vectors.ts'
import { LAYOUTS } from './support/layouts.ts'
import { chainOf, craftOf, vectors } from './support/vectors.ts'
import { agreeing, any, coin as coinOf, field, join, signer, varint, writeAuthInfo, writeBody } from './support/write.ts'

const vector = vectors[0]!
const chain = chainOf(vector)
const key = bytes('034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff')
const validator = 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt'
const MANY = '/example.v1.MsgMany'

/** A transaction with one message of the given content. */
function written(type: string, content: Uint8Array) {
  const transaction = {
    messages: [any(type, content)],
    memo: '',
    bodyExtra: [],
    signers: [signer(key, 7n)],
    coins: [['uatom', '1500']] as const,
    gasLimit: 300000n,
    feeExtra: [],
    authExtra: [],
  }
  return agreeing(writeBody(transaction), writeAuthInfo(transaction), chain)
}

/** Every kind of field, in a message that no chain has. */
const many: CosmosMessage = {
  type: MANY,
  fields: {
    owner: { number: 1, kind: 'signer' },
    recipient: { number: 2, kind: 'account' },
    validator: { number: 3, kind: 'validator', optional: true },
    note: { number: 4, kind: 'text', optional: true },
    data: { number: 5, kind: 'bytes', optional: true },
    count: { number: 6, kind: 'uint64', optional: true },
    height: { number: 7, kind: 'int64', optional: true },
    urgent: { number: 8, kind: 'bool', optional: true },
    paid: { number: 9, kind: 'message', fields: coin },
    inner: {
      number: 10,
      kind: 'message',
      fields: { deep: { number: 1, kind: 'message', fields: { code: { number: 1, kind: 'uint64' } } } },
    },
    coins: { number: 16, kind: 'messages', fields: coin },
  },
  spends: { denom: 'denom', amount: 'amount' },
}

const parts = {
  owner: field(1, vector.signer),
  recipient: field(2, vector.signer),
  validator: field(3, validator),
  note: field(4, 'a note'),
  data: field(5, Uint8Array.of(1, 2)),
  count: field(6, (1n << 64n) - 1n),
  height: field(7, (1n << 64n) - 3n),
  urgent: field(8, 1n),
  paid: field(9, coinOf('uatom', '5')),
  inner: field(10, field(1, field(1, 9n))),
  coins: join(field(16, coinOf('uatom', '6')), field(16, coinOf('uosmo', '7'))),
}
const content = (changed: Partial<Record<keyof typeof parts, Uint8Array>> = {}) => join(...Object.values({ ...parts, ...changed }))
const decode = (bytes: Uint8Array, layouts: readonly object[] = [many]) => decodeCosmos(written(MANY, bytes), layouts, chain).calls[0]

t.test('a layout that is changed after it was read changes nothing', async (t) => {
  const layouts = structuredClone(LAYOUTS)
  const before = decodeCosmos(craftOf(vector), layouts, chain)
  for (const { fields } of layouts)
    for (const field of Object.values(fields)) Object.assign(field, { kind: 'nothing that there is', number: 99 })
  t.strictSame(decodeCosmos(craftOf(vector), layouts, chain), before)
})

t.test('every kind of field is read, with the names of the layout', async (t) => {
  const args = {
    owner: vector.signer,
    recipient: vector.signer,
    validator,
    note: 'a note',
    data: '0x0102',
    count: (1n << 64n) - 1n,
    height: -3n,
    urgent: true,
    denom: 'uatom',
    amount: 5n,
    code: 9n,
    coins: [
      ['uatom', 6n],
      ['uosmo', 7n],
    ],
  }
  const expected = call(many, args, 5n)
  t.equal(expected.method, `MsgMany(${Object.keys(args).join(', ')})`)
  t.strictSame(decode(content()), expected)
})

t.test('optional fields that are absent are read as their default values', async (t) => {
  const none = new Uint8Array()
  const sparse = content({ validator: none, note: none, data: none, count: none, height: none, urgent: none, coins: none })
  t.match(decode(sparse)?.args, { validator: '', note: '', data: '0x', count: 0n, height: 0n, urgent: false, coins: [] })
})

t.test('a field that the layout leaves out, moves or takes for another kind makes the bytes unreadable', async (t) => {
  const fields = Object.entries(many.fields)
  const layout = (changed: readonly (readonly [string, unknown])[]) => [
    {
      type: MANY,
      fields: Object.fromEntries(changed),
      ...(changed.some(([name, field]) => name === 'paid' && (field as { kind?: unknown }).kind === 'message')
        ? { spends: many.spends }
        : {}),
    },
  ]
  for (const [at, [name, field]] of fields.entries()) {
    if (name !== 'owner') {
      t.throws(
        () => decode(content(), layout(fields.toSpliced(at, 1))),
        { code: 'DECODE_FAILED', message: /which is not known/ },
        `without ${name}`,
      )
    }
    const moved = fields.with(at, [name, { ...field, number: 20 }])
    t.throws(() => decode(content(), layout(moved)), { code: 'DECODE_FAILED' }, `${name} elsewhere`)
    const other = ['uint64', 'int64', 'bool'].includes(field.kind) ? 'text' : 'uint64'
    if (name !== 'owner') {
      t.throws(
        () => decode(content(), layout(fields.with(at, [name, { number: field.number, kind: other }]))),
        { code: 'DECODE_FAILED', message: /is written as/ },
        `${name} as ${other}`,
      )
    }
  }
})

t.test('within an embedded message, too, nothing is left over', async (t) => {
  const cases: Record<string, Uint8Array> = {
    paid: field(9, join(coinOf('uatom', '5'), field(3, 1n))),
    inner: field(10, join(field(1, field(1, 9n)), field(2, 'x'))),
    coins: field(16, join(coinOf('uatom', '6'), field(4, 'x'))),
  }
  for (const [name, changed] of Object.entries(cases)) {
    t.throws(() => decode(content({ [name]: changed })), { message: /which is not known/ }, name)
  }
  t.throws(() => decode(content({ inner: field(10, join(field(1, field(1, 9n)), field(1, field(1, 9n)))) })), { message: /more than once/ })
  t.throws(() => decode(content({ urgent: field(8, 2n) })), { message: /urgent is 2; a truth value is 1, or left out/ })
  t.throws(() => decode(join(content(), varint(9n))), { code: 'DECODE_FAILED' })
})

t.test('only the native denom is an amount that leaves the account', async (t) => {
  t.equal(decode(content({ paid: field(9, coinOf('uosmo', '5')) }))?.value, 0n)
  t.equal(decode(content())?.value, 5n)
})

t.test('what is no layout is refused by name, never taken for one', async (t) => {
  const [delegate] = LAYOUTS as [CosmosMessage]
  const { fields } = delegate
  const changed = (members: object) => [{ ...delegate, ...members }]
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [7, /^layouts is 7; it must be a list/],
    [{ ...LAYOUTS }, /^layouts is an object/],
    [[null], /^layouts\[0\] is null; it must be an object/],
    [changed({ type: 'cosmos.Msg' }), /^layouts\[0\]\.type is "cosmos.Msg"/],
    [changed({ type: undefined }), /^layouts\[0\]\.type is undefined/],
    [[delegate, delegate], /^layouts\[1\] is a second one of the type/],
    [changed({ fields: [] }), /^fields of .* is a list/],
    [changed({ fields: { validator: fields.validator } }), /has no field of kind signer/],
    [changed({ fields: { ...fields, height: { number: 0, kind: 'int64' } } }), /^the number of .*height is 0/],
    [changed({ fields: { ...fields, height: { number: 1, kind: 'int64' } } }), /height has the number 1, as a field before it/],
    [changed({ fields: { ...fields, height: { number: 4, kind: 'int' } } }), /height is of the kind "int"; it must be one of/],
    [changed({ fields: { ...fields, height: { number: 4, kind: 'toString' } } }), /height is of the kind "toString"/],
    [changed({ fields: { ...fields, height: { number: 4, kind: 'text', optional: 1 } } }), /height is marked optional/],
    [changed({ fields: { ...fields, denom: { number: 4, kind: 'text' } } }), /names "denom" twice/],
    [changed({ fields: { ...fields, 7: { number: 4, kind: 'text' } } }), /names "7"; a name has letters/],
    [
      changed({ fields: { ...fields, inner: { number: 4, kind: 'message', fields: { who: { number: 1, kind: 'signer' } } } } }),
      /who is of the kind/,
    ],
    [changed({ spends: { denom: 'denom', amount: 'amounts' } }), /^spends\.amount of .* is "amounts"/],
  ]
  const craft = craftOf(vector)
  for (const [layouts, message] of cases) {
    t.throws(() => decodeCosmos(craft, layouts as never, chain), { code: 'DECODE_FAILED', message }, String(message))
  }
  const endless: Record<string, unknown> = { number: 4, kind: 'message' }
  endless.fields = { again: endless }
  t.throws(() => decodeCosmos(craft, changed({ fields: { ...fields, endless } }) as never, chain), { message: /nested more than 8 levels/ })
})
