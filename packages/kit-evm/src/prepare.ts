import type { KitContext } from '@svc/contract'
import type { Transaction } from 'ethers'
import type { Static } from 'typebox'
import type { EvmClient } from './client.ts'
import { badRequest } from './codes.ts'
import { joined, withParity } from './joined.ts'
import { senderOf } from './sent.ts'
import type { evmWire } from './wire.ts'

/**
 * Makes the signed transaction of an unsigned one and its signature. Asks the chain nothing.
 *
 * The unsigned bytes name no sender, and each signature is that of two accounts, of which `v` picks one: a wrong one makes a stranger's transaction. So the sender is
 * compared with those for whom the bytes were crafted.
 *
 * @param craftedFor where nobody knows, as of bytes that were built elsewhere, the sender is whom the signature says
 * @throws 400 TRANSACTION_INVALID, CHAIN_ID_MISMATCH, SIGNATURE_INVALID
 */
export async function prepareEvm(
  { network }: KitContext<EvmClient>,
  body: Static<(typeof evmWire)['prepare']>,
  craftedFor: () => Promise<readonly string[]> = async () => [],
): Promise<Static<(typeof evmWire)['signed']>> {
  const signed = joined(body, network)
  const signed_tx_hex = signed.serialized
  const sender = senderOf(signed, signed_tx_hex)
  if (sender === null)
    throw badRequest(
      'SIGNATURE_INVALID',
      'No address can be recovered from r, s and v for this transaction; sign unsigned_tx_hash_hex as crafted.',
    )
  const wallets = await craftedFor()
  if (wallets.length > 0 && !wallets.includes(sender)) throw strangers(body, wallets, sender, network)
  return { signed_tx_hex }
}

function strangers(
  body: Static<(typeof evmWire)['prepare']>,
  wallets: readonly string[],
  sender: string,
  network: KitContext<EvmClient>['network'],
) {
  const whose = `With v ${body.v} the signature is one of ${sender}, and the transaction was crafted for ${wallets.slice(0, 3).join(' or ')}`
  const other = [0, 1].some((parity) => wallets.includes(recovered(withParity(body, network, parity === 0 ? 0 : 1)) ?? ''))
  return badRequest(
    'SIGNATURE_INVALID',
    other
      ? `${whose}, whose signature it is with the other parity of v: 27 in place of 28, 0 in place of 1, or the reverse. A signer that turns a high s into a low one has to turn v as well.`
      : `${whose}, whose signature it is with no v; sign unsigned_tx_hash_hex as crafted, with the key of the wallet, without hashing it again.`,
  )
}

function recovered(signed: Transaction): string | null {
  return senderOf(signed, signed.serialized)
}
