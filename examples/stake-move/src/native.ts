import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { createClient, type StakingObject } from '@svc/client'
import { rawSigner, suiKeypair } from '@svc/client/signers'
import { carryOut, chainOf, heading, pinning, Refused, type Sandbox, say, sayPosition, sayRefusal, sayTerms } from '@svc/example-sandbox'
import { moveNative } from '@svc/intent-move-native'
import { formatUnits } from '@svc/verify/intent'

const AMOUNT = '100.000000001'

/** Stake, be active, earn, have it back with what it earned. @throws Refused or SvcError with a sentence, before anything else is signed */
export async function native(sandbox: Sandbox): Promise<void> {
  // ---------- SETUP ----------
  // Against the real service these are your API key, the trust document that the operator handed to you, and your wallet.
  const { trust, apiKey } = sandbox
  const { sui } = createClient({ trust, apiKey, protocols: { sui: moveNative } })
  const { chainId, validator } = sui.terms
  const chain = chainOf(sandbox, `move:${chainId}`)
  const [{ address: wallet_address, secretKey }] = sandbox.wallets.move
  const keypair = Ed25519Keypair.fromSecretKey(secretKey)
  const wallet = suiKeypair(keypair)
  // A custodian, which gets the digest and knows no chain: what it stands for was checked before.
  const custodian = rawSigner({ sign: (digest) => keypair.sign(digest), publicKey: keypair.getPublicKey().toRawBytes() })
  heading('STAKE')
  say(`service    ${trust.baseUrl}`)
  say(`wallet     ${wallet_address}`)

  // ---------- STEP 1: TERMS ----------
  heading('STEP 1  On which terms?')
  await sayTerms(sui)
  // Had another validator been agreed on, nothing that this service crafts could be signed.
  const elsewhere = pinning(trust, moveNative.path, { validator: wallet_address })
  const { sui: other } = createClient({ trust: elsewhere, apiKey, protocols: { sui: moveNative } })
  await sayRefusal(other.stake({ wallet_address, amount: AMOUNT }))

  // ---------- STEP 2: STAKE ----------
  // A stake is an object. Its id is among what the transaction has made.
  heading(`STEP 2  Stake ${AMOUNT}`)
  const { objectIds } = await carryOut(sui, await sui.stake({ wallet_address, amount: AMOUNT }), wallet)
  const [stake, ...more] = objectIds ?? []
  if (stake === undefined || more.length > 0) throw new Refused(`The transaction made ${objectIds?.length ?? 0} stakes.`)
  say(`stake      ${stake}`)
  await expect('activating')

  // ---------- STEP 3: EARN ----------
  heading('STEP 3  Wait until it is active, and earn for an epoch')
  await epoch()
  await expect('active')
  await epoch()
  const { amount, rewards } = await expect('active')
  if (rewards <= 0n) throw new Refused('The stake has been active for an epoch and has earned nothing.')
  say(`earned     ${formatUnits(rewards, 9)}`)

  // ---------- STEP 4: UNSTAKE ----------
  // The money is there at once, principal and rewards in one coin; gas comes on top. What was announced holds until the epoch ends.
  const announced = formatUnits(amount + rewards, 9)
  heading(`STEP 4  Unstake, for ${announced}`)
  const { moves } = await carryOut(sui, await sui.unstake({ wallet_address, staked_sui_object_id: stake }), custodian)
  const received = moves?.find(({ kind }) => kind === 'arrives')?.amount ?? 0n
  if (received !== amount + rewards) throw new Refused(`${formatUnits(received, 9)} came back, and ${announced} was announced.`)
  if (await position()) throw new Refused(`${stake} is still among the objects of the position.`)
  say(`received   ${formatUnits(received, 9)}, and the stake is gone`)

  heading('DONE')
  say('The stake came back to the MIST, with rewards; every answer was signed, every transaction checked.')

  async function epoch(): Promise<void> {
    await chain.advance({ epochs: 1 })
    say('waiting    … an epoch, a day')
  }

  async function position(): Promise<StakingObject | undefined> {
    const { objects } = await sayPosition(sui, wallet_address)
    return objects?.find(({ id }) => id === stake)
  }

  /** @returns principal and rewards, in MIST */
  async function expect(status: string): Promise<{ amount: bigint; rewards: bigint }> {
    const object = await position()
    if (object?.status !== status || object.validatorAddress !== validator)
      throw new Refused(`The stake should be ${status} with ${validator}, and is ${object?.status} with ${object?.validatorAddress}.`)
    const { amount, rewards } = object
    if (amount?.text !== AMOUNT || rewards === null)
      throw new Refused(`The stake should hold ${AMOUNT} and say its rewards, and has ${amount?.text} and ${rewards?.text}.`)
    return { amount: amount.units, rewards: rewards.units }
  }
}
