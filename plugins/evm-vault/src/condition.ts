import { type Condition, conditionOf } from '@svc/contract'
import { readAmount } from '@svc/kit-evm'
import { vaultAbi } from './abi.ts'
import { obstacleOf } from './chain/obstacle.ts'
import { readVaultState } from './chain/vault-state.ts'
import { badGateway } from './codes.ts'
import type { VaultContext } from './network.ts'
import { hasSubgraph } from './subgraph/query.ts'

/** The fee is in hundredths of a percent. */
const PERCENT = 100

/**
 * The state of the operator's vault, to whoever it admits.
 *
 * @throws 502 VAULT_UNREADABLE, also where its indexer does not give the values that it must be harvested with; VAULT_UNSUPPORTED; 502, 503, 504
 */
export async function condition(ctx: VaultContext): Promise<readonly Condition[]> {
  const { vault: id } = ctx.network
  const state = await readVaultState<{ feePercent: bigint }, object>(ctx, {
    own: { feePercent: vaultAbi.question(id, 'feePercent', [], readAmount) },
    others: {},
    afterHarvest: false,
  })
  const obstacle = obstacleOf(state)
  if (obstacle && hasSubgraph(ctx))
    throw badGateway(
      'VAULT_UNREADABLE',
      `The vault ${id} must be harvested, and its indexer does not give the values for it at the moment.`,
    )
  return [conditionOf({ kind: 'pool', id, commissionPercent: Number(state.beforeHarvest.own.feePercent) / PERCENT }, obstacle)]
}
