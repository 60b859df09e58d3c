import type { Position, StakeObject } from './answers.ts'
import { send } from './journey.ts'
import { newStake, withdrawal } from './promises.ts'
import { Refused, type SandboxFile } from './sandbox-file.ts'
import { begin } from './setup.ts'
import { mistOf, sui } from './sui.ts'
import { heading, say, sayTerms } from './tell.ts'

/** The operator's validator, as agreed with the operator; it comes from you, not from an answer. This one is the sandbox's. */
const VALIDATOR = '0x491b80634249ce0a42e401cc7087ce36c0815ac2c74916a182ec214128cd3d41'
const AMOUNT = 100.000000001
const MIST = 100_000_000_001n

/** Stake, be active, earn, have it back with what it earned. @throws Refused with a sentence, before anything else is signed */
export async function native(sandbox: SandboxFile): Promise<void> {
  const journey = await begin(sandbox, 'STAKE', '/api/v1/move-one/native')
  const { service, chain, custody } = journey
  const wallet = custody.keypair.toSuiAddress()

  // ---------- STEP 1: NETWORKS AND TERMS ----------
  heading('STEP 1  Which networks, on which terms?')
  await sayTerms(service)

  // ---------- STEP 2: STAKE ----------
  // A stake is an object. Its id is on the chain as soon as the transaction is: your own node names it, no answer has to.
  heading(`STEP 2  Stake ${AMOUNT}`)
  const { stakes } = await send(journey, 'stake', { amount: AMOUNT }, newStake(VALIDATOR, MIST))
  const [stake] = stakes
  if (stake === undefined || stakes.length > 1) throw new Refused(`The transaction made ${stakes.length} stakes.`)
  say(`stake      ${stake}`)
  expect(await position(), 'activating')

  // ---------- STEP 3: EARN ----------
  heading('STEP 3  Wait until it is active, and earn for an epoch')
  await epoch()
  expect(await position(), 'active')
  await epoch()
  const announced = expect(await position(), 'active')
  if (announced.rewards <= 0n) throw new Refused('The stake has been active for an epoch and has earned nothing.')
  say(`earned     ${sui(announced.rewards)}`)

  // ---------- STEP 4: UNSTAKE ----------
  // The money is there at once, principal and rewards in one coin; gas comes on top. What was announced holds until the epoch ends.
  heading(`STEP 4  Unstake, for ${sui(announced.amount + announced.rewards)}`)
  const before = await chain.balance(wallet)
  const { gas } = await send(journey, 'unstake', { staked_sui_object_id: stake }, withdrawal(stake))
  const received = (await chain.balance(wallet)) - before + gas
  if (received !== announced.amount + announced.rewards)
    throw new Refused(`${sui(received)} came back, and ${sui(announced.amount + announced.rewards)} was announced.`)
  if (await position()) throw new Refused(`${stake} is still among the objects of the position.`)
  say(`received   ${sui(received)}, and the stake is gone`)

  heading('DONE')
  say('The stake came back to the MIST, with rewards; every answer was signed, every transaction checked.')

  async function epoch(): Promise<void> {
    await chain.nextEpoch()
    say('waiting    … an epoch, a day')
  }

  async function position(): Promise<StakeObject | undefined> {
    const now = await service.get<Position>(`/staking-balance/${wallet}`)
    say(`position   activating ${now.stake_activation_amount}, active ${now.staked_amount}, rewards ${now.stake_rewards_amount}`)
    return now.staking_objects.find(({ id }) => id === stake)
  }

  /** @returns principal and rewards, in MIST */
  function expect(object: StakeObject | undefined, status: StakeObject['status']): { amount: bigint; rewards: bigint } {
    if (object?.status !== status || object.validator_address !== VALIDATOR)
      throw new Refused(`The stake should be ${status} with ${VALIDATOR}, and is ${object?.status} with ${object?.validator_address}.`)
    const { amount, rewards_amount: rewards } = object
    if (amount === null || rewards === null || mistOf(amount) !== MIST)
      throw new Refused(`The stake should hold ${AMOUNT} and say its rewards, and has ${amount} and ${rewards}.`)
    return { amount: mistOf(amount), rewards: mistOf(rewards) }
  }
}
