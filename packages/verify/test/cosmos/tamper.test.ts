import t from 'tap'
import { sha256 } from '../../src/bytes/sha256.ts'
import { writeBech32 } from '../../src/cosmos/bech32.ts'
import { type CosmosCraft, verifyCosmos } from '../../src/cosmos/index.ts'
import { ripemd160 } from '../../src/cosmos/ripemd160.ts'
import type { Effects } from '../../src/index.ts'
import { argsOf, bytes } from '../support/vectors.ts'
import { type CosmosVector, chainOf, craftOf, digits, promiseOf, vectors } from './support/vectors.ts'
import { agreeing, any, coin, field, join, signer, staking, type Transaction, varint, writeAuthInfo, writeBody } from './support/write.ts'

const KEY = bytes('034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff')
const vector = vectors[0]!

function paths(vector: CosmosVector, craft: CosmosCraft): readonly string[] {
  const { effects, bounds } = promiseOf(vector)
  return verifyCosmos(craft, effects, bounds, chainOf(vector)).map(({ path }) => path)
}

/** Why the transaction is refused as a whole; empty when it is not. */
function reason(vector: CosmosVector, body: Uint8Array, authInfo: Uint8Array): string {
  const { effects, bounds } = promiseOf(vector)
  const chain = chainOf(vector)
  const [first, ...rest] = verifyCosmos(agreeing(body, authInfo, chain), effects, bounds, chain)
  return first?.path === 'bytes' && rest.length === 0 ? first.found : ''
}

t.test('every vector does what was promised, with its terms and without', async (t) => {
  for (const vector of vectors) {
    const { effects, bounds } = promiseOf(vector)
    t.strictSame(verifyCosmos(craftOf(vector), effects, bounds, chainOf(vector)), [], vector.name)
    const { terms: _, ...loose } = bounds
    t.strictSame(verifyCosmos(craftOf(vector), effects, loose, chainOf(vector)), [])
  }
})

t.test('any other byte is refused, with the hash and the auth info as they were', async (t) => {
  for (const vector of vectors) {
    const craft = craftOf(vector)
    const accepted: number[] = []
    eachByte(bytes(craft.unsigned_tx_hex), [0x01, 0x80, 0xff], (changed, at) => {
      if (paths(vector, { ...craft, unsigned_tx_hex: digits(changed) }).join() !== 'bytes') accepted.push(at)
    })
    eachByte(bytes(craft.tx_auth_info_hex), [0x01, 0x80, 0xff], (changed, at) => {
      if (paths(vector, { ...craft, tx_auth_info_hex: digits(changed) }).join() !== 'bytes') accepted.push(at)
    })
    eachByte(bytes(craft.unsigned_tx_hash_hex), [0x01, 0x80, 0xff], (changed, at) => {
      if (paths(vector, { ...craft, unsigned_tx_hash_hex: digits(changed) }).join() !== 'bytes') accepted.push(at)
    })
    t.strictSame(accepted, [], vector.name)
  }
})

t.test('any other byte of body or auth info is noticed, with the hash made to fit', async (t) => {
  for (const vector of vectors) {
    const [body, authInfo] = [bytes(vector.body), bytes(vector.authInfo)]
    const some = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x03, 0x55, 0xff]
    const all = vector === vectors[0] ? Array.from({ length: 255 }, (_, i) => i + 1) : some
    const accepted: string[] = []
    eachByte(body, some, (changed, at) => {
      if (paths(vector, agreeing(changed, authInfo, chainOf(vector))).length === 0) accepted.push(`body ${at}`)
    })
    eachByte(authInfo, all, (changed, at) => {
      if (paths(vector, agreeing(body, changed, chainOf(vector))).length === 0) accepted.push(`auth info ${at}`)
    })
    t.strictSame(accepted, [], vector.name)
  }
})

t.test('body and auth info cut off anywhere, or continued, are refused', async (t) => {
  for (const vector of vectors) {
    const [body, authInfo] = [bytes(vector.body), bytes(vector.authInfo)]
    const accepted: string[] = []
    for (const changed of cuts(body)) if (reason(vector, changed, authInfo) === '') accepted.push(`body of ${changed.length}`)
    for (const changed of cuts(authInfo)) if (reason(vector, body, changed) === '') accepted.push(`auth info of ${changed.length}`)
    t.strictSame(accepted, [], vector.name)
    const craft = craftOf(vector)
    const continued = { ...craft, unsigned_tx_hex: `${craft.unsigned_tx_hex}00` }
    t.strictSame(paths(vector, continued), ['bytes'])

    t.not(reason(vector, body, join(authInfo, authInfo)), '')
    t.strictSame(paths(vector, agreeing(join(body, body), authInfo, chainOf(vector))), ['calls[1]'], 'a body twice is two messages')
  }
})

