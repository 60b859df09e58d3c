import { itemsOf, membersOf } from '@svc/contract'
import type { AgreementRule, JsonRpcAgreement } from '@svc/contract/rpc'
import { readQuantity } from './answer.ts'

/**
 * Blocks that one endpoint may be behind the other. The heads of two nodes of one chain are mostly the same, or one apart; whoever is further behind would draw both into a
 * state that is no longer the wallet's.
 */
const MOST_BLOCKS = 5n

/**
 * Most that one fee level is above another, in percent of the lower one. A block moves the base fee by an eighth at most, so that two blocks make 27 percent.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1559 (BASE_FEE_MAX_CHANGE_DENOMINATOR, read 2026-11-28)
 */
const FEE_PERCENT = 27n

/**
 * Most that one estimate is above another, in percent of the lower one: geth's search ends within 1.5 percent.
 *
 * @see https://github.com/ethereum/go-ethereum/blob/v1.17.0/internal/ethapi/api.go (estimateGasErrorRatio, read 2026-11-28)
 */
const GAS_PERCENT = 2n

const RULES: Readonly<Record<string, AgreementRule>> = {
  eth_getTransactionCount: { member: 'nonce' },
  eth_getBalance: { member: 'balance' },
  eth_getCode: { member: 'code' },
  eth_getStorageAt: { member: 'state of a contract' },
  eth_call: { member: 'state of a contract' },
  // The lower one costs less, and the chain says so when it is not enough.
  eth_gasPrice: { member: 'fee level', choose: near(FEE_PERCENT, 'lower') },
  // The higher one: a transaction that runs out of gas costs its fee and does nothing.
  eth_estimateGas: { member: 'gas', choose: near(GAS_PERCENT, 'higher') },
  // Programs add members of their own to a block, and its hash says all of it.
  eth_getBlockByNumber: { member: 'block', part: membersAt('number', 'hash', 'timestamp') },
  eth_getLogs: {
    member: 'events',
    part: (logs) => (Array.isArray(logs) ? logs.map(membersAt('address', 'topics', 'data', 'blockNumber', 'logIndex', 'removed')) : logs),
  },
}

/** Rules by which two nodes of an EVM chain agree. Where their first answers differ, both are asked for the state at the lower of their heights. */
export const evmAgreement: JsonRpcAgreement = {
  rule: (method) => RULES[method],
  height: {
    question: { method: 'eth_blockNumber', params: [] },
    read: (result) => readQuantity(result),
    most: MOST_BLOCKS,
    at: (_method, params, height) => itemsOf(params).map((each) => stateAt(each, `0x${height.toString(16)}`)),
  },
}

/** A state is named last in most calls, and inside of the filter for events. A nonce is asked for with what waits (`pending`), and stays so. */
function stateAt(parameter: unknown, height: string): unknown {
  if (parameter === 'latest') return height
  const { toBlock } = membersOf(parameter)
  return toBlock === 'latest' ? { ...membersOf(parameter), toBlock: height } : parameter
}

function near(percent: bigint, choice: 'lower' | 'higher'): NonNullable<AgreementRule['choose']> {
  return (one, other) => {
    const [first, second] = [readQuantity(one), readQuantity(other)]
    const [low, high] = first < second ? [first, second] : [second, first]
    if (high * 100n > low * (100n + percent)) return null
    return (first === low) === (choice === 'lower') ? 'one' : 'other'
  }
}

function membersAt(...names: readonly string[]): (value: unknown) => unknown {
  return (value) => {
    const members = membersOf(value)
    return value === null ? null : names.map((name) => members[name])
  }
}
