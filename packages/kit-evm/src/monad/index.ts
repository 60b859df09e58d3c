// What protocols on Monad (chain 143) have in common: each is installed by itself, and they read the same staking precompile.
export { EPOCH_BLOCKS, type MonadSettings, monadSettings } from './settings.ts'
export {
  earns,
  MOST_VALIDATORS,
  type MonadValidators,
  monadValidators,
  monadValidatorsAbi,
  type Validator,
  whyIdle,
} from './validators.ts'