t.test('a change of one thing, in all three parts, is reported where it is', async (t) => {
  for (const vector of vectors) {
    const request = requestOf(vector)
    const { prefix, denom } = vector.chain
    const other = writeBech32(`${prefix}valoper`, new Uint8Array(20).fill(0x33))
    t.strictSame(paths(vector, made(vector, request)), [], `${vector.name}: unchanged`)
    t.equal(made(vector, request).unsigned_tx_hex, craftOf(vector).unsigned_tx_hex)

    const value = request.type.endsWith('MsgDelegate') ? ['calls[0].value'] : []
    const cases: [Partial<Request>, readonly string[]][] = [
      [{ validator: other }, ['calls[0].args.validator']],
      [{ sequence: request.sequence + 1n }, ['terms.sequence']],
      [{ gasLimit: request.gasLimit + 1n }, ['terms.gasLimit']],
      [{ coins: [[denom, String(BigInt(vector.fee) + 1n)]] }, ['maxFee', 'terms.fee']],
      [{ coins: [[denom, String(BigInt(vector.fee) - 1n)]] }, ['terms.fee']],
      [{ coins: [] }, ['terms.fee']],
    ]
    if (request.amount !== undefined) {
      const [, amount] = request.amount
      cases.push([{ amount: [denom, amount + 1n] }, ['calls[0].args.amount', ...value]])
      cases.push([{ amount: [`${denom}x`, amount] }, ['calls[0].args.denom', ...value]])
    }
    if (request.height !== undefined) cases.push([{ height: request.height + 1n }, ['calls[0].args.creationHeight']])
    for (const [change, expected] of cases) {
      t.strictSame(paths(vector, made(vector, { ...request, ...change })), expected, `${vector.name}: ${Object.keys(change).join()}`)
    }

    const key = Uint8Array.of(2, ...KEY.subarray(1))
    const thief = writeBech32(prefix, ripemd160(sha256(key)))
    t.strictSame(paths(vector, made(vector, { ...request, key, delegator: thief })), ['calls[0].args.delegator', 'signers[0]'])
  }
})

