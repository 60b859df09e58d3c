import type { Call } from '@svc/verify'
import { Contract, formatEther, parseEther } from 'ethers'
import type { Position } from './answers.ts'
import { type Chain, connectChain } from './chain.ts'
import { send } from './journey.ts'
import { Refused, type SandboxFile } from './sandbox-file.ts'
import { connect } from './service.ts'
import { heading, say, sayPosition, sayTerms } from './tell.ts'

/** The operator's StakeWise V3 vault, as agreed with the operator: here the address of the genesis vault on Ethereum. */
const VAULT = '0xAC0F906E433d58FA868F936E8A43230473652885'
/** Who is rewarded for bringing the deposit: nobody. */
const NO_REFERRER = '0x0000000000000000000000000000000000000000'
/** 18 decimals, so a text. */
const AMOUNT = '10.000000000000000001'

/** What the own node is asked of the vault. @see https://github.com/stakewise/v3-core (contracts/modules, read 2026-11-21) */
const VAULT_ABI = [
  'function getShares(address account) view returns (uint256)',
  'function getExitQueueIndex(uint256 ticket) view returns (int256)',
  'event ExitQueueEntered(address indexed owner, address indexed receiver, uint256 ticket, uint256 shares)',
]

/** Stake into a vault on Ethereum, earn, leave through its exit queue, claim. @throws Refused with a sentence */
export async function vault({ baseUrl, apiKey, publicKeyPem, controlUrl, wallets, chains }: SandboxFile): Promise<void> {
  const wallet = wallets.evm[0]!
  const service = connect({ baseUrl, prefix: '/api/v1/evm-one/vault-one', apiKey, publicKeyPem })
  const chain = connectChain({ id: 'evm:1', rpcUrl: chains['evm:1']!.rpcUrl, controlUrl })
  const custody = { ...wallet, chainId: '1', maxFee: parseEther('0.1') }
  const journey = { service, chain, custody, say }
  const contract = new Contract(VAULT, VAULT_ABI, chain.node)
  const position = () => sayPosition(service, wallet.address)
  try {
    heading('VAULT')
    say(`service    ${baseUrl}`)
    say(`wallet     ${wallet.address}`)

    // ---------- STEP 1: NETWORKS AND TERMS ----------
    // An account may have several networks; without X-NETWORK a call is for the default one.
    heading('STEP 1  Which vault, on which terms?')
    await sayTerms(service)
    const { vaultAddress } = await service.get<{ vaultAddress: string }>('/vault')
    if (vaultAddress !== VAULT) throw new Refused(`The service stakes into ${vaultAddress}, and ${VAULT} was agreed.`)
    say(`vault      ${vaultAddress}`)

    // ---------- STEP 2: STAKE ----------
    // Shares of the vault are earned from at once; nothing has to warm up.
    heading(`STEP 2  Stake ${AMOUNT}`)
    const deposit = { target: VAULT, method: 'deposit(address receiver, address referrer)', value: parseEther(AMOUNT) }
    await send(journey, 'stake', { amount: AMOUNT }, { ...deposit, args: { receiver: wallet.address, referrer: NO_REFERRER } })
    const staked = await position()

    // ---------- STEP 3: EARN ----------
    heading('STEP 3  Earn for two updates of the oracles')
    for (let updates = 0; updates < 2; updates++) await update(chain)
    const grown = await position()
    const earned = parseEther(String(grown.staked_amount)) - parseEther(String(staked.staked_amount))
    say(`earned     ${formatEther(earned)}`)

    // ---------- STEP 4: UNSTAKE ----------
    // The vault counts in shares. That these are all that the wallet has is asked of the own node, not of the service.
    heading(`STEP 4  Unstake all of it, ${grown.staked_amount}`)
    const shares = (await contract.getFunction('getShares')(wallet.address)) as bigint
    const exit = await send(
      journey,
      'unstake',
      { amount: String(grown.staked_amount) },
      vaultCall('enterExitQueue(uint256 shares, address receiver)', { shares, receiver: wallet.address }),
    )
    const { ticket, timestamp } = await exitOf(chain, contract, exit)
    say(`ticket     ${ticket}`)
    await position()

    // ---------- STEP 5: WAIT FOR THE QUEUE ----------
    heading('STEP 5  Wait until the exit is processed and mature')
    const ready = await untilWithdrawable(String(ticket))

    // ---------- STEP 6: WITHDRAW ----------
    // A claim names the ticket, when it was made, and where in the queue it was paid.
    heading(`STEP 6  Withdraw ${ready}`)
    const index = (await contract.getFunction('getExitQueueIndex')(ticket)) as bigint
    const before = await chain.node.getBalance(wallet.address)
    const claim = await send(
      journey,
      'withdraw',
      {},
      vaultCall('claimExitedAssets(uint256 ticket, uint256 timestamp, uint256 index)', { ticket, timestamp, index }),
    )
    await position()
    const { fee } = (await chain.node.getTransactionReceipt(claim))!
    const paid = (await chain.node.getBalance(wallet.address)) - before + fee
    if (paid !== parseEther(String(ready))) throw new Refused(`The vault paid ${formatEther(paid)}, and the position said ${ready}.`)
    say(`received   ${formatEther(paid)}`)

    // ---------- STEP 7: HISTORY ----------
    heading('STEP 7  What has happened?')
    const history = await service.get<{ actionType: string; assets: string; link: string }[]>(`/historic/${wallet.address}`)
    for (const { actionType, assets } of history.slice(0, 3)) say(`history    ${actionType} ${assets}`)

    heading('VAULT: DONE')
    say(`${AMOUNT} went in and ${formatEther(paid)} came out, to the wei that was announced.`)
  } finally {
    chain.close()
  }

  /** @returns what the exit is worth. Twelve updates are more than it takes here. */
  async function untilWithdrawable(id: string): Promise<Position['staking_objects'][number]['amount']> {
    for (let updates = 0; updates < 12; updates++) {
      await update(chain)
      const { staking_objects } = await position()
      const others = staking_objects.filter(({ id: other, status }) => other !== id && status === 'withdrawable')
      if (others.length > 0) throw new Refused(`Another exit, ${others[0]!.id}, can be withdrawn too; this program knows of one only.`)
      const own = staking_objects.find((object) => object.id === id)
      if (own?.status === 'withdrawable') return own.amount
    }
    throw new Refused('Six days have passed, and the exit is not paid.')
  }
}

function vaultCall(method: string, args: Call['args']): Call {
  return { target: VAULT, method, args, value: 0n }
}

/** The ticket of an exit and the time of its block, from the receipt on the own node. */
async function exitOf(chain: Chain, contract: Contract, hash: string): Promise<{ ticket: bigint; timestamp: bigint }> {
  const receipt = (await chain.node.getTransactionReceipt(hash))!
  const entered = receipt.logs.map((log) => contract.interface.parseLog(log)).find((event) => event?.name === 'ExitQueueEntered')
  const block = await chain.node.getBlock(receipt.blockNumber)
  return { ticket: entered!.args.ticket as bigint, timestamp: BigInt(block!.timestamp) }
}

async function update(chain: Chain): Promise<void> {
  await chain.nextEpoch()
  say('waiting    … 12 hours, to the next update of the oracles')
}
