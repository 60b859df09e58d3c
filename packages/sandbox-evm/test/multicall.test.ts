import { multicallAbi, multicallAddress, startEvmChain } from '@svc/sandbox-evm'
import { Interface, type InterfaceAbi } from 'ethers'
import t from 'tap'

const multicall = new Interface(multicallAbi as InterfaceAbi)
const caller = '0x1234567890123456789012345678901234567890'
/** Answers its calldata's first word; reverts with it when it is zero. CALLDATALOAD 0, MSTORE 0, JUMPI on it. */
const echo = { address: '0x00000000000000000000000000000000000000ec', code: '0x60003580600052600f5760206000fd5b60206000f3' }

t.test('the contract at the canonical address has the selectors of Multicall3', async (t) => {
  // Selectors of the published Multicall3 contract.
  const published = {
    aggregate3: '0x82ad56cb',
    aggregate3Value: '0x174dea71',
    getEthBalance: '0x4d2301cc',
    getBlockNumber: '0x42cbb15c',
    getCurrentBlockTimestamp: '0x0f28c97d',
  }
  for (const [name, selector] of Object.entries(published)) t.equal(multicall.getFunction(name)?.selector, selector, name)
})

t.test('sub-calls are made in order, and a failed one that may fail carries its revert data', async (t) => {
  const chain = await startEvmChain({ chainId: 1 })
  t.teardown(() => chain.close())
  await chain.setCode(echo.address, echo.code)
  await chain.fund(echo.address, 77n)
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
  const aggregate = async (calls: { target: string; allowFailure: boolean; callData: string }[]) => {
    const data = await chain.call({ to: multicallAddress, data: multicall.encodeFunctionData('aggregate3', [calls]) })
    return multicall.decodeFunctionResult('aggregate3', data)[0].map(([success, bytes]: [boolean, string]) => [success, bytes])
  }
  const ask = (value: number, allowFailure: boolean) => ({ target: echo.address, allowFailure, callData: word(value) })
  t.same(await aggregate([ask(5, false), ask(0, true), ask(6, true)]), [
    [true, word(5)],
    [false, word(0)],
    [true, word(6)],
  ])
  await t.rejects(aggregate([ask(5, false), ask(0, false)]), {
    code: 'RPC_ERROR',
    data: multicall.encodeErrorResult('Error(string)', ['Multicall3: call failed']),
  })

  const { block, timestamp } = await chain.latest()
  const own = (name: string, args: unknown[] = []) => ({
    target: multicallAddress,
    allowFailure: false,
    callData: multicall.encodeFunctionData(name, args),
  })
  const [balance, number, time] = await aggregate([
    own('getEthBalance', [echo.address]),
    own('getBlockNumber'),
    own('getCurrentBlockTimestamp'),
  ])
  t.equal(BigInt(balance[1]), 77n)
  t.ok(BigInt(number[1]) >= BigInt(block))
  t.ok(BigInt(time[1]) >= BigInt(timestamp))
})

t.test('sub-calls with value pay what was sent, and nothing else', async (t) => {
  const chain = await startEvmChain({ chainId: 1 })
  t.teardown(() => chain.close())
  await chain.fund(caller, '1')
  const pay = (target: string, value: bigint) => ({ target, allowFailure: false, value, callData: '0x' })
  const [a, b] = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000b2'] as const
  const data = multicall.encodeFunctionData('aggregate3Value', [[pay(a, 3n), pay(b, 4n)]])
  await chain.send({ from: caller, to: multicallAddress, data, value: 7n })
  t.same([await chain.balance(a), await chain.balance(b)], [3n, 4n])
  await t.rejects(chain.send({ from: caller, to: multicallAddress, data, value: 8n }), { code: 'RPC_ERROR' })
})

t.test('a chain can be started without it', async (t) => {
  const chain = await startEvmChain({ chainId: 1, multicall: false })
  t.teardown(() => chain.close())
  t.equal(await chain.rpc('eth_getCode', [multicallAddress, 'latest']), '0x')
})
