import { type Info, orLastGood } from '@svc/contract'
import { readAmount } from '@svc/kit-evm'
import { vaultAbi } from './abi.ts'
import { readLatestBlock } from './chain/blocks.ts'
import { askCapacity, roomOf } from './chain/capacity.ts'
import { readVaultState } from './chain/vault-state.ts'
import { readExitEvents } from './events/exit-events.ts'
import type { VaultContext } from './network.ts'
import { annualYield, readRate } from './subgraph/rate.ts'

/** Smallest stake, in wei: the vault has no minimum of its own. */
const MIN_STAKE = 1n
/** Longest time that staking-info waits for the vault's events, in milliseconds; the reading goes on without them. */
const EVENTS_MS = 1000
const NOBODY = '0x0000000000000000000000000000000000000000'

/** Reads the terms of staking in the vault. Reads new exit events of the vault at the same time, so that no request has to. */
export async function info(ctx: VaultContext): Promise<Info> {
  const { vault, exit_minutes, max_slashing_percent } = ctx.network
  const [{ totals, own }, rate] = await Promise.all([
    readVaultState<{ capacity: bigint; feePercent: bigint }, object>(ctx, {
      own: { capacity: askCapacity(vault), feePercent: vaultAbi.question(vault, 'feePercent', [], readAmount) },
      others: {},
    }),
    orLastGood(ctx, 'the rate', readRate(ctx)),
    orLastGood(ctx, 'exits', readExitEvents(ctx, NOBODY, readLatestBlock(ctx), EVENTS_MS)),
  ])
  return {
    activationMinutes: 0,
    deactivationMinutes: exit_minutes,
    withdrawalMinutes: 0,
    rewardFeePercent: Number(own.feePercent) / 100,
    withdrawalFeePercent: 0,
    aprPercent: rate,
    apyPercent: typeof rate === 'number' ? annualYield(rate) : rate,
    maxSlashingPercent: max_slashing_percent,
    minStake: MIN_STAKE,
    maxStake: roomOf(own.capacity, totals.totalAssets),
    users: null,
    tvl: null,
  }
}
