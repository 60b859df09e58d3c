import { randomInt } from 'node:crypto'
import { invalid, withoutIndex } from '../errors.ts'
import { loadingOf, maxBudget, maxSelectedCoins } from '../gas.ts'
import { writeReservation } from '../ids.ts'
import { least } from '../integers.ts'
import type { Node } from '../node.ts'
import { references, usesGasCoin } from './checks.ts'
import { type Expiration, programmableOf, type Reference, type TransactionData } from './data.ts'
import { withdrawalOf } from './inputs.ts'

/** Validators that a transaction is restricted to, at most. @see sui-types `MAX_UNPAID_ALLOWED_PROPOSERS` (read 2026-11-21) */
const maxProposers = 3

/**
 * Chooses the payment as a node does: the address balance when it suffices and nothing uses the gas coin; else every coin of the owner that is no input, the largest first
 * and 255 at most, with a reservation of the address balance before them when the gas coin is used.
 *
 * @param estimated whether the budget is the node's own, to which the cost of reading the coins is added
 * @throws GrpcError `INVALID_ARGUMENT` when all of it does not reach the budget; `NOT_FOUND` without a word where the node has no index
 * @see MystenLabs/sui sui-rpc-api simulate/mod.rs `select_gas`, `gas_coin_limit` at 009e61f (read 2026-11-25)
 */
export function selectGas(node: Node, data: TransactionData, estimated: boolean): TransactionData {
  const { owner, price } = data.gasData
  const { inputs, commands } = programmableOf(data)
  const budget = BigInt(data.gasData.budget)
  let withdrawn = 0n
  for (const input of inputs) {
    const withdrawal = withdrawalOf(input, data)
    if (withdrawal?.from === owner) withdrawn += withdrawal.amount
  }
  const holdings = node.state.balance(owner)
  const available = holdings > withdrawn ? holdings - withdrawn : 0n
  const usesGas = usesGasCoin(commands)
  if (!usesGas && available > 0n && available >= budget) {
    return { ...data, gasData: { ...data.gasData, payment: [] }, expiration: windowed(node, data.expiration) }
  }

  if (!node.knobs.index) throw withoutIndex()
  const reserves = usesGas && available > 0n
  const objectIds = new Set(references(data).map(({ objectId }) => objectId))
  const coins: Reference[] = []
  let total = 0n
  for (const { id, version, digest, content, owner: own } of node.listedFor(owner)) {
    if (content.kind !== 'coin' || own.kind !== 'address' || objectIds.has(id)) continue
    if (coins.length === maxSelectedCoins - (reserves ? 1 : 0)) break
    coins.push({ objectId: id, version: String(version), digest })
    total += content.balance
  }
  const need = estimated ? least(budget + loadingOf(coins.length, BigInt(price)), maxBudget) : budget
  const payment = reserves ? [reservation(node, owner, available), ...coins] : coins
  if (total + (reserves ? available : 0n) < need) throw insufficient(owner, need)
  const expiration = reserves ? windowed(node, data.expiration) : data.expiration
  return { ...data, gasData: { ...data.gasData, payment, budget: String(need) }, expiration }
}

/** Restricts a transaction without expiration to validators of this epoch, where nodes do so. */
export function restrictProposers(node: Node, data: TransactionData): TransactionData {
  return data.expiration.$kind === 'None' ? { ...data, expiration: restricted(node) ?? data.expiration } : data
}

function windowed(node: Node, expiration: Expiration): Expiration {
  if (expiration.$kind !== 'None') return expiration
  return restricted(node) ?? { $kind: 'ValidDuring', ValidDuring: window(node) }
}

/** A window with the validators that may propose; undefined where nodes name none. */
function restricted(node: Node): Expiration | undefined {
  const count = node.knobs.restrictProposers ? Math.min(maxProposers, node.state.activeSet().length) : 0
  if (count === 0) return undefined
  const allowedProposers = { epoch: String(node.epoch), proposers: Array.from({ length: count }, (_, index) => index) }
  return { $kind: 'Validity', Validity: { ...window(node), allowedProposers } }
}

/** This epoch and the next, which keep a transaction without coins from being replayed. */
function window(node: Node) {
  return {
    minEpoch: String(node.epoch),
    maxEpoch: String(node.epoch + 1n),
    minTimestamp: null,
    maxTimestamp: null,
    chain: node.chainIdentifier,
    nonce: randomInt(2 ** 32),
  }
}

function reservation(node: Node, address: string, amount: bigint): Reference {
  return writeReservation({ address, amount, epoch: node.epoch, chainIdentifier: node.chainIdentifier })
}

function insufficient(owner: string, budget: bigint): Error {
  return invalid(
    `Unable to perform gas selection due to insufficient SUI balance (in address balance or coins) for account ${owner} to satisfy required budget ${budget}.`,
  )
}
