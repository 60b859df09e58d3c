import type { EvmCraft } from '@svc/verify/evm'
import { Transaction, toQuantity } from 'ethers'

/** Makes the answer of an EVM protocol's service to a craft request for this call: of the right form, whatever the call does. */
export function evmAnswer(chainId: string, { to, data, value = 0n }: { to: string; data: string; value?: bigint }): EvmCraft {
  const terms = { nonce: 7, gasLimit: 120_000n, gasPrice: 2_000_000_000n }
  const transaction = Transaction.from({ type: 0, chainId: BigInt(chainId), to, data, value, ...terms })
  return {
    serialized_tx_hex: transaction.unsignedSerialized,
    unsigned_tx_hash_hex: transaction.unsignedHash,
    payload: {
      type: '0x0',
      nonce: toQuantity(terms.nonce),
      gasLimit: toQuantity(terms.gasLimit),
      to,
      value: toQuantity(value),
      data,
      gasPrice: toQuantity(terms.gasPrice),
      chainId: toQuantity(chainId),
    },
  }
}
