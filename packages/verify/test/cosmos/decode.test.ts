import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { sha256 } from '../../src/bytes/sha256.ts'
import { readAuthInfo } from '../../src/cosmos/auth-info.ts'
import { writeBech32 } from '../../src/cosmos/bech32.ts'
import { addressOfKey, type CosmosCraft, decodeCosmos } from '../../src/cosmos/index.ts'
import { ripemd160 } from '../../src/cosmos/ripemd160.ts'
import { signDocHash } from '../../src/cosmos/sign-doc.ts'
import { argsOf, bytes } from '../support/vectors.ts'
import { LAYOUTS } from './support/layouts.ts'
import { chainOf, craftOf, digits, send, vectors } from './support/vectors.ts'
import { agreeing, coin, signer, staking, writeAuthInfo, writeBody, writeTransaction } from './support/write.ts'

const vector = vectors[0]!
const craft = craftOf(vector)
const chain = chainOf(vector)

t.test('every vector is read as what it does, who signs it and what it costs', async (t) => {
  for (const vector of vectors) {
    t.strictSame(
      decodeCosmos(craftOf(vector), LAYOUTS, chainOf(vector)),
      {
        chainId: vector.chain.chainId,
        signers: [vector.signer],
        maxFee: BigInt(vector.fee),
        calls: [{ ...vector.call, args: argsOf(vector.call.args), value: BigInt(vector.call.value) }],
        terms: {
          sequence: BigInt(vector.sequence),
          accountNumber: BigInt(vector.chain.accountNumber),
          gasLimit: BigInt(vector.gasLimit),
          fee: BigInt(vector.fee),
        },
      },
      vector.name,
    )
  }
})

t.test('the tests write a transaction as the vectors have it, signed and unsigned', async (t) => {
  for (const vector of vectors) {
    const [body, authInfo, signature] = [bytes(vector.body), bytes(vector.authInfo), bytes(vector.signature)]
    const signed = writeTransaction(body, authInfo, signature)
    t.equal(digits(sha256(signed)).toUpperCase(), vector.transactionHash, vector.name)
    if (vector.unsigned !== undefined) t.equal(digits(writeTransaction(body, authInfo)), vector.unsigned)
    if (vector.signed !== undefined) t.equal(digits(signed), vector.signed)
  }
  t.equal(vectors.filter(({ unsigned }) => unsigned !== undefined).length, 2)
})

t.test('a transaction from a Go node has its signer and hash, and its transfer is a message that nobody laid out', async (t) => {
  const chain = chainOf(send)
  const [bodyBytes, authInfoBytes] = [bytes(send.body), bytes(send.authInfo)]
  t.equal(digits(signDocHash({ ...chain, bodyBytes, authInfoBytes })), send.hash)
  const { key, ...said } = readAuthInfo(authInfoBytes, chain, 'crafted')
  t.equal(addressOfKey(chain, key), send.signer)
  t.strictSame(said, {
    signer: send.signer,
    amino: false,
    sequence: BigInt(send.sequence),
    gasLimit: BigInt(send.gasLimit),
    fee: BigInt(send.fee),
  })
  t.match(decodeCosmos(craftOf(send), LAYOUTS, chain).calls, [
    { target: '/cosmos.bank.v1beta1.MsgSend', method: 'unknown message', args: { value: /^0x0a2d/ }, value: 0n },
  ])
})

t.test('a transaction for another chain or account is refused, since its hash is another', async (t) => {
  for (const change of [{ chainId: 'cosmoshub-3' }, { accountNumber: 12346n }, { accountNumber: 0n }]) {
    t.throws(() => decodeCosmos(craft, LAYOUTS, { ...chain, ...change }), {
      code: 'DECODE_FAILED',
      message: /^unsigned_tx_hash_hex is "6959552a/,
    })
  }
  t.throws(() => decodeCosmos(craft, LAYOUTS, { ...chain, chainId: 'celestia' }), {
    message: /the hash of unsigned_tx_hex on chain "celestia" for the account number 12345 is [0-9a-f]{64}$/,
  })
})

