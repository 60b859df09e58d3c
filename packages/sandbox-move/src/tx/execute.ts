import { present } from '@svc/sandbox'
import { computationOf, costOf, type GasCost, netOf, storageOf } from '../gas.ts'
import { madeId } from '../ids.ts'
import { most } from '../integers.ts'
import type { Node } from '../node.ts'
import { type MoveObject, makeObject, type Owner } from '../objects.ts'
import type { State } from '../state.ts'
import type { Slot } from '../vm/arguments.ts'
import { ExecutionFailure } from '../vm/failure.ts'
import { type CommandOutput, runCommands } from '../vm/run.ts'
import type { ObjectValue } from '../vm/values.ts'
import { World } from '../vm/world.ts'
import { programmableOf, type TransactionData } from './data.ts'
import type { Change, Effects, FundsChange } from './executed.ts'
import { type InputObject, inputObjects, inputSlots } from './inputs.ts'
import type { Payment } from './payment.ts'

/** Outcome of a transaction, not yet on the chain. */
export interface Outcome {
  readonly effects: Effects
  readonly outputs: readonly CommandOutput[]
  /** To be written, or not. */
  readonly changes: State
}

interface Run {
  readonly node: Node
  readonly data: TransactionData
  readonly digest: string
  readonly payment: Payment
  readonly objects: readonly (InputObject | undefined)[]
  readonly checked: boolean
}

/**
 * Runs a transaction that has been checked. A failed one is undone except for its gas, which is paid either way.
 *
 * @param options.checked false allows what only a simulation may do
 * @param options.cancelled error with which it fails before it is run
 */
export function execute(
  node: Node,
  data: TransactionData,
  options: { digest: string; payment: Payment; checked: boolean; cancelled?: ExecutionFailure },
): Outcome {
  const objects = inputObjects(node, programmableOf(data).inputs)
  const run: Run = { node, data, objects, ...options }
  let failure: ExecutionFailure
  try {
    if (options.cancelled !== undefined) throw options.cancelled
    const { world, gas, outputs } = attempt(run, programmableOf(data).commands)
    const outcome = settle(run, world, gas, outputs, undefined)
    if (!options.checked || netOf(outcome.effects.cost) <= BigInt(data.gasData.budget)) return outcome
    failure = new ExecutionFailure('INSUFFICIENT_GAS', 'Insufficient Gas.')
  } catch (error) {
    if (!(error instanceof ExecutionFailure)) throw error
    failure = error
  }
  const { world, gas } = attempt(run, [])
  return settle(run, world, gas, [], failure)
}

/** Gathers the gas and runs commands on a fork of the state. */
function attempt(
  run: Run,
  commands: Parameters<typeof runCommands>[1],
): { world: World; gas: ObjectValue & { slot: Slot }; outputs: CommandOutput[] } {
  const { node, data, payment, digest, checked } = run
  const world = new World({ state: node.state.fork(), sender: data.sender, epoch: node.epoch, digest, checked })
  if (payment.reserved > 0n) world.state.balances.set(payment.owner, world.state.balance(payment.owner) - payment.reserved)
  const id = payment.place === 'coin' ? present(payment.coins[0], 'a coin that pays').id : madeId('gas', digest)
  // The budget is set aside before anything can be split off.
  const balance = payment.total - (payment.place === 'mock' ? 0n : BigInt(data.gasData.budget))
  const value: ObjectValue = { kind: 'object', id, content: { kind: 'coin', balance } }
  const slot: Slot = { value, origin: 'gas', mutable: true, shared: false }
  const inputs = inputSlots(data, programmableOf(data).inputs, run.objects)
  const usable = data.gasData.payment.length === 0 && payment.place === 'address' ? undefined : slot
  const outputs = runCommands(world, commands, { gas: usable, inputs })
  for (const [index, input] of run.objects.entries()) {
    const left = present(inputs[index], `an input ${index}`).value
    if (input?.mutable === true && left?.kind === 'object' && !world.placed.has(left.id)) {
      world.placed.set(left.id, { value: left, owner: input.object.owner })
    }
  }
  return { world, gas: Object.assign(value, { slot }), outputs }
}

