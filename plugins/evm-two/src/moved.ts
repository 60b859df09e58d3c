import type { Moved } from '@svc/contract'
import { type EvmReceipt, eventsOf, parseAbi } from '@svc/kit-evm'
import type { StakingNetwork } from './network.ts'

/** Events of the staking contract. Public Solidity sources of the contract, storage version 4 (read 2026-11-21). */
const events = parseAbi([
  'event StakeDelegated(address indexed delegator, bytes32 indexed poolId, uint256 amount, uint256 effectiveEpoch)',
  'event StakeUndelegated(address indexed delegator, bytes32 indexed poolId, uint256 amount, uint256 unlockEpoch)',
  'event RewardClaimed(address indexed delegator, bytes32 indexed poolId, uint256 amount)',
  'event RewardsCompounded(address indexed delegator, bytes32 indexed poolId, uint256 amount)',
  'event StakeClaimed(address indexed user, uint256 amount)',
])

const KINDS = {
  StakeDelegated: 'staked',
  StakeUndelegated: 'freed',
  RewardClaimed: 'arrives',
  RewardsCompounded: 'staked',
  StakeClaimed: 'arrives',
} as const

/** Lists the moves that a transaction made for its signer. An amount for which a pool has no room comes back at once: it has not left, and is not staked. */
export function moved({ staking }: StakingNetwork, receipt: EvmReceipt): Moved {
  const moves = eventsOf(events, receipt, staking).flatMap(({ name, args }) =>
    String(args[0]).toLowerCase() === receipt.from ? [{ kind: KINDS[name as keyof typeof KINDS], name, amount: BigInt(args.amount) }] : [],
  )
  const delegated = moves.filter(({ name }) => name === 'StakeDelegated').reduce((sum, { amount }) => sum + amount, 0n)
  const left = delegated > 0n && delegated < receipt.value ? delegated : receipt.value
  return {
    moves: [
      ...(left > 0n ? [{ kind: 'leaves' as const, asset: 'native', amount: left }] : []),
      ...moves.map(({ kind, amount }) => ({ kind, asset: 'native', amount })),
    ],
    objectIds: [],
  }
}
