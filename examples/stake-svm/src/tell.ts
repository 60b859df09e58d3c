import type { Network, Terms } from './answers.ts'
import type { Service } from './service.ts'

export function heading(text: string): void {
  console.log(`\n${text}`)
}

export function say(line: string): void {
  console.log(`  ${line}`)
}

/** Prints which networks are enabled, and on which terms. */
export async function sayTerms(service: Service): Promise<void> {
  for (const network of await service.get<Network[]>('/networks')) {
    say(`network    ${network.chain_id} (${network.name}${network.is_default ? ', the default' : ''})`)
  }
  const info = await service.get<Terms>('/staking-info')
  say(`yield      ${info.staking_apr} % a year, after a fee of ${info.staking_reward_fee} % of rewards`)
  say(`waiting    up to ${info.stake_activation_max_time} minutes to earn, up to ${info.stake_deactivation_max_time} to leave`)
  say(`minimum    ${info.min_stake_amount}`)
}
