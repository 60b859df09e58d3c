import t from 'tap'
import { decodeStakeAccount, NEVER, OFFSET } from '../src/chain/stake-account.ts'
import { digestOf, digests } from '../src/digests.ts'
import vectors from './vectors/accounts.json' with { type: 'json' }

const data = Buffer.from(vectors.stake.data, 'hex')
const { withdrawer, voter } = vectors.stake
const STAKE = 'Stake11111111111111111111111111111111111111'
const OURS = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'
const THEIRS = 'HhGs98mVkJt8pWjC3sMeuZDcR2GyRmog7VdevVLLv4ah'
const NOBODY = 'F8x8CNs5TicJNwLKr6ehoi5sMA9jt7PmQXF9urQk1gGM'
const { delegation: decoded, staker, lockup } = decodeStakeAccount(data)!
const delegation = decoded!
/** A unit with the authorities of the vector. */
const made = (unit: Omit<Parameters<typeof digestOf>[0][number], 'staker' | 'lockup'>, power: object = {}) => ({
  staker,
  lockup,
  ...unit,
  ...power,
})

/** A node with one account at the operator's validator, and what the test says of others. */
function node(others: Readonly<Record<string, Buffer | null>>, validator = voter) {
  const asked: { readonly method: string; readonly params: any }[] = []
  const state = { refusing: false }
  const rpc = async (method: string, params: any, read: (answer: unknown) => unknown) => {
    asked.push({ method, params })
    if (method === 'getProgramAccounts') {
      if (state.refusing) throw new Error('the endpoint refuses the search')
      const { offset, length } = params[1].dataSlice
      const slice = data.subarray(offset, offset + length).toString('base64')
      return read({ value: [{ pubkey: OURS, account: { lamports: 9, owner: STAKE, data: [slice, 'base64'] } }] })
    }
    const value = params[0].map((id: string) => {
      const found = others[id] ?? null
      return found && { lamports: 7, owner: STAKE, data: [found.toString('base64'), 'base64'] }
    })
    return read({ value })
  }
  const clock = { now: new Date('2026-11-22T10:00:00Z') }
  const ctx = { client: { rpc }, network: { validator }, memo: {}, now: () => clock.now } as never
  return { ctx, asked, state, clock, methods: () => asked.map(({ method }) => method) }
}

const ours = digestOf([made({ id: OURS, lamports: 9n, delegation })])

t.test('one search finds the accounts with the validator of all wallets, and serves for some minutes', async (t) => {
  const { ctx, asked, methods, clock, state } = node({})
  const positions = [
    { address: withdrawer, objects: [OURS] },
    { address: NOBODY, objects: [] },
  ]
  t.same(
    [...(await digests(ctx, positions))],
    [
      [withdrawer, ours],
      [NOBODY, ''],
    ],
  )
  t.same(asked[0]!.params[1].filters.at(-1), { memcmp: { offset: OFFSET.voter, bytes: voter } })
  await digests(ctx, positions)
  t.same(
    methods(),
    ['getProgramAccounts', 'getMultipleAccounts', 'getMultipleAccounts'],
    'a search is not made again; the accounts of wallets are read each time',
  )
  clock.now = new Date(clock.now.getTime() + 300_000)
  state.refusing = true
  await t.rejects(digests(ctx, positions), /refuses/)
  state.refusing = false
  t.equal((await digests(ctx, positions)).get(withdrawer), ours, 'and a search that failed is made again')
})