t.test('addresses of another prefix and fees of another denom than the chain has are refused', async (t) => {
  t.throws(() => decodeCosmos(craft, LAYOUTS, { ...chain, prefix: 'osmo' }), { message: /^body\.messages\[0\]\.delegator is "cosmos1/ })
  t.throws(() => decodeCosmos(craft, LAYOUTS, { ...chain, denom: 'utia' }), {
    message: 'auth_info.fee.amount[0].denom is "uatom"; fees are paid in "utia"',
  })
})

t.test('facts that no chain has are refused by name', async (t) => {
  const cases = {
    chainId: [undefined, '', 4],
    accountNumber: [undefined, 12345, '12345', -1n, 1n << 64n],
    prefix: [undefined, '', 'Cosmos', 'cosmos1!', 'x'.repeat(45)],
    denom: [undefined, '', 6],
    memo: [null, 7],
    algorithm: [undefined, 'ed25519', 'toString', 1],
    keyType: [null, '', '/cosmos.crypto.secp256k1.PubKey'],
  }
  for (const [name, values] of Object.entries(cases)) {
    for (const value of values) {
      t.throws(() => decodeCosmos(craft, LAYOUTS, { ...chain, [name]: value } as never), {
        code: 'DECODE_FAILED',
        message: new RegExp(`^chain\\.${name} is `),
      })
    }
  }
  for (const none of [undefined, null, 'cosmoshub-4']) {
    t.throws(() => decodeCosmos(craft, LAYOUTS, none as never), { code: 'DECODE_FAILED', message: /^chain is / })
  }
})

t.test('a response with other members, or in another form of hex, is refused', async (t) => {
  const { unsigned_tx_hex: tx, unsigned_tx_hash_hex: hash } = craft
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [null, /^the craft response is null/],
    [[craft], /^the craft response is a list/],
    ['00', /^the craft response is "00"/],
    [{}, /^the craft response has no member unsigned_tx_hex; it must have unsigned_tx_hex, tx_auth_info_hex, unsigned_tx_hash_hex$/],
    [Object.create(craft), /^the craft response has no member unsigned_tx_hex/],
    [{ ...craft, memo: '' }, /^the craft response has a member "memo" that is not read/],
    [{ ...craft, unsigned_tx_hex: `0x${tx}` }, /^unsigned_tx_hex is /],
    [{ ...craft, unsigned_tx_hex: tx.toUpperCase() }, /^unsigned_tx_hex is /],
    [{ ...craft, unsigned_tx_hex: tx.slice(1) }, /^unsigned_tx_hex is /],
    [{ ...craft, unsigned_tx_hex: `${tx}\n` }, /^unsigned_tx_hex is /],
    [{ ...craft, unsigned_tx_hex: '' }, /^unsigned_tx_hex is ""/],
    [{ ...craft, unsigned_tx_hex: 'aa'.repeat(1024 * 1024 + 1) }, /^unsigned_tx_hex is .* 1048576 bytes at most$/],
    [{ ...craft, unsigned_tx_hex: vector.body }, /^unsigned_tx_hex/],
    [{ ...craft, unsigned_tx_hex: vector.signed }, /^unsigned_tx_hex\.signatures is set; an unsigned transaction has no signatures$/],
    [{ ...craft, unsigned_tx_hash_hex: `0x${hash}` }, /^unsigned_tx_hash_hex is /],
    [{ ...craft, unsigned_tx_hash_hex: hash.slice(2) }, /^unsigned_tx_hash_hex is /],
    [{ ...craft, unsigned_tx_hash_hex: 7n }, /^unsigned_tx_hash_hex is 7/],
    [{ ...craft, tx_auth_info_hex: vectors[1]!.authInfo }, /^tx_auth_info_hex is .* where unsigned_tx_hex has .*; both must be the same$/],
    [{ ...craft, tx_auth_info_hex: null }, /^tx_auth_info_hex is null/],
  ]
  for (const [given, message] of cases) {
    t.throws(() => decodeCosmos(given as CosmosCraft, LAYOUTS, chain), { code: 'DECODE_FAILED', message }, String(message))
  }
})

t.test('a memo is read only where it is the one that was agreed on', async (t) => {
  const body = (memo: string) => writeBody({ ...plain, memo })
  const authInfo = writeAuthInfo(plain)
  const made = agreeing(body('via Example'), authInfo, chain)
  t.throws(() => decodeCosmos(made, LAYOUTS, chain), { message: 'body.memo is "via Example"; it must be absent' })
  t.throws(() => decodeCosmos(made, LAYOUTS, { ...chain, memo: 'via example' }), {
    message: 'body.memo is "via Example"; it must be "via example"',
  })
  t.throws(() => decodeCosmos(craft, LAYOUTS, { ...chain, memo: 'via Example' }), { message: 'body.memo is ""; it must be "via Example"' })
  t.equal(decodeCosmos(made, LAYOUTS, { ...chain, memo: 'via Example' }).calls.length, 1)
})

t.test('account number 0 and sequence 0 are read from the bytes that they do not leave', async (t) => {
  const first = { ...chain, accountNumber: 0n }
  const made = agreeing(writeBody(plain), writeAuthInfo({ ...plain, signers: [signer(key, 0n)] }), first)
  t.match(decodeCosmos(made, LAYOUTS, first).terms, { accountNumber: 0n, sequence: 0n })
  t.throws(() => decodeCosmos(made, LAYOUTS, chain), { message: /^unsigned_tx_hash_hex is / })
})

t.test('a fee of no coins is a fee of 0', async (t) => {
  const free = decodeCosmos(agreeing(writeBody(plain), writeAuthInfo({ ...plain, coins: [] }), chain), LAYOUTS, chain)
  t.equal(free.maxFee, 0n)
  t.equal(free.terms.fee, 0n)
})

t.test('coins of another denom than the native one are not a native amount', async (t) => {
  const message = staking('/cosmos.staking.v1beta1.MsgDelegate', vector.signer, validator, coin('ibc/27394F', '5'))
  const { calls } = decodeCosmos(agreeing(writeBody({ ...plain, messages: [message] }), writeAuthInfo(plain), chain), LAYOUTS, chain)
  t.match(calls, [{ args: { denom: 'ibc/27394F', amount: 5n }, value: 0n }])
})

t.test('a validator whose address has 32 bytes is read', async (t) => {
  const long = writeBech32('cosmosvaloper', new Uint8Array(32).fill(9))
  const message = staking('/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', vector.signer, long)
  const { calls } = decodeCosmos(agreeing(writeBody({ ...plain, messages: [message] }), writeAuthInfo(plain), chain), LAYOUTS, chain)
  t.equal(calls[0]?.args.validator, long)
})

const validator = String(argsOf(vector.call.args).validator)
const key = bytes('034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff')
const plain = {
  messages: [staking('/cosmos.staking.v1beta1.MsgDelegate', vector.signer, validator, coin('uatom', '1500000'))],
  memo: '',
  bodyExtra: [],
  signers: [signer(key, 7n)],
  coins: [['uatom', '1500']] as const,
  gasLimit: 300000n,
  feeExtra: [],
  authExtra: [],
}

const staked = '/cosmos.staking.v1beta1'
const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const amounts = fc.bigInt({ min: 1n, max: (1n << 256n) - 1n })
const requests = fc.record({
  kind: fc.constantFrom('MsgDelegate', 'MsgUndelegate', 'MsgCancelUnbondingDelegation', 'MsgWithdrawDelegatorReward'),
  operator: fc.uint8Array({ minLength: 20, maxLength: 20 }),
  amount: amounts,
  height: fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }),
})

