import { digitsOf } from '../bytes/hex.ts'
import { DecodeError, shown } from '../errors.ts'
import { addressOfKey, type CosmosAccounts } from './address.ts'
import { readCoin } from './coin.ts'
import { ANY, AUTH_INFO, FEE, MODE_INFO, PUBLIC_KEY, SENT_FEE, SIGNER_INFO, SINGLE } from './envelope.ts'
import { rulesOf } from './keys.ts'
import { readMessage } from './protobuf.ts'

/**
 * State of the transaction that is read. `crafted`: written by the service, to be signed over its bytes. `signed`: by a wallet, which may have signed amino JSON instead,
 * as hardware wallets do. `sent`: about to be sent by somebody who may let another account grant the fee, and chooses memo and timeout.
 */
export type Stage = 'crafted' | 'signed' | 'sent'

/** Who signs a transaction, in which mode, and what it may cost. */
interface Authorization {
  /** Address of the key in the bytes. */
  readonly signer: string
  /** Signer's public key, compressed, 33 bytes. */
  readonly key: Uint8Array
  readonly sequence: bigint
  /** True for SIGN_MODE_LEGACY_AMINO_JSON; else the bytes themselves are signed. */
  readonly amino: boolean
  readonly gasLimit: bigint
  /** Fee in base units of the chain's `denom`; all of it is charged. */
  readonly fee: bigint
}

/** `SIGN_MODE_DIRECT` and `SIGN_MODE_LEGACY_AMINO_JSON` of `cosmos.tx.signing.v1beta1.SignMode`. @see https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/tx/signing/v1beta1/signing.proto (read 2026-11-21) */
const DIRECT = 1n
const AMINO_JSON = 127n

/**
 * Reads an AuthInfo with one signer, who has a key of the chain's kind and pays at most one coin of the native denom.
 *
 * @throws DecodeError
 */
export function readAuthInfo(bytes: Uint8Array, chain: CosmosAccounts & { readonly denom: string }, stage: Stage): Authorization {
  const { signer_infos: signers, fee } = readMessage(bytes, AUTH_INFO, 'auth_info')
  const [only, second] = signers
  if (only === undefined || second !== undefined)
    throw new DecodeError(`auth_info.signer_infos has ${signers.length} signers; there must be one`)
  return { ...readSigner(only, chain, stage), ...readFee(fee, chain.denom, stage) }
}

function readSigner(bytes: Uint8Array, chain: CosmosAccounts, stage: Stage): Pick<Authorization, 'signer' | 'key' | 'sequence' | 'amino'> {
  const path = 'auth_info.signer_infos[0]'
  const info = readMessage(bytes, SIGNER_INFO, path)
  const { single } = readMessage(info.mode_info, MODE_INFO, `${path}.mode_info`)
  const { mode } = readMessage(single, SINGLE, `${path}.mode_info.single`)
  if (mode !== DIRECT && (stage === 'crafted' || mode !== AMINO_JSON))
    throw new DecodeError(`${path}.mode_info.single.mode is ${mode}; it must be ${DIRECT}, SIGN_MODE_DIRECT`)

  const { type_url: type, value } = readMessage(info.public_key, ANY, `${path}.public_key`)
  const { keyType } = rulesOf({ algorithm: chain.algorithm, keyType: chain.keyType })
  if (type !== keyType) throw new DecodeError(`${path}.public_key is of the type ${shown(type)}; it must be ${keyType}`)
  const { key } = readMessage(value, PUBLIC_KEY, `${path}.public_key`)
  if (key.length !== 33 || (key[0] !== 2 && key[0] !== 3)) {
    throw new DecodeError(
      `${path}.public_key.key is 0x${digitsOf(key.subarray(0, 65))}; it must be a compressed key, 33 bytes that begin with 02 or 03`,
    )
  }
  return { signer: addressOfKey(chain, key), key, sequence: info.sequence, amino: mode === AMINO_JSON }
}

function readFee(bytes: Uint8Array, denom: string, stage: Stage): { gasLimit: bigint; fee: bigint } {
  const path = 'auth_info.fee'
  const { amount, gas_limit: gasLimit } = readMessage(bytes, stage === 'sent' ? SENT_FEE : FEE, path)
  if (amount.length > 1) throw new DecodeError(`${path}.amount has ${amount.length} coins; it may have one, of ${denom}`)
  if (amount[0] === undefined) return { gasLimit, fee: 0n }
  const coin = readCoin(amount[0], `${path}.amount[0]`)
  if (coin.denom !== denom) throw new DecodeError(`${path}.amount[0].denom is ${shown(coin.denom)}; fees are paid in ${shown(denom)}`)
  return { gasLimit, fee: coin.amount }
}
