import { digitsOf } from '../bytes/hex.ts'
import { bytesOfText } from '../bytes/text.ts'
import { DecodeError } from '../errors.ts'
import { addressOfKey } from './address.ts'
import { readAuthInfo } from './auth-info.ts'
import { readCoin } from './coin.ts'
import { MAX_BYTES } from './decode.ts'
import { ANY, AUTH_INFO, FEE, SIGNER_INFO, TX_BODY, TX_RAW } from './envelope.ts'
import type { CosmosNames } from './family.ts'
import { type CosmosKeys, keysOfType } from './keys.ts'
import { readMessage } from './protobuf.ts'

/** Prefix that may stand before the separator of a Bech32 address. */
const PREFIX = /[a-z][a-z0-9]{0,43}?(?=1[02-9ac-hj-np-z]{38})/g

/**
 * Reads the address prefix, the base unit and the kind of key of a transaction's chain from its own bytes, for transactions whose chain is not known. The bytes name them
 * only in passing, so a caller that knows them should give them.
 *
 * @param text hex or base64
 * @throws DecodeError when the bytes are no transaction, or the address of who signs is not among them
 */
export function namesIn(text: string): CosmosNames {
  const { body_bytes: body, auth_info_bytes: authInfo } = readMessage(bytesOfText(text, MAX_BYTES), TX_RAW, 'the transaction')
  const { fee, signer_infos: signers } = readMessage(authInfo, AUTH_INFO, 'auth_info')
  const [coin] = readMessage(fee, FEE, 'auth_info.fee').amount
  const denom = coin === undefined ? '' : readCoin(coin, 'auth_info.fee.amount[0]').denom
  const keys = keysIn(signers[0])
  const { key } = readAuthInfo(authInfo, { prefix: 'any', denom, ...keys }, 'signed')
  const content = new TextDecoder('latin1').decode(body)
  const prefix = [...new Set(content.match(PREFIX))].find((each) => content.includes(addressOfKey({ prefix: each, ...keys }, key)))
  if (prefix !== undefined) return { prefix, denom, ...keys }
  throw new DecodeError('the address of who signs is nowhere in the messages, so that the prefix of addresses is not known')
}

/** Reads the kind of key that the first signer has. @throws DecodeError */
function keysIn(signer: Uint8Array | undefined): CosmosKeys {
  const path = 'auth_info.signer_infos[0]'
  if (signer === undefined) throw new DecodeError('auth_info.signer_infos is empty; there must be one signer')
  const { public_key: named } = readMessage(signer, SIGNER_INFO, path)
  return keysOfType(readMessage(named, ANY, `${path}.public_key`).type_url)
}

/** Words of the bytes themselves beside messages and names. */
interface OwnWords {
  readonly memo: string
  /** Signer's public key, compressed, in hex. */
  readonly pubkey: string
}

/** Reads the memo and the first signer's public key of a transaction whose chain is not known. @throws DecodeError as `namesIn` does */
export function wordsIn(text: string): OwnWords {
  const { body_bytes: body, auth_info_bytes: authInfo } = readMessage(bytesOfText(text, MAX_BYTES), TX_RAW, 'the transaction')
  const { memo } = readMessage(body, TX_BODY, 'body')
  const { key } = readAuthInfo(authInfo, namesIn(text), 'signed')
  return { memo, pubkey: digitsOf(key) }
}
