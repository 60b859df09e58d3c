import { formatAmount } from '@svc/contract'
import { type Term, termsOf } from '@svc/contract/control'
import { type Answers, holderOf, type Questions, readAmount, termText } from '@svc/kit-evm'
import { sharedAbi, vaultAbi } from '../abi.ts'
import { deploymentOf, type VaultNetwork } from '../network.ts'

/** Parts of 1e18 as percent, and hundredths of a percent. */
const WAD_PERCENT_DECIMALS = 16
const PERCENT_DECIMALS = 2

/** Terms of a vault that its admin, or the protocol, may change. A vault answers those that its version has. */
export interface VaultTerms {
  readonly implementation: string
  readonly admin: string
  /** Version 1; later ones have a validators manager. */
  readonly keysManager: string
  readonly validatorsManager: string
  /** Address that may redeem and liquidate positions with an osToken debt. */
  readonly redeemer: string
  readonly liquidator: string
  readonly version: bigint
  /** Hundredths of a percent. */
  readonly feePercent: bigint
  /** Loan to value of an osToken debt, in parts of 1e18. */
  readonly ltv: bigint
}

/** Makes the questions for the terms of a vault and of the settings of its osToken. */
export function askTerms(network: VaultNetwork): Questions<VaultTerms> {
  const { vault } = network
  const { os_token_config: config } = deploymentOf(network)
  return {
    implementation: vaultAbi.question(vault, 'implementation', []),
    admin: vaultAbi.question(vault, 'admin', []),
    keysManager: vaultAbi.question(vault, 'keysManager', []),
    validatorsManager: vaultAbi.question(vault, 'validatorsManager', []),
    redeemer: sharedAbi.question(config, 'redeemer', []),
    liquidator: sharedAbi.question(config, 'liquidator', []),
    version: vaultAbi.question(vault, 'version', [], readAmount),
    feePercent: vaultAbi.question(vault, 'feePercent', [], readAmount),
    ltv: sharedAbi.question(config, 'getConfig', [vault], ({ ltvPercent }) => ltvPercent),
  }
}

/** Lists the terms that a vault's answers tell. */
export function termsFrom(answers: Answers<VaultTerms>): readonly Term[] {
  return [
    ...termsOf('power', {
      implementation: termText(answers.implementation, holderOf),
      admin: termText(answers.admin, holderOf),
      keys_manager: termText(answers.keysManager, holderOf),
      validators_manager: termText(answers.validatorsManager, holderOf),
      os_token_redeemer: termText(answers.redeemer, holderOf),
      os_token_liquidator: termText(answers.liquidator, holderOf),
    }),
    ...termsOf('fee', { commission: termText(answers.feePercent, (fee) => formatAmount(fee, PERCENT_DECIMALS)) }),
    ...termsOf('rule', {
      version: termText(answers.version, String),
      os_token_loan_to_value: termText(answers.ltv, (part) => `${formatAmount(part, WAD_PERCENT_DECIMALS)} percent`),
    }),
  ]
}
