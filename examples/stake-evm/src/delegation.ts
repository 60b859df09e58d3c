import type { Call } from '@svc/verify'
import { formatEther, parseEther } from 'ethers'
import type { Amount, Position } from './answers.ts'
import { connectChain } from './chain.ts'
import { send } from './journey.ts'
import { Refused, type SandboxFile } from './sandbox-file.ts'
import { connect } from './service.ts'
import { heading, say, sayPosition, sayTerms } from './tell.ts'

/** Monad's staking contract: a precompile, at the same address on every Monad network. */
const STAKING = '0x0000000000000000000000000000000000001000'
/** The operator's validator, as agreed with the operator. Like the address above it comes from you, not from an answer. */
const VALIDATOR = 12n
/** A text, not a number: 18 decimals do not fit into a double, and the service reads every digit. */
const AMOUNT = '100.000000000000000001'

/** Delegate on Monad, wait, claim, undelegate, wait, withdraw. @throws Refused with a sentence, before anything else is signed */
export async function delegation(sandbox: SandboxFile): Promise<void> {
  // ---------- SETUP ----------
  // Against the real service these are your API key, the operator's published key, your wallet and your own node.
  const wallet = sandbox.wallets.evm[0]!
  const { baseUrl, apiKey, publicKeyPem, controlUrl } = sandbox
  const service = connect({ baseUrl, prefix: '/api/v1/evm-three/native', apiKey, publicKeyPem })
  const chain = connectChain({ id: 'evm:143', rpcUrl: sandbox.chains['evm:143']!.rpcUrl, controlUrl })
  const custody = { ...wallet, chainId: '143', maxFee: parseEther('0.05') }
  const journey = { service, chain, custody, say }
  const position = () => sayPosition(service, wallet.address)
  try {
    heading('MONAD')
    say(`service    ${baseUrl}`)
    say(`wallet     ${wallet.address}`)

    // ---------- STEP 1: NETWORKS AND TERMS ----------
    heading('STEP 1  Which networks, on which terms?')
    await sayTerms(service)
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

    heading('MONAD: DONE')
    say(`${formatEther(amount)} went in and came out again, with rewards; every answer was signed, every transaction checked.`)
  } finally {
    chain.close()
  }

  /** Lets epochs pass until the position is as wanted. Six are more than anything here takes. */
  async function epochsUntil(wanted: (now: Position) => boolean): Promise<void> {
    for (let passed = 0; passed < 6; passed++) {
      await chain.nextEpoch()
      say('waiting    … an epoch of 4 hours and 10 minutes')
      if (wanted(await position())) return
    }
    throw new Refused('Six epochs have passed, and it has not happened.')
  }
}

/** The one call that a transaction may make: to the staking contract, concerning the operator's validator. */
function staking(method: string, args: Record<string, bigint>, value = 0n): Call {
  return { target: STAKING, method, args: { validator: VALIDATOR, ...args }, value }
}

function isZero(amount: Amount | null): boolean {
  return Number(amount) === 0
}