t.test('another kind of message is reported, with what it has and what it lacks', async (t) => {
  const request = requestOf(vector)
  t.strictSame(paths(vector, made(vector, { ...request, type: '/cosmos.staking.v1beta1.MsgUndelegate' })), [
    'calls[0].target',
    'calls[0].method',
    'calls[0].value',
  ])
  const { amount: _, ...rest } = request
  t.strictSame(paths(vector, made(vector, { ...rest, type: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward' })), [
    'calls[0].target',
    'calls[0].method',
    'calls[0].args.denom',
    'calls[0].args.amount',
    'calls[0].value',
  ])
})

t.test('a second message, more of the same or another, is reported', async (t) => {
  const request = requestOf(vector)
  const transaction = transactionOf(request)
  const reward = staking('/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', request.delegator, request.validator)
  for (const messages of [
    [...transaction.messages, reward],
    [...transaction.messages, ...transaction.messages],
  ]) {
    const craft = agreeing(writeBody({ ...transaction, messages }), writeAuthInfo(transaction), chainOf(vector))
    t.strictSame(paths(vector, craft), ['calls[1]'])
  }
  const swapped = agreeing(
    writeBody({ ...transaction, messages: [reward, ...transaction.messages] }),
    writeAuthInfo(transaction),
    chainOf(vector),
  )
  t.ok(paths(vector, swapped).includes('calls[1]'))
})

t.test('a transaction that does more than its messages say, or lets another do it, is refused with the reason', async (t) => {
  const request = requestOf(vector)
  const { delegator, validator } = request
  const plain = transactionOf(request)
  const options = any('/cosmos.unknown.Options', Uint8Array.of(1))
  const otherKey = Uint8Array.of(2, ...KEY.subarray(1))
  const otherAddress = writeBech32('cosmos', ripemd160(sha256(otherKey)))
  const delegate = '/cosmos.staking.v1beta1.MsgDelegate'
  const info = join(field(1, any('/cosmos.crypto.secp256k1.PubKey', field(1, KEY))), field(2, field(1, field(1, 1n))))

  const cases: Record<string, readonly [Partial<Transaction>, RegExp]> = {
    'no message': [{ messages: [], memo: 'x' }, /^body\.messages is missing/],
    'another delegator': [
      { messages: [staking(delegate, otherAddress, validator, coin('uatom', '1500000'))] },
      /^body\.messages\[0\]\.delegator is "cosmos1.*the only signer/,
    ],
    'a second message of another delegator': [
      { messages: [...plain.messages, staking(delegate, otherAddress, validator, coin('uatom', '1'))] },
      /^body\.messages\[1\]\.delegator/,
    ],
    'delegator in capitals': [
      { messages: [staking(delegate, delegator.toUpperCase(), validator, coin('uatom', '1500000'))] },
      /^body\.messages\[0\]\.delegator is "COSMOS1/,
    ],
    'validator in capitals': [
      { messages: [staking(delegate, delegator, validator.toUpperCase(), coin('uatom', '1500000'))] },
      /^body\.messages\[0\]\.validator is "COSMOS.*must begin with "cosmosvaloper1"/,
    ],
    'account as validator': [
      { messages: [staking(delegate, delegator, delegator, coin('uatom', '1500000'))] },
      /^body\.messages\[0\]\.validator is "cosmos1.*must begin with "cosmosvaloper1"/,
    ],
    'validator of 21 bytes': [
      { messages: [staking(delegate, delegator, writeBech32('cosmosvaloper', new Uint8Array(21)), coin('uatom', '1'))] },
      /^body\.messages\[0\]\.validator is .*an address has 20 or 32 bytes$/,
    ],
    'validator with a wrong checksum': [
      { messages: [staking(delegate, delegator, `${validator.slice(0, -1)}q`, coin('uatom', '1'))] },
      /^body\.messages\[0\]\.validator is .*checksum does not fit/,
    ],
    'delegation of nothing': [{ messages: [staking(delegate, delegator, validator)] }, /^body\.messages\[0\]\.amount is missing/],
    'unknown field in a message': [
      { messages: [any(delegate, join(field(1, delegator), field(2, validator), field(3, coin('uatom', '1')), field(9, 1n)))] },
      /^body\.messages\[0\] has the field 9, which is not known/,
    ],
    'creation height in a delegation': [
      { messages: [staking(delegate, delegator, validator, coin('uatom', '1500000'), 5n)] },
      /^body\.messages\[0\] has the field 4, which is not known/,
    ],
    'cancellation without a height': [
      { messages: [staking('/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation', delegator, validator, coin('uatom', '1'))] },
      /^body\.messages\[0\]\.creationHeight is missing/,
    ],
    'unknown field in an Any': [{ messages: [join(plain.messages[0]!, field(3, 'x'))] }, /^body\.messages\[0\] has the field 3/],
    memo: [{ memo: '108' }, /^body\.memo is "108"; it must be absent$/],
    'timeout height': [{ bodyExtra: [field(3, 5n)] }, /^body\.timeout_height is set/],
    unordered: [{ bodyExtra: [field(4, 1n)] }, /^body\.unordered is set/],
    'timeout timestamp': [{ bodyExtra: [field(5, field(1, 1n))] }, /^body\.timeout_timestamp is set/],
    'extension options': [{ bodyExtra: [field(1023, options)] }, /^body\.extension_options is set/],
    'non-critical extension options': [{ bodyExtra: [field(2047, options)] }, /^body\.non_critical_extension_options is set/],
    'unknown field in the body': [{ bodyExtra: [field(6, 'x')] }, /^body has the field 6, which is not known/],
    'unknown non-critical field in the body': [{ bodyExtra: [field(1025, 'x')] }, /^body has the field 1025, which is not known/],
    'message after the memo': [
      { memo: 'x', bodyExtra: [field(1, plain.messages[0]!)] },
      /^body\.messages stands after a field of a higher number/,
    ],
    'two memos': [{ memo: 'x', bodyExtra: [field(2, 'x')] }, /^body\.memo is there more than once/],

    'no signer': [{ signers: [] }, /^auth_info\.signer_infos is missing/],
    'second signer': [{ signers: [...plain.signers, signer(otherKey, 1n)] }, /^auth_info\.signer_infos has 2 signers; there must be one$/],
    'same signer twice': [{ signers: [...plain.signers, ...plain.signers] }, /^auth_info\.signer_infos has 2 signers/],
    'another signer alone': [{ signers: [signer(otherKey, 7n)] }, /^body\.messages\[0\]\.delegator/],
    'amino mode': [
      { signers: [signer(KEY, 7n, { mode: 127n })] },
      /^auth_info\.signer_infos\[0\]\.mode_info\.single\.mode is 127; it must be 1, SIGN_MODE_DIRECT$/,
    ],
    'unspecified mode': [{ signers: [signer(KEY, 7n, { mode: 0n })] }, /^auth_info\.signer_infos\[0\]\.mode_info/],
    'several keys': [
      { signers: [join(field(1, any('/cosmos.crypto.secp256k1.PubKey', field(1, KEY))), field(2, field(2, Uint8Array.of(8, 1))))] },
      /^auth_info\.signer_infos\[0\]\.mode_info\.multi is set/,
    ],
    'key of another curve': [
      { signers: [signer(KEY, 7n, { type: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey' })] },
      /^auth_info\.signer_infos\[0\]\.public_key is of the type "\/cosmos\.evm/,
    ],
    'uncompressed key': [
      { signers: [signer(Uint8Array.of(4, ...new Uint8Array(64).fill(1)), 7n)] },
      /^auth_info\.signer_infos\[0\]\.public_key\.key is 0x0401/,
    ],
    'key of 32 bytes': [{ signers: [signer(KEY.subarray(0, 32), 7n)] }, /public_key\.key is 0x/],
    'key with another first byte': [{ signers: [signer(Uint8Array.of(5, ...KEY.subarray(1)), 7n)] }, /public_key\.key is 0x05/],
    'no key': [{ signers: [join(field(2, field(1, field(1, 1n))), field(3, 7n))] }, /^auth_info\.signer_infos\[0\]\.public_key is missing/],
    'unknown field in a key': [
      {
        signers: [
          join(field(1, any('/cosmos.crypto.secp256k1.PubKey', join(field(1, KEY), field(2, 'x')))), field(2, field(1, field(1, 1n)))),
        ],
      },
      /^auth_info\.signer_infos\[0\]\.public_key has the field 2/,
    ],
    'unknown field in a signer': [
      { signers: [join(info, field(3, 7n), field(4, 1n))] },
      /^auth_info\.signer_infos\[0\] has the field 4, which is not known/,
    ],
    'sequence before the mode': [
      { signers: [join(field(1, any('/cosmos.crypto.secp256k1.PubKey', field(1, KEY))), field(3, 7n), field(2, field(1, field(1, 1n))))] },
      /^auth_info\.signer_infos\[0\]\.mode_info stands after a field of a higher number/,
    ],
    'sequence 0 written out': [
      { signers: [join(info, Uint8Array.of(0x18, 0))] },
      /^auth_info\.signer_infos\[0\]\.sequence is 0 and written out/,
    ],

    'fee payer': [{ feeExtra: [field(3, delegator)] }, /^auth_info\.fee\.payer is set/],
    'fee granter': [{ feeExtra: [field(4, otherAddress)] }, /^auth_info\.fee\.granter is set/],
    'unknown field in the fee': [{ feeExtra: [field(5, 1n)] }, /^auth_info\.fee has the field 5/],
    'two coins of fee': [
      {
        coins: [
          ['uatom', '1500'],
          ['uosmo', '1'],
        ],
      },
      /^auth_info\.fee\.amount has 2 coins/,
    ],
    'fee in another denom': [{ coins: [['uosmo', '1500']] }, /^auth_info\.fee\.amount\[0\]\.denom is "uosmo"/],
    'fee without an amount': [{ coins: [['uatom', '']] }, /^auth_info\.fee\.amount\[0\]\.amount is missing/],
    'no gas': [{ gasLimit: 0n }, /^auth_info\.fee\.gas_limit is missing/],
    'gas limit twice': [{ feeExtra: [field(2, 5n)] }, /^auth_info\.fee\.gas_limit is there more than once/],
    'coin after the gas limit': [
      { coins: [], feeExtra: [field(1, coin('uatom', '1500'))] },
      /^auth_info\.fee\.amount stands after a field of a higher number/,
    ],
    'no fee': [{ coins: [], gasLimit: 0n }, /^auth_info\.fee is missing/],
    tip: [{ authExtra: [field(3, join(field(1, coin('uatom', '1')), field(2, delegator)))] }, /^auth_info\.tip is set/],
    'unknown field in the auth info': [{ authExtra: [field(4, 'x')] }, /^auth_info has the field 4/],
    'signer after the fee': [{ authExtra: [field(1, signer(otherKey, 1n))] }, /^auth_info\.signer_infos stands after a field/],
  }
  for (const [name, [change, message]] of Object.entries(cases)) {
    const transaction = { ...plain, ...change }
    t.match(reason(vector, writeBody(transaction), writeAuthInfo(transaction)), message, name)
  }
})

t.test('a message of a type without a layout is reported with its type, whatever it says and whoever it is for', async (t) => {
  const request = requestOf(vector)
  const plain = transactionOf(request)
  const found = (messages: readonly Uint8Array[], effects = promiseOf(vector).effects) => {
    const transaction = { ...plain, messages }
    const craft = agreeing(writeBody(transaction), writeAuthInfo(transaction), chainOf(vector))
    return verifyCosmos(craft, effects, promiseOf(vector).bounds, chainOf(vector))
  }
  const unnamed = (type: string) => any(type, Uint8Array.of(8, 1))
  for (const type of ['/cosmos.authz.v1beta1.MsgGrant', 'constructor', request.type.slice(1), `${request.type}V2`]) {
    const [target, method] = found([unnamed(type)])
    t.match(target, { path: 'calls[0].target', found: type })
    t.match(method, { path: 'calls[0].method', found: 'unknown message' })
    t.match(found([...plain.messages, unnamed(type)]), [{ path: 'calls[1]', expected: 'nothing', found: /^unknown message on / }])
  }
  const named = { target: '/a.B', method: 'unknown message', args: { value: '0x0801' }, value: 0n }
  t.strictSame(
    found([unnamed('/a.B')], { ...promiseOf(vector).effects, calls: [named] }).map(({ path }) => path),
    ['calls[0].method'],
    'not even effects that say the same accept it',
  )
})

t.test('a creation height below zero is read as what it is', async (t) => {
  const request = requestOf(vectors.find(({ call }) => call.target.endsWith('MsgCancelUnbondingDelegation'))!)
  const { type, delegator, validator, amount } = request
  const message = staking(type, delegator, validator, coin('uatom', String(amount![1])), (1n << 64n) - 5n)
  const transaction = { ...transactionOf(request), messages: [message] }
  const cancelled = vectors.find(({ call }) => call.target === type)!
  const { effects, bounds } = promiseOf(cancelled)
  const craft = agreeing(writeBody(transaction), writeAuthInfo(transaction), chainOf(cancelled))
  t.match(verifyCosmos(craft, effects, bounds, chainOf(cancelled)), [{ path: 'calls[0].args.creationHeight', found: '-5' }])
})

t.test('amounts in any other form than plain digits are refused, wherever they are', async (t) => {
  const request = requestOf(vector)
  const texts = ['0', '-5', '+5', '05', '5.0', '5e3', '0x5', ' 5', '5 ', '5\n', '５', '1_000', '1,000', String(1n << 256n), '1'.repeat(500)]
  for (const text of texts) {
    const staked = staking(request.type, request.delegator, request.validator, coin('uatom', text))
    const transaction = transactionOf(request)
    const body = writeBody({ ...transaction, messages: [staked] })
    t.match(reason(vector, body, writeAuthInfo(transaction)), /^body\.messages\[0\]\.amount\.amount is /, text)
    const authInfo = writeAuthInfo({ ...transaction, coins: [['uatom', text]] })
    t.match(reason(vector, writeBody(transaction), authInfo), /^auth_info\.fee\.amount\[0\]\.amount is /, text)
  }
})

t.test('a longer way to write the same number is refused at every depth', async (t) => {
  const body = bytes(vector.body)
  const authInfo = bytes(vector.authInfo)
  const gas = digits(varint(300000n))
  const long = bytes(vector.authInfo.replace(new RegExp(`10${gas}$`), `10${gas.slice(0, -2)}9200`))
  // The fee and its length are the last things in the auth info: one byte more in the one, one more in the other.
  const at = authInfo.length - 21
  t.equal(authInfo[at], 0x12)
  long[at + 1] = long[at + 1]! + 1
  t.match(reason(vector, body, long), /^auth_info\.fee\.gas_limit has the varint 0xe0a79200/)
})

t.test('effects of another shape never pass and never throw', async (t) => {
  const { bounds } = promiseOf(vector)
  for (const effects of [
    undefined,
    null,
    {},
    { calls: null },
    { ...promiseOf(vector).effects, layouts: 7 },
    { signers: [], calls: [null] },
    { signers: [vector.signer], calls: [] },
  ]) {
    let count = 0
    try {
      count = verifyCosmos(craftOf(vector), effects as unknown as Effects, bounds, chainOf(vector)).length
    } catch {
      t.fail('it threw')
    }
    t.not(count, 0)
  }
})

t.test('an unreadable answer is one mismatch that carries the reason', async (t) => {
  const { effects, bounds } = promiseOf(vector)
  t.strictSame(verifyCosmos({ ...craftOf(vector), unsigned_tx_hex: '0a' }, effects, bounds, chainOf(vector)), [
    {
      path: 'bytes',
      expected: 'one unsigned transaction in canonical form',
      found: 'unsigned_tx_hex.body_bytes ends at byte 1, within the varint at byte 1',
    },
  ])
})

t.test('another chain, account or signer than was promised is reported', async (t) => {
  const { effects, bounds } = promiseOf(vector)
  const craft = craftOf(vector)
  const chain = chainOf(vector)
  const found = (e: Effects, b: typeof bounds) => verifyCosmos(craft, e, b, chain).map(({ path }) => path)
  t.strictSame(found(effects, { ...bounds, chainId: 'celestia' }), ['chainId'])
  t.strictSame(found(effects, { ...bounds, maxFee: 1499n }), ['maxFee'])
  t.strictSame(found({ ...effects, signers: [vectors[3]!.signer] }, bounds), ['signers[0]'])
  t.strictSame(found({ ...effects, signers: [] }, bounds), ['signers'])
  t.strictSame(found(effects, { ...bounds, terms: { ...bounds.terms, accountNumber: 1n } }), ['terms.accountNumber'])
})

/** A staking transaction in the words of a request. */
interface Request {
  readonly type: string
  readonly key: Uint8Array
  readonly delegator: string
  readonly validator: string
  readonly amount?: readonly [denom: string, amount: bigint]
  readonly height?: bigint
  readonly sequence: bigint
  readonly coins: readonly (readonly [denom: string, amount: string])[]
  readonly gasLimit: bigint
}

function requestOf({ call, signer, chain, sequence, gasLimit, fee }: CosmosVector): Request {
  const { validator, amount, creationHeight } = argsOf(call.args)
  return {
    type: call.target,
    key: KEY,
    delegator: signer,
    validator: String(validator),
    ...(typeof amount === 'bigint' ? { amount: [chain.denom, amount] as const } : {}),
    ...(typeof creationHeight === 'bigint' ? { height: creationHeight } : {}),
    sequence: BigInt(sequence),
    coins: [[chain.denom, fee]],
    gasLimit: BigInt(gasLimit),
  }
}

function transactionOf({ type, key, delegator, validator, amount, height, sequence, coins, gasLimit }: Request): Transaction {
  const given = amount === undefined ? undefined : coin(amount[0], String(amount[1]))
  return {
    messages: [staking(type, delegator, validator, given, height)],
    memo: '',
    bodyExtra: [],
    signers: [signer(key, sequence)],
    coins,
    gasLimit,
    feeExtra: [],
    authExtra: [],
  }
}

function made(vector: CosmosVector, request: Request): CosmosCraft {
  const transaction = transactionOf(request)
  return agreeing(writeBody(transaction), writeAuthInfo(transaction), chainOf(vector))
}

function eachByte(data: Uint8Array, changes: readonly number[], visit: (changed: Uint8Array, at: number) => void): void {
  for (let at = 0; at < data.length; at++) {
    for (const change of changes) {
      const changed = data.slice()
      changed[at] = changed[at]! ^ change
      visit(changed, at)
    }
  }
}

/** Every prefix, the whole without its first byte, and the whole with a byte more. */
function cuts(data: Uint8Array): readonly Uint8Array[] {
  const prefixes = Array.from({ length: data.length - 1 }, (_, i) => data.subarray(0, i + 1))
  return [...prefixes, data.subarray(1), join(data, Uint8Array.of(0)), join(data, Uint8Array.of(8))]
}
