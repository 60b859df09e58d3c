import { membersOf } from '@svc/contract'
import type { AgreementRule, JsonRpcAgreement } from '@svc/contract/rpc'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { applicationAnswer } from './answer.ts'
import { heightOf } from './node-status.ts'

/**
 * Blocks that one endpoint may be behind the other. With blocks of about six seconds the heads of two nodes of one chain are the same, or one apart; whoever is further behind
 * would draw both into a state that is no longer the wallet's.
 */
const MOST_BLOCKS = 3n

/** Most that the gas of one simulation is above that of another, in percent of the lower one. Between two blocks the rewards that are paid out change, and with them how much is written. */
const GAS_PERCENT = 2n

const SIMULATE = '/cosmos.tx.v1beta1.Service/Simulate'

/** Words for what queries tell, where the name of the query is not the word. */
const MEMBERS: Readonly<Record<string, string>> = {
  '/cosmos.auth.v1beta1.Query/AccountInfo': 'sequence',
  '/cosmos.bank.v1beta1.Query/Balance': 'balance',
  '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom': 'balance',
}

/** A simulation runs on a node's latest state, whatever height is asked for, and its events hold amounts that grow with each block. What is paid out, and to whom, has to be the same. */
const SIMULATION: AgreementRule = {
  member: 'gas',
  part(result) {
    const { code = 0, value } = responseOf(result)
    // Why it is refused is said in words, with amounts of the moment.
    return code === 0 ? { code, value } : { code }
  },
  choose(one, other) {
    const [first, second] = [one, other].map(gasOf)
    if (first === undefined || second === undefined || eventsOf(one) !== eventsOf(other)) return null
    const [low, high] = first < second ? [first, second] : [second, first]
    // The higher one: a transaction that runs out of gas costs its fee and does nothing.
    return high * 100n > low * (100n + GAS_PERCENT) ? null : first === high ? 'one' : 'other'
  },
}

/** Rules by which two nodes of a Cosmos chain agree. Where their first answers differ, both are asked for the state at the lower of their heights. */
export const cosmosAgreement: JsonRpcAgreement = {
  rule(method, params) {
    if (method !== 'abci_query') return undefined
    const path = String(membersOf(params).path)
    if (path === SIMULATE) return SIMULATION
    return { member: MEMBERS[path] ?? nameOf(path), part: stateOf }
  },
  height: {
    question: { method: 'status', params: {} },
    read: (result) => heightOf(membersOf(membersOf(result).sync_info).latest_block_height),
    most: MOST_BLOCKS,
    at: (method, params, height) =>
      method === 'abci_query' && membersOf(params).path !== SIMULATE ? { ...membersOf(params), height: String(height) } : params,
  },
}

/** Returns everything of an answer but the height at which it was given, and what is of that node alone. */
function stateOf(result: unknown): unknown {
  const { code = 0, log = '', value } = responseOf(result)
  return { code, value: value ?? '', log: code === 0 ? '' : log }
}

function responseOf(result: unknown): ReturnType<typeof membersOf> {
  return membersOf(membersOf(result).response)
}

/** Reads the gas that a simulation used. @returns undefined for a simulation that was refused */
function gasOf(result: unknown): bigint | undefined {
  if ((responseOf(result).code ?? 0) !== 0) return undefined
  return SimulateResponse.decode(applicationAnswer(result).bytes).gasInfo?.gasUsed
}

/** Returns the events of a simulation without the digits of their amounts. */
function eventsOf(result: unknown): string {
  const { result: ran } = SimulateResponse.decode(applicationAnswer(result).bytes)
  return JSON.stringify(ran?.events ?? []).replace(/\d+/g, '#')
}

/** Returns the last part of a query's path. @example Delegation */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
