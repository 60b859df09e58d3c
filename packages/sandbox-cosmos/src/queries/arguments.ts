import { reasonOf } from '@svc/sandbox'
import { addressBytes } from '../address.ts'
import type { Context } from '../context.ts'
import { PlainError, QueryError } from '../errors.ts'
import type { Validator } from '../state.ts'

/** Checks an account address of a request, and returns it. @throws QueryError, PlainError */
export function account(ctx: Context, text: string, role = 'address'): string {
  return address(ctx.genesis.prefix, text, role)
}

/** Checks an account address of a request to the bank, whose error for an invalid one differs, and returns it. @throws QueryError */
export function holder(ctx: Context, text: string): string {
  try {
    addressBytes(text, ctx.genesis.prefix)
    return text
  } catch (cause) {
    throw new QueryError('InvalidArgument', `invalid address: ${reasonOf(cause)}`)
  }
}

/** Checks a validator address of a request, and returns it. @throws QueryError */
export function operator(ctx: Context, text: string): string {
  return address(`${ctx.genesis.prefix}valoper`, text, 'validator address')
}

/** Returns the validator that a request names. @throws QueryError */
export function existingValidator(ctx: Context, text: string): Validator {
  const validator = ctx.state.validators.get(operator(ctx, text))
  if (validator === undefined) throw new QueryError('NotFound', `validator ${text} not found`)
  return validator
}

function address(prefix: string, text: string, role: string): string {
  if (text === '') throw new QueryError('InvalidArgument', `${role} cannot be empty`)
  try {
    addressBytes(text, prefix)
    return text
  } catch (cause) {
    throw new PlainError(reasonOf(cause), { cause })
  }
}
