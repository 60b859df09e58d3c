import type { Moved } from '@svc/contract'
import { type EvmReceipt, eventsOf, parseAbi } from '@svc/kit-evm'
import { type VaultNetwork, vaultsOf } from './network.ts'

/** Events in which a vault records what its callers do. @see https://github.com/stakewise/v3-core/tree/main/contracts/interfaces (read 2026-11-21) */
const events = parseAbi([
  'event Deposited(address indexed caller, address indexed receiver, uint256 assets, uint256 shares, address referrer)',
  'event Redeemed(address indexed owner, address indexed receiver, uint256 assets, uint256 shares)',
  'event ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares)',
  'event V2ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares, uint256 assets)',
  'event ExitedAssetsClaimed(address indexed receiver, uint256 prevPositionTicket, uint256 newPositionTicket, uint256 withdrawnAssets)',
])

/**
 * Lists the moves that a transaction made for its signer: native tokens, and the vault's shares, whose asset is the vault's address. An exit into the queue is reported in
 * shares only, except in version 2, which fixes its value at once.
 */
export function moved(network: VaultNetwork, receipt: EvmReceipt): Moved {
  const each = vaultsOf(network).map((vault) => movedIn(vault, receipt))
  return {
    moves: [
      ...(receipt.value > 0n ? [{ kind: 'leaves' as const, asset: 'native', amount: receipt.value }] : []),
      ...each.flatMap(({ moves }) => moves),
    ],
    objectIds: each.flatMap(({ objectIds }) => objectIds),
  }
}

function movedIn(vault: string, receipt: EvmReceipt) {
  const logs = eventsOf(events, receipt, vault)
  const own = (name: string, whose = 'receiver') =>
    logs.filter((each) => each.name === name && String(each.args[whose]).toLowerCase() === receipt.from).map(({ args }) => args)
  // As the sentence of the bytes writes it.
  const token = vault.toLowerCase()
  const exits = ['ExitQueueEntered', 'V2ExitQueueEntered', 'Redeemed'].flatMap((name) => own(name, 'owner'))
  const native = (kind: Moved['moves'][number]['kind'], amount: bigint) => ({ kind, asset: 'native', amount })
  const [deposits, fixed, claims, redeemed] = [own('Deposited'), own('V2ExitQueueEntered'), own('ExitedAssetsClaimed'), own('Redeemed')]
  return {
    moves: [
      ...exits.map(({ shares }) => ({ kind: 'leaves' as const, asset: token, amount: shares })),
      ...deposits.map(({ assets }) => native('staked', assets)),
      ...deposits.map(({ shares }) => ({ kind: 'arrives' as const, asset: token, amount: shares })),
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
