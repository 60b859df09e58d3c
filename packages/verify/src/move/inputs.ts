import { DecodeError } from '../errors.ts'
import type { Bcs } from './bcs.ts'
import { readType } from './type-tag.ts'

/** Input on which the commands of a transaction work. */
export type Input =
  /** Value without its type, which only the function that takes it knows. */
  | { readonly kind: 'pure'; readonly bytes: Uint8Array }
  /** Object; `reference` names its state, and for a shared one whether it may be changed. */
  | { readonly kind: 'object'; readonly id: string; readonly reference: string }
  /** Right to take from an address balance. */
  | { readonly kind: 'withdrawal'; readonly text: string }

/**
 * Reads an input of a transaction.
 *
 * @throws DecodeError when the input is of a kind that no staking transaction needs
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/transaction.rs `CallArg`, `ObjectArg`, `FundsWithdrawalArg` (read 2026-11-21)
 */
export function readInput(from: Bcs, what: string): Input {
  const kind = from.size(`the kind of ${what}`)
  if (kind === 0) return { kind: 'pure', bytes: from.block(what) }
  if (kind === 1) return readObject(from, what)
  if (kind === 2) return readWithdrawal(from, what)
  throw new DecodeError(`${what} is of kind ${kind}; it must be 0, a pure value, 1, an object, or 2, a withdrawal`)
}

/** Reads the reference of an owned object: its id, and its state as `@<version>#<digest>`. The transaction can use the object in exactly that state only. */
export function readReference(from: Bcs, what: string): { readonly id: string; readonly state: string } {
  const id = from.address(what)
  return { id, state: `@${from.u64(`the version of ${what}`)}#${from.digest(`the digest of ${what}`)}` }
}

function readObject(from: Bcs, what: string): Input {
  const kind = from.size(`the kind of the object, ${what},`)
  if (kind === 0) {
    const { id, state } = readReference(from, what)
    return { kind: 'object', id, reference: `owned${state}` }
  }
  if (kind === 1) {
    const id = from.address(what)
    const version = from.u64(`the initial version of ${what}`)
    const mutability = from.size(`the mutability of ${what}`)
    // 2 lets a transaction write without waiting for others, which no call of staking does.
    if (mutability > 1) throw new DecodeError(`${what} is shared with mutability ${mutability}; it must be 0, read, or 1, changed`)
    return { kind: 'object', id, reference: `shared@${version}:${mutability === 1 ? 'mut' : 'const'}` }
  }
  throw new DecodeError(`${what} is an object of kind ${kind}${kind === 2 ? ', receiving' : ''}; it must be 0, owned, or 1, shared`)
}

function readWithdrawal(from: Bcs, what: string): Input {
  const reservation = from.size(`the reservation of ${what}`)
  if (reservation !== 0) throw new DecodeError(`${what} reserves in the way ${reservation}; it must be 0, an amount of 64 bits`)
  const amount = from.u64(`the amount of ${what}`)
  const mode = from.size(`the type of ${what}`)
  if (mode !== 0) throw new DecodeError(`${what} withdraws what is held in the way ${mode}; it must be 0, a balance`)
  const type = readType(from, `the type of ${what}`)
  const source = from.size(`the source of ${what}`)
  if (source > 1) throw new DecodeError(`${what} withdraws from the source ${source}; it must be 0, the sender, or 1, the sponsor`)
  return { kind: 'withdrawal', text: `Withdrawal(${amount},${type},${source === 0 ? 'sender' : 'sponsor'})` }
}
