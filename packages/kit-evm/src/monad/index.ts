// What protocols on Monad (chain 143) have in common: each is installed by itself, and they read the same staking precompile.
export { validatorCondition } from './condition.ts'
export { EPOCH_BLOCKS, type MonadSettings, monadSettings } from './settings.ts'
export {
  askAccumulator,
  type CurrentValidator,
  earns,
  MOST_VALIDATORS,
  type MonadValidators,
  monadValidators,
  monadValidatorsAbi,
  obstacleOf,
  type Validator,
} from './validators.ts'
