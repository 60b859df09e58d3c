import { type Condition, conditionOf, isServiceError, type Obstacle } from '@svc/contract'
import type { Answers } from '@svc/kit-evm'
import { answered, ask } from './chain/calls.ts'
import { obstacleOf } from './chain/obstacle.ts'
import { askTerms, termsFrom, type VaultTerms } from './chain/terms.ts'
import { readVaultState, type VaultState } from './chain/vault-state.ts'
import { badGateway } from './codes.ts'
import type { VaultContext } from './network.ts'
import { hasSubgraph } from './subgraph/query.ts'

/** The fee is in hundredths of a percent. */
const PERCENT = 100
/** Why a vault takes no stake that was upgraded beyond what is known here: nothing is crafted for it. */
const UNKNOWN: Obstacle = {
  state: 'paused',
  reason: 'is of a kind or version that this service does not know, so that nothing is crafted for it',
}

/**
 * Reads the state of the operator's vault, as it is for those whom it admits, and the terms on which it takes stake. An upgrade to an unknown version is reported as a
 * state, together with who has power over the vault since.
 *
 * @throws 502 VAULT_UNREADABLE, also where its indexer does not give the values that it must be harvested with; 502, 503, 504
 */
export async function condition(ctx: VaultContext): Promise<readonly Condition[]> {
  const { vault: id } = ctx.network
  const state = await stateOf(ctx)
  if (state === null) return [conditionFrom(id, await ask(ctx, askTerms(ctx.network)), UNKNOWN)]
  const obstacle = obstacleOf(state)
  if (obstacle && hasSubgraph(ctx))
    throw badGateway(
      'VAULT_UNREADABLE',
      `The vault ${id} must be harvested, and its indexer does not give the values for it at the moment.`,
    )
  return [conditionFrom(id, state.others, obstacle)]
}

/** @returns null for a vault of a kind or version that is not known here */
async function stateOf(ctx: VaultContext): Promise<VaultState<object, VaultTerms> | null> {
  try {
    return await readVaultState<object, VaultTerms>(ctx, { own: {}, others: askTerms(ctx.network), afterHarvest: false })
  } catch (error) {
    if (isServiceError(error) && error.code === 'VAULT_UNSUPPORTED') return null
    throw error
  }
}

function conditionFrom(id: string, answers: Answers<VaultTerms>, obstacle: Obstacle | null): Condition {
  const commissionPercent = Number(answered(answers.feePercent)) / PERCENT
  return conditionOf({ kind: 'pool', id, commissionPercent, terms: termsFrom(answers) }, obstacle)
}
