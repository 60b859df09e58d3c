import { type Keypair, Transaction } from '@solana/web3.js'
import { decodeSvm, type Effects, type SvmCraft, verifySvm } from '@svc/verify'
import type { Chain } from './chain.ts'
import { Refused } from './sandbox-file.ts'
import type { Service } from './service.ts'

/** Who signs, and what may be signed. */
export interface Custody {
  readonly keypair: Keypair
  readonly cluster: string
  /** Most that a transaction may cost in fees, in lamports. */
  readonly maxFee: bigint
}

/** What every action of a journey shares. */
export interface Journey {
  readonly service: Service
  readonly chain: Chain
  readonly custody: Custody
  readonly say: (line: string) => void
}

/** Asks for a transaction. */
export function craft({ service, custody }: Journey, action: string, body: object = {}): Promise<SvmCraft> {
  return service.post<SvmCraft>(`/action/${action}`, { wallet_address: custody.keypair.publicKey.toBase58(), ...body })
}

/**
 * Check, sign, prepare, broadcast, wait: the same steps for every action.
 *
 * @param crafted what the service answered
 * @param promised all that the transaction may do, from what you know yourself
 * @returns lamports that it cost in fees
 * @throws Refused by the service; or here, before anything is signed, when the transaction does something else
 */
export async function send({ service, chain, custody, say }: Journey, crafted: SvmCraft, promised: Effects): Promise<bigint> {
  // Check, in this process: every instruction, every account, who signs, what it may cost, and that there is nothing else.
  const mismatches = verifySvm(crafted, promised, { chainId: custody.cluster, maxFee: custody.maxFee })
  if (mismatches.length > 0) {
    const list = mismatches.map(({ path, expected, found }) => `${path} should be ${expected} and is ${found}`)
    throw new Refused(`The transaction does something else than was asked, so it is not signed: ${list.join('; ')}.`)
  }
  for (const { method } of promised.calls) say(`checked    ${method}`)

  // Sign the message. The key never leaves this process.
  const transaction = Transaction.from(Buffer.from(crafted.unsigned_tx_hex, 'hex'))
  const message = transaction.serializeMessage()
  transaction.partialSign(custody.keypair)
  const signature = transaction.signatures.find(({ publicKey }) => publicKey.equals(custody.keypair.publicKey))!.signature!
  say(`signed by  ${custody.keypair.publicKey.toBase58()}`)

  // Prepare. That the service changed nothing is seen from the result: the same message, behind complete signatures.
  const { signed_tx_hex } = await service.post<{ signed_tx_hex: string }>('/action/prepare', {
    unsigned_tx_hex: crafted.unsigned_tx_hex,
    signatures: [signature.toString('hex')],
  })
  const prepared = Transaction.from(Buffer.from(signed_tx_hex, 'hex'))
  if (!prepared.serializeMessage().equals(message) || !prepared.verifySignatures())
    throw new Refused('The prepared transaction is not the one that was signed, so it is not sent.')

  // Broadcast. The hash is the first signature, known before: after a timeout, look it up rather than sending again.
  const { tx_hash } = await service.post<{ tx_hash: string }>('/action/broadcast', { signed_tx_hex })
  const slot = await chain.landed(tx_hash)
  say(`in slot    ${slot}, as ${tx_hash}`)
  return decodeSvm(crafted).maxFee
}
