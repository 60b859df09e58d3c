import type { Interface, Result } from 'ethers'
import type { EvmReceipt } from './receipt.ts'

/** An event of a contract, its arguments by the names of its ABI. */
export interface EvmEvent {
  readonly name: string
  readonly args: Result
}

/**
 * Reads the events of one contract from a receipt, in their order; those that the ABI lacks are left out.
 *
 * @param abi of `parseAbi`
 * @param contract its address, in any case
 * @throws ethers' errors for an event whose data is cut short
 */
export function eventsOf(
  { interface: abi }: { readonly interface: Interface },
  { logs }: EvmReceipt,
  contract: string,
): readonly EvmEvent[] {
  const address = contract.toLowerCase()
  return logs.flatMap((log) => {
    const parsed = log.address === address ? abi.parseLog(log) : null
    return parsed ? [{ name: parsed.name, args: parsed.args }] : []
  })
}
