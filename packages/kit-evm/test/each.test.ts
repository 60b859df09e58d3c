import { declareErrors } from '@svc/contract'
import { AbiCoder, Interface } from 'ethers'
import t from 'tap'
import { askEach, parseAbi, readAmount, reader } from '../src/index.ts'
import { contextOf, nodeOf } from './support/node.ts'

const { badGateway } = declareErrors({ VAULT_UNREADABLE: [502, 'The vault could not be read.'] })
const { ask } = reader({ unreadable: () => badGateway('VAULT_UNREADABLE', 'unreadable') })
const multicall3 = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])
const to = '0x0000000000000000000000000000000000001000'
const vault = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function exitsOf(address owner) view returns (uint256)',
])
const addressOf = (number: number) => `0x${String(number).padStart(40, '0')}`
const questionsOf = (address: string) => ({
  balance: vault.question(to, 'balanceOf', [address], readAmount),
  exits: vault.question(to, 'exitsOf', [address], readAmount),
})

t.test('a few questions about each address go in calls of so many addresses, and who was not answered is left out', async (t) => {
  const sizes: number[] = []
  const node = nodeOf({
    eth_call([{ data }]: [{ data: string }]) {
      const [asked] = multicall3.decodeFunctionData('aggregate3', data)
      sizes.push(asked.length)
      const results = asked.map(([, , call]: [string, boolean, string]) => {
        const number = Number(call.slice(-40))
        const isExits = call.startsWith(vault.encodeFunctionData('exitsOf', [addressOf(0)]).slice(0, 10))
        if (number === 3 && isExits) return [false, '0x']
        return [true, AbiCoder.defaultAbiCoder().encode(['uint256'], [isExits ? number * 100 : number])]
      })
      return multicall3.encodeFunctionResult('aggregate3', [results])
    },
  })
  const ctx = contextOf(node)
  t.teardown(() => ctx.client.destroy())
  const found = await askEach(ask, ctx, [1, 2, 3, 4, 5].map(addressOf), questionsOf, 2)
  const typed: { readonly balance: bigint; readonly exits: bigint } | undefined = found.get(addressOf(5))
  t.same(typed, { balance: 5n, exits: 500n })
  t.same([...found.keys()], [1, 2, 4, 5].map(addressOf))
  t.same(sizes.toSorted(), [2, 4, 4])
  t.same(node.requests, [3], 'together')
  t.same([...(await askEach(ask, ctx, [], questionsOf, 2))], [])
})
