import type { Transaction } from '@mysten/sui/transactions'

type Data = ReturnType<Transaction['getData']>
type Expiration = NonNullable<Data['expiration']>

/**
 * The expiration without the validators that a node names for a transaction which is sent at once: whoever signs may take longer than
 * they stay, and no other node could send it. What is paid with coins needs no expiration; what is paid from the address balance keeps
 * its epochs, without which it could be repeated.
 *
 * @returns null where nobody is named
 * @see https://github.com/MystenLabs/sui/pull/27598 and https://github.com/MystenLabs/sui/pull/28041 (read 2026-11-21): nodes do it where it is switched on
 */
export function withoutProposers({ expiration, gasData: { payment }, inputs }: Data): Expiration | null {
  if (expiration?.$kind !== 'Validity') return null
  const { allowedProposers: _, ...during } = expiration.Validity
  // A reservation of the address balance stands among the coins, as one that never had a version.
  const fromBalance = !payment || payment.length === 0 || payment.some(({ version }) => BigInt(version) === 0n)
  const withdraws = inputs.some(({ $kind }) => $kind === 'FundsWithdrawal')
  return fromBalance || withdraws ? { $kind: 'ValidDuring', ValidDuring: during } : { $kind: 'None', None: true }
}
