import { evmThree } from '@svc/intent-evm-three'
import { evmThreeLiquid } from '@svc/intent-evm-three-liquid'
import { evmTwo } from '@svc/intent-evm-two'
import { evmVault } from '@svc/intent-evm-vault'
import type { Intent, NetworkTerms } from '@svc/verify/intent'

/** What a descriptor is made from: the intent, one network of it, and what no intent knows. */
export interface Source {
  /** Of the file: `calldata-evm-three.json`. */
  readonly label: string
  readonly intent: Intent
  readonly terms: NetworkTerms & Readonly<Record<string, string | number>>
  /** Address of the contract. */
  readonly contract: string
  readonly owner: string
  readonly contractName: string
  /** About the contract. */
  readonly url: string
  /** A short verb phrase for each method by its name, which a wallet shows where it cannot show the sentence. */
  readonly deeds: Readonly<Record<string, string>>
}

const MAGMA = '0x8498312A6B3CbD158bf0c93AbdCF29E6e4F55081'
/** The vault of the operator in `server/config.example.ts`: an operator writes his own. */
const VAULT = '0xAC0F906E433d58FA868F936E8A43230473652885'
const NONE = `0x${'00'.repeat(20)}`

function network(chain: number, symbol: string): NetworkTerms {
  return { chainId: String(chain), caip2: `eip155:${chain}`, decimals: 18, symbol, max_fee: '1' }
}

export const sources: readonly Source[] = [
  {
    label: 'evm-two',
    intent: evmTwo,
    terms: { ...network(1672, 'PROS'), staking: '0x4100000000000000000000000000000000000000', pool_id: `0x${'00'.repeat(32)}` },
    contract: '0x4100000000000000000000000000000000000000',
    owner: 'Pharos',
    contractName: 'Native staking',
    url: 'https://www.pharos.xyz/',
    deeds: {
      delegate: 'Stake',
      undelegate: 'Unstake everything',
      claimStake: 'Withdraw',
      claimReward: 'Claim rewards',
      compoundRewards: 'Compound rewards',
    },
  },
  {
    label: 'evm-three',
    intent: evmThree,
    terms: { ...network(143, 'MON'), staking: '0x0000000000000000000000000000000000001000', validator_id: 1 },
    contract: '0x0000000000000000000000000000000000001000',
    owner: 'Monad',
    contractName: 'Native staking precompile',
    url: 'https://docs.monad.xyz/developer-essentials/staking',
    deeds: { delegate: 'Stake', undelegate: 'Unstake', withdraw: 'Withdraw', claimRewards: 'Claim rewards', compound: 'Compound rewards' },
  },
  {
    label: 'evm-three-liquid',
    intent: evmThreeLiquid,
    terms: { ...network(143, 'MON'), vault: MAGMA, referral_id: 0 },
    contract: MAGMA,
    owner: 'Magma',
    contractName: 'gMON vault',
    url: 'https://github.com/MagmaStaking/contracts-public',
    deeds: {
      depositMON: 'Stake for gMON',
      depositMONGVault: 'Stake for gMON',
      requestRedeem: 'Request redemption',
      requestRedeemGVault: 'Request redemption',
      redeemMON: 'Claim redemption',
    },
  },
  {
    label: 'evm-vault',
    intent: evmVault,
    terms: { ...network(1, 'ETH'), vault: VAULT, referrer: NONE, os_token_reserve_seconds: 0 },
    contract: VAULT,
    owner: 'StakeWise',
    contractName: 'StakeWise V3 vault',
    url: 'https://github.com/stakewise/v3-core',
    deeds: {
      deposit: 'Stake',
      updateStateAndDeposit: 'Update the vault and stake',
      updateState: 'Update the vault',
      redeem: 'Redeem shares',
      enterExitQueue: 'Enter the exit queue',
      claimExitedAssets: 'Claim an exit',
      multicall: 'Several calls',
    },
  },
]
