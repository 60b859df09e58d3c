import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { TransactionDataBuilder } from '@mysten/sui/transactions'
import { type Call, type MoveCraft, type MoveNetwork, verifyMove } from '@svc/verify'
import type { Chain, Landed } from './chain.ts'
import { Refused } from './sandbox-file.ts'
import type { Service } from './service.ts'

/** Who signs, and what may be signed. */
export interface Custody {
  readonly keypair: Ed25519Keypair
  readonly network: MoveNetwork
  /** Most that a transaction may cost in gas, in MIST: its budget. */
  readonly maxFee: bigint
}

/** What every action of a journey shares. */
export interface Journey {
  readonly service: Service
  readonly chain: Chain
  readonly custody: Custody
  readonly say: (line: string) => void
}

/**
 * Craft, check, sign, prepare, broadcast, wait: the same six steps for every action.
 *
 * @param promised the commands that the transaction may have, from what you know yourself and never from the answer
 * @throws Refused by the service; or here, before anything is signed, when the transaction does something else
 */
export async function send(journey: Journey, action: string, body: object, promised: readonly Call[]): Promise<Landed> {
  const { service, chain, custody, say } = journey
  const wallet = custody.keypair.toSuiAddress()

  // Craft. The service writes the transaction and holds no key.
  const craft = await service.post<MoveCraft>(`/action/${action}`, { wallet_address: wallet, ...body })

  // Check, in this process: every command, every argument, who sends and who pays for the gas, and that there is nothing else.
  const bounds = { chainId: custody.network.chainId, maxFee: custody.maxFee }
  const mismatches = verifyMove(craft, { signers: [wallet], calls: promised }, bounds, custody.network)
  if (mismatches.length > 0) {
    const list = mismatches.map(({ path, expected, found }) => `${path} should be ${expected} and is ${found}`)
    throw new Refused(`The transaction does something else than was asked, so it is not signed: ${list.join('; ')}.`)
  }
  for (const { method } of promised) say(`checked    ${method}`)

  // Sign. The key never leaves this process.
  const bytes = Buffer.from(craft.unsigned_tx_b64, 'base64')
  const { signature } = await custody.keypair.signTransaction(bytes)
  say(`signed by  ${wallet}`)

  // Prepare. That the service changed nothing is seen from the result: the same bytes, with this signature and no other.
  const request = { unsigned_tx_b64: craft.unsigned_tx_b64, signatures: [signature] }
  const { signed_tx_b64 } = await service.post<{ signed_tx_b64: string }>('/action/prepare', request)
  const prepared = JSON.parse(Buffer.from(signed_tx_b64, 'base64').toString()) as { bytes: string; signatures: string[] }
  if (prepared.bytes !== craft.unsigned_tx_b64 || prepared.signatures.join() !== signature)
    throw new Refused('The prepared transaction is not the one that was signed, so it is not sent.')

  // Broadcast. The digest is a hash of the bytes, known before: after a timeout, look it up rather than sending again.
  const digest = TransactionDataBuilder.getDigestFromBytes(bytes)
  const { tx_hash } = await service.post<{ tx_hash: string }>('/action/broadcast', { signed_tx_b64 })
  if (tx_hash !== digest) throw new Refused(`The service answered the hash ${tx_hash} for the transaction ${digest}.`)

  // The next one may be crafted only now: this one has changed the coins that both would name.
  const landed = await chain.landed(digest)
  say(`landed in  checkpoint ${landed.checkpoint}, as ${digest}`)
  return landed
}
