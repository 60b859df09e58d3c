// A whole staking journey on local stand-ins of two Cosmos chains: stake, earn, claim, unstake, wait, have it back.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { createClient, type Signer, type VerifiedTransaction } from '@svc/client'
import { cosmjsSigner, rawSigner } from '@svc/client/signers'
import { carryOut, heading, pinning, Refused, type Sandbox, say, sayPosition, sayRefusal, sayTerms, story } from '@svc/example-sandbox'
import { connectChain } from './chain.ts'
import { type Hub, hubs } from './hubs.ts'

const AMOUNT = '1000.000001'

await story(...hubs.map((hub) => (sandbox: Sandbox) => tell(hub, sandbox)), async () => {
  heading('DONE')
  say('On both chains the stake came back to the last digit; every answer was signed, every transaction checked.')
})

async function tell(hub: Hub, sandbox: Sandbox): Promise<void> {
  // ---------- SETUP ----------
  // Against the real service these are your API key, the trust document that the operator handed to you, your wallet and your own node.
  const { trust, apiKey } = sandbox
  const { svc } = createClient({ trust, apiKey, protocols: { svc: hub.intent } })
  const { chainId } = svc.terms
  const [{ addresses, publicKey: pubkey, privateKey, mnemonic }] = sandbox.wallets.cosmos
  const { [`cosmos:${chainId}`]: address = '' } = addresses
  // Two ways to sign. A wallet of CosmJS is shown the sign document and hashes it itself; a custodian gets 32 bytes and nothing else.
  const wallet = cosmjsSigner(await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: hub.prefix }), address)
  const custodian = rawSigner({
    sign: async (hash) => Secp256k1.createSignature(hash, fromHex(privateKey)).toFixedLength(),
  })
  const chain = await connectChain(sandbox, chainId, hub)
  try {
    heading(`${hub.title}  ${trust.baseUrl}`)
    // The number that the chain gave the account is part of what is signed, and no bytes name it. Nobody else's key has it, so it may be taken
    // on the service's word; given from your own node it is compared. It never changes.
    const facts = { accountNumber: await chain.accountNumber(address) }
    say(`wallet     ${address}, account number ${facts.accountNumber}`)

    // ---------- STEP 1: TERMS ----------
    heading('STEP 1  On which terms?')
    await sayTerms(svc)
    // Had another validator been agreed on, nothing that this service crafts could be signed.
    const elsewhere = pinning(trust, hub.intent.path, { validator: hub.other })
    await sayRefusal(createClient({ trust: elsewhere, apiKey, protocols: { svc: hub.intent } }).svc.stake({ pubkey, amount: AMOUNT }))
    await position()

    // ---------- STEP 2: STAKE ----------
    // It counts from the next block.
    heading(`STEP 2  Stake ${AMOUNT}`)
    await send(await svc.stake({ pubkey, amount: AMOUNT }), wallet, 'a wallet, which has seen the document')
    await position()

    // ---------- STEP 3: CLAIM ----------
    heading('STEP 3  Earn for a day, then claim the rewards')
    await pass(1)
    await position()
    await send(await svc.claimRewards({ pubkey }, { facts }), custodian, 'a custodian, which has seen the hash alone')
    await position()

    // ---------- STEP 4: UNSTAKE ----------
    heading(`STEP 4  Unstake ${AMOUNT}`)
    const before = new Set((await svc.balance(address)).objects?.map(({ id }) => id))
    await send(await svc.unstake({ pubkey, amount: AMOUNT }, { facts }), custodian, 'a custodian, which has seen the hash alone')
    const { objects, deactivating } = await position()
    const exit = objects?.find(({ id }) => !before.has(id))
    if (!exit) throw new Refused('The exit is not among the staking objects of the position.')
    say(`exit       ${exit.id}: ${exit.amount?.text} ${exit.status}, back at ${exit.withdrawableAt}`)

    // ---------- STEP 5: HAVE IT BACK ----------
    // The chain pays by itself, so there is nothing to sign. Whatever else was leaving comes back on the way.
    heading('STEP 5  Wait until it is back')
    const spendable = await chain.balance(address)
    await passUntilGone(exit.id)
    const back = (await chain.balance(address)) - spendable
    if (back !== deactivating?.units) throw new Refused(`${deactivating?.units} ${hub.denom} were leaving, and ${back} came back.`)
    say(`back       ${deactivating.text}, without a transaction`)
  } finally {
    chain.close()
  }

  function position() {
    return sayPosition(svc, address)
  }

  async function send(tx: VerifiedTransaction, signer: Signer, title: string): Promise<void> {
    say(`signer     ${title}`)
    await carryOut(svc, tx, signer)
  }

  async function pass(days: number): Promise<void> {
    const time = await chain.pass(days)
    say(`waiting    … ${time.toISOString().slice(0, 10)}`)
  }

  /** Five weeks are more than either chain takes. */
  async function passUntilGone(id: string): Promise<void> {
    for (let weeks = 0; weeks < 5; weeks++) {
      await pass(7)
      const { objects } = await position()
      if (!objects?.some((object) => object.id === id)) return
    }
    throw new Refused('Five weeks have passed, and the stake is not back.')
  }
}
