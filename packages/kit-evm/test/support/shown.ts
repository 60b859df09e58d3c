import { Transaction, type TransactionLike, type Wallet } from 'ethers'
import { hex, nonce } from './life.ts'
import { vector } from './vector.ts'

/** A transaction that somebody has signed. */
export async function signedBy(by: Wallet, changes: TransactionLike = {}): Promise<Transaction> {
  const usual = { type: 0, chainId: 143n, nonce, to: vector.address, value: 5n, gasLimit: 21_000n, gasPrice: 7n }
  return Transaction.from(await by.signTransaction({ ...usual, ...changes } as TransactionLike<string>))
}

/** A transaction as a node shows it. */
export function shown(transaction: Transaction, changes: object = {}) {
  const { type, chainId, to, data, signature, accessList, hash, from } = transaction
  const { r, s, yParity, networkV } = signature!
  const fees =
    type === 2
      ? { maxFeePerGas: hex(transaction.maxFeePerGas!), maxPriorityFeePerGas: hex(transaction.maxPriorityFeePerGas!), gasPrice: '0x1' }
      : { gasPrice: hex(transaction.gasPrice!) }
  return {
    ...fees,
    ...{ hash, from: from?.toLowerCase(), to, input: data, type: hex(type!), accessList },
    ...{ chainId: hex(chainId), nonce: hex(transaction.nonce), value: hex(transaction.value), gas: hex(transaction.gasLimit) },
    ...{ r: BigInt(r) === 0n ? r : hex(BigInt(r)), s: hex(BigInt(s)), v: type === 0 ? hex(networkV!) : hex(yParity) },
    ...changes,
  }
}
