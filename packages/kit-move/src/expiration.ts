import type { Transaction } from '@mysten/sui/transactions'

type Data = ReturnType<Transaction['getData']>
type Expiration = NonNullable<Data['expiration']>

/** Chain and epoch for which a transaction is written: neither comes from what a node completed. */
interface Written {
  /** The chain's present epoch. */
  readonly epoch: bigint
  /** Digest of the network's genesis checkpoint. */
  readonly chainIdentifier: string
}

/**
 * Returns the expiration that replaces the one that a node set. A transaction without one is bound to the chain, for this epoch and the next one, the longest that the
 * chain takes: otherwise only its gas coins would tie the bytes to a network, so that bytes for another one could be paid with them. Validators that a node names, for a
 * transaction that is sent at once, are left out: signing may take longer than they stay, and no other node could send it.
 *
 * @returns null where it stays as it is; none where the address balance pays is no expiration that can be written
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/transaction.rs `TransactionExpiration` (read 2026-11-21)
 * @see https://github.com/MystenLabs/sui/pull/27598 and https://github.com/MystenLabs/sui/pull/28041 (read 2026-11-21): nodes name validators where it is switched on
 */
export function expirationFor({ expiration, gasData: { payment }, inputs }: Data, { epoch, chainIdentifier }: Written): Expiration | null {
  if (expiration?.$kind === 'Validity') {
    const { allowedProposers: _, ...during } = expiration.Validity
    return { $kind: 'ValidDuring', ValidDuring: during }
  }
  if (expiration && expiration.$kind !== 'None') return null
  // What is paid from the address balance can be repeated but for epochs and a number that are the node's to say; a reservation of it stands among the
  // coins, as one that never had a version.
  const isByCoins = payment?.length && payment.every(({ version }) => BigInt(version) > 0n)
  if (!isByCoins || inputs.some(({ $kind }) => $kind === 'FundsWithdrawal')) return null
  const [minEpoch, maxEpoch] = [String(epoch), String(epoch + 1n)]
  // What pays can be used once, so that nothing has to tell two transactions apart.
  const during = { minEpoch, maxEpoch, minTimestamp: null, maxTimestamp: null, chain: chainIdentifier, nonce: 0 }
  return { $kind: 'ValidDuring', ValidDuring: during }
}
