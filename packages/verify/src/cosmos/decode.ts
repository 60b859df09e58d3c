import { digitsOf } from '../bytes/hex.ts'
import { DecodeError, shown } from '../errors.ts'
import { membersOf, plainHexOf } from '../members.ts'
import type { Decoded, Effects } from '../types.ts'
import { readAuthInfo, type Stage } from './auth-info.ts'
import { type CosmosChain, type KnownFacts, readChain } from './chain.ts'
import { SENT_BODY, TX_BODY, UNSIGNED_TX } from './envelope.ts'
import type { CosmosKeys } from './keys.ts'
import { compile } from './layout.ts'
import { readCall } from './messages.ts'
import { readMessage } from './protobuf.ts'
import { signDocHash } from './sign-doc.ts'

/** Answer to a craft request of a Cosmos protocol: one transaction. All hex is in lower case and without `0x`. */
export interface CosmosCraft {
  /** Hex of a `TxRaw` with body and auth info, and without signatures. */
  readonly unsigned_tx_hex: string
  /** Hex of the `AuthInfo`, the same bytes as within `unsigned_tx_hex`. */
  readonly tx_auth_info_hex: string
  /** Hash of the `SignDoc`, which is signed: sha256, or keccak256 with ethsecp256k1. */
  readonly unsigned_tx_hash_hex: string
}

/** Largest transaction in bytes that is read; nodes refuse larger ones: `max_tx_bytes` of CometBFT's mempool, 1 MiB by default (read 2026-11-21). */
export const MAX_BYTES = 1024 * 1024

const CRAFT_MEMBERS = ['unsigned_tx_hex', 'tx_auth_info_hex', 'unsigned_tx_hash_hex'] as const

/**
 * Decodes what an unsigned Cosmos transaction does. The whole craft response is read: the auth info must be that of the transaction, and the hash must be that of the transaction on the given chain and
 * for the given account.
 *
 * @param messages layouts of the types of messages that are read, `CosmosMessage` each: those that effects carry, or an intent names
 * @param chain facts that the bytes do not name; never taken from the response
 * @returns one call a message, with the method `unknown message` where no layout is of its type; `signers` is the address of the key in the bytes; `chainId` is the one for which the hash was reproduced;
 * `maxFee` is the fee, all of which is charged; `terms` are `sequence`, `accountNumber`, `gasLimit` and `fee`
 * @throws DecodeError when the response is not one canonical unsigned transaction with one signer and nothing else, a
 * message is not of exactly the form of its layout, or a layout is none
 */
export function decodeCosmos(craft: CosmosCraft, messages: Effects['layouts'], chain: CosmosChain): Decoded {
  const facts = readChain(chain)
  const { chainId, accountNumber } = facts
  const response = membersOf(craft, 'the craft response', CRAFT_MEMBERS)
  const hexOf = (name: (typeof CRAFT_MEMBERS)[number]) => plainHexOf(name, response[name], MAX_BYTES)

  const transaction = readMessage(hexOf('unsigned_tx_hex'), UNSIGNED_TX, 'unsigned_tx_hex')
  const { body_bytes: bodyBytes, auth_info_bytes: authInfoBytes } = transaction
  if (digitsOf(hexOf('tx_auth_info_hex')) !== digitsOf(authInfoBytes)) {
    throw new DecodeError(
      `tx_auth_info_hex is ${shown(response.tx_auth_info_hex)} where unsigned_tx_hex has ${shown(digitsOf(authInfoBytes))}; both must be the same`,
    )
  }
  const hash = digitsOf(signDocHash({ ...facts, bodyBytes, authInfoBytes }))
  if (digitsOf(hexOf('unsigned_tx_hash_hex')) !== hash) {
    throw new DecodeError(
      `unsigned_tx_hash_hex is ${shown(response.unsigned_tx_hash_hex)}; the hash of unsigned_tx_hex on chain ${shown(chainId)} for the account number ${accountNumber} is ${hash}`,
    )
  }

  const decoded = decodedOf(transaction, messages, facts, 'crafted')
  return { ...decoded, chainId, terms: { ...decoded.terms, accountNumber } }
}

/**
 * Decodes the effects in body and auth info, without the facts to which only the signature binds them.
 *
 * @returns `terms` without the account number, and no `chainId`
 * @throws DecodeError as `decodeCosmos` does
 */
export function decodedOf(
  { body_bytes: bodyBytes, auth_info_bytes: authInfoBytes }: { readonly body_bytes: Uint8Array; readonly auth_info_bytes: Uint8Array },
  messages: Effects['layouts'],
  facts: Omit<KnownFacts, 'chainId' | 'accountNumber' | 'memo' | keyof CosmosKeys> & CosmosKeys & { readonly memo?: string },
  stage: Stage,
): Decoded {
  const layouts = compile(messages)
  const { prefix, denom, memo = '' } = facts
  const { signer, sequence, gasLimit, fee } = readAuthInfo(authInfoBytes, facts, stage)
  const body = readMessage(bodyBytes, stage === 'sent' ? SENT_BODY : TX_BODY, 'body')
  if (stage !== 'sent' && body.memo !== memo) {
    throw new DecodeError(`body.memo is ${shown(body.memo)}; it must be ${memo === '' ? 'absent' : shown(memo)}`)
  }
  return {
    chainId: null,
    signers: [signer],
    maxFee: fee,
    calls: body.messages.map((message, i) => readCall(message, `body.messages[${i}]`, layouts, { signer, prefix, denom })),
    terms: { sequence, gasLimit, fee },
  }
}
