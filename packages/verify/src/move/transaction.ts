import { DecodeError } from '../errors.ts'
import { type Bcs, bcs } from './bcs.ts'
import { type Command, readCommand } from './commands.ts'
import { type Expiration, readExpiration } from './expiration.ts'
import { type Input, readInput, readReference } from './inputs.ts'

/** A programmable transaction, whose bytes are in canonical form. Amounts are in MIST. */
export interface Transaction {
  readonly inputs: readonly Input[]
  readonly commands: readonly Command[]
  readonly sender: string
  readonly gas: Gas
  readonly expiration: Expiration
}

/** Who pays for the execution, with what, and how much at most. */
interface Gas {
  /** Coins that pay for gas, `<id>@<version>#<digest>`, in order; none when the address balance pays. */
  readonly payment: readonly string[]
  readonly owner: string
  /** Price of one unit of gas. */
  readonly price: bigint
  readonly budget: bigint
}

/**
 * Reads the data of a transaction, which is the signed part without the signatures.
 *
 * @throws DecodeError when the bytes are not exactly one programmable transaction of version 1, or name an object twice
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/transaction.rs `TransactionData` (read 2026-11-21)
 */
export function readTransaction(bytes: Uint8Array): Transaction {
  const from = bcs(bytes, 'the transaction')
  const version = from.size('the version')
  if (version !== 0) throw new DecodeError(`the transaction begins with ${version}, which is version ${version + 1}; it must be version 1`)
  const kind = from.size('the kind')
  if (kind !== 0) throw new DecodeError(`the transaction is of kind ${kind}; it must be 0, a programmable transaction`)

  const inputs = from.list((i) => readInput(from, `input ${i}`), 'inputs')
  const commands = from.list((i) => readCommand(from, i), 'commands')
  if (commands.length === 0) throw new DecodeError('the transaction has 0 commands; it must have at least one')
  const sender = from.address('the sender')

  const objects = new Map<string, string>()
  inputs.forEach((input, i) => {
    if (input.kind === 'object') nameOnce(objects, input.id, `input ${i}`)
  })
  const gas = readGas(from, objects)
  const expiration = readExpiration(from)
  from.end()
  return { inputs, commands, sender, gas, expiration }
}

function readGas(from: Bcs, objects: Map<string, string>): Gas {
  const payment = from.list((i) => {
    const what = `gas coin ${i}`
    const { id, state } = readReference(from, what)
    nameOnce(objects, id, what)
    return id + state
  }, 'gas coins')
  const gas = { payment, owner: from.address('the gas owner'), price: from.u64('the gas price'), budget: from.u64('the gas budget') }
  for (const name of ['price', 'budget'] as const) {
    if (gas[name] === 0n) throw new DecodeError(`the gas ${name} is 0; it must be positive`)
  }
  return gas
}

/** Requires that no object is named twice, since the chain refuses a transaction that takes one object for two. */
function nameOnce(objects: Map<string, string>, id: string, what: string): void {
  const before = objects.get(id)
  if (before !== undefined) throw new DecodeError(`${what} is the object ${id}, as ${before} is; each must be named once`)
  objects.set(id, what)
}
