import { declareErrors, isServiceError, SettingsError } from '@svc/contract'
import { AbiCoder, Interface } from 'ethers'
import t, { type Test } from 'tap'
import { parseAbi, readAmount, reader } from '../src/index.ts'
import { contextOf, nodeOf, RpcError } from './support/node.ts'

const { badGateway } = declareErrors({ VAULT_UNREADABLE: [502, 'The vault could not be read.'] })

const multicall3 = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])
const to = '0x0000000000000000000000000000000000001000'
const vault = parseAbi(['function balanceOf(address owner) view returns (uint256)', 'function paused() view returns (bool)'])
const owner = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const askBalance = vault.question(to, 'balanceOf', [owner], readAmount)
const askPaused = vault.question(to, 'paused', [])
const { ask, askAll, answered, orSettingsError } = reader({
  unreadable: ({ method, reason }) => badGateway('VAULT_UNREADABLE', `${method}: ${reason || 'no reason given'}`),
})

const words = (type: string, value: unknown) => AbiCoder.defaultAbiCoder().encode([type], [value])
const refused = (text: string) => `0x${Buffer.from(text).toString('hex')}`

/** A chain whose multicall answers by the call data, call after call; a text that is no hex is its refusal. */
function chainOf(t: Test, answers: Record<string, string | ((turn: number) => string)>) {
  const calls: string[][] = []
  const node = nodeOf({
    eth_call([{ data }]: [{ data: string }]) {
      const [asked] = multicall3.decodeFunctionData('aggregate3', data)
      const selectors = asked.map(([, , callData]: [string, boolean, string]) => callData.slice(0, 10))
      calls.push(selectors)
      const results = selectors.map((selector: string) => {
        const answer = answers[selector]
        if (answer === undefined) throw new RpcError(3, 'execution reverted', '0x')
        const text = typeof answer === 'function' ? answer(calls.length) : answer
        return text.startsWith('0x') ? [true, text] : [false, refused(text)]
      })
      return multicall3.encodeFunctionResult('aggregate3', [results])
    },
  })
  const ctx = contextOf(node)
  t.teardown(() => ctx.client.destroy())
  return { ctx, node, calls }
}

const BALANCE = '0x70a08231'
const PAUSED = '0x5c975abb'

t.test('questions by name are answered by name, in one round trip and with the types of the ABI', async (t) => {
  const { ctx, node, calls } = chainOf(t, { [BALANCE]: words('uint256', 5), [PAUSED]: words('bool', true) })
  const { balance, paused } = await askAll(ctx, { balance: askBalance, paused: askPaused })
  const typed: readonly [bigint, boolean] = [balance, paused]
  t.same(typed, [5n, true])
  t.same(calls, [[BALANCE, PAUSED]])
  t.same(node.requests, [1])
})

t.test('questions in a list are answered in its places', async (t) => {
  const { ctx } = chainOf(t, { [BALANCE]: words('uint256', 5), [PAUSED]: words('bool', false) })
  const [paused, balance] = await askAll(ctx, [askPaused, askBalance])
  const typed: readonly [boolean, bigint] = [paused, balance]
  t.same(typed, [false, 5n])
  t.same(await askAll(ctx, []), [])
  const many = [askBalance, askBalance, askBalance]
  t.same(await askAll(ctx, many), [5n, 5n, 5n])
})

t.test('what the chain refuses fails alone, and with the words of the protocol where it is needed', async (t) => {
  const { ctx } = chainOf(t, { [BALANCE]: 'no such owner', [PAUSED]: words('bool', true) })
  const answers = await ask(ctx, { balance: askBalance, paused: askPaused })
  t.same(answers.balance, { ok: false, method: 'balanceOf', reason: 'no such owner' })
  t.equal(answered(answers.paused), true)
  t.throws(() => answered(answers.balance), { statusCode: 502, code: 'VAULT_UNREADABLE', message: 'balanceOf: no such owner' })
  await t.rejects(askAll(ctx, [askPaused, askBalance]), { code: 'VAULT_UNREADABLE', message: 'balanceOf: no such owner' })
})

t.test('an empty answer is that of an address without code', async (t) => {
  const { ctx } = chainOf(t, { [BALANCE]: '0x', [PAUSED]: words('bool', true) })
  t.match(await ask(ctx, [askBalance, askPaused]), [
    { ok: false, reason: 'its answer has another form' },
    { ok: true, value: true },
  ])
})

t.test('an answer of another form on every endpoint is 502 for all, or left out where that was asked', async (t) => {
  const { ctx, calls } = chainOf(t, { [BALANCE]: words('uint256', 2n ** 128n), [PAUSED]: words('bool', true) })
  await t.rejects(ask(ctx, [askBalance, askPaused]), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  t.equal(calls.length, 1)
  const leftOut = [{ ok: false, method: 'balanceOf', reason: 'its answer has another form' }, { ok: true }]
  t.match(await ask(ctx, [askBalance, askPaused], { malformed: 'leave out' }), leftOut)
  t.equal(calls.length, 3, 'it was asked once more')
  const lenient = reader({ unreadable: () => badGateway('VAULT_UNREADABLE', 'no'), malformed: 'leave out' })
  t.match(await lenient.ask(ctx, [askBalance, askPaused]), leftOut)
  await t.rejects(lenient.ask(ctx, [askBalance], { malformed: 'refuse' }), { code: 'UPSTREAM_ERROR' })
})

t.test('a check of its own says what the contract cannot have given, and reading what is of no use', async (t) => {
  const { ctx } = chainOf(t, { [BALANCE]: words('uint256', 7) })
  const even = vault.question(to, 'balanceOf', [owner], (amount) => {
    if (amount % 2n === 1n) throw new RangeError('odd')
    return amount
  })
  await t.rejects(ask(ctx, [even]), { code: 'UPSTREAM_ERROR' })
  t.match(await ask(ctx, [{ ...even, check: askBalance.read }]), [{ ok: false, reason: 'its answer has another form' }])
})

t.test('questions that cost much are asked some at a time, in one request', async (t) => {
  const { ctx, node, calls } = chainOf(t, { [BALANCE]: words('uint256', 1) })
  const answers = await ask(
    ctx,
    Array.from({ length: 5 }, (_, of) => vault.question(to, 'balanceOf', [`0x${String(of).repeat(40)}`], readAmount)),
    { perCall: 2 },
  )
  t.same(
    answers.map((answer) => answered(answer)),
    [1n, 1n, 1n, 1n, 1n],
  )
  t.same(
    calls.map(({ length }) => length),
    [2, 2, 1],
  )
  t.same(node.requests, [3])
})

t.test('what a contract does not answer is a setting that does not fit, and anything else is what it is', async (t) => {
  const { ctx } = chainOf(t, { [BALANCE]: '' })
  const wrong = orSettingsError('vault 0x1 is none', () => askAll(ctx, [askBalance]))
  await t.rejects(wrong, { message: 'vault 0x1 is none: balanceOf: no reason given' })
  t.ok(await wrong.catch((error: unknown) => error instanceof SettingsError))
  const away = contextOf(nodeOf({ eth_call: new RpcError(-32000, 'header not found') }))
  t.teardown(() => away.client.destroy())
  const unreached = orSettingsError('vault 0x1 is none', () => askAll(away, [askBalance]))
  t.ok(await unreached.catch((error: unknown) => isServiceError(error) && error.code === 'UPSTREAM_ERROR'))
})