t.test('an account that is known elsewhere is looked up, a hundred a call, and one that is gone or another’s is none', async (t) => {
  const elsewhere = Buffer.from(data)
  elsewhere.fill(7, OFFSET.voter, OFFSET.voter + 32)
  const known = (objects: readonly string[]) => [{ address: withdrawer, objects }]
  const at = (buffer: Buffer | null) => node({ [THEIRS]: buffer })
  const both = await digests(at(elsewhere).ctx, known([OURS, THEIRS]))
  const there = decodeStakeAccount(elsewhere)!.delegation
  t.equal(
    both.get(withdrawer),
    digestOf([made({ id: THEIRS, lamports: 7n, delegation: there }), made({ id: OURS, lamports: 9n, delegation })]),
  )
  t.equal((await digests(at(null).ctx, known([OURS, THEIRS]))).get(withdrawer), ours)
  const sold = Buffer.from(elsewhere)
  sold.fill(3, OFFSET.withdrawer, OFFSET.withdrawer + 32)
  t.equal((await digests(at(sold).ctx, known([THEIRS]))).get(withdrawer), ours)
  const strange = Buffer.from(elsewhere)
  strange.writeUInt32LE(3)
  t.same([...(await digests(at(strange).ctx, known([THEIRS])))], [], 'one that cannot be read leaves its wallet out')

  const many = node({})
  await digests(many.ctx, known(Array.from({ length: 250 }, (_, index) => `${THEIRS.slice(0, -3)}${String(index).padStart(3, '1')}`)))
  t.same(
    many.asked.flatMap(({ method, params }) => (method === 'getMultipleAccounts' ? [params[0].length] : [])),
    [100, 100, 50, 1],
    'and the account of each wallet, for its owner alone',
  )
  t.same(many.asked.at(-1)!.params[1].dataSlice, { offset: 0, length: 0 })
})

t.test('rewards change no digest of what is delegated, and every transaction does', async (t) => {
  const of = (changes: object, more: object = {}) =>
    digestOf([made({ id: OURS, lamports: 9n, delegation: { ...delegation, ...changes } }, more)])
  t.equal(of({ stake: 99n }, { lamports: 99n }), ours, 'rewards are paid into the account')
  for (const changed of [{ voter: THEIRS }, { activationEpoch: 1001n }, { deactivationEpoch: 1002n }]) t.not(of(changed), ours)
  const ended = { deactivationEpoch: 1002n }
  t.not(of(ended, { lamports: 5n }), of(ended), 'a part is withdrawn')
  const idle = (lamports: bigint) => digestOf([made({ id: OURS, lamports, delegation: null })])
  t.not(idle(5n), idle(6n))
  t.not(digestOf([]), ours)
  t.equal(delegation.deactivationEpoch, NEVER)
})

t.test('who has power over an account is in its digest, and so is that it holds less than it did', async (t) => {
  const of = (power: object, known?: Readonly<Record<string, bigint>>) =>
    digestOf([made({ id: OURS, lamports: 9n, delegation }, power)], known)
  t.equal(of({}), ours)
  for (const power of [
    { staker: NOBODY },
    { lockup: { ...lockup, unixTimestamp: 1n } },
    { lockup: { ...lockup, epoch: 1n } },
    { lockup: { ...lockup, custodian: NOBODY } },
  ])
    t.not(of(power), ours)
  t.equal(of({}, { [OURS]: 9n }), ours)
  t.equal(of({}, { [OURS]: 8n, [THEIRS]: 99n }), ours, 'rewards make it more')
  t.not(of({}, { [OURS]: 10n }), ours, 'a part was split off')
  const { ctx } = node({})
  const known = (lamports: bigint) => [{ address: withdrawer, objects: [OURS], amounts: { [OURS]: lamports } }]
  t.equal((await digests(ctx, known(9n))).get(withdrawer), ours)
  t.not((await digests(ctx, known(10n))).get(withdrawer), ours)
})

t.test('a program that a wallet was assigned to is in its digest', async (t) => {
  const { ctx } = node({ [withdrawer]: Buffer.alloc(0) })
  const positions = [
    { address: withdrawer, objects: [OURS] },
    { address: NOBODY, objects: [] },
  ]
  t.same(
    [...(await digests(ctx, positions))],
    [
      [withdrawer, `${ours}, wallet ${STAKE}`],
      [NOBODY, ''],
    ],
  )
})
