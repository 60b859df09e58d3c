import { createClient, type StakingObject, type VerifiedTransaction } from '@svc/client'
import { rawSigner } from '@svc/client/signers'
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
import { evmVault } from '@svc/intent-evm-vault'
import { Contract, formatEther, JsonRpcProvider, SigningKey } from 'ethers'

/** 18 decimals, so a text. */
const AMOUNT = '10.000000000000000001'

/** Methods of the vault for an own node, for who has one. @see https://github.com/stakewise/v3-core (contracts/modules, read 2026-11-21) */
const VAULT_ABI = [
  'function getShares(address account) view returns (uint256)',
  'function getExitQueueIndex(uint256 ticket) view returns (int256)',
]

/** Stake into a vault on Ethereum, earn, leave through its exit queue, claim. @throws Refused or SvcError with a sentence */
export async function vault(sandbox: Sandbox): Promise<void> {
  const [{ address, privateKey }] = sandbox.wallets.evm
  const { apiKey, trust } = sandbox
  const { vault } = createClient({ trust, apiKey, protocols: { vault: evmVault } })
  const chain = chainOf(sandbox, 'evm:1')
  // Only to have two facts compared that the service says anyway; a caller without a node leaves them out, and reads their bounds instead.
  const node = new JsonRpcProvider(chain.rpcUrl, 1, { staticNetwork: true, cacheTimeout: -1 })
  const contract = new Contract(String(vault.terms.vault), VAULT_ABI, node)
  // A custodian, which sees 32 bytes and knows no chain: what they stand for was checked before it gets them.
  const key = new SigningKey(privateKey)
  const custodian = rawSigner({ sign: async (hash) => key.sign(hash).serialized })
  const carryOut = (tx: VerifiedTransaction) => settle(vault, tx, custodian)
  const position = () => sayPosition(vault, address)
  try {
    heading('VAULT')
    say(`service    ${trust.baseUrl}`)
    say(`wallet     ${address}`)

    // ---------- STEP 1: TERMS ----------
    heading('STEP 1  Which vault, on which terms?')
    await sayTerms(vault)
    const elsewhere = pinning(trust, evmVault.path, { vault: address })
    await sayRefusal(createClient({ trust: elsewhere, apiKey, protocols: { vault: evmVault } }).vault.stake({ address, amount: AMOUNT }))

    // ---------- STEP 2: STAKE ----------
    // Shares of the vault are earned from at once; nothing has to warm up.
    heading(`STEP 2  Stake ${AMOUNT}`)
    await carryOut(await vault.stake({ address, amount: AMOUNT }))
    const { staked } = await position()

    // ---------- STEP 3: EARN ----------
    heading('STEP 3  Earn for two updates of the oracles')
    for (let updates = 0; updates < 2; updates++) await update()
    const { staked: grown } = await position()
    say(`earned     ${formatEther(grown.units - staked.units)}`)

    // ---------- STEP 4: UNSTAKE ----------
    // The vault counts in shares. That these are all that the wallet has, the own node says; so nothing of it is assumed.
    heading(`STEP 4  Unstake all of it, ${grown.text}`)
    const shares: bigint = await contract.getFunction('getShares')(address)
    const { objectIds, block } = await carryOut(await vault.unstake({ address, amount: grown.text }, { facts: { shares } }))
    // The ticket of the exit, and the time of its block: what a claim names.
    const [ticket] = objectIds ?? []
    if (ticket === undefined || typeof block?.time !== 'string') throw new Refused('The transaction made no exit.')
    const timestamp = BigInt(Date.parse(block.time)) / 1_000n
    await position()

    // ---------- STEP 5: WAIT FOR THE QUEUE ----------
    heading('STEP 5  Wait until the exit is processed and mature')
    const ready = await untilWithdrawable(ticket)

    // ---------- STEP 6: WITHDRAW ----------
    // A claim names the ticket, when it was made, and where in the queue it was paid.
    heading(`STEP 6  Withdraw ${ready?.text}`)
    const index: bigint = await contract.getFunction('getExitQueueIndex')(ticket)
    const claims = [{ ticket: BigInt(ticket), timestamp, index }]
    const { moves } = await carryOut(await vault.withdraw({ address }, { facts: { claims } }))
    await position()
    const paid = moves?.find(({ kind }) => kind === 'arrives')?.amount ?? 0n
    if (paid !== ready?.units) throw new Refused(`The vault paid ${formatEther(paid)}, and the position said ${ready?.text}.`)
    say(`received   ${formatEther(paid)}`)

    // ---------- STEP 7: HISTORY ----------
    heading('STEP 7  What has happened?')
    const history = (await vault.read(`/historic/${address}`)) as readonly { readonly actionType: string; readonly assets: string }[]
    for (const { actionType, assets } of history.slice(0, 3)) say(`history    ${actionType} ${assets}`)

    heading('VAULT: DONE')
    say(`${AMOUNT} went in and ${formatEther(paid)} came out, to the wei that was announced.`)
  } finally {
    node.destroy()
  }

  /** @returns what the exit is worth. Twelve updates are more than it takes here. */
  async function untilWithdrawable(ticket: string): Promise<StakingObject['amount']> {
    for (let updates = 0; updates < 12; updates++) {
      await update()
      const ready = (await position()).objects?.filter(({ status }) => status === 'withdrawable') ?? []
      const other = ready.find(({ id }) => id !== ticket)
      if (other) throw new Refused(`Another exit, ${other.id}, can be withdrawn too; this program knows of one only.`)
      const [own] = ready
      if (own) return own.amount
    }
    throw new Refused('Six days have passed, and the exit is not paid.')
  }

  async function update(): Promise<void> {
    await chain.advance({ epochs: 1 })
    say('waiting    … 12 hours, to the next update of the oracles')
  }
}
