import { PublicKey, SystemProgram } from '@solana/web3.js'
import { decodeSvm } from '@svc/verify'
import type { Position, StakeAccount } from './answers.ts'
import { craft, type Journey, send } from './journey.ts'
import { advance, deactivation, NONCE_BYTES, newNonceAccount, newStake, STAKE_BYTES, withdrawal } from './promises.ts'
import { Refused, type SandboxFile } from './sandbox-file.ts'
import { begin } from './setup.ts'
import { lamportsOf, sol } from './sol.ts'
import { heading, say, sayTerms } from './tell.ts'

/** The operator's vote account, as agreed with the operator; it comes from you, not from an answer. */
const VOTE = 'HhGs98mVkJt8pWjC3sMeuZDcR2GyRmog7VdevVLLv4ah'
const AMOUNT = 1.500000001
const LAMPORTS = 1_500_000_001n

/** Stake, be active, leave by a durable nonce, have it back. @throws Refused with a sentence, before anything else is signed */
export async function native(sandbox: SandboxFile): Promise<void> {
  const journey = begin(sandbox, 'STAKE ACCOUNT', '/api/v1/svm-one/native')
  const { service, chain, custody } = journey
  const wallet = custody.keypair.publicKey.toBase58()
  const signers = [wallet]

  // ---------- STEP 1: NETWORKS AND TERMS ----------
  heading('STEP 1  Which networks, on which terms?')
  await sayTerms(service)

  // ---------- STEP 2: STAKE ----------
  // The service makes a key for the new account, signs its creation, and forgets it: the account has belonged to the wallet from its first
  // moment. Its address is the one thing that is taken from the answer; that it is the wallet's alone is what the calls below say.
  heading(`STEP 2  Stake ${AMOUNT}`)
  const crafted = await craft(journey, 'stake', { amount: AMOUNT })
  const stake = decodeSvm(crafted).signers?.[1]
  if (stake === undefined) throw new Refused('The transaction makes no account.')
  const funded = LAMPORTS + (await chain.rent(STAKE_BYTES))
  await send(journey, crafted, { signers: [wallet, stake], calls: newStake(wallet, stake, VOTE, funded) })
  say(`account    ${stake}, which holds ${sol(funded)}: the stake, and its rent`)
  expect(await position(), 'activating')

  // ---------- STEP 3: EARN ----------
  heading('STEP 3  Wait until it is active, and earn for an epoch')
  for (let epochs = 0; epochs < 2; epochs++) await epoch()
  const { amount } = expect(await position(), 'active')
  say(`earned     ${sol(lamportsOf(amount) - LAMPORTS)}`)

  // ---------- STEP 4: A NONCE ----------
  // An ordinary transaction is valid for about a minute. One that uses a nonce account is valid until the nonce is used.
  heading('STEP 4  Make a nonce account, for signatures that take longer')
  const { seed, address } = await nextNonceAccount(journey)
  const rent = await chain.rent(NONCE_BYTES)
  const made = await craft(journey, 'create-nonce-account')
  await send(journey, made, { signers, calls: newNonceAccount(wallet, address, seed, rent) })
  say(`nonce      ${address}`)

  // ---------- STEP 5: UNSTAKE ----------
  heading('STEP 5  Unstake, by a transaction that does not expire')
  const leaving = await craft(journey, 'unstake', { stake_account_address: stake, nonce_account_address: address })
  await chain.pass(600)
  say('waiting    … ten minutes, as a committee of signers might')
  await send(journey, leaving, { signers, calls: [advance(wallet, address), deactivation(wallet, stake)] })
  expect(await position(), 'deactivating')

  // ---------- STEP 6: WAIT ----------
  heading('STEP 6  Wait until it has left')
  await epoch()
  const ready = expect(await position(), 'withdrawable')

  // ---------- STEP 7: WITHDRAW ----------
  heading(`STEP 7  Withdraw ${ready.amount}, all of it`)
  const held = await chain.balance(stake)
  const before = await chain.balance(wallet)
  const paid = await send(journey, await craft(journey, 'withdraw', { stake_account_address: stake }), {
    signers,
    calls: [withdrawal(wallet, stake, held)],
  })
  const received = (await chain.balance(wallet)) - before + paid
  if (received !== held || held !== lamportsOf(ready.amount))
    throw new Refused(`${sol(received)} came back, and ${ready.amount} was announced.`)
  say(`received   ${sol(received)}, and the account is gone`)
  if ((await read()).staking_objects?.some(({ id }) => id === stake))
    throw new Refused(`${stake} is still among the objects of the position.`)

  heading('STAKE ACCOUNT: DONE')
  say('The stake came back to the lamport, with rewards; every answer was signed, every transaction checked.')

  async function epoch(): Promise<void> {
    await chain.nextEpoch()
    say('waiting    … an epoch, about 42 hours')
  }

  function read(): Promise<Position> {
    return service.get<Position>(`/staking-balance/${wallet}`)
  }

  async function position(): Promise<StakeAccount | undefined> {
    const now = await read()
    const { staked_amount, stake_activation_amount, stake_deactivation_amount, stake_withdrawing_amount } = now
    say(`position   active ${staked_amount}, activating ${stake_activation_amount}`)
    say(`           deactivating ${stake_deactivation_amount}, withdrawable ${stake_withdrawing_amount}`)
    return now.staking_objects?.find(({ id }) => id === stake)
  }

  function expect(account: StakeAccount | undefined, status: StakeAccount['status']): StakeAccount {
    if (account?.status === status && account.validator_address === VOTE) return account
    throw new Refused(`The stake account should be ${status} with ${VOTE}, and is ${account?.status} with ${account?.validator_address}.`)
  }
}

/** Nonce accounts are derived from the wallet: the first of nonce:0, nonce:1 and so on that does not exist is the one that is made. */
async function nextNonceAccount({ chain, custody }: Journey): Promise<{ seed: string; address: string }> {
  for (let index = 0; index < 256; index++) {
    const seed = `nonce:${index}`
    const address = await PublicKey.createWithSeed(custody.keypair.publicKey, seed, SystemProgram.programId)
    if ((await chain.node.getAccountInfo(address)) === null) return { seed, address: address.toBase58() }
  }
  throw new Refused('The wallet has 256 nonce accounts; use one of them.')
}
