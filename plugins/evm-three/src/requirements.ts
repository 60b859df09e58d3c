import type { Requirement } from '@svc/contract/requirements'
import { bookLogs, type EvmClient } from '@svc/kit-evm'
import type { StakingNetwork } from './network.ts'

/** Requirements for a node for the books of delegators, whose flows are found in the contract's events. */
export const requirements: readonly Requirement<EvmClient, StakingNetwork>[] = [bookLogs(({ staking }) => staking)]
