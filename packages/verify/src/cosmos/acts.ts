import { digitsOf } from '../bytes/hex.ts'
import { bytesOfText } from '../bytes/text.ts'
import type { Acts } from '../intent/types.ts'
import type { Effects } from '../types.ts'
import { readAuthInfo } from './auth-info.ts'
import type { KnownFacts } from './chain.ts'
import { decodedOf, MAX_BYTES } from './decode.ts'
import { TX_RAW } from './envelope.ts'
import type { CosmosKeys } from './keys.ts'
import { readMessage } from './protobuf.ts'

/**
 * Reads the messages of a transaction that somebody is about to send. The parts that wallets and custodians choose by themselves are accepted as they are: memo, timeout,
 * fee, gas, the granter of the fee, and the sign mode of a Ledger.
 *
 * @throws DecodeError for several signers, a fee in another unit or paid by another signer, a tip, and options that a chain may read
 */
export function actsCosmos(text: string, messages: Effects['layouts'], chain: CosmosKeys & Pick<KnownFacts, 'prefix' | 'denom'>): Acts {
  const transaction = readMessage(bytesOfText(text, MAX_BYTES), TX_RAW, 'the transaction')
  const { key } = readAuthInfo(transaction.auth_info_bytes, chain, 'sent')
  return { decoded: decodedOf(transaction, messages, chain, 'sent'), signers: [digitsOf(key)] }
}
