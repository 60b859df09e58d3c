import t from 'tap'
import { powersOver } from '../src/chain/powers.ts'
import { OFFSET, STAKE_SPACE } from '../src/chain/stake-account.ts'
import { departed } from '../src/departed.ts'
import vectors from './vectors/accounts.json' with { type: 'json' }

const data = Buffer.from(vectors.stake.data, 'hex')
const { withdrawer, voter: other } = vectors.stake
const STAKE = 'Stake11111111111111111111111111111111111111'
const ID = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'
const none = { unixTimestamp: 0n, epoch: 0n, custodian: '11111111111111111111111111111111' }
const own = { staker: withdrawer, withdrawer, lockup: none }

t.test('the powers over an account are those that its owner does not have alone', async (t) => {
  const of = (changes: Partial<typeof own>) =>
    powersOver(ID, { ...own, ...changes }, withdrawer).map(({ aspect, holder, terms }) => [aspect, holder, terms])
  t.same(of({}), [])
  t.same(of({ staker: other }), [['staker', other, null]])
  t.same(of({ withdrawer: other, staker: other }), [
    ['withdrawer', other, null],
    ['staker', other, null],
  ])
  const lockup = (changes: Partial<typeof none>) => of({ lockup: { ...none, custodian: other, ...changes } })
  t.same(lockup({}), [], 'a lockup that was never set binds nobody, whoever its custodian is')
  t.same(lockup({ unixTimestamp: -1n }), [])
  t.same(lockup({ unixTimestamp: 4_102_444_800n }), [['lockup', other, 'until 2100-01-01T00:00:00.000Z']])
  t.same(lockup({ epoch: 900n }), [['lockup', other, 'until epoch 900']])
  t.same(lockup({ unixTimestamp: 2n ** 62n, epoch: 2n ** 64n - 1n }), [
    ['lockup', other, 'until 9999-12-31T23:59:59.000Z and epoch 18446744073709551615'],
  ])
  t.same(lockup({ epoch: 900n, custodian: withdrawer }), [], 'who is his own custodian is bound by nobody')
})

t.test('an account that is gone, one that is another’s, and one of which nothing can be said are told apart', async (t) => {
  const sold = Buffer.from(data)
  sold.fill(3, OFFSET.withdrawer, OFFSET.withdrawer + 32)
  const emptied = Buffer.alloc(STAKE_SPACE)
  const strange = Buffer.from(data)
  strange.writeUInt32LE(3)
  const asked: number[] = []
  const read = async (
    answers: Readonly<Record<string, { readonly owner: string; readonly data: Buffer } | null>>,
    ids: readonly string[],
  ) => {
    const rpc = async (_method: string, [addresses]: [readonly string[]], take: (answer: unknown) => unknown) => {
      asked.push(addresses.length)
      const value = addresses.map((id) => {
        const found = answers[id] ?? null
        return found && { lamports: 7, owner: found.owner, data: [found.data.toString('base64'), 'base64'] }
      })
      return take({ value })
    }
    return departed({ client: { rpc } } as never, withdrawer, ids)
  }
  const one = async (account: { readonly owner: string; readonly data: Buffer } | null) => (await read({ [ID]: account }, [ID])).get(ID)
  t.equal(await one(null), null, 'gone')
  t.equal(
    await one({ owner: '11111111111111111111111111111111', data: Buffer.alloc(0) }),
    null,
    'lamports that came to its address are no stake',
  )
  t.equal(await one({ owner: STAKE, data: emptied }), null, 'nor are those in an account that was emptied')
  const powers = await one({ owner: STAKE, data: sold })
  t.match(powers, [{ aspect: 'withdrawer', objectId: ID }])
  t.equal(powers?.length, 1, 'the wallet is its staker still')
  t.equal(await one({ owner: STAKE, data }), undefined, 'it is the wallet’s still')
  t.equal(await one({ owner: STAKE, data: strange }), undefined, 'it cannot be read')
  asked.length = 0
  await read(
    {},
    Array.from({ length: 250 }, (_, index) => `${ID.slice(0, -3)}${String(index).padStart(3, '1')}`),
  )
  t.same(asked, [100, 100, 50])
})
