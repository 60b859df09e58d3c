import { GrpcTypes } from '@mysten/sui/grpc'
import { invalid } from '../errors.ts'
import { estimateOf, loadingOf, maxBudget } from '../gas.ts'
import type { Node } from '../node.ts'
import { checkTransaction, usesGasCoin } from './checks.ts'
import type { TransactionData } from './data.ts'
import { decodeTransaction, digestOf, encodeTransaction } from './decode.ts'
import { execute, type Outcome } from './execute.ts'
import { resolveTransaction } from './from-proto.ts'
import { mockPayment, paymentOf, reservedBy } from './payment.ts'
import { restrictProposers, selectGas } from './select-gas.ts'

/** A transaction as it was run, and what it would do. */
interface Simulation extends Outcome {
  readonly data: TransactionData
  readonly digest: string
}

/**
 * Simulates a transaction, without keeping any change. Missing parts are filled in first: references, price, budget, gas.
 *
 * @throws GrpcError
 * @see MystenLabs/sui sui-rpc-api simulate/mod.rs `simulate_transaction` (read 2026-11-21)
 */
export function simulate(node: Node, request: GrpcTypes.SimulateTransactionRequest): Simulation {
  const { transaction, doGasSelection = false } = request
  if (transaction === undefined) throw invalid('missing transaction')
  const checked = request.checks !== GrpcTypes.SimulateTransactionRequest_TransactionChecks.DISABLED
  const bytes = transaction.bcs?.value
  const { data, budgetGiven } =
    bytes === undefined
      ? resolveTransaction(node, transaction, { price: node.gasPrice, budget: maxBudget })
      : { data: decodeTransaction(bytes), budgetGiven: true }
  if (!checked) return withMockGas(node, data, false)
  if (!doGasSelection) return withoutSelection(node, data)
  const withBudget = budgetGiven ? data : estimated(node, data)
  const withGas = data.gasData.payment.length > 0 ? withBudget : selectGas(node, withBudget, !budgetGiven)
  const whole = restrictProposers(node, withGas)
  checkTransaction(node, whole)
  return { ...run(node, whole), data: whole }
}

/** A transaction that says nothing of gas is run with a coin that is not there. */
function withoutSelection(node: Node, data: TransactionData): Simulation {
  const { payment } = data.gasData
  const fromBalance = payment.length === 0 && data.expiration.$kind !== 'None' && data.expiration.$kind !== 'Epoch'
  const usable = fromBalance && !usesGasCoin(data.kind.ProgrammableTransaction?.commands ?? [])
  if (payment.length === 0 && !usable) return withMockGas(node, data, true)
  checkTransaction(node, data)
  return run(node, data)
}

function estimated(node: Node, data: TransactionData): TransactionData {
  const { payment, price, owner } = data.gasData
  const { effects } = withMockGas(node, { ...data, gasData: { ...data.gasData, payment: [] } }, true)
  const budget = estimateOf(effects.cost, BigInt(price)) + loadingOf(payment.length, BigInt(price))
  if (payment.length > 0) checkCovers(node, data, owner, budget)
  return { ...data, gasData: { ...data.gasData, budget: String(budget) } }
}

function checkCovers(node: Node, data: TransactionData, owner: string, budget: bigint): void {
  let holdings = 0n
  for (const reference of data.gasData.payment) {
    const content = node.state.objects.get(reference.objectId)?.content
    holdings += reservedBy(node, reference, owner) ?? (content?.kind === 'coin' ? content.balance : 0n)
  }
  if (holdings >= budget) return
  throw invalid(
    `Insufficient gas balance to cover estimated transaction cost. Available gas balance: ${holdings} MIST. Estimated gas budget required: ${budget} MIST`,
  )
}

function withMockGas(node: Node, data: TransactionData, checked: boolean): Simulation {
  if (checked) checkTransaction(node, data, { lenientGas: true })
  if (data.kind.ProgrammableTransaction == null) throw invalid('the sandbox runs programmable transactions only')
  const digest = digestOf(encodeTransaction(data))
  return { ...execute(node, data, { digest, payment: mockPayment(data.gasData.owner), checked }), data, digest }
}

function run(node: Node, data: TransactionData): Simulation {
  const digest = digestOf(encodeTransaction(data))
  return { ...execute(node, data, { digest, payment: paymentOf(node, data), checked: true }), data, digest }
}
