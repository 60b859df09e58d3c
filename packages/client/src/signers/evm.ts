import { type EvmCraft, type EvmPayload, signatureOf } from '@svc/verify/evm'
import type { Signer } from '../transaction.ts'

/** An `ethers` signer that can sign without sending: `Wallet`, a hardware signer. */
export interface EthersSigner {
  signTransaction(transaction: Readonly<Record<string, unknown>>): Promise<string>
}

/** A `viem` account of one's own: `privateKeyToAccount`, `toAccount`. */
export interface ViemAccount {
  signTransaction(transaction: never): Promise<string>
}

const payloadOf = (answer: unknown): EvmPayload => (answer as Pick<EvmCraft, 'payload'>).payload

/**
 * Makes a signer of an ethers signer. It signs a legacy transaction and sends nothing.
 *
 * @see https://docs.ethers.org/v6/api/providers/#Signer-signTransaction (read 2026-11-22)
 */
export function ethersSigner(signer: EthersSigner): Signer {
  return {
    async sign({ answer }) {
      const { nonce, chainId, gasLimit, gasPrice, value, to, data } = payloadOf(answer)
      const amounts = { gasLimit: BigInt(gasLimit), gasPrice: BigInt(gasPrice), value: BigInt(value), chainId: BigInt(chainId) }
      return signatureOf(await signer.signTransaction({ type: 0, to, data, nonce: Number(nonce), ...amounts }), answer)
    },
  }
}

/**
 * Makes a signer of a viem account that holds its key. It signs a legacy transaction and sends nothing.
 *
 * @see https://viem.sh/docs/accounts/local/signTransaction (read 2026-11-22)
 */
export function viemSigner(account: ViemAccount): Signer {
  return {
    async sign({ answer }) {
      const { nonce, chainId, gasLimit, gasPrice, value, to, data } = payloadOf(answer)
      const amounts = { gas: BigInt(gasLimit), gasPrice: BigInt(gasPrice), value: BigInt(value) }
      const transaction = { type: 'legacy', to, data, nonce: Number(nonce), chainId: Number(chainId), ...amounts }
      return signatureOf(await account.signTransaction(transaction as never), answer)
    },
  }
}