/** Charges the gas, writes objects and balances into the fork, and says what has changed. */
function settle(
  run: Run,
  world: World,
  gas: ObjectValue & { slot: Slot },
  outputs: readonly CommandOutput[],
  failure: ExecutionFailure | undefined,
): Outcome {
  const { node, data, payment } = run
  const { state } = world
  const price = BigInt(data.gasData.price)
  const budget = BigInt(data.gasData.budget)
  const isKept = gas.slot.value !== undefined
  if (payment.place === 'coin' && isKept)
    world.placed.set(gas.id, { value: gas, owner: present(payment.coins[0], 'a coin that pays').owner })
  for (const coin of payment.coins) if (payment.place !== 'coin' || coin.id !== gas.id) world.destroyed.add(coin.id)

  const used = [...run.objects.flatMap((input) => (input === undefined ? [] : [input.object])), ...payment.coins]
  const version = used.reduce((highest, object) => most(highest, object.version), 0n) + 1n
  const cost = capped(costs(run, world, price), budget, failure)
  if (payment.place !== 'mock') charge(world, payment, gas, { kept: isKept, left: budget - netOf(cost), net: netOf(cost) })
  for (const [address, amount] of world.deposits) state.balances.set(address, state.balance(address) + amount)

  const changes: Change[] = []
  for (const id of world.destroyed) {
    const before = node.state.objects.get(id)
    if (before === undefined) continue
    state.objects.delete(id)
    changes.push({ before, after: undefined })
  }
  for (const [id, { value, owner }] of world.placed) {
    const before = node.state.objects.get(id)
    const after = written(value, owner, { version, digest: run.digest })
    state.objects.set(id, after)
    changes.push({ before, after })
  }
  const funds = fundsChanges(node.state, state)
  const effects: Effects = {
    failure,
    epoch: node.epoch,
    cost,
    version,
    gasCoin: payment.place === 'coin' ? gas.id : undefined,
    changes,
    funds,
    balances: balanceChanges(changes, funds),
    events: failure === undefined ? world.events : [],
    dependencies: [...new Set(used.map(({ previousTransaction }) => previousTransaction))].sort(),
  }
  return { effects, outputs, changes: state }
}

/** Returns what is left of the budget to where it came from. */
function charge(
  world: World,
  payment: Payment,
  gas: ObjectValue,
  { kept: isKept, left, net }: { kept: boolean; left: bigint; net: bigint },
): void {
  const { state } = world
  const balance = gas.content.kind === 'coin' ? gas.content.balance : 0n
  if (payment.place === 'coin') {
    gas.content = { kind: 'coin', balance: balance + left }
    return
  }
  const gathered = payment.reserved > 0n || payment.coins.length > 0
  const back = gathered ? left + (isKept ? balance : 0n) : -net
  state.balances.set(payment.owner, state.balance(payment.owner) + back)
}

function costs(run: Run, world: World, price: bigint): GasCost {
  const { commands } = programmableOf(run.data)
  const computation = computationOf(commands, run.payment.coins.length, price)
  let stored = 0n
  let before = 0n
  const rebateOf = (id: string) => run.node.state.objects.get(id)?.storageRebate ?? 0n
  for (const id of world.destroyed) before += rebateOf(id)
  for (const [id, { value }] of world.placed) {
    before += rebateOf(id)
    stored += costOfStoring(value)
  }
  return costOf(computation, stored, before)
}

/** A failed transaction never pays more than its budget. */
function capped(cost: GasCost, budget: bigint, failure: ExecutionFailure | undefined): GasCost {
  if (failure === undefined || netOf(cost) <= budget) return cost
  return { ...cost, computation: budget, storage: 0n }
}

function costOfStoring({ id, content }: ObjectValue): bigint {
  return content.kind === 'system' ? 0n : storageOf(id, content)
}

function written(value: ObjectValue, owner: Owner, by: { version: bigint; digest: string }): MoveObject {
  return makeObject({
    id: value.id,
    version: by.version,
    owner,
    content: value.content,
    previousTransaction: by.digest,
    storageRebate: costOfStoring(value),
  })
}

function fundsChanges(before: State, after: State): FundsChange[] {
  const changes: FundsChange[] = []
  for (const [address, amount] of after.balances.entries()) {
    const change = amount - before.balance(address)
    if (change !== 0n) changes.push({ address, amount: change })
  }
  return changes
}

function balanceChanges(changes: readonly Change[], funds: readonly FundsChange[]): FundsChange[] {
  const sums = new Map<string, bigint>()
  const add = (address: string, amount: bigint) => sums.set(address, (sums.get(address) ?? 0n) + amount)
  const coin = (object: MoveObject | undefined, sign: bigint) => {
    if (object?.content.kind !== 'coin') return
    if (object.owner.kind === 'address' || object.owner.kind === 'consensus') add(object.owner.address, sign * object.content.balance)
  }
  for (const { before, after } of changes) {
    coin(before, -1n)
    coin(after, 1n)
  }
  for (const { address, amount } of funds) add(address, amount)
  return [...sums].filter(([, amount]) => amount !== 0n).map(([address, amount]) => ({ address, amount }))
}
