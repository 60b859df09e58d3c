import { badRequest } from '@svc/contract'
import { call, EvmAddress, encodeCall } from '@svc/kit-evm'
import { explain, vaultAbi } from './abi.ts'
import { type Harvest, updateState } from './harvest.ts'
import { defineAction } from './network.ts'
import { promisedHarvest } from './promises.ts'
import { readHolding, type Ticket } from './tickets.ts'

/** A claim, as the vault takes it. */
interface Claim {
  readonly ticket: bigint
  readonly timestamp: bigint
  readonly index: bigint
}

interface Claims {
  readonly claims: readonly Claim[]
  /** Done before the claims, in the same call. */
  readonly harvest: Harvest | null
}

const CLAIM = 'claimExitedAssets(uint256 ticket, uint256 timestamp, uint256 index)'

/** Claims every exit that is processed and mature, in one transaction. */
export const withdraw = defineAction({
  summary: 'Withdraw what was unstaked',
  description:
    'Claims every exit of the address that is processed and mature, all in one transaction; of an exit that is processed in part, that part.',
  body: { address: EvmAddress },
  async read(ctx, { address }): Promise<Claims> {
    const { view, tickets } = await readHolding(ctx, address, { confirm: false })
    const claimable = tickets.filter(({ isClaimable }) => isClaimable)
    if (claimable.length === 0) throw refusal(address, tickets)
    const claims = claimable.map(({ ticket, timestamp, index }) => ({ ticket, timestamp: BigInt(timestamp), index }))
    return { claims, harvest: view.harvest }
  },
  craft: (network, { address }, { claims, harvest }) => {
    const calls = [
      ...(harvest ? [updateState(harvest)] : []),
      ...claims.map(({ ticket, timestamp, index }) => vaultAbi.encodeFunctionData('claimExitedAssets', [ticket, timestamp, index])),
    ]
    const data = calls.length === 1 ? calls[0]! : vaultAbi.encodeFunctionData('multicall', [calls])
    return { from: address, to: network.vault, data, explain }
  },
  effects: (network, { address }, { claims, harvest }) => {
    const [first, ...more] = claims
    const promised =
      first && more.length === 0 && !harvest
        ? call(network.vault, CLAIM, { ...first })
        : call(network.vault, 'multicall(bytes[] calls)', {
            calls: [...(harvest ? [promisedHarvest(harvest)] : []), ...claims.map((claim) => encodeCall(CLAIM, { ...claim }))],
          })
    return { signers: [address], calls: [promised] }
  },
})

function refusal(address: string, tickets: readonly Ticket[]) {
  if (tickets.length === 0) return badRequest('NOTHING_TO_WITHDRAW', `${address} has no exits, so there is nothing to withdraw.`)
  const processed = tickets.filter(({ assets }) => assets > 0n).map(({ matureAt }) => matureAt)
  if (processed.length === 0)
    return badRequest('WITHDRAWAL_NOT_READY', `The exits of ${address} wait in the vault's queue; none is processed yet.`)
  const at = new Date(Math.min(...processed) * 1000).toISOString()
  return badRequest('WITHDRAWAL_NOT_READY', `The exits of ${address} that are processed are not mature yet; the first one is at ${at}.`)
}
