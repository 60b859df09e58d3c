import { reasonOf } from '@svc/sandbox'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { addressBytes } from '../address.ts'
import type { Context } from '../context.ts'
import { ChainError, sdk } from '../errors.ts'

/** A message, read and ready to run. */
export interface Message {
  readonly typeUrl: string
  readonly signer: string
  /** @returns its response, encoded @throws ChainError */
  run(ctx: Context): Uint8Array
}

/** Reads the bytes of one type of message. @param inner reads a message that lies within it. @throws ChainError */
export type MessageReader = (value: Uint8Array, inner: (message: Any) => Message) => Omit<Message, 'typeUrl'>

/** Checks an account address that a message names, and returns it. @throws ChainError invalid address */
export function accountAddress(ctx: Context, text: string, role: string): string {
  try {
    addressBytes(text, ctx.genesis.prefix)
    return text
  } catch (cause) {
    throw new ChainError(sdk.invalidAddress, `invalid ${role} address: ${reasonOf(cause)}`)
  }
}
