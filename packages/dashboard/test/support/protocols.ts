import type { Protocol } from '../../src/api/protocols.ts'

const text = (name: string) => ({ name, required: true, type: 'string', amount: false, description: null }) as const
const amount = { name: 'amount', required: true, type: 'number', amount: true, description: 'Amount in native tokens.' } as const

/** A protocol as the service answers it, on two networks: of the second nothing was read yet. */
export const MONAD: Protocol = {
  protocol: 'evm-three',
  path: '/api/v1/evm-three/native',
  title: 'Monad',
  summary: 'Monad. Native delegation, with numbered withdrawal slots.',
  version: '1.0.0',
  family: 'evm',
  symbol: 'MON',
  signer: 'address',
  term_descriptions: { staking: 'Address of the staking precompile.', validator_id: "Number of the operator's validator." },
  networks: [
    {
      network: '143',
      name: 'mainnet',
      caip2: 'eip155:143',
      default: true,
      terms: {
        chainId: '143',
        caip2: 'eip155:143',
        decimals: 18,
        symbol: 'MON',
        max_fee: '1',
        staking: '0x0000000000000000000000000000000000001000',
        validator_id: 12,
        memo: '',
      },
      staking_info: {
        stake_activation_max_time: 275,
        stake_deactivation_max_time: 500,
        withdrawal_max_time: 0,
        staking_reward_fee: 10,
        withdrawal_fee: 0,
        staking_apr: 14.1911989357,
        staking_apy: 15.2469694436,
        max_slashing_percentage: 0,
        min_stake_amount: '0.000000001',
        max_stake_amount: null,
        users: 2,
        tvl_usd: 3_450_031.05,
        tvl_token: 100_000_900.25,
      },
      staking_info_age_seconds: 31,
      staked_with: [{ kind: 'validator', id: '12', state: 'active', reason: null, commission_percent: 10, terms: [] }],
      staked_with_age_seconds: 120,
      staked_with_interval_seconds: 300,
    },
    {
      network: '10143',
      name: 'testnet',
      caip2: 'eip155:10143',
      default: false,
      terms: null,
      staking_info: null,
      staking_info_age_seconds: null,
      staked_with: null,
      staked_with_age_seconds: null,
      staked_with_interval_seconds: null,
    },
  ],
  actions: [
    {
      name: 'delegate',
      path: '/api/v1/evm-three/native/action/delegate',
      summary: 'Delegate to the validator',
      input: [text('address'), amount],
    },
    {
      name: 'withdraw',
      path: '/api/v1/evm-three/native/action/withdraw',
      summary: 'Withdraw a matured slot',
      input: [text('address'), { ...text('withdrawId'), type: 'integer' }, { ...text('sign'), type: 'boolean', required: false }],
    },
  ],
}

/** The same with a validator that was put out of the active set, as of an hour ago. */
export const MONAD_JAILED: Protocol = {
  ...MONAD,
  networks: MONAD.networks.map((network) => ({
    ...network,
    staked_with: network.staked_with && [
      ...network.staked_with.map((each) => ({ ...each, state: 'jailed', reason: 'is jailed', commission_percent: null }) as const),
      {
        kind: 'pool',
        id: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
        state: 'paused',
        reason: 'is paused',
        commission_percent: 5,
        terms: [],
      } as const,
    ],
    staked_with_age_seconds: network.staked_with && 3600,
    staked_with_interval_seconds: network.staked_with && 300,
  })),
}
