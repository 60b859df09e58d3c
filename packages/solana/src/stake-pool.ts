/** Parts of `@solana/spl-stake-pool` that are used: the layouts of its accounts, and the writers of its instructions. */
export { type StakePool, StakePoolInstruction, StakePoolLayout, type ValidatorList, ValidatorListLayout } from '@solana/spl-stake-pool'
