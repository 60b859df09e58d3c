import { createHash } from 'node:crypto'
import { type Call, type CosmosCraft, verifyCosmos } from '@svc/verify'
import type { Chain } from './chain.ts'
import type { Hub } from './hubs.ts'
import { Refused } from './sandbox-file.ts'
import type { Service } from './service.ts'
import type { Signer } from './signers.ts'

/** Who acts, by what he knows himself. */
export interface Account {
  readonly address: string
  /** Compressed, in hex: actions are asked for by it. */
  readonly publicKey: string
  /** The number that the chain gave the account. It never changes. */
  readonly number: bigint
}

/** What every action of a journey shares. */
export interface Journey {
  readonly hub: Hub
  readonly service: Service
  readonly chain: Chain
  readonly account: Account
  readonly say: (line: string) => void
}

/**
 * Craft, check, sign, prepare, broadcast, wait: the same six steps for every action.
 *
 * @param promised the one message that the transaction may have, from what you know yourself and never from the answer
 * @throws Refused by the service; or here, before anything is signed, when the transaction does something else
 */
export async function send(journey: Journey, action: string, body: object, promised: Call, signer: Signer): Promise<void> {
  const { hub, service, chain, account, say } = journey

  // Craft. The service writes the transaction and holds no key.
  const craft = await service.post<CosmosCraft>(`/action/${action}`, { pubkey: account.publicKey, ...body })
  say(`crafted    ${craft.unsigned_tx_hash_hex}`)

  // Check, in this process. The hash binds chain and account number, which the bytes do not name; so they are brought along.
  const facts = { chainId: hub.chainId, accountNumber: account.number, prefix: hub.prefix, denom: hub.denom }
  const effects = { signers: [account.address], calls: [promised] }
  const mismatches = verifyCosmos(craft, facts, effects, { chainId: hub.chainId, maxFee: hub.maxFee })
  if (mismatches.length > 0) {
    const list = mismatches.map(({ path, expected, found }) => `${path} should be ${expected} and is ${found}`)
    throw new Refused(`The transaction does something else than was asked, so it is not signed: ${list.join('; ')}.`)
  }
  say(`checked    ${promised.method}, and nothing else`)

  // Sign. The key stays with the signer; the service sees neither it nor this step.
  const signature = await signer.sign(craft)
  say(`signed by  ${signer.title}`)

  // Prepare. A signed transaction is the unsigned one with the signature behind it: protobuf field 3, 64 bytes. Anything else is not sent.
  const { signed_tx_hex } = await service.post<{ signed_tx_hex: string }>('/action/prepare', {
    tx_body_hex: craft.unsigned_tx_hex,
    tx_auth_info_hex: craft.tx_auth_info_hex,
    signature_hex: signature,
  })
  if (signed_tx_hex !== `${craft.unsigned_tx_hex}1a40${signature}`)
    throw new Refused('The prepared transaction is not the one that was signed, so it is not sent.')

  // Broadcast. The hash is known before: after a timeout, look it up on the chain rather than sending again.
  const hash = createHash('sha256').update(signed_tx_hex, 'hex').digest('hex').toUpperCase()
  const { tx_hash } = await service.post<{ tx_hash: string }>('/action/broadcast', { signed_tx_hex })
  if (tx_hash !== hash) throw new Refused(`The service answered the hash ${tx_hash} for the transaction ${hash}.`)

  // Submitted is not final: a transaction can still fail in its block. The next one may be crafted only after that.
  const height = await chain.landed(hash)
  say(`in block   ${height}, as ${hash}`)
}
