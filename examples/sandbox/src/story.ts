import { type Balance, type Common, SvcError, type VerifiedTransaction } from '@svc/client'
import { findSandbox, Refused, type Sandbox } from './files.ts'

/** Tells stories of the running sandbox, and ends with one sentence where one is refused. */
export async function story(...tales: readonly ((sandbox: Sandbox) => Promise<void>)[]): Promise<void> {
  try {
    const sandbox = await findSandbox()
    for (const tale of tales) await tale(sandbox)
  } catch (error) {
    if (!(error instanceof Refused || SvcError.is(error))) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Prints the title of the next part of the story, after an empty line. */
export function heading(text: string): void {
  console.log(`\n${text}`)
}

/** Prints one line of the story, indented below its heading. */
export function say(line: string): void {
  console.log(`  ${line}`)
}

/** Prints on which terms one stakes: those that are pinned, and what the service says today. */
export async function sayTerms({ terms, info }: Common): Promise<void> {
  const { chainId, caip2, decimals: _decimals, symbol, max_fee, ...pinned } = terms
  say(`network    ${chainId} (${caip2}), fees of ${max_fee} ${symbol} at most`)
  for (const [name, value] of Object.entries(pinned)) if (value !== '') say(`pinned     ${name} ${value}`)
  const { staking_apr, staking_reward_fee, stake_activation_max_time, stake_deactivation_max_time, min_stake_amount } = await info()
  say(`yield      ${staking_apr} % a year, after a fee of ${staking_reward_fee} % of rewards`)
  say(`waiting    up to ${stake_activation_max_time} minutes to earn, up to ${stake_deactivation_max_time} to leave`)
  say(`minimum    ${min_stake_amount}`)
}

/** Reads a position and prints it, without what the protocol does not know. */
export async function sayPosition({ balance }: Common, address: string): Promise<Balance> {
  const position = await balance(address)
  const { staked: active, activating, deactivating, withdrawing: withdrawable, rewards } = position
  const parts = Object.entries({ active, activating, deactivating, withdrawable, rewards })
  say(`position   ${parts.flatMap(([name, amount]) => (amount ? [`${name} ${amount.text}`] : [])).join(', ')}`)
  return position
}

/** Prints what the client has read out of a transaction's bytes, and what it took on the service's word. */
export function sayTransaction({ sentence, assumed }: VerifiedTransaction): void {
  say(`verified   ${sentence}`)
  for (const { fact, value, bound, cost } of assumed)
    say(`assumed    ${fact}: ${value} (${bound}${cost === undefined ? '' : `; at worst it costs ${cost}`})`)
}
