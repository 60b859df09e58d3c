import type { EvmCraft, EvmPayload } from '@svc/verify/evm'
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
 * Makes a signer of an ethers signer. It signs a legacy transaction, and sends nothing.
 *
 * @see https://docs.ethers.org/v6/api/providers/#Signer-signTransaction (read 2026-11-22)
 */
export function ethersSigner(signer: EthersSigner): Signer {
  return {
    async sign({ answer }) {
      const { nonce, chainId, gasLimit, gasPrice, value, to, data } = payloadOf(answer)
      const amounts = { gasLimit: BigInt(gasLimit), gasPrice: BigInt(gasPrice), value: BigInt(value), chainId: BigInt(chainId) }
      return { signedTx: await signer.signTransaction({ type: 0, to, data, nonce: Number(nonce), ...amounts }) }
    },
  }
}

/**
 * Makes a signer of a viem account that holds its key. It signs a legacy transaction, and sends nothing.
 *
 * @see https://viem.sh/docs/accounts/local/signTransaction (read 2026-11-22)
 */
export function viemSigner(account: ViemAccount): Signer {
  return {
    async sign({ answer }) {
      const { nonce, chainId, gasLimit, gasPrice, value, to, data } = payloadOf(answer)
      const amounts = { gas: BigInt(gasLimit), gasPrice: BigInt(gasPrice), value: BigInt(value) }
      const transaction = { type: 'legacy', to, data, nonce: Number(nonce), chainId: Number(chainId), ...amounts }
      return { signedTx: await account.signTransaction(transaction as never) }
    },
  }
}

/** A provider of EIP-1193: a wallet in a browser, a node that holds keys. */
export interface Eip1193Provider {
  request(call: { readonly method: string; readonly params: readonly unknown[] }): Promise<unknown>
}

/**
 * Makes a signer of an EIP-1193 provider that signs without sending. Many wallets in browsers only send what they sign, and have no such method. The wallet may write
 * another type, a higher price or more gas; these are compared with the order.
 *
 * @param address the account's that is to sign
 * @see https://ethereum.github.io/execution-apis/api-documentation (eth_signTransaction, read 2026-11-29)
 */
export function eip1193Signer(provider: Eip1193Provider, address: string): Signer {
  return {
    async sign({ answer }) {
      const { gasLimit, type: _, ...rest } = payloadOf(answer)
      const response = await provider.request({ method: 'eth_signTransaction', params: [{ from: address, gas: gasLimit, ...rest }] })
      // A node answers the transaction beside its bytes, a wallet the bytes alone.
      const { raw = response } = Object(response) as { readonly raw?: unknown }
      return { signedTx: String(raw) }
    },
  }
}
