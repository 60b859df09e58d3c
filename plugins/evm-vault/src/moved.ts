import type { Moved } from '@svc/contract'
import { type EvmReceipt, eventsOf, parseAbi } from '@svc/kit-evm'
import type { VaultNetwork } from './network.ts'

/** What a vault writes down of what its callers do. @see https://github.com/stakewise/v3-core/tree/main/contracts/interfaces (read 2026-11-21) */
const events = parseAbi([
  'event Deposited(address indexed caller, address indexed receiver, uint256 assets, uint256 shares, address referrer)',
  'event Redeemed(address indexed owner, address indexed receiver, uint256 assets, uint256 shares)',
  'event ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares)',
  'event V2ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares, uint256 assets)',
  'event ExitedAssetsClaimed(address indexed receiver, uint256 prevPositionTicket, uint256 newPositionTicket, uint256 withdrawnAssets)',
])

/** What a transaction moved for whoever signed it. An exit into the queue says its shares alone, except in version 2, which fixes its value at once. */
export function moved({ vault }: VaultNetwork, receipt: EvmReceipt): Moved {
  const known = eventsOf(events, receipt, vault)
  const own = (name: string) =>
    known.filter((each) => each.name === name && String(each.args.receiver).toLowerCase() === receipt.from).map(({ args }) => args)
  const native = (kind: Moved['moves'][number]['kind'], amount: bigint) => ({ kind, asset: 'native', amount })
  const [fixed, claims, redeemed] = [own('V2ExitQueueEntered'), own('ExitedAssetsClaimed'), own('Redeemed')]
  return {
    moves: [
      ...(receipt.value > 0n ? [native('leaves', receipt.value)] : []),
      ...own('Deposited').map(({ assets }) => native('staked', assets)),
      ...redeemed.map(({ assets }) => native('freed', assets)),
      ...fixed.map(({ assets }) => native('freed', assets)),
      ...redeemed.map(({ assets }) => native('arrives', assets)),
      ...claims.map(({ withdrawnAssets }) => native('arrives', withdrawnAssets)),
    ],
    objectIds: [
      ...[...own('ExitQueueEntered'), ...fixed].map(({ positionTicket }) => String(positionTicket)),
      // What is left of a claim has a ticket of its own; 0 where nothing is.
      ...claims.flatMap(({ newPositionTicket: left }) => (left === 0n ? [] : [String(left)])),
    ],
  }
}
