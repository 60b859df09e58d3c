// A whole staking journey on Monad's local stand-in: delegate, wait, claim, undelegate, wait, withdraw.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import type { Call } from '@svc/verify'
import { formatEther, parseEther } from 'ethers'
import { connectChain } from './chain.ts'
import { send } from './journey.ts'
import { findSandbox, Refused } from './sandbox-file.ts'
import { connect, type Service } from './service.ts'

/** Monad's staking contract: a precompile, at the same address on every Monad network. */
const STAKING = '0x0000000000000000000000000000000000001000'
/** The operator's validator, as agreed with the operator. Like the address above it comes from you, not from an answer. */
const VALIDATOR = 12n
/** A text, not a number: 18 decimals do not fit into a double, and the service reads every digit. */
const AMOUNT = '100.000000000000000001'

try {
  await main()
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(): Promise<void> {
  // ---------- SETUP ----------
  // Against the real service these are your API key, the operator's published key, your wallet and your own node.
  const sandbox = await findSandbox()
  const wallet = sandbox.wallets.evm[0]!
  const { baseUrl, apiKey, publicKeyPem, controlUrl } = sandbox
  const service = connect({ baseUrl, prefix: '/api/v1/evm-three/native', apiKey, publicKeyPem })
  const chain = connectChain({ id: 'evm:143', rpcUrl: sandbox.chains['evm:143']!.rpcUrl, controlUrl })
  const custody = { ...wallet, chainId: '143', maxFee: parseEther('0.05') }
  const journey = { service, chain, custody, say }
  const position = () => readPosition(service, wallet.address)
  try {
    heading('SETUP')
    say(`service    ${baseUrl}`)
    say(`wallet     ${wallet.address}`)

    // ---------- STEP 1: NETWORKS AND TERMS ----------
    heading('STEP 1  Which networks, on which terms?')
    for (const network of await service.get<Network[]>('/networks')) {
      say(`network    ${network.chain_id} (${network.name}${network.is_default ? ', the default' : ''})`)
    }
    const info = await service.get<Terms>('/staking-info')
    say(`yield      ${info.staking_apr} % a year, after a fee of ${info.staking_reward_fee} % of rewards`)
    say(`waiting    up to ${info.stake_activation_max_time} minutes to earn, up to ${info.stake_deactivation_max_time} to leave`)
    say(`minimum    ${info.min_stake_amount}`)
    const before = await position()

    // ---------- STEP 2: DELEGATE ----------
    heading(`STEP 2  Delegate ${AMOUNT}`)
    const amount = parseEther(AMOUNT)
    await send(journey, 'delegate', { amount: AMOUNT }, staking('delegate(uint64 validator)', {}, amount))
    await position()

    // ---------- STEP 3: WAIT UNTIL ACTIVE ----------
    // A delegation earns from the next epoch, or the one after when it was made shortly before an epoch's end.
    heading('STEP 3  Wait until it is active')
    await epochsUntil((now) => isZero(now.stake_activation_amount))

    // ---------- STEP 4: CLAIM THE REWARDS ----------
    heading('STEP 4  Earn for an epoch, then claim the rewards')
    await epochsUntil((now) => !isZero(now.stake_rewards_amount))
    await send(journey, 'claim-rewards', {}, staking('claimRewards(uint64 validator)', {}))
    await position()

    // ---------- STEP 5: UNDELEGATE ----------
    // An exit goes into one of 256 numbered slots. The objects of the position are the slots in use; any other will do.
    const used = before.staking_objects.map(({ id }) => id)
    const slot = Array.from({ length: 256 }, (_, id) => id).find((id) => !used.includes(String(id)))
    if (slot === undefined) throw new Refused('All 256 withdrawal slots are in use: withdraw one of them first.')
    heading(`STEP 5  Undelegate ${AMOUNT} into slot ${slot}`)
    const exit = staking('undelegate(uint64 validator, uint256 amount, uint8 slot)', { amount, slot: BigInt(slot) })
    await send(journey, 'undelegate', { amount: AMOUNT, withdrawId: slot }, exit)
    await position()

    // ---------- STEP 6: WAIT FOR THE SLOT ----------
    heading(`STEP 6  Wait until slot ${slot} can be withdrawn`)
    await epochsUntil(({ staking_objects }) => staking_objects.some(({ id, status }) => id === String(slot) && status === 'withdrawable'))

    // ---------- STEP 7: WITHDRAW ----------
    heading(`STEP 7  Withdraw slot ${slot}`)
    await send(journey, 'withdraw', { withdrawId: slot }, staking('withdraw(uint64 validator, uint8 slot)', { slot: BigInt(slot) }))
    const after = await position()
    if (after.staking_objects.some(({ id }) => id === String(slot))) throw new Refused(`Slot ${slot} is still in use after the withdrawal.`)

    heading('DONE')
    say(`${formatEther(amount)} went in and came out again, with rewards; every answer was signed, every transaction checked.`)
  } finally {
    chain.close()
  }

  /** Lets epochs pass until the position is as wanted. Six are more than anything here takes. */
  async function epochsUntil(wanted: (now: Position) => boolean): Promise<void> {
    for (let passed = 0; passed < 6; passed++) {
      say(`waiting    … epoch ${await chain.nextEpoch()}`)
      if (wanted(await position())) return
    }
    throw new Refused('Six epochs have passed, and it has not happened.')
  }
}

/** The one call that a transaction may make: to the staking contract, concerning the operator's validator. */
function staking(method: string, args: Record<string, bigint>, value = 0n): Call {
  return { target: STAKING, method, args: { validator: VALIDATOR, ...args }, value }
}

interface Network {
  readonly name: string
  readonly chain_id: string
  readonly is_default: boolean
}

interface Terms {
  readonly staking_apr: number | null
  readonly staking_reward_fee: number | null
  readonly stake_activation_max_time: number | null
  readonly stake_deactivation_max_time: number | null
  readonly min_stake_amount: string | null
}

/** Amounts come as numbers where a double holds them, and as text where it does not. */
interface Position {
  readonly staked_amount: number | string
  readonly stake_activation_amount: number | string
  readonly stake_deactivation_amount: number | string
  readonly stake_withdrawing_amount: number | string
  readonly stake_rewards_amount: number | string
  readonly staking_objects: readonly { readonly id: string; readonly status: string; readonly amount: number | string }[]
}

async function readPosition(service: Service, address: string): Promise<Position> {
  const position = await service.get<Position>(`/staking-balance/${address}`)
  const parts = [
    `active ${position.staked_amount}`,
    `activating ${position.stake_activation_amount}`,
    `deactivating ${position.stake_deactivation_amount}`,
    `withdrawable ${position.stake_withdrawing_amount}`,
    `rewards ${position.stake_rewards_amount}`,
  ]
  say(`position   ${parts.join(', ')}`)
  return position
}

function isZero(amount: number | string): boolean {
  return Number(amount) === 0
}

function heading(text: string): void {
  console.log(`\n${text}`)
}

function say(line: string): void {
  console.log(`  ${line}`)
}