t.test('whatever another writer writes of the four messages is read back', async (t) => {
  const keys = fc
    .tuple(fc.constantFrom(2, 3), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([sign, x]) => Uint8Array.of(sign, ...x))
  const prefixes = fc.stringMatching(/^[a-z]{1,10}$/)
  const given = fc.array(requests, { minLength: 1, maxLength: 4 })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(keys, prefixes, given, amounts, u64, u64, u64, (key, prefix, requests, fee, sequence, accountNumber, gas) => {
        const chain = { chainId: 'test-1', accountNumber, prefix, denom: 'ustake', algorithm: 'secp256k1' } as const
        const delegator = writeBech32(prefix, ripemd160(sha256(key)))
        const gasLimit = gas === 0n ? 1n : gas
        const messages: Uint8Array[] = []
        const calls: object[] = []
        for (const { kind, operator, amount, height } of requests) {
          const validator = writeBech32(`${prefix}valoper`, operator)
          const coins = { denom: 'ustake', amount }
          if (kind === 'MsgWithdrawDelegatorReward') {
            const target = '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward'
            messages.push(staking(target, delegator, validator))
            calls.push({ target, method: `${kind}(delegator, validator)`, args: { delegator, validator }, value: 0n })
          } else if (kind === 'MsgCancelUnbondingDelegation') {
            const target = `${staked}.${kind}`
            messages.push(staking(target, delegator, validator, coin('ustake', String(amount)), height))
            const args = { delegator, validator, ...coins, creationHeight: height }
            calls.push({ target, method: `${kind}(delegator, validator, denom, amount, creationHeight)`, args, value: 0n })
          } else {
            const target = `${staked}.${kind}`
            messages.push(staking(target, delegator, validator, coin('ustake', String(amount))))
            const value = kind === 'MsgDelegate' ? amount : 0n
            calls.push({ target, method: `${kind}(delegator, validator, denom, amount)`, args: { delegator, validator, ...coins }, value })
          }
        }
        const transaction = { ...plain, messages, signers: [signer(key, sequence)], coins: [['ustake', String(fee)]] as const, gasLimit }
        const decoded = decodeCosmos(agreeing(writeBody(transaction), writeAuthInfo(transaction), chain), LAYOUTS, chain)
        return isDeepStrictEqual(decoded, {
          chainId: 'test-1',
          signers: [delegator],
          maxFee: fee,
          calls,
          terms: { sequence, accountNumber, gasLimit, fee },
        })
      }),
    ),
  )
})

t.test('bytes that are no transaction are refused with the reason, whatever they are', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), fc.uint8Array({ minLength: 1, maxLength: 80 }), (body, authInfo) => {
        try {
          decodeCosmos(agreeing(body, authInfo, chain), LAYOUTS, chain)
          return false
        } catch (error) {
          return (error as { code?: string }).code === 'DECODE_FAILED'
        }
      }),
      { numRuns: 1000 },
    ),
  )
})
