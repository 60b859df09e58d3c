import { type Call, type EvmCraft, verifyEvm } from '@svc/verify'
import { SigningKey, Transaction } from 'ethers'
import type { Chain } from './chain.ts'
import { Refused } from './sandbox-file.ts'
import type { Service } from './service.ts'

/** Who signs, and what may be signed. */
export interface Custody {
  readonly address: string
  readonly privateKey: string
  readonly chainId: string
  /** Most that a transaction may cost in fees, in wei. */
  readonly maxFee: bigint
}

/**
 * Craft, check, sign, prepare, broadcast, wait: the same six steps for every action.
 *
 * @param promised the one call that the transaction may make, from what you know yourself and never from the answer
 * @returns hash of the transaction, which is in a block
 * @throws Refused by the service; or here, before anything is signed, when the transaction does something else
 */
export async function send(
  { service, chain, custody, say }: { service: Service; chain: Chain; custody: Custody; say: (line: string) => void },
  action: string,
  body: object,
  promised: Call,
): Promise<string> {
  // Craft. The service writes the transaction and holds no key.
  const craft = await service.post<EvmCraft>(`/action/${action}`, { address: custody.address, ...body })
  say(`crafted    ${craft.unsigned_tx_hash_hex}`)

  // Check, in this process. Whoever breaks into the service can change what it answers, but not what runs here.
  const { address, chainId, maxFee } = custody
  const mismatches = verifyEvm(craft, { signers: [address], calls: [promised] }, { chainId, maxFee })
  if (mismatches.length > 0) {
    const list = mismatches.map(({ path, expected, found }) => `${path} should be ${expected} and is ${found}`)
    throw new Refused(`The transaction does something else than was asked, so it is not signed: ${list.join('; ')}.`)
  }
  say(`checked    ${promised.method}, and nothing else`)

  // Sign the hash, as a custodian or a hardware module does: the key never leaves this function, the service never sees it.
  const { r, s, v } = new SigningKey(custody.privateKey).sign(craft.unsigned_tx_hash_hex)

  // Prepare. The service puts transaction and signature together; that it changed neither is seen from the result.
  const { signed_tx_hex } = await service.post<{ signed_tx_hex: string }>('/action/prepare', {
    serialized_tx_hex: craft.serialized_tx_hex,
    r,
    s,
    v,
  })
  const signed = Transaction.from(signed_tx_hex)
  if (signed.unsignedHash !== craft.unsigned_tx_hash_hex || signed.from !== address)
    throw new Refused('The prepared transaction is not the one that was signed, so it is not sent.')
  say(`signed by  ${signed.from}`)

  // Broadcast. The hash is known before: after a timeout, look it up on the chain rather than sending again.
  const { tx_hash } = await service.post<{ tx_hash: string }>('/action/broadcast', { signed_tx_hex })
  if (tx_hash !== signed.hash) throw new Refused(`The service answered the hash ${tx_hash} for the transaction ${signed.hash}.`)

  // Submitted is not final: the chain has the last word.
  const block = await chain.landed(tx_hash)
  say(`in block   ${block}, as ${tx_hash}`)
  return tx_hash
}
