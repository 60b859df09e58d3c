import { declareErrors } from '@svc/contract'
import { Interface } from 'ethers'
import t, { type Test } from 'tap'
import { reader } from '../src/index.ts'
import { earns, MOST_VALIDATORS, monadValidators, monadValidatorsAbi, obstacleOf, type Validator } from '../src/monad/index.ts'
import { contextOf, nodeOf } from './support/node.ts'

const multicall3 = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])
const { badGateway } = declareErrors({ STAKING_UNREADABLE: [502, 'The staking contract could not be read.'] })
const { askAll } = reader({ unreadable: ({ method, reason }) => badGateway('STAKING_UNREADABLE', `${method}: ${reason}`) })
const validators = monadValidators({ askAll }, () => badGateway('STAKING_UNREADABLE', 'without an end'))
const abi = monadValidatorsAbi.interface
const OWNER = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const NOBODY = '0x0000000000000000000000000000000000000000'

/** A validator with 5 at stake in this epoch, and 7 once its last part has begun; ids above 900 are not registered. */
const recordOf = (id: bigint) =>
  id > 900n
    ? [NOBODY, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, '0x', '0x']
    : [OWNER, 0n, 9n, 1n, 10n ** 17n, 0n, 5n, 10n ** 17n, 7n, 2n * 10n ** 17n, '0x', '0x']

/** A chain, by the page that it answers for each start of its set. */
function chainOf(t: Test, { delayed = false, page = (_start: bigint): readonly [boolean, bigint, readonly bigint[]] => [true, 0n, [1n]] }) {
  const asked: string[][] = []
  const answers: Record<string, (args: readonly bigint[]) => readonly unknown[]> = {
    getEpoch: () => [7n, delayed],
    getValidator: ([id = 0n]) => recordOf(id),
    getConsensusValidatorSet: ([start = 0n]) => page(start),
    getSnapshotValidatorSet: ([start = 0n]) => page(start),
  }
  const node = nodeOf({
    eth_call([{ data }]: [{ data: string }]) {
      const [calls] = multicall3.decodeFunctionData('aggregate3', data)
      const parsed = calls.map(([, , callData]: [string, boolean, string]) => abi.parseTransaction({ data: callData }))
      asked.push(parsed.map(({ name }: { name: string }) => name))
      const results = parsed.map(({ name, args }: { name: string; args: bigint[] }) => [
        true,
        abi.encodeFunctionResult(name, [...(answers[name]?.(args) ?? [])]),
      ])
      return multicall3.encodeFunctionResult('aggregate3', [results])
    },
  })
  const plain = contextOf(node)
  t.teardown(() => plain.client.destroy())
  return { asked, ctx: { ...plain, network: { ...plain.network, staking: '0x0000000000000000000000000000000000001000' } } }
}

t.test('what counts now is said in the same answer', async (t) => {
  for (const [delayed, stake] of [
    [false, 5n],
    [true, 7n],
  ] as const) {
    const { asked, ctx } = chainOf(t, { delayed })
    t.equal(await validators.isDelayed(ctx), delayed)
    t.match(await validators.current(ctx, 12), { exists: true, owner: OWNER, stake: 9n, epochStake: stake })
    t.same(asked, [['getEpoch'], ['getEpoch', 'getValidator']])
  }
})

t.test('the stake of the active set is summed over its pages, some validators a call', async (t) => {
  const ids = Array.from({ length: 150 }, (_, index) => BigInt(index + 1))
  const page = (start: bigint) => (start === 0n ? ([false, 100n, ids.slice(0, 100)] as const) : ([true, 0n, ids.slice(100)] as const))
  const { asked, ctx } = chainOf(t, { page })
  t.equal(await validators.activeStake(ctx, false), 150n * 5n)
  t.same(
    asked.map(({ length }) => length),
    [1, 1, 70, 70, 10],
  )
  t.equal(await validators.activeStake(ctx, true), 150n * 7n)
})

t.test('a set without an end is refused in the words of the protocol, and an empty page is its end', async (t) => {
  const endless = chainOf(t, { page: (start) => [false, start + 1n, [1n]] })
  await t.rejects(validators.activeStake(endless.ctx, false), { statusCode: 502, code: 'STAKING_UNREADABLE', message: 'without an end' })
  t.equal(endless.asked.length, 10)
  const many = Array.from({ length: MOST_VALIDATORS + 1 }, () => 1n)
  for (const isDone of [false, true])
    await t.rejects(validators.activeStake(chainOf(t, { page: () => [isDone, 0n, many] }).ctx, false), { message: 'without an end' })
  t.equal(await validators.activeStake(chainOf(t, { page: () => [false, 0n, []] }).ctx, false), 0n)
})

t.test('stake earns with a validator that is in the set and stays, and with no other', async (t) => {
  const { ctx } = chainOf(t, {})
  const [validator, nobody] = await validators.read(ctx, [12, 999], false)
  if (validator === undefined || nobody === undefined) throw new Error('two were asked for')
  const judged = (changes: Partial<Validator>) => {
    const one = { ...validator, ...changes }
    return [earns(one), obstacleOf(one)?.reason ?? null]
  }
  t.same(judged({}), [true, null])
  t.same(judged({ epochStake: 0n }), [false, 'is not in the active set of this epoch'])
  t.same(judged({ isFlagged: true }), [false, 'is about to leave the active set, or out of it'])
  t.same([earns(nobody), obstacleOf(nobody)?.reason], [false, 'is not registered'])
})
