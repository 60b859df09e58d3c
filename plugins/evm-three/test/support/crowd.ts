import { Interface } from 'ethers'
import { stakingAbi, stakingAddress } from '../../sandbox/index.ts'

const staking = new Interface(stakingAbi)
/** What each of a crowd delegates, in wei: the chain's least. */
const EACH = 1_000_000_000n
const SPENDER = '0x00000000000000000000000000000000c0ffee01'
const PER_TRANSACTION = 300

/** Calls the local chain as its node is called. */
export async function rpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** Lets so many addresses that nobody has the key of delegate the least amount each: contracts that do it as they are made, and are empty. */
export async function crowd(url: string, validator: number, count: number): Promise<void> {
  await rpc(url, 'anvil_setBalance', [SPENDER, `0x${(10n ** 24n).toString(16)}`])
  await rpc(url, 'anvil_impersonateAccount', [SPENDER])
  for (let left = count; left > 0; left -= PER_TRANSACTION) {
    const some = Math.min(left, PER_TRANSACTION)
    const value = `0x${(BigInt(some) * EACH).toString(16)}`
    const call = { from: SPENDER, data: makerOf(validator, some), value, gas: '0x8f0d180' }
    const receipt = await rpc<{ status: string }>(url, 'eth_sendTransactionSync', [call])
    if (receipt.status !== '0x1') throw new Error('the crowd could not delegate')
  }
}

/** Bytes that, run as a new contract's, make so many contracts with `EACH` wei in each. */
function makerOf(validator: number, count: number): string {
  const select = staking.getFunction('delegate')!.selector.slice(2)
  // mstore(0, selector), mstore(4, validator), call(gas, staking, selfbalance, 0, 36, 0, 0), stop
  const child = `63${select}60e01b5f5260${hex(validator, 1)}6004525f5f60245f4761${stakingAddress.slice(-4)}5af100`
  const size = child.length / 2
  // mstore(0, child), then count times: pop(create(EACH, 32 - size, size))
  const start = `${hex(0x5f + size, 1)}${child}5f5261${hex(count, 2)}`
  const loop = `5b60${hex(size, 1)}60${hex(32 - size, 1)}63${hex(EACH, 4)}f050600190038060${hex(start.length / 2, 1)}5700`
  return `0x${start}${loop}`
}

function hex(value: number | bigint, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, '0')
}

/** The list of a validator's delegators, as the chain has it now, page by page. */
export async function listed(url: string, validator: number): Promise<readonly string[]> {
  const found: string[] = []
  for (let start = `0x${'0'.repeat(40)}`; ; ) {
    const data = staking.encodeFunctionData('getDelegators', [validator, start])
    const [done, next, page] = staking.decodeFunctionResult(
      'getDelegators',
      await rpc(url, 'eth_call', [{ to: stakingAddress, data }, 'latest']),
    )
    found.push(...page)
    if (done) return found
    start = next
  }
}

/** Takes back all that one of the crowd has delegated. */
export async function leave(url: string, validator: number, address: string): Promise<void> {
  await rpc(url, 'anvil_setBalance', [address, `0x${(10n ** 18n).toString(16)}`])
  await rpc(url, 'anvil_impersonateAccount', [address])
  const data = staking.encodeFunctionData('undelegate', [validator, EACH, 0])
  const receipt = await rpc<{ status: string }>(url, 'eth_sendTransactionSync', [
    { from: address, to: stakingAddress, data, gas: '0x989680' },
  ])
  if (receipt.status !== '0x1') throw new Error(`${address} could not leave`)
}
