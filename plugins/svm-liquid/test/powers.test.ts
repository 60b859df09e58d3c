import { PublicKey } from '@svc/solana'
import t from 'tap'
import { tokenAccountOf } from '../src/chain/derived-addresses.ts'
import { readTokenAccount, tokenPowers } from '../src/chain/token-account.ts'
import { digestOf, digests } from '../src/digests.ts'
import { poolOf } from '../src/network.ts'

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const SYSTEM = '11111111111111111111111111111111'
const key = (byte: number) => Buffer.alloc(32, byte)
const address = (byte: number) => new PublicKey(key(byte)).toBase58()
const OWNER = address(2)
const THIEF = address(3)
const MOST = 2n ** 64n - 1n

interface Parts {
  readonly owner?: number
  readonly amount?: bigint
  readonly delegate?: number
  readonly delegated?: bigint
  readonly closer?: number
  readonly state?: number
}

/** A token account in the layout of the chain. */
function made(
  { owner = 2, amount = 5_000_000_000n, delegate, delegated = 0n, closer, state = 1 }: Parts = {},
  program = TOKEN,
  bytes = 165,
) {
  const data = Buffer.alloc(bytes)
  key(1).copy(data, 0)
  key(owner).copy(data, 32)
  data.writeBigUInt64LE(amount, 64)
  data[108] = state
  data.writeBigUInt64LE(delegated, 121)
  for (const [at, byte] of [
    [72, delegate],
    [129, closer],
  ] as const) {
    // A key that is left behind without its tag is nobody's.
    data.writeUInt32LE(byte === undefined ? 0 : 1, at)
    key(byte ?? 9).copy(data, at + 4)
  }
  return { lamports: 7n, owner: program, data }
}
const powers = (parts: Parts) =>
  tokenPowers(readTokenAccount(made(parts), TOKEN), OWNER).map(({ aspect, holder, terms, severity }) => [aspect, holder, terms, severity])

t.test('the powers over a token account are those that its owner does not have alone', async (t) => {
  t.same(powers({}), [])
  t.same(tokenPowers(null, OWNER), [], 'where there is none there is no power')
  t.same(
    powers({ owner: 3, delegate: 4, delegated: 1n }),
    [['owner', THIEF, null, undefined]],
    'with another owner nothing of it is the wallet’s',
  )
  t.same(powers({ delegate: 3, delegated: 5_000_000_000n }), [['delegate', THIEF, '5 tokens', 'info']])
  t.same(powers({ delegate: 3, delegated: 5_000_000_001n }), [['delegate', THIEF, '5.000000001 tokens', 'critical']], 'more than there is')
  t.same(powers({ delegate: 3, delegated: MOST }), [['delegate', THIEF, '18446744073.709551615 tokens', 'critical']])
  t.same(powers({ delegate: 3, delegated: 0n }), [], 'who may take none has no power')
  t.same(powers({ delegated: 5n }), [], 'nor has nobody')
  t.same(powers({ closer: 3 }), [['close_authority', THIEF, null, 'warning']])
  t.same(powers({ closer: 2 }), [], 'the owner may close it anyway')
  t.same(powers({ state: 2 }), [['frozen', null, null, undefined]])
  t.equal(powers({ delegate: 3, delegated: 1n, closer: 3, state: 2 }).length, 3)
})

t.test('what is no token account of the program is none', async (t) => {
  t.equal(readTokenAccount(null, TOKEN), null)
  t.equal(readTokenAccount(made({}, SYSTEM), TOKEN), null)
  t.equal(readTokenAccount(made({}, TOKEN, 164), TOKEN), null)
  t.ok(readTokenAccount(made({}, TOKEN, 200), TOKEN), 'one with extensions behind it is one')
  const whole = made({ delegate: 3, delegated: 4n, closer: 5, state: 2 })
  t.same(
    readTokenAccount({ ...whole, data: whole.data.subarray(32, 165) }, TOKEN, true),
    readTokenAccount(whole, TOKEN),
    'from a slice too',
  )
})

t.test('each transaction changes a digest', async (t) => {
  const of = (parts: Parts, program: string | null = null) => digestOf(readTokenAccount(made(parts), TOKEN), OWNER, program)
  const all = [
    of({}),
    of({ amount: 4n }),
    of({ delegate: 3, delegated: 1n }),
    of({ delegate: 3, delegated: 2n }),
    of({ delegate: 4, delegated: 1n }),
    of({ closer: 3 }),
    of({ state: 2 }),
    of({ owner: 3 }),
    of({}, TOKEN),
    digestOf(null, OWNER, null),
    digestOf(null, OWNER, TOKEN),
  ]
  t.equal(new Set(all).size, all.length)
  t.equal(of({ owner: 3, amount: 4n }), of({ owner: 3 }), 'but for what another owner does with it')
})

t.test('digests of many cost two accounts a wallet, a hundred a call, and name the wallet that a program has', async (t) => {
  const network = { chainId: 'localnet', pool: address(5), mint: address(1), program: address(6), token_program: TOKEN } as never
  const asked: (readonly [number, unknown])[] = []
  const wallets = Array.from({ length: 70 }, (_, index) => address(10 + index))
  const [first, second] = wallets as [string, string]
  const mine = tokenAccountOf(first, poolOf(network)).toBase58()
  const rpc = async (
    _method: string,
    [addresses, options]: [readonly string[], { dataSlice: unknown }],
    read: (answer: unknown) => unknown,
  ) => {
    asked.push([addresses.length, options.dataSlice])
    const slice = made({ owner: 10 }).data.subarray(32).toString('base64')
    return read({
      value: addresses.map((each) => {
        if (each === mine) return { lamports: 7, owner: TOKEN, data: [slice, 'base64'] }
        return each === first || each === second ? { lamports: 7, owner: each === second ? TOKEN : SYSTEM, data: ['', 'base64'] } : null
      }),
    })
  }
  const ctx = { client: { rpc }, network } as never
  const result = await digests(
    ctx,
    wallets.map((each) => ({ address: each, objects: [] })),
  )
  t.same([...result].slice(0, 3), [
    [first, '5000000000 - 0 - free'],
    [second, `none wallet ${TOKEN}`],
    [wallets[2], 'none'],
  ])
  t.same(asked, [
    [100, { offset: 32, length: 133 }],
    [40, { offset: 32, length: 133 }],
  ])
})

t.test('a slice that is longer than it was asked for is no answer', async (t) => {
  const rpc = async (_method: string, [addresses]: [readonly string[]], read: (answer: unknown) => unknown) =>
    read({ value: addresses.map(() => ({ lamports: 7, owner: TOKEN, data: [made().data.toString('base64'), 'base64'] })) })
  const network = { chainId: 'localnet', pool: address(5), mint: address(1), program: address(6), token_program: TOKEN } as never
  await t.rejects(digests({ client: { rpc }, network } as never, [{ address: OWNER, objects: [] }]), { code: 'UPSTREAM_ERROR' } as never)
})
