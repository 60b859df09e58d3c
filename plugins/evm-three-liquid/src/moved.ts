import type { Moved } from '@svc/contract'
import { type EvmReceipt, eventsOf, parseAbi } from '@svc/kit-evm'
import type { LiquidNetwork } from './network.ts'

/** Events of Magma's vault. A request says its shares alone: their worth is fixed by then, and stands in no event. @see https://github.com/MagmaStaking/contracts-public (read 2026-11-21) */
const events = parseAbi([
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event RedeemRequest(address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
])

/** Lists the moves that a transaction made for its signer: native tokens, and shares, which are the vault's token. */
export function moved({ vault }: LiquidNetwork, receipt: EvmReceipt): Moved {
  // As the sentence of the bytes writes it.
  const token = vault.toLowerCase()
  const logs = eventsOf(events, receipt, vault)
  const own = (name: string, whose: string) =>
    logs.filter((each) => each.name === name && String(each.args[whose]).toLowerCase() === receipt.from).map(({ args }) => args)
  const [deposits, requests, payments] = [own('Deposit', 'owner'), own('RedeemRequest', 'owner'), own('Withdraw', 'receiver')]
  return {
    moves: [
      ...(receipt.value > 0n ? [{ kind: 'leaves' as const, asset: 'native', amount: receipt.value }] : []),
      ...deposits.flatMap(({ assets, shares }) => [
        { kind: 'staked' as const, asset: 'native', amount: assets },
        { kind: 'arrives' as const, asset: token, amount: shares },
      ]),
      ...requests.map(({ shares }) => ({ kind: 'leaves' as const, asset: token, amount: shares })),
      ...payments.map(({ assets }) => ({ kind: 'arrives' as const, asset: 'native', amount: assets })),
    ],
    objectIds: requests.map(({ requestId }) => String(requestId)),
  }
}
