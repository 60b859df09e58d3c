import type { Bounds, NetworkBase, ValidUntil } from '@svc/contract'
import { id, type Transaction } from 'ethers'
import type { Static } from 'typebox'
import { checksumAddress } from '../address.ts'
import { badRequest } from '../codes.ts'
import { readCrafted, readSigned } from '../names.ts'
import { senderOf } from '../sent.ts'
import type { evmWire } from '../wire.ts'

/** Facts from the bytes of a transaction, as `look` wants them. */
export interface EvmFacts {
  /** Lower case. */
  readonly sender: string
  readonly nonce: bigint
  /** What it does, see `deedOf`; null for one whose bounds a version before has read. */
  readonly does: string | null
}

/** Checks the hash of a transaction, and returns it in lower case. @throws 400 TX_HASH_INVALID */
export function readTxHash(text: string): string {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw badRequest('TX_HASH_INVALID', `"${text.slice(0, 80)}" is not a transaction hash: 0x and 64 hexadecimal digits.`)
}

/** Reads sender and nonce from signed bytes: an EVM transaction has no end of its own. @throws TypeError where no key can have signed it */
export function boundsOf(body: Static<(typeof evmWire)['broadcast']>, network: NetworkBase): Bounds {
  const { hex, transaction } = readSigned(body, network)
  const sender = senderOf(transaction, hex)
  if (sender === null) throw new TypeError('no key can have made its signature')
  const nonce = String(transaction.nonce)
  return {
    wallet: checksumAddress(sender),
    validUntil: untilNonce(nonce),
    facts: { sender: sender.toLowerCase(), nonce, does: deedOf(transaction) },
  }
}

/** Returns the validity of a crafted transaction: until another transaction of the sender has used its nonce. */
export function validUntilOf(unsigned: Static<(typeof evmWire)['unsigned']>, network: NetworkBase): ValidUntil {
  return untilNonce(String(readCrafted(unsigned, network).nonce))
}

/** Reads the facts that `boundsOf` kept of the bytes. @throws TypeError for what these functions have not written */
export function factsOf({ facts }: Bounds): EvmFacts {
  const { sender = '', nonce = '', does = null } = facts
  if (!/^0x[0-9a-f]{40}$/.test(sender) || !/^\d{1,20}$/.test(nonce)) throw new TypeError('the facts of a transaction have another form')
  return { sender, nonce: BigInt(nonce), does }
}

/** Computes a hash of a transaction's effects, whatever fee it pays: the address called, the value and the data. Two transactions with equal hashes do the same. */
export function deedOf({ to, value, data }: Pick<Transaction, 'to' | 'value' | 'data'>): string {
  return id(JSON.stringify([to?.toLowerCase() ?? null, String(value), data.toLowerCase()]))
}

function untilNonce(nonce: string): ValidUntil {
  return { kind: 'nonce', value: nonce, estimatedAt: null }
}
