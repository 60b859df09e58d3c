import { digitsOf } from '../bytes/hex.ts'
import { bytesOfText } from '../bytes/text.ts'
import type { Acts } from '../intent/types.ts'
import type { Effects } from '../types.ts'
import { readSentAuthInfo } from './auth-info.ts'
import type { KnownFacts } from './chain.ts'
import { MAX_BYTES } from './decode.ts'
import { SENT_BODY, TX_RAW } from './envelope.ts'
import type { CosmosKeys } from './keys.ts'
import { compile } from './layout.ts'
import { readCall } from './messages.ts'
import { readMessage } from './protobuf.ts'

/**
 * Reads the messages of a transaction that somebody is about to send, with what wallets and custodians choose by themselves: memo, timeout, fee, gas, who grants
 * the fee, and the sign mode of a Ledger.
 *
 * @throws DecodeError for several signers, a fee in another unit or paid by another signer, a tip, and options that a chain may read
 */
export function actsCosmos(text: string, messages: Effects['layouts'], chain: CosmosKeys & Pick<KnownFacts, 'prefix' | 'denom'>): Acts {
  const { body_bytes: bodyBytes, auth_info_bytes: authInfoBytes } = readMessage(bytesOfText(text, MAX_BYTES), TX_RAW, 'the transaction')
  const { prefix, denom } = chain
  const { signer, key, sequence, gasLimit, fee } = readSentAuthInfo(authInfoBytes, chain)
  const body = readMessage(bodyBytes, SENT_BODY, 'body')
  const layouts = compile(messages)
  const calls = body.messages.map((message, i) => readCall(message, `body.messages[${i}]`, layouts, { signer, prefix, denom }))
  const decoded = { chainId: null, signers: [signer], maxFee: fee, calls, terms: { sequence, gasLimit, fee } }
  return { decoded, signers: [digitsOf(key)] }
}
