import { MismatchError, SvcError } from '@svc/client'
import t from 'tap'
import { clientOf, said } from './support/service.ts'

const balanceOf = (body: unknown) => clientOf(() => said(body)).monad.balance('0x19/e7')
const HASH = `0x${'ab'.repeat(32)}`

t.test('amounts of a balance are exact, in each way in which a number is written', async (t) => {
  for (const [text, plain, units] of [
    ['0', '0', 0n],
    ['1.5', '1.5', 15n * 10n ** 17n],
    ['1e-18', '0.000000000000000001', 1n],
    ['12e-1', '1.2', 12n * 10n ** 17n],
    ['1.25e1', '12.5', 125n * 10n ** 17n],
    ['1.5e1', '15', 15n * 10n ** 18n],
    ['1.5e3', '1500', 1_500n * 10n ** 18n],
    ['2E+2', '200', 200n * 10n ** 18n],
    ['1e59', `1${'0'.repeat(59)}`, 10n ** 77n],
  ] as const)
    t.match(await clientOf(() => said(`{"staked_amount":${text}}`)).monad.balance('0x'), { staked: { text: plain, units } }, text)
  for (const text of ['1e60', '1e-19', '-1', '"x"', 'true', '{}', '[]', 'null'])
    await t.rejects(
      clientOf(() => said(`{"staked_amount":${text}}`)).monad.balance('0x'),
      { name: 'SvcError', message: /of a form that/ },
      text,
    )
  for (const body of [{}, [], null, 7, 'x']) await t.rejects(balanceOf(body), { name: 'SvcError' }, JSON.stringify(body))
})

t.test('a position is read member by member; null for what the protocol does not know', async (t) => {
  const object = { id: 7, type: 'exit', status: 'waiting', amount: 1, rewards_amount: 0.5, validator_address: 'v', activation_epoch: 3 }
  const seen = await balanceOf({
    ...{ staked_amount: 1, stake_activation_amount: 2, stake_deactivation_amount: 3, stake_withdrawing_amount: 4, stake_rewards_amount: 5 },
    staking_objects: [
      { ...object, withdrawable_epoch: 9, withdrawable_at: '2026-11-25T12:00:00.000Z' },
      { ...object, amount: null, validator_address: 7, activation_epoch: '3' },
    ],
  })
  const one = 10n ** 18n
  t.match(seen, {
    ...{ staked: { units: one }, activating: { units: 2n * one }, deactivating: { units: 3n * one }, withdrawing: { units: 4n * one } },
    rewards: { units: 5n * one },
    objects: [
      {
        ...{ id: '7', type: 'exit', status: 'waiting', amount: { units: one }, rewards: { units: one / 2n }, validatorAddress: 'v' },
        ...{ activationEpoch: 3, withdrawableEpoch: 9, withdrawableAt: '2026-11-25T12:00:00.000Z' },
      },
      { amount: null, validatorAddress: null, activationEpoch: null, withdrawableEpoch: null, withdrawableAt: null },
    ],
  })
  t.same(await balanceOf({ staked_amount: 0, staking_objects: null }), {
    ...{ staked: { text: '0', units: 0n }, activating: null, deactivating: null, withdrawing: null, rewards: null, objects: null },
  })
  await t.rejects(balanceOf({ staked_amount: 0, staking_objects: [null] }), { name: 'SvcError' })
})

t.test('a read names the protocol, and what it is about, as one word of the path', async (t) => {
  const { monad, asked } = clientOf(() => said({ staked_amount: 0, tx_hash: HASH }))
  await monad.balance('0x19/../e7')
  await monad.info()
  await monad.read('/validators')
  await monad.status(HASH).catch(() => undefined)
  t.same(
    asked.map(({ method, path }) => `${method} ${path}`),
    ['GET /staking-balance/0x19%2F..%2Fe7', 'GET /staking-info', 'GET /validators', `GET /transaction/${HASH}`],
  )
})

t.test('what is unverified is called so', async (t) => {
  const { monad } = clientOf(() => said({ anything: 1 }))
  t.same(await monad.craftWithoutVerification('delegate', { amount: 1 }), { unverified: { anything: 1 } })
})

t.test('long values are shown from where they part, with their length', async (t) => {
  const shown = (expected: string, found: string) => new MismatchError('No', [{ path: 'p', expected, found }]).message
  t.equal(shown('a', 'b'), 'No: p should be a and is b.')
  const most = 'x'.repeat(400)
  t.equal(shown(most, `${most.slice(1)}y`), `No: p should be ${most} and is ${most.slice(1)}y.`, '400 are not long')
  t.equal(shown(`${most}y`, `y${most}`), `No: p should be ${most}… (401 characters) and is y${most.slice(1)}… (401 characters).`)
  const longer = `${most}${most}`
  // Twenty characters before the first difference, which is the 801st.
  t.equal(
    shown(`${longer}a`, `${longer}b`),
    `No: p should be …${'x'.repeat(20)}a (801 characters) and is …${'x'.repeat(20)}b (801 characters).`,
  )
  const [one, other] = ['a', 'b'].map((letter) => `${'x'.repeat(120)}${letter}${'y'.repeat(379)}`)
  t.equal(
    shown(one ?? '', other ?? ''),
    `No: p should be …${one?.slice(100)} (500 characters) and is …${other?.slice(100)} (500 characters).`,
    'to its end',
  )
  const near = `${'x'.repeat(20)}a${most}`
  t.equal(
    shown(near, `${'x'.repeat(20)}b`),
    `No: p should be ${near.slice(0, 400)}… (421 characters) and is ${'x'.repeat(20)}b.`,
    'what parts that early is shown from its beginning',
  )
  t.equal(
    new MismatchError('No', [
      { path: 'p', expected: '1', found: '2' },
      { path: 'q', expected: '3', found: '4' },
    ]).message,
    'No: p should be 1 and is 2; q should be 3 and is 4.',
  )
})

t.test('an error is known by its kind, also of another copy of the package', async (t) => {
  t.ok(SvcError.is(Object.assign(new Error('x'), { svc: true })))
  for (const error of [Object.assign(new Error('x'), { svc: 'true' }), new Error('x'), { svc: true, message: 'x' }, null, 'x'])
    t.notOk(SvcError.is(error))
  t.notMatch(new SvcError('a\u202eb').message, /\u202e/, 'and moves no cursor')
})
