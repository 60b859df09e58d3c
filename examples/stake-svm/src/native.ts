import { base58 } from '@scure/base'
import { Connection, Keypair, PublicKey } from '@solana/web3.js'
import { createClient, type StakingObject, type VerifiedTransaction } from '@svc/client'
import { solanaKeypair } from '@svc/client/signers'
import {
  chainOf,
  heading,
  pinning,
  Refused,
  type Sandbox,
  say,
  sayPosition,
  sayRefusal,
  sayTerms,
  carryOut as settle,
} from '@svc/example-sandbox'
import { svmNative } from '@svc/intent-svm-native'
import { formatUnits, parseUnits } from '@svc/verify/intent'

/** Until a block is rooted: 32 slots. @see https://docs.anza.xyz/consensus/commitments (read 2026-11-22) */
const FINAL_SECONDS = 13
const AMOUNT = '1.500000001'

/** Stake, be active, leave by a durable nonce, have it back. @throws Refused or SvcError with a sentence, before anything else is signed */
export async function native(sandbox: Sandbox): Promise<void> {
  // Against the real service these are your API key, the trust document that the operator handed to you, and your wallet.
  const { trust, apiKey } = sandbox
  const [{ address: wallet_address, secretKey }] = sandbox.wallets.svm
  const { solana } = createClient({ trust, apiKey, protocols: { solana: svmNative } })
  const { chainId, validator } = solana.terms
  const chain = chainOf(sandbox, `svm:${chainId}`)
  // Only to have a fact compared that the service says anyway; a caller without a node leaves it out, and reads its bound instead.
  const node = new Connection(chain.rpcUrl, 'confirmed')
  const signer = solanaKeypair(Keypair.fromSecretKey(base58.decode(secretKey)))
  const carryOut = (tx: VerifiedTransaction) => settle(solana, tx, signer, () => chain.advance({ seconds: FINAL_SECONDS }))
  const position = () => sayPosition(solana, wallet_address)
  heading('STAKE ACCOUNT')
  say(`service    ${trust.baseUrl}`)
  say(`wallet     ${wallet_address}`)

  // ---------- STEP 1: TERMS ----------
  heading('STEP 1  On which terms?')
  await sayTerms(solana)
  // Had another vote account been agreed on, nothing that this service crafts could be signed.
  const elsewhere = pinning(trust, svmNative.path, { validator: wallet_address })
  const { solana: other } = createClient({ trust: elsewhere, apiKey, protocols: { solana: svmNative } })
  await sayRefusal(other.stake({ wallet_address, amount: AMOUNT }))

  // ---------- STEP 2: STAKE ----------
  // The service makes a key for the new account, signs its creation, and forgets it: the account has belonged to the wallet from its first
  // moment. Its address and its rent are taken on the service's word, each within its bound.
  heading(`STEP 2  Stake ${AMOUNT}`)
  const { objectIds } = await carryOut(await solana.stake({ wallet_address, amount: AMOUNT }))
  const [stake_account_address] = objectIds ?? []
  if (stake_account_address === undefined) throw new Refused('The transaction makes no account.')
  say(`account    ${stake_account_address}`)
  await expect('activating')

  // ---------- STEP 3: EARN ----------
  heading('STEP 3  Wait until it is active, and earn for an epoch')
  for (let epochs = 0; epochs < 2; epochs++) await epoch()
  const { amount } = await expect('active')
  say(`earned     ${formatUnits((amount?.units ?? 0n) - (parseUnits(AMOUNT, 9) ?? 0n), 9)}`)

  // ---------- STEP 4: A NONCE ----------
  // An ordinary transaction is valid for about a minute. One that uses a nonce account is valid until the nonce is used.
  heading('STEP 4  Make a nonce account, for signatures that take longer')
  const making = await solana.createNonceAccount({ wallet_address })
  const { newAccount: nonce_account_address } = making.decoded.calls[0]?.args ?? {}
  if (typeof nonce_account_address !== 'string') throw new Refused('The transaction makes no account.')
  await carryOut(making)

  // ---------- STEP 5: UNSTAKE ----------
  heading('STEP 5  Unstake, by a transaction that does not expire')
  const leaving = await solana.unstake({ wallet_address, stake_account_address, nonce_account_address })
  await chain.advance({ seconds: 600 })
  say('waiting    … ten minutes, as a committee of signers might')
  await carryOut(leaving)
  await expect('deactivating')

  // ---------- STEP 6: WAIT ----------
  heading('STEP 6  Wait until it has left')
  await epoch()
  const ready = await expect('withdrawable')

  // ---------- STEP 7: WITHDRAW ----------
  // All that the account holds: your own node says how much that is, so it is compared and not assumed.
  heading(`STEP 7  Withdraw ${ready.amount?.text}, all of it`)
  const whole = BigInt(await node.getBalance(new PublicKey(stake_account_address)))
  const { moves } = await carryOut(await solana.withdraw({ wallet_address, stake_account_address }, { facts: { whole } }))
  const received = moves?.find(({ kind }) => kind === 'arrives')?.amount ?? 0n
  if (received !== whole || whole !== ready.amount?.units)
    throw new Refused(`${formatUnits(received, 9)} came back, and ${ready.amount?.text} was announced.`)
  say(`received   ${formatUnits(received, 9)}, and the account is gone`)
  if (find((await position()).objects)) throw new Refused(`${stake_account_address} is still among the objects of the position.`)

  heading('STAKE ACCOUNT: DONE')
  say('The stake came back to the lamport, with rewards; every answer was signed, every transaction checked.')

  async function epoch(): Promise<void> {
    await chain.advance({ epochs: 1 })
    say('waiting    … an epoch, about 42 hours')
  }

  function find(objects: readonly StakingObject[] | null): StakingObject | undefined {
    return objects?.find(({ id }) => id === stake_account_address)
  }

  async function expect(status: string): Promise<StakingObject> {
    const account = find((await position()).objects)
    if (account?.status === status && account.validatorAddress === validator) return account
    throw new Refused(
      `The stake account should be ${status} with ${validator}, and is ${account?.status} with ${account?.validatorAddress}.`,
    )
  }
}
