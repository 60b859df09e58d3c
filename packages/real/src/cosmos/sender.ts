import type { Any } from 'cosmjs-types/google/protobuf/any'
import { until } from '../programs.ts'
import { readAccount, readDelivered } from './books.ts'
import type { Chain } from './chain.ts'
import type { Wallet } from './keys.ts'
import { type SignedTransaction, writeTransaction } from './transaction.ts'

/** Answer of a node to a broadcast. */
interface Taken {
  readonly code: number
  readonly log: string
}

/** Sends transactions that the service has not crafted, to the nodes themselves: rivals, deposits of strangers. */
export interface Sender {
  /** Signs. @param choice what is chosen; the sequence is the account's next one by the last block */
  write(signer: Wallet, messages: readonly Any[], choice?: Choice): Promise<SignedTransaction>
  /** Hands it to a node. */
  give(signed: SignedTransaction, node?: 0 | 1 | 2 | 3): Promise<Taken>
  /** Both, and waits until it is in a block. @returns the height of the block @throws Error when it is refused or fails */
  land(signer: Wallet, messages: readonly Any[], choice?: Choice): Promise<bigint>
}

/** Options that a transaction may choose. */
interface Choice {
  readonly gasLimit?: bigint
  readonly sequence?: bigint
}

/** Enough for a message of staking, and for a transfer. */
const GAS = 400_000n
/** Prices of the families are in millionths of a base unit. */
const PRICE_SCALE = 1_000_000n

/** Makes the sender of a chain. */
export function createSender({ family, nodes }: Chain): Sender {
  const { chainId, denom, gasPrice, keepsResults, blockSeconds } = family
  const sender: Sender = {
    async write(signer, messages, { gasLimit = GAS, sequence } = {}) {
      const account = await readAccount(nodes[0].rpc, signer.address)
      const amount = String((gasLimit * gasPrice) / PRICE_SCALE)
      return writeTransaction({
        ...account,
        chainId,
        messages,
        signer,
        gasLimit,
        fee: [{ denom, amount }],
        ...(sequence === undefined ? {} : { sequence }),
      })
    },
    async give({ base64 }, node = 0) {
      const { code, log } = await nodes[node].rpc.call('broadcast_tx_sync', { tx: base64 })
      return { code: Number(code), log: String(log) }
    },
    async land(signer, messages, choice) {
      const signed = await sender.write(signer, messages, choice)
      const { code, log } = await sender.give(signed)
      if (code !== 0) throw new Error(`The node refused a transaction of ${signer.name}: ${code} ${log}`)
      const delivered = await until(`a transaction of ${signer.name} in a block`, 60 + 20 * blockSeconds, () =>
        readDelivered(nodes[0].rpc, keepsResults, signed.hash),
      )
      if (delivered.code !== 0)
        throw new Error(`A transaction of ${signer.name} failed in block ${delivered.height} with ${delivered.code}.`)
      return delivered.height
    },
  }
  return sender
}
