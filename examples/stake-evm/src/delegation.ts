import { type Balance, createClient, type VerifiedTransaction } from '@svc/client'
import { ethersSigner } from '@svc/client/signers'
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
import { evmThree } from '@svc/intent-evm-three'
import { Wallet } from 'ethers'

/** A text, not a number: 18 decimals do not fit into a double, and the service reads every digit. */
const AMOUNT = '100.000000000000000001'

/** Delegate on Monad, wait, claim, undelegate, wait, withdraw. @throws Refused or SvcError with a sentence, before anything else is signed */
export async function delegation(sandbox: Sandbox): Promise<void> {
  // ---------- SETUP ----------
  // Against the real service these are your API key, the trust document that the operator handed to you, and your wallet.
  const [{ address, privateKey }] = sandbox.wallets.evm
  const { apiKey, trust } = sandbox
  const { monad } = createClient({ trust, apiKey, protocols: { monad: evmThree } })
  const chain = chainOf(sandbox, 'evm:143')
  const signer = ethersSigner(new Wallet(privateKey))
  const carryOut = (tx: VerifiedTransaction) => settle(monad, tx, signer)
  const position = () => sayPosition(monad, address)
  heading('MONAD')
  say(`service    ${trust.baseUrl}`)
  say(`wallet     ${address}`)

  // ---------- STEP 1: TERMS ----------
  heading('STEP 1  On which terms?')
  await sayTerms(monad)
  // Had another validator been agreed on, nothing that this service crafts could be signed.
  const { monad: other } = createClient({
    trust: pinning(trust, evmThree.path, { validator_id: 13 }),
    apiKey,
    protocols: { monad: evmThree },
  })
  await sayRefusal(other.delegate({ address, amount: AMOUNT }))
  const before = await position()

  // ---------- STEP 2: DELEGATE ----------
  heading(`STEP 2  Delegate ${AMOUNT}`)
  await carryOut(await monad.delegate({ address, amount: AMOUNT }))
  await position()

  // ---------- STEP 3: WAIT UNTIL ACTIVE ----------
  // A delegation earns from the next epoch, or the one after when it was made shortly before an epoch's end.
  heading('STEP 3  Wait until it is active')
  await epochsUntil(({ activating }) => activating?.units === 0n)

  // ---------- STEP 4: CLAIM THE REWARDS ----------
  heading('STEP 4  Earn for an epoch, then claim the rewards')
  await epochsUntil(({ rewards }) => rewards !== null && rewards.units > 0n)
  await carryOut(await monad.claimRewards({ address }))
  await position()

  // ---------- STEP 5: UNDELEGATE ----------
  // An exit goes into one of 256 numbered slots. The objects of the position are the slots in use; any other will do.
  const used = before.objects?.map(({ id }) => Number(id)) ?? []
  const withdrawId = Array.from({ length: 256 }, (_, id) => id).find((id) => !used.includes(id))
  if (withdrawId === undefined) throw new Refused('All 256 withdrawal slots are in use: withdraw one of them first.')
  const inSlot = ({ objects }: Balance) => objects?.find(({ id }) => id === String(withdrawId))
  heading(`STEP 5  Undelegate ${AMOUNT} into slot ${withdrawId}`)
  await carryOut(await monad.undelegate({ address, amount: AMOUNT, withdrawId }))
  await position()

  // ---------- STEP 6: WAIT FOR THE SLOT ----------
  heading(`STEP 6  Wait until slot ${withdrawId} can be withdrawn`)
  await epochsUntil((now) => inSlot(now)?.status === 'withdrawable')

  // ---------- STEP 7: WITHDRAW ----------
  heading(`STEP 7  Withdraw slot ${withdrawId}`)
  await carryOut(await monad.withdraw({ address, withdrawId }))
  if (inSlot(await position())) throw new Refused(`Slot ${withdrawId} is still in use after the withdrawal.`)

  heading('MONAD: DONE')
  say(`${AMOUNT} went in and came out again, with rewards; every answer was signed, every transaction checked.`)

  /** Lets epochs pass until the position is as wanted. Six are more than anything here takes. */
  async function epochsUntil(condition: (now: Balance) => boolean): Promise<void> {
    for (let passed = 0; passed < 6; passed++) {
      await chain.advance({ epochs: 1 })
      say('waiting    … an epoch of 4 hours and 10 minutes')
      if (condition(await position())) return
    }
    throw new Refused('Six epochs have passed, and it has not happened.')
  }
}
