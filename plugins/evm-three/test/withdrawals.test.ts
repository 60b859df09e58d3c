import { numberText, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { exactNumber } from '@svc/contract'
import { multicallAbi } from '@svc/sandbox-evm'
import { hexlify, Interface, toUtf8Bytes } from 'ethers'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const stage = await startStage({ plugin, scenario, family: evmFamily })
t.teardown(() => stage.close())

interface Withdrawal {
  readonly withdrawId: number
  readonly withdrawalAmount: number
  readonly accRewardPerToken: number
  readonly withdrawEpoch: number
}

interface Withdrawals {
  readonly validatorId: number
  readonly delegator: string
  readonly startWithdrawId: number
  readonly endWithdrawId: number
  readonly validRequests: readonly Withdrawal[]
  readonly errors: readonly unknown[]
}

const { client } = stage
const player = await stage.player()
const { address } = player.wallet
await player.act('delegate', { amount: 100 })
await player.advance({ epochs: 2 })
const { epoch } = (await player.advance({ seconds: 1 })) as { epoch: number }
await player.act('undelegate', { amount: exactNumber('1.000000000000000001'), withdrawId: 0 })
await player.act('undelegate', { amount: 2, withdrawId: 7 })
await player.act('undelegate', { amount: 3, withdrawId: 255 })

const range = async (query: string) => (await client.get(`/withdrawals/${address}${query}`)).json as Withdrawals
const ids = (answer: Withdrawals) => answer.validRequests.map(({ withdrawId }) => withdrawId)

t.test('every slot in use is listed, with what the chain stores', async (t) => {
  const answer = await range('')
  t.same(
    { ...answer, validRequests: [] },
    { validatorId: 12, delegator: address, startWithdrawId: 0, endWithdrawId: 255, validRequests: [], errors: [] },
  )
  t.same(ids(answer), [0, 7, 255])
  t.equal(numberText(answer.validRequests[0], 'withdrawalAmount'), '1.000000000000000001')
  t.equal(numberText(answer.validRequests[1], 'withdrawalAmount'), '2')
  // The epoch in which the stake deactivates; the balance says when it can be withdrawn, which is one later.
  t.same(
    answer.validRequests.map(({ withdrawEpoch }) => withdrawEpoch),
    [epoch + 1, epoch + 1, epoch + 1],
  )
  t.ok(
    answer.validRequests.every(({ accRewardPerToken }) => accRewardPerToken > 0),
    'the accumulator had grown',
  )
  const { objects } = await player.position()
  t.same(
    objects?.map(({ id, withdrawableEpoch }) => [id, withdrawableEpoch]),
    ['0', '7', '255'].map((id) => [id, epoch + 2]),
  )
})

t.test('a range has both its ends in it', async (t) => {
  for (const [query, start, end, expected] of [
    ['?startWithdrawId=7&endWithdrawId=255', 7, 255, [7, 255]],
    ['?startWithdrawId=8', 8, 255, [255]],
    ['?endWithdrawId=7', 0, 7, [0, 7]],
    ['?endWithdrawId=6', 0, 6, [0]],
    ['?startWithdrawId=7&endWithdrawId=7', 7, 7, [7]],
    ['?startWithdrawId=127&endWithdrawId=129', 127, 129, []],
  ] as const) {
    const answer = await range(query)
    t.same([answer.startWithdrawId, answer.endWithdrawId, ids(answer)], [start, end, expected], query)
  }
})

t.test('a range that is none is refused', async (t) => {
  for (const query of [
    '?startWithdrawId=8&endWithdrawId=7',
    '?startWithdrawId=-1',
    '?endWithdrawId=256',
    '?startWithdrawId=1.5',
    '?startWithdrawId=seven',
    '?startWithdrawId=',
    '?startWithdrawId=1&startWithdrawId=2',
    '?startWithdrawId=0x7',
    '?startWithdrawId=1e2',
    '?startWithdrawId=%20',
  ]) {
    const answer = await client.get(`/withdrawals/${address}${query}`)
    t.equal(answer.status, 400, `${query}: ${answer.text}`)
  }
  t.equal((await client.get('/withdrawals/0x1234')).status, 400)
})

t.test('one slot is read by its id, and a free one answers zeros', async (t) => {
  const used = await client.get(`/withdrawal/${address}/0`)
  t.match(used.json, { withdrawId: 0, withdrawEpoch: epoch + 1 })
  t.equal(numberText(used.json, 'withdrawalAmount'), '1.000000000000000001')
  const free = await client.get(`/withdrawal/${address.toLowerCase()}/8`)
  t.same(free.json, { withdrawId: 8, withdrawalAmount: 0, accRewardPerToken: 0, withdrawEpoch: 0 })
  for (const id of ['256', '-1', '1.5', 'seven', '%20', '0x7']) t.equal((await client.get(`/withdrawal/${address}/${id}`)).status, 400, id)
  t.equal((await client.get('/withdrawal/0x1234/0')).status, 400)
})

t.test('reads of slots take one wave', async (t) => {
  for (const path of [`/withdrawals/${address}`, `/withdrawal/${address}/7`]) {
    const { result, usage } = await stage.upstream.measure(() => client.get(path))
    t.equal(result.status, 200)
    t.equal(usage.waves, 1, path)
  }
})

t.test('someone who never staked has no slots', async (t) => {
  const nobody = stage.world.freshWallet(evmFamily).address
  const answer = (await client.get(`/withdrawals/${nobody}`)).json as Withdrawals
  t.same([answer.delegator, answer.validRequests, answer.errors], [nobody, [], []])
})

t.test('a slot that cannot be read is named with the reason, and the others are there', async (t) => {
  const multicall = new Interface(multicallAbi)
  // The first word behind the delegator's own in the answer for slots 0 to 127 is the epoch's; slot 7 is the ninth.
  stage.upstream.interfere(async (_call, pass) => {
    const answers = [(await (await pass()).json()) as { result: string }].flat()
    for (const answer of answers) {
      // Beside it stand the chain's id and the time of its head, of a word at most.
      if (answer.result.length <= 66) continue
      const [results] = multicall.decodeFunctionResult('aggregate3', answer.result)
      if (results.length < 9) continue
      const list = [...results].map(([success, data], index) => (index === 8 && !failed ? fail() : [success, data]))
      answer.result = multicall.encodeFunctionResult('aggregate3', [list])
    }
    return Response.json(answers.length === 1 ? answers[0] : answers)
  })
  let failed = false
  const fail = () => {
    failed = true
    return [false, hexlify(toUtf8Bytes('internal error'))]
  }
  t.teardown(() => stage.upstream.interfere(null))
  const answer = await range('?endWithdrawId=127')
  t.same(ids(answer), [0])
  t.same(answer.errors, [{ withdrawId: 7, message: 'internal error' }])

  failed = false
  const { objects, deactivating } = await player.position()
  t.match(objects?.find(({ status }) => status === 'unknown') ?? null, { amount: null, withdrawableEpoch: null, status: 'unknown' })
  t.ok(deactivating !== null)
})
