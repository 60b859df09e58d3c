import { logStream, type PlacedLog, parseAbi } from '@svc/kit-evm'
import type { LiquidContext } from '../network.ts'

/** Events of Magma's vault, which is the token too. @see https://github.com/MagmaStaking/contracts-public (read 2026-11-21) */
const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event RedeemRequest(address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
])
const hashOf = (name: string) => abi.interface.getEvent(name)?.topicHash ?? ''

/** Topics that name the holder whom an event is about, by the hash of the event. */
const HOLDER = new Map([
  [hashOf('Transfer'), [1, 2]],
  [hashOf('Deposit'), [2]],
  [hashOf('RedeemRequest'), [2]],
  [hashOf('Withdraw'), [3]],
])

/** Topic that names the holder whom shares leave, by the hash of the event. */
export const LEAVER: ReadonlyMap<string, number> = new Map([
  [hashOf('Transfer'), 1],
  [hashOf('RedeemRequest'), 2],
  [hashOf('Withdraw'), 3],
])

/** Event of the vault that is about a holder. Addresses are in lower case, assets in wei; a share has 18 decimals too. */
export type VaultEvent = { readonly log: PlacedLog } & (
  | { readonly name: 'Transfer'; readonly from: string; readonly to: string; readonly shares: bigint }
  | { readonly name: 'Deposit'; readonly sender: string; readonly assets: bigint; readonly shares: bigint }
  | { readonly name: 'RedeemRequest'; readonly controller: string; readonly id: bigint; readonly shares: bigint }
  | { readonly name: 'Withdraw'; readonly receiver: string; readonly assets: bigint }
)

/** Reads the vault's logs of an interval, of all holders. */
export const vaultLogs = logStream<LiquidContext['network']>({
  filter: ({ vault }) => ({ address: vault, events: [...HOLDER.keys()] }),
  kept: () => () => true,
})

/** Makes the test whether a log is about a holder. @param address in any case */
export function isOf(address: string, { vault }: LiquidContext['network']) {
  const [holder, contract] = [`0x${address.slice(2).toLowerCase().padStart(64, '0')}`, vault.toLowerCase()]
  return ({ address: of, topics }: Pick<PlacedLog, 'address' | 'topics'>) =>
    of === contract && (HOLDER.get(topics[0] ?? '') ?? []).some((place) => topics[place] === holder)
}

/** Reads an event of the vault from a log. @throws ethers' errors for an event whose data is cut short */
export function eventOf(log: PlacedLog): VaultEvent {
  const parsed = abi.interface.parseLog(log)
  if (!parsed) throw new TypeError('a log of no event of the vault')
  const { name, args } = parsed
  const lower = (address: unknown) => String(address).toLowerCase()
  switch (name) {
    case 'Transfer':
      return { name, from: lower(args.from), to: lower(args.to), shares: args.value, log }
    case 'Deposit':
      return { name, sender: lower(args.sender), assets: args.assets, shares: args.shares, log }
    case 'RedeemRequest':
      return { name, controller: lower(args.controller), id: args.requestId, shares: args.shares, log }
    default:
      return { name: 'Withdraw', receiver: lower(args.receiver), assets: args.assets, log }
  }
}
