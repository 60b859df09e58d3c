// A whole staking journey on local stand-ins of two Cosmos chains: stake, earn, claim, unstake, wait, have it back.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import { connectChain } from './chain.ts'
import { type Hub, hubs } from './hubs.ts'
import { type Journey, send } from './journey.ts'
import { claim, delegation, unbonding } from './promises.ts'
import { findSandbox, Refused, type SandboxFile } from './sandbox-file.ts'
import { connect } from './service.ts'
import { custodianSigner, walletSigner } from './signers.ts'

/** As the service is asked for it, and in base units, as the chain counts. */
const AMOUNT = 1000.000001
const BASE_UNITS = 1_000_000_001n

try {
  const sandbox = await findSandbox()
  for (const hub of hubs) await tell(hub, sandbox)
  heading('DONE')
  say('On both chains the stake came back to the last digit; every answer was signed, every transaction checked.')
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function tell(hub: Hub, { baseUrl, apiKey, publicKeyPem, controlUrl, wallets, chains }: SandboxFile): Promise<void> {
  // ---------- SETUP ----------
  // Against the real service these are your API key, the operator's published key, your wallet and your own node.
  const wallet = wallets.cosmos[0]!
  const { prefix, chainId, denom, validator } = hub
  const address = wallet.addresses[`cosmos:${chainId}`]!
  const service = connect({ baseUrl, prefix: hub.path, apiKey, publicKeyPem })
  const chain = await connectChain(hub, { rpcUrl: chains[`cosmos:${chainId}`]!.rpcUrl, controlUrl })
  try {
    heading(`${hub.title}  ${baseUrl}${hub.path}`)
    // The number that the chain gave the account is part of what is signed. Ask your own node, and keep it: it never changes.
    const number = await chain.accountNumber(address)
    say(`wallet     ${address}, account number ${number}`)
    const journey: Journey = { hub, service, chain, account: { address, publicKey: wallet.publicKey, number }, say }
    const stake = { delegator: address, validator, denom }
    const signingWallet = walletSigner(wallet.mnemonic, { address, number, prefix, chainId })
    const custodian = custodianSigner(wallet.privateKey)

    // ---------- STEP 1: NETWORKS AND TERMS ----------
    heading('STEP 1  Which networks, on which terms?')
    for (const network of await service.get<Network[]>('/networks')) {
      say(`network    ${network.chain_id} (${network.name}${network.is_default ? ', the default' : ''})`)
    }
    const info = await service.get<Terms>('/staking-info')
    say(`yield      ${info.staking_apr} % a year, after a fee of ${info.staking_reward_fee} % of rewards`)
    say(`waiting    ${info.stake_deactivation_max_time} minutes to leave, up to ${info.max_slashing_percentage} % at risk`)
    await position()

    // ---------- STEP 2: STAKE ----------
    // It counts from the next block. A wallet of CosmJS signs: it is shown the document and hashes it itself.
    heading(`STEP 2  Stake ${AMOUNT}`)
    await send(journey, 'stake', { amount: AMOUNT }, delegation(stake, BASE_UNITS), signingWallet)
    await position()

    // ---------- STEP 3: CLAIM ----------
    // From here on a custodian signs: it gets the 32 bytes of unsigned_tx_hash_hex and nothing else.
    heading('STEP 3  Earn for a day, then claim the rewards')
    say(`waiting    … ${day(await chain.pass(1))}`)
    await position()
    await send(journey, 'claim-rewards', {}, claim(stake), custodian)
    await position()

    // ---------- STEP 4: UNSTAKE ----------
    heading(`STEP 4  Unstake ${AMOUNT}`)
    const before = new Set((await read()).staking_objects.map(({ id }) => id))
    await send(journey, 'unstake', { amount: AMOUNT }, unbonding(stake, BASE_UNITS), custodian)
    const exit = (await position()).staking_objects.find(({ id }) => !before.has(id))
    if (!exit) throw new Refused('The exit is not among the staking objects of the position.')
    say(`exit       ${exit.id}: ${exit.amount} ${exit.status}, back at ${exit.withdrawable_at}`)

    // ---------- STEP 5: HAVE IT BACK ----------
    // The chain pays by itself, so there is nothing to sign. Whatever else was leaving comes back on the way.
    heading('STEP 5  Wait until it is back')
    const leaving = (await read()).stake_deactivation_amount
    const spendable = await chain.balance(address)
    await passUntilGone(exit.id)
    const back = (await chain.balance(address)) - spendable
    if (back !== BigInt(Math.round(leaving * 1e6))) throw new Refused(`${leaving} was leaving, and ${coins(back)} came back.`)
    say(`back       ${coins(back)}, without a transaction`)

    async function passUntilGone(id: string): Promise<void> {
      // Five weeks are more than either chain takes.
      for (let weeks = 0; weeks < 5; weeks++) {
        say(`waiting    … ${day(await chain.pass(7))}`)
        if (!(await position()).staking_objects.some((object) => object.id === id)) return
      }
      throw new Refused('Five weeks have passed, and the stake is not back.')
    }

    function read(): Promise<Position> {
      return service.get<Position>(`/staking-balance/${address}`)
    }

    async function position(): Promise<Position> {
      const now = await read()
      say(`position   active ${now.staked_amount}, leaving ${now.stake_deactivation_amount}, rewards ${now.stake_rewards_amount}`)
      return now
    }
  } finally {
    chain.close()
  }
}

interface Network {
  readonly name: string
  readonly chain_id: string
  readonly is_default: boolean
}

interface Terms {
  readonly staking_apr: number | null
  readonly staking_reward_fee: number | null
  readonly stake_deactivation_max_time: number | null
  readonly max_slashing_percentage: number | null
}

/** The family's other two buckets are null: a stake counts at once, and what has left is paid without a withdrawal. */
interface Position {
  readonly staked_amount: number
  readonly stake_deactivation_amount: number
  readonly stake_rewards_amount: number
  readonly staking_objects: readonly {
    readonly id: string
    readonly status: string
    readonly amount: number
    readonly withdrawable_at: string
  }[]
}

/** Whole coins of a millionth each. */
function coins(amount: bigint): string {
  return `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`
}

function day(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function heading(text: string): void {
  console.log(`\n${text}`)
}

function say(line: string): void {
  console.log(`  ${line}`)
}
